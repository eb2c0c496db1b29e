#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Damaged studies: bits flipped, files cut short, pages zeroed, swapped, doubled and overwritten,
# with and without a log beside the file.
#   damage.py PROGRAM COUNT [SEED]
# Each is opened, or refused with a line and status 2 or 3, never with a signal. --salvage ends with
# status 0 or 3; after status 0 the new study is whole: all trials of its points, computed again
# where they were lost.
import os
import random
import shutil
import subprocess
import sys
import tempfile

program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
PAGE = 4096
tally = {"opened": 0, "refused": 0, "saved": 0, "hopeless": 0, "changed": 0}


def run(*words, allowed=(0,)):
    done = subprocess.run([program, *words], capture_output=True, timeout=120, check=False)
    assert done.returncode in allowed, (words, done.returncode, done.stderr)
    if done.returncode > 1:
        assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"ringleader: "), done.stderr
    return done


def pages_of(data):
    return max(1, len(data) // PAGE)


def flip_bits(data):
    for _ in range(dice.choice((1, 3, 50))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def cut(data):
    del data[dice.randrange(len(data)):]


def strike_page(data):
    at = PAGE * dice.randrange(pages_of(data))
    other = PAGE * dice.randrange(pages_of(data))
    data[at:at + PAGE] = dice.choice((bytes(PAGE), dice.randbytes(PAGE), data[other:other + PAGE]))


def strike_head(data):
    for _ in range(4):
        data[dice.randrange(100)] = dice.randrange(256)


def rows(name):
    lines = run("report", name, "--csv", "-").stdout.splitlines()
    return {tuple(line.split(b",")[:10]): line for line in lines}  # up to the trial


os.chdir(tempfile.mkdtemp(prefix="ringleader-damage-"))
run("study", "--db", "whole.db", "-n", "8,12,40", "--start", "random,leaderless", "--trials", "150",
    "--quiet")
run("study", "--db", "whole.db", "-n", "8", "--fault", "3@100", "--trials", "20", "--extend", "--quiet")
whole = rows("whole.db")
with open("whole.db", "rb") as stream:
    clean = stream.read()
for i in range(count):
    damaged = bytearray(clean)
    kind = (flip_bits, cut, strike_page, strike_head)[i % 4]
    kind(damaged)
    with open("damaged.db", "wb") as stream:
        stream.write(damaged)
    if i % 5 == 4:
        with open("damaged.db-wal", "wb") as stream:
            stream.write(dice.randbytes(5000))
    done = run("report", "damaged.db", "--csv", "-", allowed=(0, 2, 3))
    tally["refused" if done.returncode else "opened"] += 1
    with open("damaged.db", "rb") as stream:  # SQLite may have removed what it took for a log
        assert stream.read() == damaged, (i, kind)
    done = run("study", "--salvage", "damaged.db", "--db", "saved.db", "--quiet", allowed=(0, 3))
    if done.returncode:
        tally["hopeless"] += 1
        assert not os.path.exists("saved.db"), i
    else:
        tally["saved"] += 1
        saved = rows("saved.db")
        tally["changed"] += sum(saved[key] != whole.get(key) for key in saved)
    for name in os.listdir("."):
        if not name.startswith("whole"):
            os.remove(name)
shutil.rmtree(os.getcwd())
print(f"{count} damaged studies of {len(whole) - 1} trials: {tally}")
assert tally["saved"] > count // 3
