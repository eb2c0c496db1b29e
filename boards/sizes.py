#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the protocol costs on a board, as the table of docs/devices.md.

sizes.py BOARD-CYCLES         prints the table
sizes.py --write PAGE TABLE   puts a table between its two marks in a page
sizes.py --check PAGE TABLE   fails if flash of link and rules is more than 5 % above what the page says

Flash of the parts is that of parts.c; flash, memory and stack of the board's program are those of
board.c with its port, N = 8. The worst stack is the compiler's own figure for each function
(-fstack-usage), summed along the calls that the disassembly shows, with the deepest interrupt on an
AVR and a fault's frame on a Cortex-M. What an interaction takes is counted by the emulators between
the marks of measure.c, on average over random states: cycles by simavr, instructions by QEMU.
"""
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ARM = {"tools": "arm-none-eabi-", "return": 0, "extra": 32, "options": ["-mthumb", "-ffreestanding"]}
AVR = {"tools": "avr-", "return": 2, "extra": None, "options": []}
CHIPS = {
    "cortex-m0": ("Cortex-M0", ARM | {"options": ["-mcpu=cortex-m0", *ARM["options"]]}),
    "cortex-m3": ("Cortex-M3", ARM | {"options": ["-mcpu=cortex-m3", *ARM["options"]]}),
    "atmega328p": ("ATmega328P", AVR | {"options": ["-mmcu=atmega328p"]}),
    "atmega1284p": ("ATmega1284P", AVR | {"options": ["-mmcu=atmega1284p"]}),
}
ROWS = ["flash: rules of prl", "flash: link, frames, coins", "flash: the whole board program",
        "memory: the whole board program", "worst stack", "one interaction, the rule alone",
        "the decision on a question", "from the question's frame to the answer's"]
RULES = {"rl_prl_interact", "rl_prl_legal"}  # all that is called by an address
SEGMENTS = 6  # marks in a round of measure.c
ROUNDS = 50
BEGIN, END = "<!-- made by boards/sizes.py -->", "<!-- end -->"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr or done.stdout}")
    return done.stdout


def flash_of_part(chip, scratch, *defines):
    _, kind = CHIPS[chip]
    target = scratch / "part.o"
    run(kind["tools"] + "gcc", *kind["options"], "-std=gnu11", "-Os", *defines, f"-I{scratch}", "-c",
        HERE / "parts.c", "-o", target)
    sizes = dict(re.findall(r"^(\.\S+)\s+(\d+)", run(kind["tools"] + "size", "-A", target), re.M))
    return sum(int(size) for name, size in sizes.items() if name.startswith(".text"))


# ---- the worst stack --------------------------------------------------------------------------

def functions_of(tools, program):
    """(first address, name) of each function, in order."""
    found = re.findall(r"^([0-9a-f]+) [tTwW] (\w[\w.]*)$", run(tools + "nm", program), re.M)
    return sorted((int(address, 16), name) for address, name in found)


def frames_of(output):
    """The compiler's figure for each function, by its name without the number of a clone."""
    frames = {}
    for part in ("board", "port"):
        for line in pathlib.Path(f"{output}.{part}.su").read_text().splitlines():
            place, size, kind = line.split("\t")
            if kind != "static":
                sys.exit(f"{place}: its stack is not bounded")
            name = re.sub(r"(\.\w+)\.\d+$", r"\1", place.split(":")[-1])
            frames[name] = max(frames.get(name, 0), int(size))
    return frames


def graph_of(kind, program, frames):
    """Whom each function calls, or jumps to as its last act, and how many bytes the hand-written ones
    push. (Labels within those look like functions, but nobody calls them.)"""
    functions = functions_of(kind["tools"], program)
    starts = {address: name for address, name in functions}
    calls, pushes, here = {}, {}, None
    for line in run(kind["tools"] + "objdump", "-d", program).splitlines():
        label = re.match(r"^([0-9a-f]+) <", line)
        if label:
            here = starts.get(int(label.group(1), 16), here)
            calls.setdefault(here, set())
            continue
        if re.search(r"\t(e?icall|blx\tr)", line):
            calls[here] |= RULES
        pushed = re.search(r"\tpush\t(\{.*\}|r\d+)", line)
        if pushed:
            pushes[here] = pushes.get(here, 0) + (4 * len(pushed.group(1).split(",")) if "{" in line else 1)
        branch = re.search(r"\t(?:r?call|r?jmp|br\w+)\t.*?(?:; )?0x([0-9a-f]+)", line) or \
            re.search(r"\tb(?:l|l?\w\w)?(?:\.[nw])?\t([0-9a-f]+) <", line)
        target = starts.get(int(branch.group(1), 16)) if branch else None
        is_call = re.search(r"\t(r?call|bl)\t", line)
        if target and target != here and (is_call or target in frames):
            calls[here].add(target)
    return calls, pushes


