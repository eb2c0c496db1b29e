#!/usr/bin/env python3
"""Same seed, same result, on every machine: machines.py BUILD.

The elections of elections.txt are held by this machine's program, and by the same sources compiled for
arm64 and for s390x, which is big endian, and run by QEMU. What they print is the same to the byte.
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

MACHINES = {"aarch64": "aarch64-linux-gnu-gcc", "s390x": "s390x-linux-gnu-gcc"}
ROOMS = ("core", "protocols", "simulate")
build = os.path.realpath(sys.argv[1])
here = os.path.dirname(os.path.realpath(__file__))
elections = os.path.join(here, "elections.txt")


def sources():
    """Each source of the rooms with its own -D, as the build compiles it; once each."""
    seen = set()
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            words = shlex.split(entry["command"])
            path = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
            room = re.search(r"/src/(\w+)/[^/]*\.c$", path)
            wanted = room and room[1] in ROOMS or path.endswith("/agree/elections.c")
            own = tuple(word for word in words if re.match(r"-D(PROTOCOL|DIRECTED|RULEBOOK)", word))
            includes = [word for word in words if word.startswith("-I")]
            if wanted and "tests/agree" not in " ".join(includes) and (path, own) not in seen:
                seen.add((path, own))
                yield path, own, includes


def compile_for(compiler, directory, at, source):
    path, own, includes = source
    done = subprocess.run([compiler, "-std=gnu11", "-O1", "-w", "-ffp-contract=off", "-D_POSIX_C_SOURCE=200809L",
                           *own, *includes, "-c", path, "-o", f"{directory}/{at}.o"], cwd=build,
                          capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{path} does not compile with {compiler}:\n{done.stderr}")
    return f"{directory}/{at}.o"


def held_on(machine, compiler):
    with tempfile.TemporaryDirectory() as directory:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(lambda pair: compile_for(compiler, directory, *pair), enumerate(sources())))
        subprocess.run([compiler, "-static", "-o", f"{directory}/elections", *objects, "-lm"], check=True, timeout=120)
        return subprocess.run([f"qemu-{machine}", f"{directory}/elections", elections], check=True,
                              capture_output=True, timeout=300).stdout


missing = [tool for machine, compiler in MACHINES.items() for tool in (compiler, f"qemu-{machine}")
           if not shutil.which(tool)]
if missing:
    print("missing:", *missing)
    sys.exit(77)
here_held = subprocess.run([os.path.join(build, "tests/elections"), elections], check=True, capture_output=True,
                           timeout=300).stdout
assert here_held.count(b"\n") >= 10, here_held
for machine, compiler in MACHINES.items():
    assert held_on(machine, compiler) == here_held, f"{machine} has other results than this machine"
    print(f"{machine}: the same {here_held.count(bytes([10]))} elections")
