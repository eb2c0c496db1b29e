# SPDX-License-Identifier: MIT
"""A rule written in Python is a protocol like any other."""
import os
import pathlib
import subprocess

import fj06
import numpy as np
import pytest

import ringleader as rl


def make_walkers():
    @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader,
                 sets=dict(one=lambda ring: ring["leader"].sum() == 1))
    def walkers(l, r):
        l.leader, r.leader = 0, l.leader | r.leader
    return walkers


def make_fj06():
    return fj06.make(guarded=fj06.guarded)


def test_walkers_elect_one_on_both_engines():
    walkers = make_walkers()
    for engine in ("event", "step"):
        result = rl.elect(walkers, n=60, start=dict(leader=1), engine=engine)
        assert result.reached and result.leaders == 1
        assert result.hits["one"] == result.steps


@pytest.mark.parametrize("engine", ["event", "step"])
def test_fj06_in_python_is_fj06_for_the_same_seed(engine):
    ours = make_fj06()
    for seed in range(1, 11):
        start = rl.Run("fj06", n=40, seed=seed).configuration
        a = rl.elect("fj06", n=40, seed=seed, engine=engine)
        b = rl.elect(ours, n=40, seed=seed, engine=engine, start=start)
        assert (a.steps, a.events, a.hits, a.leader) == (b.steps, b.events, b.hits, b.leader)
        assert (a.configuration == b.configuration).all()


def test_fj06_in_python_is_verified_as_fj06_is():
    a, b = rl.verify("fj06", n=4), rl.verify(make_fj06(), n=4)
    assert (a.configurations, a.safe, a.self_stabilizing) == \
        (b.configurations, b.safe, b.self_stabilizing)
    assert a.sets["guarded"].size == b.sets["guarded"].size
    assert abs(a.sets["guarded"].expected.worst - b.sets["guarded"].expected.worst) < 1e-6


def test_the_random_start_of_a_rule_is_that_of_the_same_seed():
    assert (rl.Run("fj06", n=50, seed=3).configuration
            == rl.Run(make_fj06(), n=50, seed=3).configuration).all()


def test_walkers_are_verified():
    answer = rl.verify(make_walkers(), n=3)
    assert answer.configurations == 8
    assert answer.sets["one"].size == 3
    assert answer.sets["one"].closed
    assert not answer.self_stabilizing  # without a leader there is never one
    assert answer.trapped is not None


def test_a_set_that_is_not_closed_is_shown_with_a_way_out():
    @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader,
                 sets=dict(neighbours=lambda ring: (ring["leader"] & np.roll(ring["leader"], 1)).any()))
    def walkers(l, r):
        l.leader, r.leader = 0, l.leader | r.leader
    answer = rl.verify(walkers, n=3)
    assert not answer.sets["neighbours"].closed
    way = answer.sets["neighbours"].way_out
    rings = [run.configuration["leader"].copy() for run in way]
    assert len(rings) == len(way.arcs) + 1
    assert rings[0].sum() >= 2 and rings[-1].sum() == 1
    assert "<svg" in way._repr_html_()


def test_a_set_that_depends_on_where_one_begins_to_count_is_refused():
    @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader,
                 sets=dict(first=lambda ring: ring["leader"][0] == 1))
    def walkers(l, r):
        l.leader, r.leader = 0, l.leader | r.leader
    with pytest.raises(rl.RequestError, match="first"):
        rl.verify(walkers, n=3)


def test_mistakes_of_a_rule_are_exceptions():
    with pytest.raises(rl.RequestError, match="sets leader to 2"):
        @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader)
        def wrong(l, r):
            l.leader = 2
    with pytest.raises(ZeroDivisionError):
        @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader)
        def raises(l, r):
            1 / 0
    with pytest.raises(rl.RequestError, match="C file"):
        rl.protocol(variables=dict(a=2**13), output=lambda s: 0)(lambda l, r: None)


def test_a_set_that_raises_stops_the_run():
    @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader,
                 sets=dict(bad=lambda ring: ring["wings"].any()))
    def walkers(l, r):
        l.leader, r.leader = 0, l.leader | r.leader
    with pytest.raises(rl.RequestError, match="wings"):
        rl.elect(walkers, n=20, start=dict(leader=1))


def test_a_child_process_runs_after_a_fork():
    walkers = make_walkers()
    child = os.fork()
    if child == 0:
        os._exit(0 if rl.elect(walkers, n=30, start=dict(leader=1)).leaders == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0




def test_a_c_file_is_a_protocol_by_its_path(program, tmp_path):
    path = str(tmp_path / "copy.c")
    subprocess.run([program, "new", "copy", "--like", "fj06"], cwd=tmp_path, check=True,
                   capture_output=True)
    ours = rl.elect("fj06", n=30, seed=5)
    theirs = rl.elect(path, n=30, seed=5)
    assert (ours.steps, ours.events, ours.hits) == (theirs.steps, theirs.events, theirs.hits)
    assert theirs.protocol == "copy"
    assert rl.verify(pathlib.Path(path), n=3).self_stabilizing
    assert rl.Run(path, n=10).advance(events=5).events == 5


def test_a_c_file_that_does_not_compile_says_what_the_compiler_says(program, tmp_path):
    subprocess.run([program, "new", "wrong"], cwd=tmp_path, check=True, capture_output=True)
    path = tmp_path / "wrong.c"
    path.write_text(path.read_text() + "int x = ;\n")
    line = path.read_text().count("\n")
    with pytest.raises(rl.RequestError, match=f"wrong.c:{line}:9: error"):
        rl.elect(path, n=5)
    with pytest.raises(rl.RequestError, match="nowhere.c"):
        rl.elect("nowhere.c", n=5)


def test_a_rule_without_sets_is_run_until_it_has_settled():
    bare = fj06.make("bare")
    start = dict(leader=1, bullet=1, shield=1)
    result = rl.elect(bare, n=20, start=start, seed=3)
    assert result.reached and result.leaders == 1
    assert result.hits == {"settled": result.steps}
    assert rl.elect(bare, n=20, start=start, seed=3, steps=result.steps - 1).leaders == 2
    with pytest.raises(rl.RequestError, match="no closed set"):
        rl.Run(bare, n=5).advance(until="settled")
    answer = rl.verify(bare, n=3)
    assert answer.sets == {} and answer.self_stabilizing
