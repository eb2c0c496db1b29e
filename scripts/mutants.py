#!/usr/bin/env python3
"""Breaks src at random and sees whether the tests notice.

usage: scripts/mutants.py [--count 150] [--room ROOM,...] [--seed 1] [--fast] [--least 95] [--again]

A mutant changes one relation, constant, sign, && or ||, drops one statement, or returns early. Comments,
strings and assertions are left alone. A mutant with the same object code is skipped, and so is one that
scripts/equivalent.txt names. The mutants are spread over the rooms of src by their size, at least some of each;
with --room, so many of each of these.

First every test is run once in a build that counts lines. Then a mutant is judged by the tests that reach its
line, the most special and the fastest first, until one notices: those of `make check` that take seconds, then the
others of `make test` (--fast leaves these out). All of it is done in a copy of the tree, BUILD/mutants, one process at a time,
in a namespace where nothing else can be written or ended. Outcomes are added to BUILD/mutants/outcomes.txt:
with --again a run goes on with the same copy where the last one stopped; without --fast survivors are judged again.
Exit status 1 if fewer than --least percent are noticed.
"""
import argparse
import collections
import filecmp
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
WORK = os.path.join(os.path.realpath(os.environ.get("BUILD", os.path.join(ROOT, "build"))), "mutants")
TREE, BUILD, COUNTING = (os.path.join(WORK, name) for name in ("tree", "build", "counting"))
OUTCOMES = os.path.join(WORK, "outcomes.txt")
# A broken program may write anywhere and end anything: it sees its own processes only, and writes in WORK.
# WORK may be in /tmp, so it is entered first, and put where it was when /tmp has become empty.
FENCE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
         'cd "$0" && mount -t tmpfs none /tmp && mkdir -p "$0" && mount -c --bind . "$0" && '
         'mount -o remount,bind,ro / && mount -t proc none /proc && cd "$1" && shift && exec "$@"', WORK]
# Tests that compile or install everything anew, or do not run our code.
NOT_THESE = ("installed/", "python", "boards/", "agree/machines", "layers", "format", "setup",
             "proof/bounds", "device/mutants", "cli/manual")

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

Mutant = collections.namedtuple("Mutant", "path begin end new line was becomes")


