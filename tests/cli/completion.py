#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in real shells: completion.py PROGRAM COMPLETIONS-DIRECTORY.

bash and zsh run on a terminal of their own: a line is sent with a TAB at its end, and then shown
instead of run. fish says itself what it would offer. A shell that is not here is left out, with a
word; bash always is.
"""
import faulthandler
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

program, directory = (os.path.realpath(path) for path in sys.argv[1:3])
quoted = shlex.quote(directory)
MARK = "end-of-line"
faulthandler.dump_traceback_later(100, exit=True)  # a shell that says nothing is not waited for


class Terminal:
    def __init__(self, *command, **environment):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(PATH=os.path.dirname(program) + ":" + os.environ["PATH"], TERM="dumb",
                              PS1="$ ", **environment)
            os.execvp(command[0], command)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def until(self, text):
        read = ""
        while text not in read:
            read += os.read(self.terminal, 4096).decode()
        return read

    def begin(self, setup):
        self.send(f"{setup}; cd /; echo {MARK[:3]}'{MARK[3:]}'\n")
        self.until(MARK + "\r\n")

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)

    def completed(self, typed):
        """What one TAB makes of a line."""
        return re.findall(r"\r\n(.*)" + MARK + "\r\n", self.line(typed, 1))[-1]

    def offered(self, typed):
        """What a second TAB shows."""
        return set(self.line(typed, 2).split())


class Bash(Terminal):
    """The line is edited so that bash echoes it."""
    space = " "

    def __init__(self):
        super().__init__("bash", "--norc", "--noprofile", "-i", INPUTRC="/dev/null")
        self.begin("bind 'set bell-style none'; bind 'set enable-bracketed-paste off';"
                   "bind 'set completion-query-items 0'; bind 'set page-completions off';"
                   f". {quoted}/ringleader")

    def line(self, typed, tabs):
        self.send(typed + "\t" * tabs + f"\x01echo '\x05{MARK}'\n")
        return self.until(MARK + "\r\n")


class Zsh(Terminal):
    """A key of our own prints the line."""
    space = " "

    def __init__(self):
        self.home = tempfile.TemporaryDirectory()
        super().__init__("zsh", "-f", "-i", HOME=self.home.name)
        self.begin(f"unsetopt prompt_sp prompt_cr beep; LISTMAX=1000; fpath=({quoted} $fpath);"
                   "autoload -Uz compinit; compinit -u;"
                   f"show() {{ print; print -r -- \"${{BUFFER}}{MARK}\"; BUFFER=; }}; zle -N show;"
                   "bindkey '^Xs' show")

    def line(self, typed, tabs):
        self.send(typed + "\t" * tabs + "\x18s")
        return self.until(MARK + "\r\n")


class Fish:
    space = ""

    def end(self):
        pass

    def completed(self, typed):
        offered = self.offered(typed)
        return typed[:len(typed) - len(typed.split(" ")[-1])] + offered.pop() \
            if len(offered) == 1 else typed

    def offered(self, typed):
        told = subprocess.run(
            ["fish", "-N", "-c", f"cd /; source {quoted}/ringleader.fish; complete -C $argv",
             typed], capture_output=True, text=True, check=True,
            env={**os.environ, "PATH": os.path.dirname(program) + ":" + os.environ["PATH"]})
        return set(told.stdout.split())


names = set(subprocess.run([program, "--complete", ""], capture_output=True, text=True, check=True)
            .stdout.split())
for kind in (Bash, Zsh, Fish):
    if not shutil.which(kind.__name__.lower()):
        print(f"no {kind.__name__.lower()} here: left out")
        continue
    shell = kind()
    # What is typed, and what it becomes; a word that is complete has a space behind it.
    for typed, becomes in [
            ("el", "elect "),
            ("elect -p fj06 --start opp", "elect -p fj06 --start opposite "),
            ("elect --until S_", "elect --until S_RL "),
            ("elect --max", "elect --max-steps "),
            ("elect -p ppl --ps", "elect -p ppl --psi "),
            ("elect --engine ev", "elect --engine event "),
            ("study --preset ta", "study --preset table1 "),
            ("study --preset rec", "study --preset recovery "),
            ("report /et", "report /etc/"),
            ("ring --check /et", "ring --check /etc/"),
            ("report x --csv /et", "report x --csv /etc/"),
            ("elect --seed /et", "elect --seed /et")]:
        becomes = "ringleader " + (becomes[:-1] + shell.space if becomes[-1] == " " else becomes)
        told = shell.completed("ringleader " + typed)
        assert told == becomes, f"{kind.__name__}: '{typed}' became '{told}', not '{becomes}'"
    for typed, least in [("", names), ("elect -p ", {"prl", "fj06", "aaf08", "ppl", "fences"})]:
        told = shell.offered("ringleader " + typed)
        assert least <= told, f"{kind.__name__}: '{typed}' is not offered {least - told}: {told}"
    shell.end()
    print("commands, options, protocols, starts, sets, presets, choices and files complete in",
          kind.__name__.lower())
