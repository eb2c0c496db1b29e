# SPDX-License-Identifier: MIT
"""Out of memory: each allocation that the library makes fails once, with failing.c preloaded.

What Python then sees is a MemoryError, or nothing at all where less memory does; never another
exception, and the interpreter goes on.
"""
import ctypes
import os
import tempfile

import ringleader as rl

failing = ctypes.CDLL(None)
failing.failing_begin.argtypes = [ctypes.c_size_t]
failing.failing_end.restype = ctypes.c_bool


def starve(name, work):
    """Does the work with the first allocation failing, the second, and so on, until none is left."""
    expected, errors, k = work(), 0, 0
    while True:
        k += 1
        result = None
        failing.failing_begin(k)
        try:
            result = work()
        except MemoryError:
            errors += 1
        finally:
            reached = failing.failing_end()
        assert result is None or result == expected, (name, k)
        if not reached:
            break
    assert errors > 0, f"{name}: nothing failed"
    print(f"{name}: {k - 1} allocations, each failed once; {errors} were a MemoryError")


@rl.protocol(variables=dict(leader=2), output=lambda s: s.leader,
             sets=dict(one=lambda ring: ring["leader"].sum() <= 1))
def walkers(l, r):
    l.leader, r.leader = 0, l.leader | r.leader


def studied():
    with tempfile.TemporaryDirectory() as directory:
        return len(rl.study(os.path.join(directory, "s.db"), n=[4, 5, 6], trials=2, jobs=1))


starve("an election", lambda: rl.elect(n=50, seed=3).steps)
starve("an election with a picture", lambda: rl.elect(n=20, seed=3, picture=True).steps)
starve("a run", lambda: rl.Run(n=50, seed=3).advance(to=500).fault(3).advance().step)
starve("a ring drawn", lambda: len(rl.Run(n=10)._repr_svg_()))
starve("a rule of Python's", lambda: rl.elect(walkers, n=20, start=dict(leader=1)).steps)
starve("a verification", lambda: rl.verify(n=2, jobs=1).sets["S_RL"].expected.worst)
starve("a distribution", lambda: len(rl.distribution(n=2, start="leaderless")))
starve("a study", studied)
