#!/usr/bin/env python3
# Is every line that no test reaches named with its reason? coverage.py LINES.json NAMED.md, after
# gcovr --json. The table in NAMED.md has a row for each place: a file (or *, any), and what is not
# reached there: `name()`, what is unreached of a function, or a text that the line has in it. A row that
# names nothing unreached is out of date, unless its reason begins with "sometimes". Prints the total and
# the files below 99 %; fails if a line is not named, a row is out of date, or less than 99 % is reached.
import json
import re
import sys

WANTED = 0.99


def unreached_lines(files):
    """For each file the number of lines with code, and the numbers of those never run. A line may be
    there several times, in a header or for each protocol: once is enough."""
    for file in files:
        runs = {}
        for line in file["lines"]:
            if not line.get("gcovr/noncode"):
                number = line["line_number"]
                runs[number] = runs.get(number, 0) + abs(line["count"])
        yield file["file"], len(runs), [number for number, count in sorted(runs.items()) if not count]


def functions_of(lines):
    """The name of the function that each line is in, or "". As clang-format has it: a body begins and
    ends with a brace in the first column, and its head begins there too."""
    names, head, inside = [], "", False
    for line in lines:
        if inside:
            names.append(inside)
            inside = "" if line.startswith("}") else inside
            continue
        head = line if re.match(r"\w", line) else head
        name = re.search(r"(\w+)\(", head)
        inside = name.group(1) if line.startswith("{") and name else ""
        names.append(name.group(1) if name and not line.strip() == "" else "")
        if line.strip() == "":
            head = ""
    return names


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) == 3 and cells[0].startswith("| `"):
                yield cells[0].strip("| `"), cells[1].strip("`"), cells[2].rstrip(" |")


def is_about(row, path, text, function):
    file, place, _ = row
    if file not in ("*", path):
        return False
    return place[:-2] == function if place.endswith("()") else place in text


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        files = json.load(file)["files"]
    rows = list(rows_of(sys.argv[2]))
    used, total, missed, unnamed = set(), 0, 0, []
    for path, count, unreached in unreached_lines(files):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        functions = functions_of(lines)
        total += count
        missed += len(unreached)
        if len(unreached) > 0.01 * count:
            print(f"{100 - 100 * len(unreached) / count:6.1f} %  {count - len(unreached):4} of {count:4}  {path}")
        for number in unreached:
            text = lines[number - 1]
            about = {i for i, row in enumerate(rows) if is_about(row, path, text, functions[number - 1])}
            used |= about
            if not about:
                unnamed.append(f"{path}:{number}: {functions[number - 1]}(): {text.strip()}")
    stale = [row for i, row in enumerate(rows) if i not in used and not row[2].startswith("sometimes")]
    for line in unnamed:
        print("not reached and not named:", line)
    for file, place, _ in stale:
        print(f"named and reached, or not there: {file}: {place}")
    print(f"{100 - 100 * missed / total:.2f} % of {total} lines; {missed} are not reached, "
          f"{missed - len(unnamed)} of them named with a reason in {sys.argv[2]}")
    return 1 if unnamed or stale or missed > (1 - WANTED) * total else 0


if __name__ == "__main__":
    sys.exit(main())
