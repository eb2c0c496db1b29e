# SPDX-License-Identifier: MIT
"""Studies and verifications from Python."""
import io
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from fractions import Fraction

import fj06
import numpy as np
import pandas
import pytest

import ringleader as rl


def test_a_study_has_the_rows_of_the_command_line(tmp_path, program):
    ours = rl.study(tmp_path / "ours.db", protocol="prl", n=[8, 16], start=["random", "leaderless"],
                    trials=10, jobs=2)
    subprocess.run([program, "study", "--db", tmp_path / "theirs.db", "-n", "8,16", "--start",
                    "random,leaderless", "--trials", "10", "--quiet"], check=True)
    csv = subprocess.run([program, "report", tmp_path / "theirs.db", "--csv", "-"], check=True,
                         capture_output=True, text=True).stdout
    theirs = pandas.read_csv(io.StringIO(csv), keep_default_na=False, na_values=[""])
    pandas.testing.assert_frame_equal(ours, theirs)
    assert len(ours) == 40
    pandas.testing.assert_frame_equal(rl.load(tmp_path / "ours.db"), ours)
    pandas.testing.assert_frame_equal(rl.study(tmp_path / "ours.db"), ours)


def test_fits_have_intervals(tmp_path):
    rl.study(tmp_path / "s.db", n=[16, 32, 64, 128], trials=20)
    fits = rl.fits(tmp_path / "s.db")
    assert fits["low"][0] < fits["exponent"][0] < fits["high"][0]
    assert 1.5 < fits["exponent"][0] < 3


def test_studies_refuse_what_makes_no_sense(tmp_path):
    with pytest.raises(rl.RequestError, match="nosuch"):
        rl.study(tmp_path / "s.db", protocol="nosuch", n=8)
    assert not (tmp_path / "s.db").exists()
    with pytest.raises(rl.RequestError, match="no file"):
        rl.load(tmp_path / "nothing.db")
    with pytest.raises(rl.RequestError, match="no plan yet"):
        rl.study(tmp_path / "nothing.db")
    rl.study(tmp_path / "s.db", n=8, trials=2)
    rl.study(tmp_path / "s.db", n=8, trials=2)
    with pytest.raises(rl.RequestError, match="has another plan .*trials=2.*trials=3"):
        rl.study(tmp_path / "s.db", n=8, trials=3)
    rl.study(tmp_path / "s.db", n=8, trials=3, extend=True)
    assert sqlite3.connect(tmp_path / "s.db").execute("SELECT count(*) FROM plan").fetchone() == (2,)


def test_prl_is_verified():
    answer = rl.verify(n=3)
    assert answer.self_stabilizing and answer.all_well
    assert answer.configurations == 884736
    assert answer.sets["S_RL"].closed and answer.sets["S_RL"].inside_safe
    assert abs(answer.sets["S_RL"].expected.worst - 16.1548518) < 1e-6
    assert all(violations == 0 for _, violations in answer.lemmas.values())
    assert "self-stabilizing" in answer._repr_html_()


def test_exact_steps_are_fractions():
    worst = rl.verify(n=2, exact=True).sets["S_RL"].expected.worst
    assert isinstance(worst, Fraction)
    assert abs(float(worst) - rl.verify(n=2).sets["S_RL"].expected.worst) < 1e-6


def test_where_doubles_prove_nothing_fractions_name_no_configuration():
    top = 48

    @rl.protocol(variables=dict(count=top + 1), output=lambda s: 0,
                 sets=dict(full=lambda ring: (ring["count"] == top).all()))
    def counters(l, r):
        l.count, r.count = np.minimum(l.count + 1, top), np.where(r.count < top, 0, top)
    assert rl.verify(counters, n=2).sets["full"].expected is None
    expected = rl.verify(counters, n=2, exact=True).sets["full"].expected
    assert expected.worst == 3 * 2**top - 3 and expected.error == 0
    assert expected.worst_configuration is None


def test_a_protocol_that_fails_shows_a_trap():
    answer = rl.verify("prl-dummy", n=2)
    assert not answer.self_stabilizing
    assert answer.trapped is not None and len(answer.trapped.start) == 2


def test_too_much_is_refused_and_not_tried():
    with pytest.raises(rl.RequestError):
        rl.verify(n=20)


