#!/usr/bin/env python3
# A choice has one spelling, its name, wherever a request is read or written: spellings.py PROGRAM.
#
# For every protocol and every parameter of it that is a choice: what `elect` takes, `study`, a plan
# file, the CSV, the database and JSON have too, and a number is refused by each. (The page's links
# are in tests/page.)
import csv
import io
import json
import os
import sqlite3

from asking import done, refused

rounds = 0


def rows(db):
    with sqlite3.connect(db) as file:
        return file.execute("SELECT spec, parameters FROM point ORDER BY id").fetchall()


def go_round(protocol, parameter, number, choice):
    ring = ["-p", protocol, "-n", "5", f"--{parameter}", choice]
    told = json.loads(done(["elect", *ring, "--seed", "3", "--json"]))
    assert told[parameter] == choice, told

    # By options and by a plan file, into two databases that say the same.
    done(["study", *ring, "--seed", "3", "--trials", "1", "--db", "a.db", "--quiet"])
    plan = f"protocol = {protocol}; n = 5; {parameter} = {choice}; seed = 3; trials = 1"
    done("study --plan - --db b.db --quiet", text=plan)
    assert rows("a.db") == rows("b.db")
    (spec, parameters), = rows("a.db")
    assert f"; {parameter}={choice};" in spec, spec
    assert json.loads(parameters)[parameter] == choice, parameters
    row, = csv.DictReader(io.StringIO(done("report a.db --csv -")))
    assert row[parameter] == choice and int(row["steps"]) == told["steps"], row

    # An execution on record has the name.
    done(["elect", *ring, "--trace", "t.rlt", "--json"])
    assert json.loads(done("replay t.rlt --json"))[parameter] == choice

    # Numbers are no spelling.
    numbered = ["-p", protocol, "-n", "5", f"--{parameter}", str(number)]
    refused(["elect", *numbered], "")
    refused(["study", *numbered, "--db", "no.db"], "")
    assert not os.path.exists("no.db")

    os.remove("a.db")
    os.remove("b.db")


choices = {"orientation": ["aaf", "por"]}
for protocol in json.loads(done("protocols --json"))["protocols"]:
    defaults = json.loads(done(["elect", "-p", protocol["name"], "-n", "5", "--until", "steps=0", "--json"]))
    for parameter, names in choices.items():
        for number, choice in enumerate(names):
            if parameter in defaults:
                go_round(protocol["name"], parameter, number, choice)
                rounds += 1
assert rounds >= 4, rounds
print(f"{rounds} choices went round all spellings")
