#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One header for other people's firmware: device-header.py FILE.

The link, the serial frames, the coins and the rules of prl (include/ringleader/device.h and src/device,
with Algorithm 1 itself) become one file, for C and C++. It is a function of these files alone. Names
that are private to a file there get a prefix here, for a firmware has names of its own.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["ringleader/device.h", "device/prl.h", "device/link.c", "device/coins.c", "device/frame.c"]
LEFT_OUT = {"ringleader/status.h"}  # what it declares is for the library

HEAD = """\
/* SPDX-License-Identifier: MIT
 *
 * ringleader-device.h: a leader among microcontrollers in a ring. Made by `make device-header` of
 * Ringleader; do not edit. The licence is at the end.
 *
 * Include it in one source file of a firmware. All is static and freestanding: no allocation, no
 * floating point, nothing of the C library. The first comment below says what a port supplies and
 * what is guaranteed; examples/arduino-like.c is a whole main loop.
 */
#ifndef RINGLEADER_DEVICE_HEADER_H
#define RINGLEADER_DEVICE_HEADER_H

#define RL_LINK_SMALL
#define RL_LINK_API static inline

#include <stdbool.h>
#include <stdint.h>
"""


def find(name):
    for directory in ("include", "src"):
        path = ROOT / directory / name
        if path.exists():
            return path
    sys.exit(f"{name}: not found")


def lines_of(name, seen):
    """The lines of a file, other files in the place of their #include, once each. Of what depends on
    RL_LINK_SMALL only what is compiled with it."""
    if name in seen or name in LEFT_OUT:
        return
    seen.add(name)
    conditions = []  # one for each #if: None, or whether its lines are wanted
    for line in find(name).read_text().splitlines():
        word = line.split()[0] if line.split() else ""
        about_small = re.fullmatch(r"#ifn?def RL_LINK_SMALL", line)
        if word in ("#if", "#ifdef", "#ifndef"):
            conditions.append(word == "#ifdef" if about_small else None)
        here = conditions[-1] if conditions else None
        if word == "#else" and here is not None:
            conditions[-1] = not here
        elif word == "#endif" and conditions.pop() is not None:
            continue
        if about_small or (word == "#else" and here is not None) or False in conditions:
            continue
        include = re.match(r'#include "(.*)"', line)
        if include:
            yield from lines_of(include.group(1), seen)
        elif word not in ("RL_BEGIN", "RL_END", "#include"):
            yield line


def private_names(code):
    functions = re.findall(r"^static (?:inline )?[\w ]+?[ *](?!rl_)(\w+)\(", code, re.M)
    values = [name for body in re.findall(r"^enum \{(.*?)\}", code, re.M | re.S)
              for name in re.findall(r"\b(?!RL_)([A-Z]\w*)\b", body)]
    macros = re.findall(r"^#define (?!RL_|RINGLEADER_)(\w+)", code, re.M)
    structs = re.findall(r"^struct (?!rl_)(\w+) \{", code, re.M)
    return functions, values + macros, structs


def prefixed(code, names):
    functions, constants, structs = names
    code = re.sub(rf"\b({'|'.join(functions)})(?=\()", r"rl_device_\1", code)
    code = re.sub(rf"\b({'|'.join(constants)})\b", r"RL_DEVICE_\1", code)
    return re.sub(rf"\bstruct ({'|'.join(structs)})\b", r"struct rl_device_\1", code)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: device-header.py FILE")
    seen = set()
    text = "\n".join(line for part in PARTS for line in lines_of(part, seen))
    text = re.sub(r"/\* SPDX-License-Identifier: MIT\n \*\n", "/*\n", text)
    pieces = re.split(r"(/\*.*?\*/)", text, flags=re.S)  # code and comments in turn
    names = private_names("".join(pieces[::2]))
    pieces[::2] = [prefixed(code, names) for code in pieces[::2]]
    licence = "\n".join((" * " + line).rstrip() for line in (ROOT / "LICENSE").read_text().splitlines())
    text = re.sub(r"\n{3,}", "\n\n", HEAD + "\n" + "".join(pieces) + "\n\n#endif\n\n/*\n" + licence + "\n */\n")
    target = pathlib.Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


main()
