#!/usr/bin/env python3
"""Two programs side by side, as ratios taken in one run: against.py OLD NEW [--long]

Each row is run by both, one after the other, `rounds` times; what counts is the least user CPU
time, for machines are shared. Elections of different random streams differ in length, so they are
compared by the event. --long adds the rows that take minutes."""
import json
import os
import subprocess
import sys
import tempfile


def measure(program, *arguments):
    """(CPU seconds, MiB at most, answer) of one run; CPU is that of the user's code alone."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([program, *arguments], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            sys.exit(f"against.py: {program} {' '.join(arguments)}: status {child.returncode}")
        out.seek(0)
        return usage.ru_utime, usage.ru_maxrss / 1024, out.read()


def an_election(*options):
    def run(program):
        seconds, memory, answer = measure(program, "elect", *options, "--json")
        return seconds, memory, seconds / json.loads(answer)["events"] * 1e9
    return run


def a_question(*arguments):
    def run(program):
        seconds, memory, _ = measure(program, *arguments)
        return seconds, memory, seconds
    return run


def a_study(*arguments):
    def run(program):
        with tempfile.TemporaryDirectory() as directory:
            seconds, memory, _ = measure(program, "study", "--db", directory + "/s.db", *arguments)
        return seconds, memory, seconds
    return run


SHORT = [
    ("an event, n = N = 10^5, random", "ns", 5, an_election("-n", "1e5")),
    ("an event, n = N = 10^6, random", "ns", 3, an_election("-n", "1e6")),
    ("an event, n = N = 10^5, leaderless", "ns", 3,
     an_election("-n", "1e5", "--start", "leaderless")),
    ("a step of ppl, n = 512, disguised", "ns", 5,
     an_election("-p", "ppl", "-n", "512", "--start", "disguised")),
    ("an event of aaf08, n = 512, random", "ns", 5,
     an_election("-p", "aaf08", "-n", "512", "--seed", "3")),
    ("40 elections, n = N = 2 x 10^4, random", "s", 3,
     a_study("-n", "20000", "--trials", "40", "--jobs", "1")),
    ("verify prl, n = N = 4, one thread", "s", 3, a_question("verify", "-n", "4", "--jobs", "1")),
    ("verify prl, n = N = 4, two threads", "s", 3, a_question("verify", "-n", "4", "--jobs", "2")),
    ("verify fj06, n = 9, stability, one thread", "s", 3,
     a_question("verify", "-p", "fj06", "-n", "9", "--only", "stability", "--jobs", "1")),
    ("verify fj06, n = 9, stability, two threads", "s", 3,
     a_question("verify", "-p", "fj06", "-n", "9", "--only", "stability", "--jobs", "2")),
]
LONG = [
    ("an event, n = N = 10^7, random", "ns", 1, an_election("-n", "1e7")),
    ("an event, n = N = 10^6, leaderless", "ns", 1,
     an_election("-n", "1e6", "--start", "leaderless")),
    ("verify prl, n = N = 5, two threads", "s", 1, a_question("verify", "-n", "5")),
    ("the preset table1 (its points may differ)", "s", 1, a_study("--preset", "table1")),
]


def main():
    old, new = sys.argv[1:3]
    rows = SHORT + (LONG if "--long" in sys.argv[3:] else [])
    print(f"{'user CPU time':44} {'old':>9} {'new':>9}      {'new/old':>8}   {'MiB old':>8} {'new':>8}")
    for name, unit, rounds, run in rows:
        tries = [(run(old), run(new)) for _ in range(rounds)]
        before, after = (min(each[side][2] for each in tries) for side in (0, 1))
        memory = [max(each[side][1] for each in tries) for side in (0, 1)]
        print(f"{name:44} {before:9.3f} {after:9.3f} {unit:4} {after / before:8.2f}   "
              f"{memory[0]:8.1f} {memory[1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
