# SPDX-License-Identifier: MIT
"""What the engines are worth to somebody in Python: the same protocol, the same ring, steps a second.

    make python && build/python/bin/python bench/python.py [N]

prl's bullets and shields would be long in a loop, so the protocol is fj06, from `opposite`: as a plain
Python loop, as a loop over NumPy arrays, as our plain engine and as our event engine (built in, and as
a Python rule made into a table). Processor seconds of this process, not of the clock.
"""
import os
import random
import sys
import time

import numpy as np

import ringleader as rl

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../python/examples"))
import fj06  # noqa: E402


def python_loop(n, steps):
    leader, bullet, shield = ([int(i in (0, n // 2)) for i in range(n)] for _ in range(3))
    leaders = sum(leader)
    for _ in range(steps):
        l = random.randrange(n)
        r = l + 1 if l + 1 < n else 0
        if leaders == 0:
            leader[r] = bullet[r] = shield[r] = leaders = 1
        elif shield[r]:
            shield[r], shield[l], bullet[l] = 0, 1, 0
            bullet[r] |= leader[r]
        elif bullet[l]:
            bullet[l], bullet[r] = 0, 1
            leaders -= leader[r]
            leader[r] = 0
        elif leader[r]:
            bullet[r] = 1


def numpy_loop(n, steps):
    leader, bullet, shield = (np.zeros(n, np.int8) for _ in range(3))
    leader[[0, n // 2]] = shield[[0, n // 2]] = 1
    for arcs in np.array_split(np.random.default_rng(1).integers(n, size=steps), max(1, steps // 4096)):
        for l in arcs:
            r = (l + 1) % n
            if shield[r]:
                shield[r], shield[l], bullet[l] = 0, 1, 0
                bullet[r] |= leader[r]
            elif bullet[l]:
                bullet[l], bullet[r], leader[r] = 0, 1, 0
            elif leader[r]:
                bullet[r] = 1


def seconds(work):
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def main(n):
    rates = {}
    for name, loop in (("pure Python loop", python_loop), ("NumPy arrays in a loop", numpy_loop)):
        spent, _ = seconds(lambda: loop(n, 300000))
        rates[name] = 300000 / spent
    spent, _ = seconds(lambda: rl.Run("fj06", n=n, start="opposite", engine="step").advance(to=10**8))
    rates["our plain engine"] = 10**8 / spent
    table, rule = seconds(lambda: fj06.make(guarded=fj06.guarded))
    spent, built_in = seconds(lambda: rl.elect("fj06", n=n, start="opposite"))
    rates["our event engine, built in"] = built_in.steps / spent
    start = rl.Run("fj06", n=n, start="opposite").configuration
    longer, own = seconds(lambda: rl.elect(rule, n=n, start=start))
    rates["our event engine, a Python rule"] = own.steps / longer
    assert (own.steps, own.events) == (built_in.steps, built_in.events)
    least = min(rates.values())
    for name, rate in rates.items():
        print(f"{name:32} {rate:10.3g} steps a second {rate / least:12,.0f} times the slowest")
    print(f"the Python rule takes {longer / spent:.2f} times as long as the built-in, which takes "
          f"{spent:.1f} s; its table {1000 * table:.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
