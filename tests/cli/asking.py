# How the tests of requests ask the program, which is the first argument. They run in a directory of their
# own, which is empty before each.
import faulthandler
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
scratch = tempfile.mkdtemp()
os.chdir(scratch)


def run(words, text=None, **more):
    words = words.split() if isinstance(words, str) else words
    return subprocess.run([program, *words], input=text.encode() if text else None,
                          capture_output=True, timeout=120, **more)


def ended(words, *statuses, **more):
    """The result of a command that must end with one of these; what is refused is said in one line."""
    result = run(words, **more)
    assert result.returncode in statuses, (words, result.returncode, result.stderr)
    if result.returncode > 1:
        assert re.fullmatch(rb"ringleader: [^\n\x1b]*\n", result.stderr), (words, result.stderr)
    return result


def done(words, status=0, **more):
    """The standard output of a command that must end so."""
    return ended(words, status, **more).stdout.decode()


def refused(words, reason, status=2, **more):
    """One line that says why, and nothing else."""
    result = ended(words, status, **more)
    told = result.stderr.decode(errors="surrogateescape")
    assert reason in told, (words, told)
    assert result.stdout == b"", (words, result.stdout)


def listening(words):
    """The command, under way, from the moment when it listens to interrupts."""
    child = subprocess.Popen([program, *words.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while child.poll() is None:
        caught = int(read(f"/proc/{child.pid}/status").split(b"SigCgt:")[1].split()[0], 16)
        if caught >> signal.SIGINT - 1 & caught >> signal.SIGTERM - 1 & 1:
            break
    return child


def interrupted(words, number=signal.SIGINT):
    """Standard output and standard error of a command that is interrupted, and ends with status 1."""
    child = listening(words)
    child.send_signal(number)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 1, (words, child.returncode, err)
    return out.decode(), err.decode()


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def try_all(module):
    """Every function without arguments is a test; what takes some is a tool. The exit status."""
    failures = 0
    faulthandler.dump_traceback_later(280, exit=True)  # whatever it waits for, it does not wait for ever
    for test in list(module.values()):
        if getattr(test, "__module__", "") != "__main__" or test.__code__.co_argcount:
            continue
        for name in os.listdir("."):
            (shutil.rmtree if os.path.isdir(name) and not os.path.islink(name) else os.remove)(name)
        try:
            test()
            print("ok", test.__name__)
        except Exception as problem:  # the next ones are told too
            failures += 1
            print("FAILED", test.__name__, repr(problem)[:600])
    shutil.rmtree(scratch)
    return failures > 0
