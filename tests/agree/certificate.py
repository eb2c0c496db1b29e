#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a certificate of a proof for every n (docs/formats.md), independently: certificate.py FILE.

Shares no code with the program. Words are runs of letters; a pre-image is a set of threads, each a
state of the automaton that reads the word after the move. Of fj06 the rules are known here and the
table is held against them; of others the table is believed. Prints what it proves, or fails."""
import sys
from itertools import product

tokens = iter(open(sys.argv[1]).read().split())
def expect(*words):
    for word in words:
        assert next(tokens) == word, "expected " + word
def number():
    return int(next(tokens))
def automaton(letters):
    expect("automaton")
    rows = [[number() for _ in range(1 + letters)] for _ in range(number())]
    return [r[1:] for r in rows], [r[0] == 1 for r in rows]
def chain(name, letters):
    expect("stage", name)
    moves, sets = number(), [automaton(letters)]
    names = []
    for _ in range(moves):
        expect("move")
        names.append(next(tokens))
        sets.append(automaton(letters))
    return names, sets

expect("ringleader", "certificate", "1", "protocol")
protocol = next(tokens)
expect("parameters")
parameters = [(next(tokens), next(tokens)) for _ in range(number())]
expect("target")
target_name = next(tokens)
expect("sizes")
period = number()
sizes = [number() == 1 for _ in range(period)]
expect("least"); least = number()
expect("from"); from_n = number()
expect("letters"); Q = number()
letters = [(next(tokens), number() == 1) for _ in range(Q)]
leads = [lead for _, lead in letters]
expect("states")
states = [number() for _ in range(number())]
expect("oracle"); oracle = number() == 1
tables = []
for name in ["silent", "speaking"][:1 + oracle]:
    expect(name)
    tables.append([[(number(), number()) for _ in range(Q)] for _ in range(Q)])
target = automaton(Q)

if protocol == "fj06":
    def meet(l, r, none):
        l, r = ({c: c in x for c in "LBs"} for x in (l, r))
        if none: r["L"] = r["B"] = r["s"] = True
        elif r["s"]: r["s"] = l["B"] = False; l["s"] = True; r["B"] = r["B"] or r["L"]
        elif l["B"]: l["B"] = r["L"] = False; r["B"] = True
        elif r["L"]: r["B"] = True
        return tuple("".join(c for c in "LBs" if x[c]) or "-" for x in (l, r))
    for i, j, none in product(range(Q), range(Q), (0, 1)):
        assert meet(letters[i][0], letters[j][0], none) == tuple(
            letters[x][0] for x in tables[none][i][j]), "not the rules of fj06"

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
    if word: sys.exit(f"{sys.argv[1]}: {what}: {word}")

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
    for al, (moves, sets), report, allowed in (
            (plain, one, 0, "arc right left seam lose"), (marked, many, 0, "arc right left seam"),
            (plain, none, int(oracle), "arc seam" if oracle else "arc right left seam")):
        for i, move in enumerate(moves):
            assert move in allowed.split(), move
            moved = leaders(al, {0}) if move == "lose" else pre(al, sets[i], move, report)
            refute(f"move {i + 1} {move}", al, [run(sets[i + 1])], [run(sets[i]), moved])
            if report: refute("it has a leader", al, [run(sets[i + 1]), lead3], [run(sets[i])])
    refute("missing", plain, [leaders(plain, {1}), second(plain.lead), size(from_n)], [run(one[1][-1])])
    refute("missing", plain, [leaders(plain, {0}), size(from_n)], [run(none[1][-1])])
    refute("missing", marked, [lead2, second(marked.lead), size(from_n)], [run(many[1][-1]), fewer])
expect("end")
print(f"{protocol}: {target_name} is closed and safe for every n >= {least}" +
      (f", and reached with probability 1 for every n >= {from_n}" if from_n else ""))
