# SPDX-License-Identifier: MIT
"""Elections from Python are those of the command line."""
import json
import random
import subprocess
import threading

import numpy as np
import pytest

import ringleader as rl


def told(program, *words):
    done = subprocess.run([program, *words, "--json"], capture_output=True, text=True)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


SIZES = {"fences": 4, "aaf08": 7, "aaf08-undirected": 7}


@pytest.mark.parametrize("name", rl.protocols())
def test_elect_equals_the_command_line_for_every_protocol_and_fifty_seeds(name, program):
    n = SIZES.get(name, 12)
    for seed in range(1, 51):
        ours = rl.elect(name, n=n, seed=seed, max_steps=10**6)
        theirs = told(program, "elect", "-p", name, "-n", str(n), "--seed", str(seed),
                      "--max-steps", "1e6")
        assert (ours.steps, ours.events, ours.hits, ours.reached) == \
            (theirs["steps"], theirs["events"], theirs["hits"], theirs["reached"])
        assert ours.leader == theirs["leader"]


def test_a_run_stops_exactly_where_it_is_told():
    whole = rl.elect(n=100, seed=3)
    run = rl.Run(n=100, seed=3)
    assert run.advance().step == whole.steps
    assert run.hits == whole.hits
    assert run.events == whole.events
    assert (run.configuration == whole.configuration).all()
    run = rl.Run(n=100, seed=3).advance(to=5000)
    again = rl.Run(n=100, seed=3).advance(to=123).advance(steps=4877)
    assert run.step == again.step == 5000
    assert (run.words == again.words).all()
    assert rl.Run(n=100, seed=3).advance(events=50).events == 50


def assert_cut_is_uncut(protocol, n, seed):
    knife = random.Random(seed)
    whole = rl.Run(protocol, n=n, seed=seed).advance(to=3000)
    cut = rl.Run(protocol, n=n, seed=seed)
    for step in sorted(knife.sample(range(1, 3000), 40)) + [3000]:
        cut.advance(to=step)
    assert (cut.step, cut.events, cut.hits) == (whole.step, whole.events, whole.hits)
    assert (cut.words == whole.words).all()


@pytest.mark.parametrize("name", rl.protocols())
def test_a_run_that_is_cut_is_the_run_uncut(name):
    for seed in range(1, 11):
        assert_cut_is_uncut(name, SIZES.get(name, 12), seed)


def test_a_random_table_that_is_cut_is_the_table_uncut():
    for seed in range(40):
        chance = random.Random(seed)
        states = chance.randint(2, 6)
        rules = {(a, b): (chance.randrange(states), chance.randrange(states))
                 if chance.random() < 0.3 else (a, b) for a in range(states) for b in range(states)}

        @rl.protocol(variables=dict(q=states), output=lambda s: s.q == 0)
        def table(l, r):
            l.q, r.q = rules[l.q, r.q]
        assert_cut_is_uncut(table, chance.randint(2, 20), seed)


def test_faults_are_told_with_their_recovery(program):
    ours = rl.elect(n=100, start="safe", faults=["50@1e6"])
    theirs = told(program, "elect", "-n", "100", "--start", "safe", "--fault", "50@1e6")
    assert ours.faults == theirs["faults"]


def test_an_edit_disturbs_and_heals():
    run = rl.Run(n=30, start="safe", seed=2)
    assert run.hits["S_RL"] == 0
    run.edit(4, leader=1)
    assert run.configuration["leader"][4] == 1
    run.fault(10).advance()
    assert run.leaders == 1


def test_a_start_of_ones_own_is_an_array_or_a_mapping():
    states = rl.Run(n=20, seed=1).configuration
    assert rl.elect(n=20, seed=1, start=states).steps == rl.elect(n=20, seed=1).steps
    assert rl.elect(n=20, start=dict(leader=1)).reached


def test_the_timeline_counts_leaders():
    frame = rl.Run(n=50, seed=1).timeline([0, 10, 100, 1000])
    assert list(frame["step"]) == [0, 10, 100, 1000]
    assert list(frame.columns)[:2] == ["step", "leaders"] and len(frame.columns) > 2


def test_pictures_draw_themselves():
    assert rl.Run(n=10)._repr_svg_().startswith("<svg")
    drawn = rl.draw(n=20, seed=1)
    assert "<svg" in drawn._repr_html_() and drawn.steps == rl.elect(n=20, seed=1).steps


@pytest.mark.parametrize("request_, words", [
    (dict(n=1), "2 to"), (dict(n=10, N=5), "N"), (dict(n=10, start="nowhere"), "nowhere"),
    (dict(n=10, engine="steam"), "steam"), (dict(n=10, until="nothing"), "nothing"),
    (dict(n=10, colour=3), "colour"), (dict(n=10, faults=["x"]), "x"),
    (dict(n=10, start=dict(wings=1)), "wings"), (dict(n=10, start=dict(bullet=3)), "bullet|state"),
])
def test_a_wrong_request_is_an_exception_with_the_reason(request_, words):
    with pytest.raises(rl.RequestError, match=words):
        rl.elect(**request_)


def test_wrong_shapes_are_refused():
    with pytest.raises((ValueError, rl.RequestError)):
        rl.elect(n=10, start=dict(leader=np.zeros(7, int)))


def test_two_threads_run_two_elections_at_once():
    results = {}
    threads = [threading.Thread(target=lambda i=i: results.update({i: rl.elect(n=2000, seed=i)}))
               for i in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results[i] == rl.elect(n=2000, seed=i) for i in (1, 2))


def test_what_comes_after_the_hit_is_known_by_its_name():
    short, long = rl.elect(n=20), rl.elect(n=20, after=1000)
    assert short.steps == long.steps and short.events < long.events
    with pytest.raises(rl.RequestError, match="nosuch"):
        rl.elect(n=20, nosuch=3)
