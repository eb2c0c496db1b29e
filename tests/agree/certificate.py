#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a certificate of a proof for every n (docs/formats.md), independently: certificate.py
[--believe] FILE.

Shares no code with the program. Words are runs of letters; a pre-image is a set of threads, each a
state of the automaton that reads the word after the move. The rules of fj06 and prl-oracle are known
here: states, letters, who leads and the table are held against them. Of others (--believe) they are
believed. Prints what it proves, or fails."""
import sys
from itertools import product

believe = sys.argv[1] == "--believe"
tokens = iter(open(sys.argv[-1]).read().split())
def word():
    return next(tokens, "the end")
def expect(*words):
    for known in words:
        found = word()
        assert found == known, f"expected {known}, found {found}"
def number(least=0, most=1 << 20):
    found = word()
    assert found.isascii() and found.isdigit() and least <= int(found) <= most, \
        f"expected a number from {least} to {most}, found {found}"
    return int(found)
def flag():
    return number(0, 1) == 1
def automaton(letters):
    expect("automaton")
    states = number(1)
    rows = [(flag(), [number(0, states - 1) for _ in range(letters)]) for _ in range(states)]
    return [row for _, row in rows], [accepts for accepts, _ in rows]
MOVES = ("arc", "right", "left", "seam", "lose")
def chain(name, letters):
    expect("stage", name)
    moves, sets, names = number(0, 64), [automaton(letters)], []
    for _ in range(moves):
        expect("move")
        names.append(word())
        assert names[-1] in MOVES, "no move: " + names[-1]
        sets.append(automaton(letters))
    return names, sets

# What is known of protocols: texts of the values of variables, the meeting of two (lists of values;
# the second is told whether there is no leader), which n.
def fj06(l, r, none):
    if none: r[:] = 1, 1, 1
    elif r[2]: r[2] = l[1] = 0; l[2] = 1; r[1] = r[1] or r[0]
    elif l[1]: l[1] = r[0] = 0; r[1] = 1
    elif r[0]: r[1] = 1
def prl_oracle(l, r, none):
    if none: r[:] = 1, 2, 1, 0
    if l[0] and l[3]: l[1:] = 2, 1, 0
    if r[0] and r[3]: r[1:] = 1, 0, 0
    if l[1] and r[0]:
        r[0] = int(not (l[1] == 2 and not r[2]))
        l[1] = 0
    elif l[1]:
        r[1] = r[1] or l[1]
        l[1] = r[3] = 0
    l[3] = max(l[3], r[3], r[0])
KNOWN = {"fj06": ("guarded", [("", "L"), ("", "B"), ("", "s")], fj06),
         "prl-oracle": ("one", [("", "L"), ("", "b", "B"), ("", "s"), ("", "!")], prl_oracle)}

expect("ringleader", "certificate", "3", "program_version")
word()  # whichever program wrote it
expect("protocol")
protocol = word()
assert protocol in KNOWN or believe, f"the rules of {protocol} are not known here (--believe)"
expect("tied", "compiled-without-n", "no-writable-data", "no-calls-outside", "assumes", "defined-c",
       "parameters")
parameters = {word(): number(0, (1 << 32) - 1) for _ in range(number(0, 4))}
assert parameters.get("delay", 0) == 0, "the oracle reports at once"
assert protocol not in KNOWN or list(parameters) == ["delay"], "its one parameter is the delay"
expect("target")
target_name = word()
assert protocol not in KNOWN or target_name == KNOWN[protocol][0], "not its target"
expect("sizes")
period = number(1, 64)
sizes = [flag() for _ in range(period)]
assert protocol not in KNOWN or sizes == [True], "it is for every n"
expect("least"); least = number(2, 1 << 16)
expect("from"); from_n = number(0, 1 << 16)
expect("enumerated")
small = [(number(2, 64), flag()) for _ in range(number(0, 16))]
assert all(a[0] < b[0] for a, b in zip(small, small[1:])), "not in order"
expect("letters"); Q = number(1, 1 << 14)
letters = [(word(), flag()) for _ in range(Q)]
leads = [lead for _, lead in letters]
expect("states")
states = [number(0, Q - 1) for _ in range(number(1, 1 << 14))]
firsts = [states.index(c) if c in states else -1 for c in range(Q)]
assert firsts[0] == 0 and all(a < b for a, b in zip(firsts, firsts[1:])), \
    "letters are not in the order of their first states"
expect("oracle"); oracle = flag()
tables = []
for name in ["silent", "speaking"][:1 + oracle]:
    expect(name)
    tables.append([[(number(0, Q - 1), number(0, Q - 1)) for _ in range(Q)] for _ in range(Q)])
target = automaton(Q)

if protocol in KNOWN:
    _, texts, meet = KNOWN[protocol]
    values = [list(v)[::-1] for v in product(*(range(len(t)) for t in reversed(texts)))]
    place = {tuple(v): i for i, v in enumerate(values)}
    assert oracle and len(states) == len(values), "not its states"
    for c, first in enumerate(firsts):
        text = "".join(t[v] for t, v in zip(texts, values[first])) or "-"
        assert letters[c][0] == text, "not the first state of letter " + text
    for state, letter in zip(values, states):
        assert leads[letter] == (state[0] == 1), "not who leads"
    for (i, x), (j, y), none in product(enumerate(values), enumerate(values), (0, 1)):
        l, r = list(x), list(y)
        meet(l, r, none)
        assert tables[none][states[i]][states[j]] == tuple(states[place[tuple(z)]] for z in (l, r)), \
            "not the rules of " + protocol

class Alphabet:  # with marks, a leader without one is no letter
    def __init__(self, marks):
        pairs = [(c, m) for c in range(Q) for m in ((1,) if leads[c] else (0, 1))] if marks \
            else [(c, 0) for c in range(Q)]
        place = {pair: i for i, pair in enumerate(pairs)}
        self.size, self.lead = len(pairs), [leads[c] for c, _ in pairs]
        self.mark = [m == 1 for _, m in pairs]
        self.text = [letters[c][0] + "*" * m for c, m in pairs]
        after = lambda t, a, b: tuple(place.get((x, p[1])) for x, p in
                                      zip(t[pairs[a][0]][pairs[b][0]], (pairs[a], pairs[b])))
        self.meet = [[[after(t, a, b) for b in range(self.size)] for a in range(self.size)]
                     for t in tables]

# Sets of words are machines: (start, step, accepts); a state None is left by no word.
def run(dfa):
    alive = {s for s, yes in enumerate(dfa[1]) if yes}
    while (more := {s for s, row in enumerate(dfa[0]) if alive & set(row)} - alive): alive |= more
    return 0, lambda s, a: dfa[0][s][a] if dfa[0][s][a] in alive else None, lambda s: dfa[1][s]
def leaders(al, good):  # good: which of the counts 0, 1, 2 (or more)
    return 0, lambda s, a: min(s + al.lead[a], 2), lambda s: s in good
def size(start):
    return 0, lambda s, a: s + 1 if s + 1 < start + period else start, \
        lambda s: s >= start and sizes[s % period]
def some(good):  # some letter is one of these
    return False, lambda s, a: s or good[a], lambda s: s
def second(good):  # the second letter is
    return 0, lambda s, a: 1 if s == 0 else 2 + good[a] if s == 1 else s, lambda s: s == 3
def changes(al):  # an interaction changes an output
    def bad(x, y): return [al.lead[x], al.lead[y]] != [al.lead[z] for z in al.meet[0][x][y]]
    return (None, None, False), lambda s, a: (a if s[0] is None else s[0], a,
        s[2] or s[1] is not None and bad(s[1], a)), lambda s: s[2] or s[1] is not None and bad(s[1], s[0])

def pre(al, dfa, move, report=0):  # the words that a move leads into the dfa
    nxt, ok = dfa
    meet = al.meet[report]
    def follow(t, a):
        kind, q = t[0], t[-1]
        if kind in ("start", "before"):
            yield "before", nxt[q][a]
            if move in ("arc", "right"): yield "carry", a, q
            elif move == "left":
                for g in range(al.size):
                    if None not in meet[a][g]: yield "expect", g, nxt[nxt[q][meet[a][g][0]]][meet[a][g][1]]
            elif kind == "start" and move == "turn": yield "turned", a, 0
            elif kind == "start" and move == "seam":
                for b in range(al.size):
                    if None not in meet[b][a]: yield "last", b, meet[b][a][0], nxt[0][meet[b][a][1]]
        elif kind == "after": yield "after", nxt[q][a]
        elif kind == "turned": yield "turned", t[1], nxt[q][a]
        elif kind == "carry" and None not in meet[t[1]][a]:
            x, y = meet[t[1]][a]
            yield "after", nxt[nxt[q][x]][y]
            if move == "right": yield "carry", y, nxt[q][x]
        elif kind == "expect":
            if a == t[1]: yield "after", q
            for g in range(al.size):
                if meet[a][g][0] == t[1] and meet[a][g][1] is not None: yield "expect", g, nxt[q][meet[a][g][1]]
        elif kind == "last":
            yield "last", t[1], t[2], nxt[q][a]
            if a == t[1] and ok[nxt[q][t[2]]]: yield "done", 0
    def accepts(t):
        return t[0] == "done" or t[0] == "after" and ok[t[-1]] or \
            t[0] == "turned" and ok[nxt[t[-1]][t[1]]]
    return frozenset([("start", 0)]), lambda s, a: frozenset(u for t in s for u in follow(t, a)), \
        lambda s: any(accepts(t) for t in s)

def find(al, all_of, none_of=()):  # a shortest word of all of these and none of those
    machines = list(all_of) + list(none_of)
    seen = {tuple(m[0] for m in machines): ()}
    for states in (queue := list(seen)):
        accepted = [s is not None and m[2](s) for m, s in zip(machines, states)]
        if all(accepted[:len(all_of)]) and not any(accepted[len(all_of):]):
            return " ".join(al.text[a] for a in seen[states]) or "(empty)"
        for a in range(al.size):
            new = []
            for i, (m, s) in enumerate(zip(machines, states)):
                new.append(None if s is None else m[1](s, a))
                if new[-1] is None and i < len(all_of): break
            else:
                if tuple(new) not in seen:
                    seen[tuple(new)] = seen[states] + (a,)
                    queue.append(tuple(new))
def refute(what, al, all_of, none_of=()):
    word = find(al, all_of, none_of)
    if word: sys.exit(f"{sys.argv[-1]}: {what}: {word}")

plain, marked = Alphabet(False), Alphabet(True)
inside, others = [run(target), size(least)], (target[0], [not yes for yes in target[1]])
refute("turned, it is outside", plain, inside + [pre(plain, others, "turn")])
for move, report in product(("arc", "seam"), range(1 + oracle)):
    refute("not closed", plain, inside + [pre(plain, others, move, report)] +
           [leaders(plain, {0} if report else {1, 2})] * oracle)
refute("not one leader", plain, inside, [leaders(plain, {1})])
refute("an output changes", plain, inside + [changes(plain)])
if from_n:
    assert from_n >= least, "nothing is said of the target"
    one, none, many = (chain(n, a.size) for n, a in
                       (("one", plain), ("none", plain), ("many", marked)))
    may_lose = oracle and "lose" in one[0]
    lost = one[0].index("lose") if "lose" in one[0] else len(one[0])
    creates = any(leads[z] > leads[o] for x, y in product(range(Q), range(Q))
                  for z, o in zip(tables[0][x][y], (x, y)))
    assert "lose" not in one[0] or oracle
    assert not (oracle and creates and (lost > 0 or not may_lose)), "the oracle may have spoken"
    lead1, lead2, lead3 = (leaders(marked, {1, 2}), leaders(marked, {2}), leaders(plain, {1, 2}))
    fewer = some([m and not l for m, l in zip(marked.mark, marked.lead)])
    refute("goal", plain, [run(one[1][0])], [run(target)])
    refute("goal", plain, [run(none[1][0])], [run(one[1][lost]) if may_lose else lead3])
    refute("goal", marked, [run(many[1][0])], [fewer])
    if not may_lose: refute("goal", marked, [run(many[1][0])], [lead1])
    for al, (moves, sets), report, allowed, guards in (
            (plain, one, 0, "arc right left seam lose", (leaders(plain, {1}), second(plain.lead))),
            (marked, many, 0, "arc right left seam", (second(marked.mark),)),
            (plain, none, int(oracle), "arc seam" if oracle else "arc right left seam",
             (leaders(plain, {0}),))):
        for i, move in enumerate(moves):
            assert move in allowed.split(), move
            moved = leaders(al, {0}) if move == "lose" else pre(al, sets[i], move, report)
            refute(f"move {i + 1} {move}", al, [run(sets[i + 1])], [run(sets[i]), moved])
            for guard in guards if move != "lose" else ():  # what is first, stays first
                refute(f"move {i + 1} {move}, guard", al, [run(sets[i + 1])], [run(sets[i]), guard])
    refute("missing", plain, [leaders(plain, {1}), second(plain.lead), size(from_n)], [run(one[1][-1])])
    refute("missing", plain, [leaders(plain, {0}), size(from_n)], [run(none[1][-1])])
    refute("missing", marked, [lead2, second(marked.lead), size(from_n)], [run(many[1][-1]), fewer])
expect("end")
assert next(tokens, None) is None, "something after the end"

def stabilizes(n):  # by brute force, over letters
    def after(c, i):
        none = oracle and not any(leads[x] for x in c)
        c = list(c)
        c[i], c[(i + 1) % n] = tables[none][c[i]][c[(i + 1) % n]]
        return tuple(c)
    follow = {c: {after(c, i) for i in range(n)} for c in product(range(Q), repeat=n)}
    output = {c: tuple(leads[x] for x in c) for c in follow}
    safe = {c for c in follow if sum(output[c]) == 1 and all(output[d] == output[c] for d in follow[c])}
    while (bad := {c for c in safe if not follow[c] <= safe}): safe -= bad
    while (more := {c for c in follow if c not in safe and follow[c] & safe}): safe |= more
    return len(safe) == len(follow)
for n, holds in small:
    assert Q ** n > 5000 or stabilizes(n) == holds, f"n = {n}, enumerated again"
print(f"{protocol}: {target_name} is closed and safe for every n >= {least}" +
      (f", and reached with probability 1 for every n >= {from_n}" if from_n else ""))
