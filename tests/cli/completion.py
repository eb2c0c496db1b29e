#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in a real bash on a real terminal: completion.py PROGRAM COMPLETIONS-FILE.

A line is sent to bash with a TAB at its end, then edited so that bash echoes it instead of running it.
"""
import os
import pty
import re
import subprocess
import sys

program, script = (os.path.realpath(path) for path in sys.argv[1:3])
MARK = "end-of-line"


class Bash:
    def __init__(self):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(PATH=os.path.dirname(program) + ":" + os.environ["PATH"], PS1="$ ",
                              TERM="dumb", INPUTRC="/dev/null")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.send("bind 'set bell-style none'; bind 'set enable-bracketed-paste off';"
                  "bind 'set completion-query-items 0'; bind 'set page-completions off';"
                  f"cd /; . {script}; echo {MARK[:3]}'{MARK[3:]}'\n")
        self.until(MARK + "\r\n")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def until(self, text):
        read = ""
        while text not in read:
            read += os.read(self.terminal, 4096).decode()
        return read

    def line(self, typed, tabs):
        """Types a line with TABs, and has bash print it: what was shown."""
        self.send(typed + "\t" * tabs + f"\x01echo '\x05{MARK}'\n")
        return self.until(MARK + "\r\n")


def completed(bash, typed):
    """What one TAB makes of a line."""
    shown = bash.line(typed, 1)
    return re.findall(r"\r\n(.*)" + MARK + "\r\n", shown)[-1]


def offered(bash, typed):
    """What a second TAB shows."""
    return set(bash.line(typed, 2).split())


bash = Bash()
names = {line.split("\t")[0] for line in
         subprocess.run([program, "--list-options"], capture_output=True, text=True, check=True)
         .stdout.splitlines()}
assert completed(bash, "ringleader el") == "ringleader elect "
assert names <= offered(bash, "ringleader ")
assert {"prl", "fj06", "aaf08", "ppl", "fences"} <= offered(bash, "ringleader elect -p ")
assert completed(bash, "ringleader elect -p fj06 --start opp") == \
    "ringleader elect -p fj06 --start opposite "
assert completed(bash, "ringleader elect --start=leaderl") == \
    "ringleader elect --start=leaderless "
assert completed(bash, "ringleader elect --until S_") == "ringleader elect --until S_RL "
assert completed(bash, "ringleader elect --max") == "ringleader elect --max-steps "
assert completed(bash, "ringleader elect -p ppl --ps") == "ringleader elect -p ppl --psi "
assert completed(bash, "ringleader study --preset ta") == "ringleader study --preset table1 "
assert completed(bash, "ringleader study -p prl,fj") == "ringleader study -p prl,fj06"
assert completed(bash, "ringleader elect -p fj06-undirected --orientation a") == \
    "ringleader elect -p fj06-undirected --orientation aaf "
assert completed(bash, "ringleader report /et") == "ringleader report /etc/"
assert completed(bash, "ringleader elect --seed /et") == "ringleader elect --seed /et"
os.close(bash.terminal)
os.waitpid(bash.pid, 0)
print("commands, options, protocols, starts, sets, presets, choices and files complete in bash")