def worst_stack(kind, output):
    frames = frames_of(output)
    calls, pushes = graph_of(kind, output, frames)

    def depth(name, above):
        if name in above:
            sys.exit(f"{name} calls itself")
        own = frames.get(re.sub(r"(\.\w+)\.\d+$", r"\1", name), kind["return"] + pushes.get(name, 0))
        return own + max((depth(callee, above | {name}) for callee in calls.get(name, ())), default=0)

    interrupts = [name for name in calls if name and re.fullmatch(r"__vector_\d+", name)]
    extra = kind["extra"] or max(depth(name, frozenset()) for name in interrupts)
    return depth("main", frozenset()) + extra


# ---- what an interaction takes ----------------------------------------------------------------

def cycles_between_marks(chip, program, mark, board_cycles):
    return [int(number) for number in
            run(board_cycles, chip, program, f"{mark:x}", SEGMENTS * ROUNDS).split()]


def instructions_between_marks(program, mark):
    """QEMU executes one instruction at a time and tells its address."""
    is_old = "-singlestep" in run("qemu-system-arm", "-help") # before QEMU 9
    command = ["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-nodefaults",
               *(["-singlestep"] if is_old else ["-accel", "tcg,one-insn-per-tb=on"]),
               "-d", "exec,nochain", "-kernel", str(program)]
    counts, since = [], None
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as qemu:
        for line in qemu.stderr:
            place = re.match(r"Trace .* \[\w+/([0-9a-f]+)/", line)
            if not place:
                continue
            if int(place.group(1), 16) == mark:
                if since is not None:
                    counts.append(since)
                since = 0
            since = None if since is None else since + 1
            if len(counts) == SEGMENTS * ROUNDS:
                break
        qemu.kill()
    return counts


def costs(chip, scratch, board_cycles):
    """Of the rule, a decision, and frame to frame, without what the marks themselves take."""
    _, kind = CHIPS[chip]
    program = scratch / f"measure-{chip}.elf"
    run(HERE / "build.sh", chip, 8, scratch, program, HERE / "measure.c")
    mark = next(address for address, name in functions_of(kind["tools"], program) if name == "mark")
    counts = cycles_between_marks(chip, program, mark, board_cycles) if kind["tools"] == "avr-" else \
        instructions_between_marks(program, mark)
    idle, rule, decision, _, frames, _ = (counts[first::SEGMENTS] for first in range(SEGMENTS))
    unit = "cycles" if kind["tools"] == "avr-" else "instructions"
    return [f"{statistics.mean(part) - min(idle):,.0f} {unit}" for part in (rule, decision, frames)]


# ---- the table --------------------------------------------------------------------------------

def column(chip, scratch, board_cycles):
    _, kind = CHIPS[chip]
    program = scratch / f"{chip}.elf"
    run(HERE / "build.sh", chip, 8, scratch, program)
    sizes = dict(re.findall(r"^(\.\w+)\s+(\d+)", run(kind["tools"] + "size", "-A", program), re.M))
    bytes_of = [flash_of_part(chip, scratch, "-DPART_RULES"), flash_of_part(chip, scratch),
                int(sizes[".text"]), int(sizes[".noinit"]), worst_stack(kind, program)]
    return [f"{number:,} bytes" for number in bytes_of] + costs(chip, scratch, board_cycles)


def table(board_cycles):
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        run(HERE.parent / "scripts/device-header.py", scratch / "ringleader-device.h")
        columns = [column(chip, scratch, board_cycles) for chip in CHIPS]
    lines = ["| | " + " | ".join(name for name, _ in CHIPS.values()) + " |", "|---" * (len(CHIPS) + 1) + "|"]
    lines += ["| " + " | ".join([row, *cells]) + " |" for row, *cells in zip(ROWS, *columns)]
    return "\n".join(lines)


def numbers(text, row):
    line = next((line for line in text.splitlines() if line.startswith(f"| {row} |")), None)
    if line is None:
        sys.exit(f"there is no row '{row}'")
    return [int(number.replace(",", "")) for number in re.findall(r"\| ([\d,]+) ", line)]


def check(written, now):
    bad = False
    for row in ROWS[:2]:
        for chip, was, size in zip(CHIPS, numbers(written, row), numbers(now, row), strict=True):
            grown = size > 1.05 * was
            bad |= grown
            print(f"{chip}, {row}: {size} bytes, {was} written{': more than 5 % above' if grown else ''}")
    sys.exit(1 if bad else 0)


def main():
    words = sys.argv[1:]
    if len(words) == 1:
        print(table(words[0]))
    elif len(words) == 3 and words[0] in ("--write", "--check"):
        page, now = pathlib.Path(words[1]), pathlib.Path(words[2]).read_text()
        before, written, after = re.split(f"{BEGIN}|{END}", page.read_text())
        if words[0] == "--check":
            check(written, now)
        page.write_text(f"{before}{BEGIN}\n{now}{END}{after}")
    else:
        sys.exit(__doc__)


main()