def masked(text):
    """The text with comments, strings and assertions blanked out, the same length."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^#[^\n]*(?:\\\n[^\n]*)*|'
                         r'\b(?:static_)?assert\([^;]*;|_Static_assert\([^;]*;|enum \{[^}]*RL_[^}]*\};', re.S | re.M)
    return pattern.sub(lambda found: re.sub(r"[^\n]", "\x01", found[0]), text)


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        return file.read()


def changes(text):
    """(begin, end, instead) for each change that may be made to the text of a file."""
    text = masked(text)
    for pattern, becomes in EDITS:
        for found in re.finditer(pattern, text):
            for new in becomes:
                new = new(found[0]) if callable(new) else new
                if new != found[0]:
                    yield found.start(), found.end(), new
    at, head, inside = 0, "", False
    for line in text.splitlines(True):
        if re.match(r"\w.*\(", line):
            head = line
        inside = line.startswith("{") or (inside and not line.startswith("}"))
        if inside and STATEMENT.match(line.rstrip("\n")):
            yield at, at + len(line), "\n"
            yield at, at, "    return;" if re.match(r"(static |inline )*void \w", head) else "    return 0;"
        at += len(line)


def mutants_of(path):
    text = read(path)
    body = text.find("{\n")
    for begin, end, new in changes(text):
        if begin > body:
            start, stop = text.rfind("\n", 0, begin) + 1, text.find("\n", begin)
            was = " ".join(text[start:stop].split())
            becomes = " ".join((text[start:begin] + new + text[end:stop]).split())
            yield Mutant(path, begin, end, new, text.count("\n", 0, begin) + 1, was, becomes or "without: " + was)


def run(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def must(*words):
    done = run(*words)
    if done.returncode:
        sys.exit(done.stdout)
    return done.stdout


def ninja(build, *targets):
    return run("ninja", "-j1", "-C", build, *targets)


class Test:
    """A test of one build: what must be built for it, and how it is run."""

    def __init__(self, build, about, files):
        self.name, self.suites = about["name"], [suite.split(":")[1] for suite in about["suite"]]
        self.build, self.words, self.environment = build, about["cmd"], about["env"]
        self.targets = [os.path.relpath(files[target], build) for target in about["depends"]] or \
            (["all"] if build in self.words else [])

    def runs(self, processor=600, wall=900):
        """Does it pass within so many seconds? With the processor time and the time that it took."""
        if ninja(self.build, *self.targets).returncode:
            sys.exit(f"{self.name}: what compiled does not link")
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        home = os.path.join(WORK, "home")
        process = subprocess.Popen(
            FENCE + [self.build] + self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment, "HOME": home, "XDG_CACHE_HOME": home}, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(processor), int(processor))))
        try:
            passes = process.wait(timeout=wall) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            passes = False
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return passes, spent, time.monotonic() - began


def tests_of(build):
    files = {target["id"]: target["filename"][0] for target in json.loads(must("meson", "introspect", "--targets", build))}
    for about in json.loads(must("meson", "introspect", "--tests", build)):
        about["cmd"] = [os.path.join(build, word) if os.path.exists(os.path.join(build, word)) else word
                        for word in about["cmd"]]
        test = Test(build, about, files)
        if not test.name.startswith(NOT_THESE) and not {"audit", "sanitized"} & set(test.suites):
            yield test


def lines_reached():
    """{file: [lines with code, those that were run]} since the last time, from what gcov counted."""
    counts = [os.path.join(directory, name) for directory, _, names in os.walk(COUNTING)
              for name in names if name.endswith(".gcda")]
    reached = collections.defaultdict(lambda: [set(), set()])
    told = subprocess.run(["gcov", "--json-format", "--stdout", *counts], cwd=COUNTING, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False).stdout if counts else ""
    for line in told.splitlines():
        for file in json.loads(line)["files"] if line.startswith("{") else []:
            path = os.path.relpath(os.path.normpath(os.path.join(COUNTING, file["file"])), TREE)
            if path.startswith("src/"):
                reached[path][0].update(about["line_number"] for about in file["lines"])
                reached[path][1].update(about["line_number"] for about in file["lines"] if about["count"])
    for name in counts:
        os.unlink(name)
    return {path: [sorted(code), sorted(seen)] for path, (code, seen) in reached.items()}


def count_lines(fast):
    """What each test reaches and takes, from a file if an earlier run has found it out."""
    path = os.path.join(WORK, "reached.json")
    known = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else {}
    missing = [test for test in tests_of(COUNTING)
               if test.name not in known and (not fast or "check" in test.suites)]
    for test in sorted(missing, key=lambda test: "check" not in test.suites):
        passes, spent, took = test.runs()
        known[test.name] = {"passes": passes, "spent": spent, "took": took, "files": lines_reached()}
        print(f"     {test.name}: {'passes' if passes else 'FAILS, and is left out'}, {spent:.1f} s", flush=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(known, file)
        os.rename(path + ".new", path)
    return known


def copy_tree():
    """All files, or those that an earlier run left broken."""
    os.makedirs(os.path.join(WORK, "home"), exist_ok=True)
    for name in filter(None, must("git", "-C", ROOT, "ls-files").split("\n")):
        old, new = os.path.join(ROOT, name), os.path.join(TREE, name)
        os.makedirs(os.path.dirname(new), exist_ok=True)
        if not os.path.exists(new) or not filecmp.cmp(old, new, shallow=False):
            shutil.copy(old, new, follow_symlinks=False)


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    copy_tree()
    for build, more in (BUILD, []), (COUNTING, ["-Doptimization=1", "-Db_coverage=true"]):
        must("meson", "setup", build, TREE, "-Dtests=true", *more)
        must("ninja", "-j1", "-C", build)


def objects_by_source():
    """Which objects are made of a file of src, also by way of another that includes it."""
    found, made = collections.defaultdict(set), None
    for line in must("ninja", "-C", BUILD, "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            made = line.split(":")[0]
        elif line.strip():
            path = os.path.relpath(os.path.normpath(os.path.join(BUILD, line.strip())), TREE)
            if path.startswith("src/"):
                found[path].add(made)
    return found


def contents(objects):
    return {name: hashlib.sha256(open(os.path.join(BUILD, name), "rb").read()).digest() for name in objects}


def is_quick(test, reached):
    """One of `make check`, but not one that takes most of its time."""
    return "check" in test.suites and reached.get(test.name, {"spent": 0})["spent"] < 20


def judges_of(mutant, tests, reached):
    """The tests that reach its line, or its file if none does, the best first; and whether one reaches the line."""
    judges, near = [], []
    for test in tests:
        known = reached.get(test.name)
        if not known or not known["passes"] or mutant.path not in known["files"]:
            continue
        code, seen = known["files"][mutant.path]
        line = max([number for number in code if number <= mutant.line], default=None)
        worth = (not is_quick(test, reached), (known["spent"] + 0.3) * len(known["files"]))
        (judges if line in seen else near if seen else []).append((worth, test))
    return [test for _, test in sorted(judges or near, key=lambda pair: pair[0])], bool(judges)


def judge(mutant, objects, judges, reached):
    """What became of it: same, error, SURVIVES, or the test that noticed."""
    text = read(mutant.path)
    if ninja(BUILD, *objects).returncode:
        sys.exit(f"{mutant.path} does not compile as it is")
    before = contents(objects)
    try:
        with open(os.path.join(TREE, mutant.path), "w", encoding="utf-8") as file:
            file.write(text[:mutant.begin] + mutant.new + text[mutant.end:])
        if ninja(BUILD, *objects).returncode:
            return "error"
        if contents(objects) == before:
            return "same"
        for test in judges:
            known = reached[test.name]
            if not test.runs(20 * known["spent"] + 20, 10 * known["took"] + 60)[0]:
                return test.name
        return "SURVIVES"
    finally:
        with open(os.path.join(TREE, mutant.path), "w", encoding="utf-8") as file:
            file.write(text)


def chosen(arguments, sources):
    """The mutants of each room in the order in which they are tried, and how many of them count."""
    rooms = collections.defaultdict(list)
    for path in sources:
        rooms[path.split("/")[1]] += mutants_of(path)
    lines = {room: len(set((mutant.path, mutant.line) for mutant in rooms[room])) for room in rooms}
    for room in sorted(arguments.room.split(",") if arguments.room else rooms):
        random.Random(f"{arguments.seed} {room}").shuffle(rooms[room])
        share = arguments.count if arguments.room else max(arguments.count // 30, round(arguments.count * lines[room] / sum(lines.values())))
        yield room, rooms[room], share


def earlier():
    """What an earlier run found: {(path, line, becomes): outcome}."""
    found = {}
    if os.path.exists(OUTCOMES):
        with open(OUTCOMES, encoding="utf-8") as file:
            for row in file:
                outcome, path, line, _, becomes = row.rstrip("\n").split("\t")
                found[path, int(line), becomes] = outcome
    return found


def equivalents():
    """What cannot be noticed, from scripts/equivalent.txt: path: line as it becomes, then an indented reason."""
    with open(os.path.join(ROOT, "scripts/equivalent.txt"), encoding="utf-8") as file:
        return {line.rstrip("\n") for line in file if line.startswith("src/")}


def try_room(arguments, room, mutants, share, tools):
    """Judges mutants of a room until so many count; one after another, so that rooms can take turns."""
    reached, tests, objects, known, named, score = tools
    for mutant in mutants:
        if score[room]["tried"] >= share:
            return
        key = (mutant.path, mutant.line, mutant.becomes)
        outcome = known.get(key)
        if outcome in ("same", "error"):
            score[room][outcome] += 1
            continue
        if f"{mutant.path}: {mutant.becomes}" in named:
            score[room]["named"] += 1
            continue
        if outcome is None or (outcome.startswith("SURVIVES") and not arguments.fast):
            judges, reaches = judges_of(mutant, [test for test in tests if not arguments.fast or is_quick(test, reached)], reached)
            outcome = judge(mutant, objects[mutant.path], judges, reached)
            outcome += " unreached" if outcome == "SURVIVES" and not reaches else ""
            known[key] = outcome
            with open(OUTCOMES, "a", encoding="utf-8") as file:
                file.write("\t".join([outcome, mutant.path, str(mutant.line), mutant.was, mutant.becomes]) + "\n")
            if outcome in ("same", "error"):
                score[room][outcome] += 1
                continue
        score[room]["tried"] += 1
        score[room]["survives" if outcome.startswith("SURVIVES") else
                    "check" if any(test.name == outcome and "check" in test.suites for test in tests) else "test"] += 1
        print(f"{outcome:24} {mutant.path}:{mutant.line}: {mutant.was}  ->  {mutant.becomes}", flush=True)
        yield


def confirm(names, tests):
    """A test that fails without a mutant too has noticed nothing."""
    for test in tests:
        if test.name in names and not test.runs()[0]:
            sys.exit(f"{test.name} fails without a mutant: what it noticed does not count")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--least", type=float, default=95)
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what is broken is put back
    if arguments.again and os.path.exists(COUNTING):
        copy_tree()
    else:
        prepare()
    if run(*FENCE, WORK, "true").returncode:
        print("no namespaces here (unshare): a broken program could end or delete anything")
        sys.exit(77)
    objects = objects_by_source()
    reached = count_lines(arguments.fast)
    tests, known = list(tests_of(BUILD)), earlier()
    score = collections.defaultdict(collections.Counter)
    tools = reached, tests, objects, known, equivalents(), score
    sources = [path for path in sorted(objects) if os.path.exists(os.path.join(TREE, path)) and len(objects[path]) <= 40]
    turns = [try_room(arguments, *choice, tools) for choice in chosen(arguments, sources)]
    while turns: # a mutant of each room in turn, so that an unfinished run says something of all of them
        turns = [turn for turn in turns if next(turn, turn) is not turn]
    confirm(set(known.values()), tests)
    print("room         tried  noticed by check  by test  survive | same code  named equivalent  do not compile")
    for room in sorted(score):
        row = score[room]
        print(f"{room:12} {row['tried']:5} {row['check']:17} {row['test']:8} {row['survives']:8} | "
              f"{row['same']:9} {row['named']:17} {row['error']:15}")
    total = sum(row["tried"] for row in score.values())
    noticed = total - sum(row["survives"] for row in score.values())
    print(f"noticed {noticed} of {total}" + (f" ({100 * noticed / total:.1f} %)" if total else ""))
    sys.exit(total == 0 or 100 * noticed < arguments.least * total)


main()
