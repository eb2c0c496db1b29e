# How the tests of requests ask the program, which is the first argument. They run in a directory of their
# own, which is empty before each.
import faulthandler
import os
import shutil
import subprocess
import sys
import tempfile

faulthandler.dump_traceback_later(280, exit=True)  # whatever it waits for, it does not wait for ever
program = os.path.realpath(sys.argv[1])
scratch = tempfile.mkdtemp()
os.chdir(scratch)


def run(words, text=None, **more):
    words = words.split() if isinstance(words, str) else words
    return subprocess.run([program, *words], input=text.encode() if text else None,
                          capture_output=True, timeout=120, **more)


def done(words, status=0, **more):
    """The standard output of a command that must end so."""
    result = run(words, **more)
    assert result.returncode == status, (words, result.returncode, result.stderr)
    return result.stdout.decode()


def refused(words, reason, status=2, **more):
    """One line that says why, and nothing else."""
    result = run(words, **more)
    told = result.stderr.decode(errors="surrogateescape")
    assert result.returncode == status, (words, result.returncode, told)
    assert told.startswith("ringleader: ") and told.count("\n") == 1, told
    assert reason in told, (words, told)
    assert result.stdout == b"", (words, result.stdout)


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def try_all(module):
    """Every function without arguments is a test; what takes some is a tool. The exit status."""
    failures = 0
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
