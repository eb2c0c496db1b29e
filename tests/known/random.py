#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the known answers of the random numbers: tests/known/random.txt.

An implementation of its own, from the descriptions: xoshiro256++ as published by Blackman and Vigna
(Scrambled Linear Pseudorandom Number Generators, 2019), the finalizer of SplitMix64 as published by
Steele, Lea and Flood (2014), the seeding as docs/decisions/001-random-numbers.md has it, bounded
draws by Lemire's multiplication with rejection, and logarithms to 50 digits."""
from decimal import Decimal, getcontext
from math import floor

getcontext().prec = 50
MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio


def rotate(x, k):
    return (x << k | x >> 64 - k) & MASK


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


class Stream:
    """Word i of the state hashes seed, trial and purpose in turn, beginning at i + 1 times golden."""

    def __init__(self, seed=0, trial=0, purpose=0, state=None):
        self.s = list(state) if state else []
        for i in range(0 if state else 4):
            h = mix((seed + (i + 1) * GOLDEN) & MASK)
            h = mix(((h ^ trial) + GOLDEN) & MASK)
            self.s.append(mix(((h ^ purpose) + GOLDEN) & MASK))

    def next(self):
        s0, s1, s2, s3 = self.s
        result = (rotate((s0 + s3) & MASK, 23) + s0) & MASK
        t = s1 << 17 & MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = rotate(s3, 45)
        self.s = [s0, s1, s2, s3]
        return result

    def below(self, bound):
        while True:
            product = self.next() * bound
            if product & MASK >= 2**64 % bound:
                return product >> 64

    def exponential(self):
        return -((Decimal(self.next()) + Decimal("0.5")) / 2**64).ln()

    def geometric(self, successes, trials):
        if 4 * successes > trials:
            failures = 0
            while self.below(trials) >= successes:
                failures += 1
            return failures
        return floor(self.exponential() / -(1 - Decimal(successes) / trials).ln())


SEEDS = [(1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 1, 1), (2, 0, 1), (0, 0, 0),
         (2**64 - 1, 2**64 - 1, 2), (20200715, 12345678901, 1)]
OWN = "tests/known/random.py"


def row(kind, stream, argument, values, source=OWN):
    print(kind, *stream, argument, *values, "#", source)


print("# Known answers of the random numbers, for every build (native and WebAssembly).")
print("# Printed by tests/known/random.py, which shares nothing with the library.")
print("# kind seed trial purpose argument four-outputs # source")
print("# `state` rows have the state s0 s1 s2 s3 in place of seed, trial, purpose and argument.")
raw = Stream(state=(1, 2, 3, 4))
row("state", (1, 2, 3), 4, [raw.next() for _ in range(4)], "xoshiro256++ of Blackman and Vigna")
raw = Stream(state=(MASK, 0, 2**63, 0x0123456789ABCDEF))
row("state", (MASK, 0, 2**63), 0x0123456789ABCDEF, [raw.next() for _ in range(4)],
    "xoshiro256++ of Blackman and Vigna")
for seeds in SEEDS:
    stream = Stream(*seeds)
    row("next", seeds, "-", [stream.next() for _ in range(4)])
for seeds in SEEDS:
    for bound in (2, 3, 1000, 2**26, 2**32 - 1, 2**32):
        stream = Stream(*seeds)
        row("below", seeds, bound, [stream.below(bound) for _ in range(4)])
for seeds in SEEDS[:5]:
    stream = Stream(*seeds)
    row("exponential", seeds, "-", [f"{stream.exponential():.18f}" for _ in range(4)])
for seeds in SEEDS[:5]:
    for successes, trials in ((1, 2), (3, 7), (1, 4), (1, 1000), (17, 2**26), (1, 2**32)):
        stream = Stream(*seeds)
        row("geometric", seeds, f"{successes}/{trials}",
            [stream.geometric(successes, trials) for _ in range(4)])
