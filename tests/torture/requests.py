#!/usr/bin/env python3
# Bad requests, made from the program's own table of options: requests.py SERVER [COUNT [SEED]].
# (The server is the program, see server.c.)
#
# To every healthy request below is added, one at a time, every option of its command with every value
# that somebody may try: of the right kind, of another kind, out of range, too long, no text at all, the
# name of a file that is damaged, missing, a directory, full. COUNT of them, chosen by SEED; all of
# them without a COUNT. What must hold, whatever is asked:
# - the exit status is 0 to 3, and no sanitizer has anything to say;
# - a mistake (2) or a failure outside (3) is told in one line on standard error, and nothing is on
#   standard output;
# - after a mistake every file is as it was; after a failure outside nothing half-written is there;
# - what --json prints is one object, and nothing else is there.
# A request that is merely long is interrupted, and must then end, by itself or by that signal. Of the
# commands that last by their nature (a ring of processes, a proof) every fifth value is tried.
import collections
import concurrent.futures
import json
import os
import random
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
here = os.path.dirname(os.path.realpath(__file__))
patience = 2  # seconds until a request is interrupted
LASTING = ("ring", "node")

HEALTHY = """
elect -n 5 --max-steps 200
elect -p fj06 --undirected -n 4 --max-steps 200 --json
elect -n 5 --start start.txt --timeline out.csv --end out.txt --until steps=20
elect -n 5 --schedule schedule.txt --trace out.rlt
verify -n 2 --jobs 1 --memory 30M
verify -p aaf08 -n 3 --only closure,stability --jobs 1 --memory 30M --json
explore -n 3 --from leaderless --memory 30M --trace out.rlt
verify -n 2 --distribution out.csv --start safe --precision 1e-2 --jobs 1 --memory 30M
export -n 2 --format prism
verify -n 3 -N 2 --force --jobs 1 --memory 30M --json
study --db out.db -n 4 --trials 2 --max-steps 200 --jobs 1 --quiet
study --db old.db --jobs 1 --json
study --db out.db --plan plan.txt --jobs 1
study --status old.db --json
report old.db --csv out.csv
report old.db --json
report old.db -o out
draw -n 5 --max-steps 200 -o out.svg
draw trace.rlt -o out.png
draw --ring start.txt -n 5 -o out.svg
replay trace.rlt
replay trace.rlt --json
replay trace.rlt --events
protocols
protocols prl --json
prove -p prl-oracle --json
prove -p prl-oracle --certificate out.cert --dot out.dot
ring -n 3 --rate 200 --hold 0.2 --limit 1 --start-out out.txt --schedule-out out.sched
ring -n 3 --rate 200 --hold 0.2 --limit 1 --json
node --listen 127.0.0.1:0 --left 127.0.0.1:9 --right 127.0.0.1:9 -N 5 --key ring.key
key out.key
""".strip().splitlines()

VALUES = [
    # numbers, and what looks like them
    "0", "1", "2", "3", "7", "1e3", "5.5", "0.01", "1e-3", "-1", "-5.5", "+3", "1e30", "2147483648",
    "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
    "18446744073709551616", "nan", "inf", "-inf", "0x10", "1e", "1e99999999999", ".", "1.", ".5", "1,5",
    "n", "2n", "0.5n", "n^2", "n^1.5", "n^9", "1e18n", "10k", "3M", "1 000",
    # lists, ranges, faults, shares
    "3,4", ",", "3,", "1..3", "3..1", "2..5x1.5", "2..1e18", "2..9x0", "2..9+0", "..", "1@5", "1@", "@5",
    "0@5", "99@5", "150%@5", "50%@n^2", "1@5+1@3", "1@1e18", "1/2", "2/1", "1/0", "steps=5", "steps=",
    "settled=5", "delay=5", "delay=1e18", "delay=",
    # names
    "random", "safe", "leaderless", "prl", "fences", "ppl-undirected", "S_RL", "outputs", "event", "step",
    "aaf", "por", "closure", "closure,closure", "prism", "table1", "none", "log", "no such thing",
    # texts
    "", " ", "\n", "a\nb", "a\tb", "\x1b[31m", "%s%n%d", "'; DROP TABLE trial; --", "=", "--json", "-n",
    "\u00e9\u4e2d\U0001f48d", "\udcff\udcfe", "x" * 300, "y" * 5000,
    # files: good, damaged, missing, of another kind
    "start.txt", "schedule.txt", "plan.txt", "trace.rlt", "old.db", "./old.db", "hard.db", "soft.db",
    "empty", "binary", "cut.rlt", "cut.db", "directory", "directory/new", "dangling", "loop",
    "missing/new", "/dev/null", "/dev/full", "/proc/none/new", "-", "out.csv", "new.svg", "new.png",
    "new.pdf", ":memory:", "file:new.db?mode=memory", "../above",
]


