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
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))
from asking import done, ended, read, scratch

count = int(sys.argv[2])
dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
PAGE = 4096
tally = {"opened": 0, "refused": 0, "saved": 0, "hopeless": 0, "changed": 0}


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
    lines = done(f"report {name} --csv -").splitlines()
    return {tuple(line.split(",")[:10]): line for line in lines}  # up to the trial


def write(name, content):
    with open(name, "wb") as stream:
        stream.write(content)


done("study --db whole.db -n 8,12,40 --start random,leaderless --trials 150 --quiet")
done("study --db whole.db -n 8 --fault 3@100 --trials 20 --extend --quiet")
whole = rows("whole.db")
clean = read("whole.db")
for i in range(count):
    damaged = bytearray(clean)
    kind = (flip_bits, cut, strike_page, strike_head)[i % 4]
    kind(damaged)
    write("damaged.db", damaged)
    if i % 5 == 4:
        write("damaged.db-wal", dice.randbytes(5000))
    tally["refused" if ended("report damaged.db --csv -", 0, 2, 3).returncode else "opened"] += 1
    assert read("damaged.db") == damaged, (i, kind)  # SQLite may have removed what it took for a log
    if ended("study --salvage damaged.db --db saved.db --quiet", 0, 3).returncode:
        tally["hopeless"] += 1
        assert not os.path.exists("saved.db"), i
    else:
        tally["saved"] += 1
        saved = rows("saved.db")
        tally["changed"] += sum(saved[key] != whole.get(key) for key in saved)
    for name in os.listdir("."):
        if not name.startswith("whole"):
            os.remove(name)
shutil.rmtree(scratch)
print(f"{count} damaged studies of {len(whole) - 1} trials: {tally}")
assert tally["saved"] > count // 3
