#!/usr/bin/env python3
# What a terminal is shown: terminal.py PROGRAM. Progress stands in one line of it, is cleared at the
# end and never gets into standard output; without a TERM there are no escapes. Skipped (77, as Meson
# has it) where the system has no pseudo-terminal to give, and for no other reason.
import fcntl
import os
import re
import signal
import struct
import subprocess
import sys
import termios

from asking import program, try_all

CLEAR = b"\r\x1b[K"
LONG = {
    "elect": ("elect -n 2000 -N 2e7 --start leaders --until steps=1e15 --engine step",
              rb"steps, [0-9,]+ events, [0-9,]+ leaders left"),
    "verify": ("verify -n 5 --only expected --jobs 1", rb"[0-9]+ %"),
    "sweeps": ("verify -n 3 -N 24 --jobs 1 --precision 1e-16", rb"sweep [0-9,]+, [0-9]+ %, error [0-9.]+e"),
    "from": ("explore -p fences -n 12 --from random --reaches S_F", rb"exploring whole: [0-9,]+ found"),
    "every-n": ("prove -p aaf08 --k 2", rb" found"),
    "study": ("study --db long.db -n 8 --trials 4e6 --jobs 1", rb"[0-9,]+/4,000,000 trials, .* left; slowest"),
    "ring": ("ring -n 40 --rate 20 --hold 60", rb"  [0-9,]+ leaders?  [0-9,]+ interactions"),
}


def open_terminal(columns):
    try:
        ours, theirs = os.openpty()
    except OSError as problem:
        print("skipped: there is no pseudo-terminal here:", problem)
        sys.exit(77)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return ours, theirs


def read_some(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the last one who had it has closed it
        return b""


def environment(term):
    variables = {name: value for name, value in os.environ.items() if name not in ("TERM", "COLUMNS")}
    return dict(variables, TERM=term) if term is not None else variables


def show(words, columns, pattern, term="xterm"):
    """All that a terminal gets as standard error until the pattern has come and the command has been
    interrupted; and its standard output."""
    ours, theirs = open_terminal(columns)
    with open("out", "wb") as out:
        child = subprocess.Popen([program, *words.split()], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=theirs, env=environment(term))
    os.close(theirs)
    seen, interrupted = b"", False
    while True:
        some = read_some(ours)
        if not some:
            break
        seen += some
        if not interrupted and re.search(pattern, seen):
            child.send_signal(signal.SIGINT)
            interrupted = True
    os.close(ours)
    assert interrupted, (words, columns, seen[-500:])
    assert child.wait() in (0, 1), (words, child.returncode, seen[-500:])
    with open("out", "rb") as out:
        return seen, out.read()


def show_all(words, variables):
    """All that a terminal gets from a command that ends by itself."""
    ours, theirs = open_terminal(80)
    child = subprocess.Popen([program, *words.split()], stdin=subprocess.DEVNULL, stdout=theirs,
                             stderr=theirs, env=variables)
    os.close(theirs)
    seen = b""
    while some := read_some(ours):
        seen += some
    os.close(ours)
    assert child.wait() == 0 and seen, (words, seen)
    return seen


def progress_fits_into_a_line_and_is_cleared():
    for name, (words, pattern) in LONG.items():
        seen, out = show(words, 100 if name != "ring" else 160, pattern)
        shown, _, after = seen.rpartition(CLEAR)
        assert shown.count(CLEAR) >= 1, (name, seen)
        assert b"\x1b" not in after, (name, after)
        assert b"\r" not in out and b"\x1b" not in out, (name, out)


def a_narrow_terminal_gets_a_cut_line():
    for name, (words, _) in LONG.items():
        seen, _ = show(words, 24, rb"\r\x1b\[K[^\r]+\r\x1b\[K[^\r]+")
        lines = seen.split(CLEAR)[1:-1]
        assert lines and all(len(line.decode()) < 24 and b"\n" not in line for line in lines), (name, lines)


def without_a_term_nothing_is_escaped():
    for term in (None, "", "dumb"):
        for words in ("elect -n 60 --watch", "verify -n 4 --jobs 1", "study --db short.db -n 64 --trials 2000"):
            seen = show_all(words, environment(term))
            assert b"\x1b" not in seen, (term, words, seen[:300])
            if os.path.exists("short.db"):
                os.remove("short.db")


def a_watched_ring_is_coloured_if_that_is_not_unwanted():
    for unwanted in (False, True):
        variables = environment("xterm")
        variables.pop("NO_COLOR", None)
        if unwanted:
            variables["NO_COLOR"] = "1"
        seen = show_all("elect -n 60 --watch", variables)
        assert (b"\x1b[1;" in seen) != unwanted, seen[:300]
        for line in re.sub(rb"\x1b\[[0-9;]*m", b"", seen).splitlines()[2:20]:
            assert len(line) <= 80, line


sys.exit(try_all(globals()))
