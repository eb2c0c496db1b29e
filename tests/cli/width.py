#!/usr/bin/env python3
# What is printed for people fits into 80 columns, and the help of a command into 45 lines:
# width.py PROGRAM.
import json
import sys

from asking import done, run, try_all

COMMANDS = [line.split()[0] for line in done("--help").split("\n\n")[2].splitlines()]


def too_wide(text):
    return [line for line in text.splitlines() if len(line) > 80]


def the_help_of_every_command_is_a_screen():
    assert "elect" in COMMANDS and "replay" in COMMANDS, COMMANDS
    assert not too_wide(done("--help"))
    for command in COMMANDS:
        told = done([command, "--help"])
        assert done(["help", command]) == told, command
        assert not too_wide(told), (command, too_wide(told))
        assert len(told.splitlines()) <= 45, (command, len(told.splitlines()))


def what_there_is_fits():
    assert not too_wide(done("protocols -n 1e6")), done("protocols -n 1e6")
    for protocol in json.loads(done("protocols --json"))["protocols"]:
        told = done(["protocols", protocol["name"]])
        assert not too_wide(told), too_wide(told)


def what_is_answered_fits():
    for words in ("elect -n 100 --fault 50@1e4 --fault 20@1e4", "elect -n 100 --max-steps 200 --watch",
                  "elect -n 50 --until settled=1000 --trace w.rlt", "replay w.rlt",
                  "verify -n 3 --jobs 1", "verify -p prl-dummy -n 3 --jobs 1", "verify -p fj06 -n 4 --jobs 1",
                  "explore -n 3 --from safe", "explore -n 3 --from leaderless", "prove -p fj06"):
        told = run(words).stdout.decode()
        assert told and not too_wide(told), (words, too_wide(told))


sys.exit(try_all(globals()))