# ---- the files that requests are about --------------------------------------------------------


def make_files(directory):
    def run(words, **more):
        subprocess.run([program, *words.split()], cwd=directory, check=True, capture_output=True, **more)

    def write(name, content):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)

    write("start.txt", b"0L 1 2 3 4\n")
    write("schedule.txt", b"(seqR 0 4)^3\n")
    write("plan.txt", b"n = 4; trials = 2; max-steps = 200\n")
    write("empty", b"")
    write("binary", bytes(range(256)))
    run("elect -n 5 --trace trace.rlt --max-steps 30 --fault 2@9 --until steps=30")
    run("key ring.key")
    run("study --db old.db -n 4,6 --trials 3 --jobs 1 --quiet")
    for name, cut in (("trace.rlt", "cut.rlt"), ("old.db", "cut.db")):
        with open(os.path.join(directory, name), "rb") as file:
            content = file.read()
        write(cut, content[: len(content) * 2 // 3])
    os.mkdir(os.path.join(directory, "directory"))
    os.link(os.path.join(directory, "old.db"), os.path.join(directory, "hard.db"))
    os.symlink("old.db", os.path.join(directory, "soft.db"))
    os.symlink("nowhere", os.path.join(directory, "dangling"))
    os.symlink("loop", os.path.join(directory, "loop"))


def picture(directory):
    """Every file below a directory with its content, so that any change shows."""
    found = {}
    for root, names, files in os.walk(directory):
        for name in names + files:
            path = os.path.join(root, name)
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif os.path.isdir(path):
                found[path] = "directory"
            else:
                with open(path, "rb") as file:
                    found[path] = file.read()
    return found


# ---- the requests -----------------------------------------------------------------------------


def options_of(healthy):
    """What a request may be given besides; `ringleader --complete` has it from the table of options."""
    listed = subprocess.run([program, "--complete", *healthy, "-"], check=True, capture_output=True, text=True)
    options = listed.stdout.split()
    return options + [letter for letter, name in (("-p", "--protocol"), ("-o", "--output")) if name in options]


def without(words, option):
    """The healthy request without its own value of an option, which may stand only once."""
    kept, skip = [], False
    for i, word in enumerate(words):
        if skip:
            skip = False
        elif word == option:
            skip = i + 1 < len(words) and not words[i + 1].startswith("--")
        else:
            kept.append(word)
    return kept


def all_requests():
    for line in HEALTHY:
        healthy = line.split()
        lasts = healthy[0] in LASTING or "prove" in healthy
        values = VALUES[::5] if lasts else VALUES
        yield healthy
        for option in options_of(healthy):
            base = without(healthy, option)
            yield base
            yield base + [option]
            yield base + [option, option]
            for value in values:
                yield base + [option, value]
            yield base + [option + ("=" if option.startswith("--") else "") + "3"]
            yield healthy + [option, "3"]  # perhaps twice
        for value in values:
            yield healthy + [value]
            yield healthy + ["--" + value]
            yield [value] + healthy[1:]


# ---- one of them ------------------------------------------------------------------------------


class Server:
    """The program, loaded once; server.c says how it is asked."""

    def __init__(self, scratch):
        self.files = [os.path.join(scratch, name) for name in ("out", "err")]
        # Looking up the names of what fontconfig leaks takes longer than the requests themselves: they
        # are told apart by module, and a finding's names are seen by asking once more by hand.
        environment = dict(os.environ, TERM="dumb",
                           ASAN_OPTIONS="exitcode=99:symbolize=0:allocator_may_return_null=1",
                           UBSAN_OPTIONS="halt_on_error=1:exitcode=98:print_stacktrace=1",
                           LSAN_OPTIONS="exitcode=97:print_suppressions=0:suppressions="
                           + os.path.join(here, "../leaks.txt"))
        self.process = subprocess.Popen([program], env=environment, bufsize=0,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def status_within(self, seconds):
        """The exit status, if there is one by then."""
        if select.select([self.process.stdout], [], [], seconds)[0]:
            return int(self.process.stdout.readline())
        return None

    def ask(self, words, directory):
        """Exit status, standard output, standard error; whether it took long and was interrupted."""
        texts = [directory, *self.files, "ringleader", *words]
        message = b"".join(os.fsencode(text) + b"\0" for text in texts)
        self.process.stdin.write(struct.pack("=I", len(message)) + message)
        child = int(self.process.stdout.readline())
        status = self.status_within(patience)
        interrupted = status is None
        if interrupted:
            os.kill(child, signal.SIGINT)  # not waited for before its status is told: still this child
            status = self.status_within(100)
        if status is None:
            os.kill(child, signal.SIGKILL)
            self.process.stdout.readline()
            status = "does not end, though interrupted"
        out, err = [open(name, "rb").read() for name in self.files]
        return status, out, err, interrupted

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def faults_of(words, status, interrupted, out, err, before, after):
    """What does not hold."""
    if any(path.endswith(".part") for path in after):
        yield "a part of a file is left"
    if interrupted and status == -signal.SIGINT:
        return
    if status not in (0, 1, 2, 3):
        yield f"exit status {status}"
        return
    if status >= 2 and (not err.startswith(b"ringleader: ") or err.count(b"\n") != 1):
        yield "the complaint is not one line"
    # The report, where a file has standard output for itself, or what a command of `node` has to say.
    more = any(word == "-" or word.startswith("--on-") for word in words)
    if status < 2 and err.count(b"\n") > 1 and not more:
        yield "standard error has more than a line"
    if status == 2 and out:
        yield "a mistake has an output"
    if status == 2 and after != before:
        yield "a mistake has changed a file"
    if status == 3:
        for path, content in after.items():
            if before.get(path) != content and not path.endswith((".db", "-journal", "-wal", "-shm")):
                yield f"a failure has left {os.path.basename(path)}"
    asked = "--json" in words and not ({"--help", "-h"} & set(words))
    if asked and status < 2:
        try:
            answer = json.loads(out.decode(), parse_constant=lambda name: 1 / 0)
            if not isinstance(answer, dict):
                yield "JSON that is no object"
        except (ValueError, ZeroDivisionError, UnicodeDecodeError):
            yield "invalid JSON"


def try_all(share):
    """Runs a list of requests in a directory of their own; the statuses, and what went wrong."""
    scratch = tempfile.mkdtemp()
    directory = os.path.join(scratch, "a", "b")
    os.makedirs(directory)
    make_files(directory)
    fresh = os.path.join(scratch, "fresh")
    shutil.copytree(directory, fresh, symlinks=True)
    before = picture(os.path.join(scratch, "a"))
    statuses, wrong = collections.Counter(), []
    server = Server(scratch)
    for words in share:
        status, out, err, interrupted = server.ask(words, directory)
        after = picture(os.path.join(scratch, "a"))
        statuses[words[0] if words[0] in COMMANDS else "(other)", status] += 1
        statuses["(all)", "interrupted"] += interrupted
        for fault in faults_of(words, status, interrupted, out, err, before, after):
            wrong.append((fault, words, err[-2000:].decode(errors="replace")))
        if after != before:
            shutil.rmtree(os.path.join(scratch, "a"))
            os.makedirs(os.path.join(scratch, "a"))
            shutil.copytree(fresh, directory, symlinks=True)
            os.remove(os.path.join(directory, "hard.db"))
            os.link(os.path.join(directory, "old.db"), os.path.join(directory, "hard.db"))
    server.close()
    shutil.rmtree(scratch)
    return statuses, wrong


COMMANDS = {line.split()[0] for line in HEALTHY}


def tell(fault, words, err):
    shown = " ".join(repr(word[:80]) if not word.isprintable() or " " in word or not word
                     else word[:80] for word in words)
    print(f"WRONG: {fault}: ringleader {shown}\n    {err.strip()[:1500]}", flush=True)


def main():
    # In the background it may be ignored, which children would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # No argument of a program may hold a zero byte, and the shell is not asked.
    requests = list({tuple(words): words for words in all_requests()}.values())
    total = len(requests)
    random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1).shuffle(requests)
    if len(sys.argv) > 2:
        requests = requests[: int(sys.argv[2])]
    workers = 4  # some only wait
    statuses, wrong = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        pieces = max(workers, len(requests) // 1000)
        shares = [requests[i::pieces] for i in range(pieces)]
        for done, (some, faults) in enumerate(pool.map(try_all, shares), 1):
            statuses += some
            if sys.stderr.isatty():
                print(f"\r{done} of {pieces} pieces", end="\n" if done == pieces else "",
                      file=sys.stderr, flush=True)
            for fault in faults[: 40 - min(40, len(wrong))]:
                tell(*fault)
            wrong += faults
    interrupted = statuses.pop(("(all)", "interrupted"), 0)
    for command in sorted({command for command, _ in statuses}):
        told = ", ".join(f"{count} exit {status}" for (name, status), count
                         in sorted(statuses.items(), key=str) if name == command)
        print(f"{command:10} {told}")
    print(f"torture: {len(requests)} of {total} requests, {interrupted} interrupted, "
          f"{len(wrong)} fall short")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
