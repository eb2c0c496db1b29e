#!/usr/bin/env python3
"""Breaks src at random and sees whether the tests notice.

usage: scripts/mutants.py [--count 150] [--room ROOM,...] [--seed 1] [--fast] [--least 95]

A mutant changes one relation, constant, sign, && or ||, drops one statement, or returns early. Comments,
strings and assertions are left alone; a mutant with the same object code is skipped. Each is judged by the
tests near it first (those that call most of the file's functions, and the command line), then by the fast
tests (`make check`), then by all of `make test`'s that gcc runs; --fast stops before the last. What survives is
printed as it would stand in the file. With rooms, so many mutants of each. Exit status 1 if fewer than --least
percent are noticed. The work is done in a copy of the tree, BUILD/mutants, with one process at a time.
"""
import argparse
import collections
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
WORK = os.path.join(os.path.realpath(os.environ.get("BUILD", os.path.join(ROOT, "build"))), "mutants")
TREE, BUILD = os.path.join(WORK, "tree"), os.path.join(WORK, "build")
TEST = ["meson", "test", "-C", BUILD, "--no-rebuild", "--num-processes", "1", "--maxfail", "1", "--timeout-multiplier", "5"]

# What is looked for in a line, and what it may become.
EDITS = [
    (r"(?<![<>=!+\-*/&|^%-])<=(?!=)", ["<"]), (r"(?<![<>=!-])>=(?!=)", [">"]),
    (r" < ", [" <= ", " > "]), (r" > ", [" >= ", " < "]),
    (r" == ", [" != "]), (r" != ", [" == "]),
    (r" && ", [" || "]), (r" \|\| ", [" && "]),
    (r" \+ ", [" - "]), (r" - ", [" + "]), (r" \* ", [" + "]), (r" % ", [" / "]),
    (r"\+\+", ["--"]), (r" \+= ", [" -= "]), (r" -= ", [" += "]),
    (r"(?<![\w.])([0-9]|[1-9][0-9]+)(?![\w.])", [lambda text: str(int(text) + 1), lambda text: str(max(0, int(text) - 1))]),
    (r"\btrue\b", ["false"]), (r"\bfalse\b", ["true"]),
    (r"(?<=\()!(?=\w)", [""]),
]
STATEMENT = re.compile(r"^    +[\w>.\[\]()&*-]+(\(.*\)| [-+|&]?= .*|\+\+|--);$")