def test_a_distribution_ends_at_one():
    rows = rl.distribution(n=2, start="leaderless")
    assert rows[0] == 0 and rows[-1] > 1 - 1e-8
    assert (np.diff(rows) >= 0).all()


def interrupt_after(wait):
    """Ctrl-C for this process, once `wait` comes back: the work has begun."""
    def press():
        wait()
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    return thread


def test_ctrl_c_ends_an_election():
    begun = threading.Event()
    thread = interrupt_after(begun.wait)
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        rl.elect("fj06", n=10**5, start="opposite")  # it would take a day
    thread.join()


def test_ctrl_c_ends_a_study_and_keeps_what_is_done(tmp_path):
    db = tmp_path / "s.db"

    def until_it_works():
        while not db.exists() or not sqlite3.connect(db).execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'session'").fetchone()[0]:
            time.sleep(0.01)
        while not sqlite3.connect(db).execute("SELECT count(*) FROM session").fetchone()[0]:
            time.sleep(0.01)
    thread = interrupt_after(until_it_works)
    with pytest.raises(KeyboardInterrupt):
        rl.study(db, protocol="fj06", n=10**5, start="opposite", trials=2, jobs=1)
    thread.join()
    assert sqlite3.connect(db).execute("SELECT count(*) FROM point").fetchone() == (1,)


def test_ctrl_c_ends_a_verification():
    begun = threading.Event()
    thread = interrupt_after(begun.wait)
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        rl.verify(n=5, jobs=1)  # it would take minutes
    thread.join()


def at_most_one(ring):
    return ring["leader"].sum() <= 1


def rearmed(l, r, no_leader):
    """As fj06's rule, but a new leader has no bullet: another protocol."""
    fj06.meet(l, r, no_leader)
    if no_leader:
        r.bullet = 0


def test_a_study_has_rules_and_c_files_and_keeps_their_text(program, tmp_path):
    duel = fj06.make("duel", one=at_most_one)
    subprocess.run([program, "new", "ripple"], cwd=tmp_path, check=True, capture_output=True)
    db = tmp_path / "own.db"
    frame = rl.study(db, protocol=[duel, tmp_path / "ripple.c", "prl"], n=[6, 8], trials=4)
    assert frame.groupby("protocol").size().to_dict() == {"duel": 8, "prl": 8, "ripple": 8}
    for row in frame[frame.protocol == "duel"].itertuples():
        alone = rl.elect(duel, n=row.n, seed=1, trial=row.trial)
        assert (row.steps, row.events) == (alone.steps, alone.events)
    kept = dict(sqlite3.connect(db).execute("SELECT protocol, text FROM own"))
    assert "def meet(l, r, no_leader):" in kept["duel"]
    assert kept["ripple"] == (tmp_path / "ripple.c").read_text()


def test_a_study_is_gone_on_with_by_the_same_rule_only(tmp_path):
    db = tmp_path / "later.db"
    first = """if True:
        import sys, ringleader as rl
        sys.path[:0] = sys.argv[1].split(":")
        import fj06, test_studies
        rl.study(sys.argv[2], n=5, trials=3, protocol=fj06.make(
            "later", getattr(test_studies, sys.argv[3], fj06.meet), one=test_studies.at_most_one))
        """
    words = [sys.executable, "-c", first, ":".join(sys.path), str(db)]
    subprocess.run([*words, "meet"], check=True)
    changed = subprocess.run([*words, "rearmed"], capture_output=True, text=True)
    assert changed.returncode == 1 and "has changed since this study began" in changed.stderr
    # Read before the rule is there, it is known by what the file keeps; then the rule takes its place.
    assert len(rl.load(db)) == 3
    assert len(rl.study(db, protocol=fj06.make("later", one=at_most_one), n=5, trials=5, extend=True)) == 5


def test_a_set_that_raises_ends_a_study_without_a_wrong_row(tmp_path):
    def fails(ring):
        raise KeyError("from a set")
    rule = fj06.make("failing", bad=fails)
    with pytest.raises(KeyError, match="from a set"):
        rl.study(tmp_path / "bad.db", protocol=rule, n=5, trials=3)
    assert sqlite3.connect(tmp_path / "bad.db").execute("SELECT count(*) FROM trial").fetchone() == (0,)
