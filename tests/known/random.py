#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the known answers of the random numbers, for known/test_random.

An implementation of its own, from the descriptions: xoshiro256++ as published by Blackman and Vigna
(Scrambled Linear Pseudorandom Number Generators, 2019), the finalizer of SplitMix64 as published by
Steele, Lea and Flood (2014), the seeding as docs/decisions/001-random-numbers.md has it, bounded
draws by Lemire's multiplication with rejection, and waiting times by the ziggurat of Marsaglia and
Tsang (2000) with 256 layers, as include/ringleader/wait.h describes it, here with libm."""
from math import exp, log, log1p

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
        """The low 8 bits choose a layer, the high 53 a point in it."""
        bits = self.next()
        layer = bits % 256
        x = (bits >> 11) * 2.0**-53 * EDGE[layer]
        if x < EDGE[layer + 1]:
            return x
        if layer == 0:
            return TAIL + self.exponential()
        y = ((self.next() >> 11) + 0.5) * 2.0**-53
        if HEIGHT[layer] + y * (HEIGHT[layer + 1] - HEIGHT[layer]) < exp(-x):
            return x
        return self.exponential()

    def geometric(self, successes, trials):
        return int(self.exponential() / -log1p(-successes / trials))


# The layers: equal areas, the lowest with the tail. Edges fall from TAIL + 1 to 0.
TAIL = 7.69711747013104972
EDGE, HEIGHT = [TAIL + 1, TAIL], [0, exp(-TAIL)]
AREA = (TAIL + 1) * exp(-TAIL)
while len(EDGE) < 256:
    HEIGHT.append(HEIGHT[-1] + AREA / EDGE[-1])
    EDGE.append(-log(HEIGHT[-1]))
EDGE.append(0)
HEIGHT.append(1)

SEEDS = [(1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 1, 1), (2, 0, 1), (0, 0, 0),
         (2**64 - 1, 2**64 - 1, 2), (20200715, 12345678901, 1)]
OWN = "tests/known/random.py"


def row(kind, stream, argument, values, source=OWN):
    print(kind, *stream, argument, *values, "#", source)


print("# Known answers of the random numbers, for every build (native and WebAssembly).")
print("# Printed by tests/known/random.py, which shares nothing with the library.")
print("# kind seed trial purpose argument four-outputs # source")
print("# Dashes for seed, trial and purpose: the stream of the row above goes on.")
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
for seeds in SEEDS:
    # In 20 rows (1, 0, 0) has two rejections, (2, 0, 1) a tail and a rejection.
    for_long = seeds in ((1, 0, 0), (2, 0, 1))
    stream = Stream(*seeds)
    for _ in range(20 if for_long else 1):
        row("exponential", seeds, "-", [f"{stream.exponential():.12f}" for _ in range(4)])
        seeds = ("-", "-", "-")
for seeds in SEEDS[:5]:
    for successes, trials in ((1, 2), (3, 7), (1, 4), (1, 1000), (17, 2**26), (1, 2**32)):
        stream = Stream(*seeds)
        row("geometric", seeds, f"{successes}/{trials}",
            [stream.geometric(successes, trials) for _ in range(4)])