def masked(text):
    """The text with comments, strings and assertions blanked out, the same length."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^#[^\n]*(?:\\\n[^\n]*)*|'
                         r'\b(?:static_)?assert\([^;]*;|_Static_assert\([^;]*;|enum \{[^}]*RL_[^}]*\};', re.S | re.M)
    return pattern.sub(lambda found: re.sub(r"[^\n]", "\x01", found[0]), text)


def mutants_of(path):
    """(begin, end, instead) for each change that may be made to the file."""
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        text = masked(file.read())
    body = text.find("{\n")
    for pattern, becomes in EDITS:
        for found in re.finditer(pattern, text):
            for new in becomes:
                new = new(found[0]) if callable(new) else new
                if found.start() > body and new != found[0]:
                    yield found.start(), found.end(), new
    at = 0
    for line in text.splitlines(True):
        if STATEMENT.match(line.rstrip("\n")) and at > body and "\x01" not in line:
            yield at, at + len(line), "\n"
        if line.startswith("    return ") and at > body:
            yield at, at, "    if (0 == 0) __builtin_trap();\n"
        at += len(line)


def run(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(TREE)
    listed = run("git", "-C", ROOT, "ls-files").stdout.split("\n")
    for name in filter(None, listed or []):
        os.makedirs(os.path.dirname(os.path.join(TREE, name)), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, name), os.path.join(TREE, name), follow_symlinks=False)
    made = run("meson", "setup", BUILD, TREE, "-Dtests=true")
    made = made if made.returncode else run("ninja", "-j1", "-C", BUILD)
    made = made if made.returncode else run(*TEST, "--suite", "check") # else everything would be noticed
    if made.returncode:
        sys.exit(made.stdout)


def objects(path):
    """The code of every object that is made of this source, by its name."""
    wanted = path.replace("src/", "", 1).replace("/", "_") + ".o"
    found = {}
    for directory, _, names in os.walk(BUILD):
        for name in names:
            if name.endswith(wanted):
                code = run("objdump", "-rs", os.path.join(directory, name)).stdout
                found[os.path.join(directory, name)] = hashlib.sha256(code.encode(errors="replace")).digest()
    return found


def near(path):
    """The tests that name most of the functions of the file, and some of the command line; what to build."""
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        functions = re.findall(r"^[\w \*]*?\b(rl_\w+)\(", file.read(), re.M)
    tests = {test["name"]: test["cmd"][0] for test in json.loads(run("meson", "introspect", "--tests", BUILD).stdout)}
    named = collections.Counter()
    for name in tests:
        source = os.path.join(TREE, "tests", name + ".c")
        if os.path.exists(source):
            with open(source, encoding="utf-8") as file:
                text = file.read()
            named[name] = sum(len(re.findall(rf"\b{function}\b", text)) for function in set(functions))
    chosen = [name for name, count in named.most_common(4) if count]
    chosen += [name for name in tests if name.startswith("golden/") and name not in ("golden/prove", "golden/interrupt")]
    return chosen, ["ringleader"] + [os.path.relpath(tests[name], BUILD) for name in chosen if tests[name].startswith(BUILD)]


def noticed_by(arguments, path, limit):
    """Which tests noticed, or None. Nothing was built with the mutant yet but its objects."""
    names, targets = near(path)
    stages = [("near", targets, names), ("check", [], ["--suite", "check"])]
    for stage, build, words in stages + ([] if arguments.fast else [("test", [], [])]):
        try:
            if run("ninja", "-j1", "-C", BUILD, *build).returncode:
                sys.exit(f"{path}: what compiled does not link")
            if run(*TEST, *words, timeout=limit).returncode:
                return stage
        except subprocess.TimeoutExpired:
            return stage
    return None


def judge(arguments, path, mutant):
    """None: the same code, or it does not compile; else who noticed, or ""."""
    begin, end, new = mutant
    name = os.path.join(TREE, path)
    with open(name, encoding="utf-8") as file:
        text = file.read()
    before = objects(path)
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text[:begin] + new + text[end:])
        if run("ninja", "-j1", "-C", BUILD, *(os.path.relpath(made, BUILD) for made in before)).returncode or \
                objects(path) == before:
            return None
        return noticed_by(arguments, path, 1800) or ""
    finally:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)


def try_some(arguments, paths, score):
    """So many mutants of these files, chosen at random; counts them by room."""
    candidates = [(path, mutant) for path in paths for mutant in mutants_of(path)]
    random.Random(arguments.seed).shuffle(candidates)
    tried = 0
    for path, mutant in candidates:
        if tried == arguments.count:
            break
        outcome = judge(arguments, path, mutant)
        if outcome is None:
            continue
        tried += 1
        score[path.split("/")[1]][0] += outcome != ""
        score[path.split("/")[1]][1] += 1
        with open(os.path.join(TREE, path), encoding="utf-8") as file:
            text = file.read()
        line = text.count("\n", 0, mutant[0]) + 1
        what = text[mutant[0]:mutant[1]].strip() or "(nothing)"
        print(f"{tried:4} {outcome or 'SURVIVES':8} {path}:{line}: {what} -> {mutant[2].strip() or '(nothing)'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--least", type=float, default=95)
    arguments = parser.parse_args()
    prepare()
    sources = [name for name in run("git", "-C", ROOT, "ls-files", "src").stdout.split() if name.endswith(".c")]
    score = collections.defaultdict(lambda: [0, 0])
    for room in arguments.room.split(",") if arguments.room else [None]:
        try_some(arguments, [name for name in sorted(sources) if room in (None, name.split("/")[1])], score)
    noticed, total = (sum(pair[i] for pair in score.values()) for i in (0, 1))
    for room in sorted(score):
        print(f"{room:12} {score[room][0]:4} of {score[room][1]}")
    print(f"noticed {noticed} of {total}" + (f" ({100 * noticed / total:.1f} %)" if total else ""))
    sys.exit(total == 0 or 100 * noticed < arguments.least * total)


main()
