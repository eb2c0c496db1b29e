#!/usr/bin/env python3
"""How tests ended.
    test-results.py NAME STATUS LOG...   a line of JSON for one run of a test runner, from Meson's JSON logs
                                         or a TAP log (NAME.tap); STATUS is the runner's exit status
    test-results.py --sum                adds up such lines from standard input, names what was skipped and
                                         why, and ends with "N passed, N failed, N skipped"
"""
import json
import os
import re
import sys

PASSED = ("OK", "EXPECTEDFAIL")


def from_meson(lines):
    for line in lines:
        test = json.loads(line)
        said = (test.get("stdout") or "").strip().splitlines()
        yield test["name"], test["result"], said[-1] if said else "no reason given"


def from_tap(lines):
    for line in lines:
        found = re.match(r"(?:    )*(not )?ok \d+ - (.*?)(?: # (SKIP|TODO)\s*(.*))?$", line.rstrip())
        if found and not found[2].endswith(".mjs"):
            yield found[2], "SKIP" if found[3] == "SKIP" else "FAIL" if found[1] else "OK", found[4] or "no reason given"


def read(name, status, logs):
    results = []
    for log in filter(os.path.exists, logs):
        with open(log, encoding="utf-8", errors="replace") as lines:
            results += from_tap(lines) if log.endswith(".tap") else from_meson(lines)
    failed = [test for test, result, _ in results if result not in PASSED + ("SKIP",)]
    if status != 0 and not failed or not results:
        failed.append("it did not even run")
    return {"run": name, "passed": sum(result in PASSED for _, result, _ in results), "failed": failed,
            "skipped": [(test, why) for test, result, why in results if result == "SKIP"]}


def add_up(runs):
    for run in runs:
        for test, why in run["skipped"]:
            print(f"skipped: {run['run']}: {test}: {why}")
        for test in run["failed"]:
            print(f"failed: {run['run']}: {test}")
    failed = sum(len(run["failed"]) for run in runs)
    print(f"{sum(run['passed'] for run in runs)} passed, {failed} failed, "
          f"{sum(len(run['skipped']) for run in runs)} skipped")
    return failed > 0 or not runs


if sys.argv[1] == "--sum":
    sys.exit(add_up([json.loads(line) for line in sys.stdin]))
print(json.dumps(read(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
