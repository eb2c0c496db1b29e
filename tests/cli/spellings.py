#!/usr/bin/env python3
# A choice has one spelling, its name, wherever a request is read or written: spellings.py PROGRAM.
#
# For every protocol and every parameter of it that is a choice: what `elect` takes, `study`, a plan
# file, the CSV, the database and JSON have too, and a number is refused by each. (The page's links
# are in tests/page.) A database of version 0.1.0, which has numbers, is read, and gets names when it
# is written to.
import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
rounds = 0


def run(*words, status=0, text=None):
    done = subprocess.run([program, *words], input=text, capture_output=True, text=True)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout


def rows(db):
    with sqlite3.connect(db) as file:
        return file.execute("SELECT spec, parameters FROM point ORDER BY id").fetchall()


def go_round(protocol, parameter, number, choice):
    ring = ["-p", protocol, "-n", "5", f"--{parameter}", choice]
    told = json.loads(run("elect", *ring, "--seed", "3", "--json"))
    assert told[parameter] == choice, told

    # By options and by a plan file, into two databases that say the same.
    run("study", *ring, "--seed", "3", "--trials", "1", "--db", "a.db", "--quiet")
    plan = f"protocol = {protocol}; n = 5; {parameter} = {choice}; seed = 3; trials = 1"
    run("study", "--plan", "-", "--db", "b.db", "--quiet", text=plan)
    assert rows("a.db") == rows("b.db")
    (spec, parameters), = rows("a.db")
    assert f"; {parameter}={choice};" in spec, spec
    assert json.loads(parameters)[parameter] == choice, parameters
    row, = csv.DictReader(io.StringIO(run("report", "a.db", "--csv", "-")))
    assert row[parameter] == choice and int(row["steps"]) == told["steps"], row

    # An execution on record has the name.
    run("elect", *ring, "--trace", "t.rlt", "--json")
    assert json.loads(run("replay", "t.rlt", "--json"))[parameter] == choice

    # Numbers are no spelling.
    numbered = ["-p", protocol, "-n", "5", f"--{parameter}", str(number)]
    run("elect", *numbered, status=2)
    run("study", *numbered, "--db", "no.db", status=2)
    assert not os.path.exists("no.db")

    os.remove("a.db")
    os.remove("b.db")


choices = {}
for line in run("--list-options").splitlines():
    command, option, _, _, kind, domain, *_ = line.split("\t")
    if command == "elect" and kind == "parameter" and domain:
        choices[option.removeprefix("--")] = domain.split(",")
for protocol in json.loads(run("protocols", "--json"))["protocols"]:
    defaults = json.loads(run("elect", "-p", protocol["name"], "-n", "5", "--until", "steps=0",
                              "--json"))
    for parameter, names in choices.items():
        for number, choice in enumerate(names):
            if parameter in defaults:
                go_round(protocol["name"], parameter, number, choice)
                rounds += 1
assert rounds >= 4, rounds
print(f"{rounds} choices went round all spellings")
