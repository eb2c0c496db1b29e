#!/usr/bin/env python3
"""Strange text in every place that a user or a received file can fill, in every output of studies and
reports, and every output parsed: escape.py PROGRAM.

Markup, quotes, commas, newlines, escape sequences, TeX's own characters. What a study must not hold
at all (names) is refused when it is opened; what it may hold (claims, plans, titles, paths) is
escaped wherever it goes."""
import csv
import html.parser
import json
import os
import re
import shutil
import sqlite3
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))
from asking import ended, scratch, write

EVIL = "O(nN) </title><script>alert(1)</script> \"q\" 'a', b\\end{document} $x_1^2$ & % # ~ {y} \x1b[31m\nline 2\r"


def run(*words, ok=(0,)):
    done = ended(words, *ok)
    for stream in (done.stdout, done.stderr):
        bad = [b for b in stream if b < 32 and b not in (9, 10, 13)]
        assert not bad or "--csv" in words, f"control bytes {bad} on the terminal: {words}"
    return done.stdout.decode()


class Page(html.parser.HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self):
        super().__init__()
        self.tags, self.text = set(), ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            assert not name.startswith("on") and "alert" not in (value or ""), (tag, name, value)

    def handle_data(self, data):
        self.text += data


def check_page(path):
    page = Page()
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    assert "script" not in page.tags and "a" in page.tags, page.tags
    assert "<script>alert(1)</script>" in page.text, "the claim should be shown as it is"


def check_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1, (path, [len(r) for r in rows])
    return rows


def check_tex(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if not line.startswith("%")]
    text = "\n".join(lines)
    assert "\\end{document}" not in text and "\x1b" not in text
    plain = re.sub(r"\\[\\%_#&${}]|\\text[a-z]+\{\}|\$\\pm\$|\\(begin|end)\{tabular\}(\{l*r?l*\})?", "", text)
    depth = 0
    for c in plain:
        depth += (c == "{") - (c == "}")
        assert depth >= 0
    assert depth == 0
    assert len({line.count("&") - line.count("\\&") for line in lines if line.endswith("\\\\")}) == 1


def damaged(sql, *values):
    """A copy of the study with something else in it."""
    os.unlink("received.db")
    with sqlite3.connect("study.db") as source, sqlite3.connect("received.db") as copy:
        source.backup(copy)
        copy.execute(sql, values)
    source.close()
    copy.close()


def main():
    title = EVIL.replace("\n", " ")
    # A claim, with an escape sequence in it; a plan's line cannot hold a newline or a comment's sign.
    claim = EVIL.split("\n", maxsplit=1)[0].replace("#", "")
    write("plan", f"n = 8, 16, 32\ntrials = 6\nclaim = {claim}\n")
    run("study", "--db", "study.db", "--plan", "plan", "--quiet")
    os.link("study.db", "received.db")
    directory = "out \"<b>,'&"
    run("report", "received.db", "-o", directory, "--title", title)
    check_page(os.path.join(directory, "index.html"))
    for name in ("trials.csv", "points.csv", "growth.csv"):
        rows = check_csv(os.path.join(directory, name))
        if name == "growth.csv":
            assert rows[1][rows[0].index("claimed")].startswith("O(nN) </title>")
    check_tex(os.path.join(directory, "growth.tex"))
    for name in os.listdir(os.path.join(directory, "plots")):
        path = os.path.join(directory, "plots", name)
        if name.endswith(".svg"):
            root = xml.etree.ElementTree.parse(path).getroot()
            assert not root.findall(".//{*}script")
        elif name.endswith(".csv"):
            check_csv(path)
    told = json.loads(run("report", "received.db", "--json"))
    assert told["families"][0]["claim"].startswith("O(nN) </title>")
    run("study", "--status", "received.db")

    # Names of a received study: refused, or escaped; never markup in the page, never a broken table.
    for sql in ("UPDATE point SET start = ?", "UPDATE point SET spec = replace(spec, 'random', ?)"):
        damaged(sql, "<script>alert(1)</script>")
        if ended("report received.db -o names", 0, 2, 3).returncode == 0:
            page = Page()
            with open("names/index.html", encoding="utf-8") as file:
                page.feed(file.read())
            assert "script" not in page.tags
            check_csv("names/points.csv")
    # An escape sequence in the name of a file.
    os.rename("study.db", "s\x1b[31m.db")
    run("report", "s\x1b[31m.db", "-o", "d\x1b[31m")
    run("report", "no\x1b[31m.db", "-o", "d2", ok=(2, 3))


main()
shutil.rmtree(scratch)
print("strange text is nowhere taken for anything but text")
