# SPDX-License-Identifier: MIT
"""Studies: many trials over a grid, in a SQLite file, and what they grow like."""
from __future__ import annotations

import io
import json
import os
from contextlib import contextmanager
from typing import Any, Iterable, Iterator

import pandas

from ringleader._c import ffi, lib
from ringleader._library import Watch, check, new_error, take_text
from ringleader.protocols import Protocol, Unlisted, find


def _listed(value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return ", ".join(str(item) for item in value)


def plan(**grid: Any) -> str:
    """The text of a plan: `plan(n=[64, 128], trials=10)` is "n = 64, 128; trials = 10"."""
    return "; ".join(f"{key} = {_listed(value)}" for key, value in grid.items())


def _find_protocols(given: Any) -> list[Protocol]:
    """Those of a grid; plans name them, so one's own go into the list."""
    one = isinstance(given, (str, os.PathLike, Protocol))
    found = [find(which) for which in ([given] if one else given)]
    for which in found:
        if isinstance(which, Unlisted):
            which.list()
    return found


def study(db: str | os.PathLike[str], *, jobs: int | None = None, progress: bool = False,
          extend: bool = False, **grid: Any) -> Any:
    """Runs a study, or goes on with it, and gives its trials as a DataFrame.

    The grid is that of a plan file: protocol, n, start, trials, seed, fault, and the protocols'
    parameters; each may be a list, and every combination is a point. A protocol may be your own, a
    C file or a rule; the file keeps its text. Without a grid the plan in the file goes on.
    A file that holds another plan is refused, unless `extend` adds this one to it. Interrupted, it
    keeps what is done.

    >>> import ringleader as rl, tempfile
    >>> frame = rl.study(tempfile.mkdtemp() + "/s.db", n=[8, 16], trials=5)
    >>> frame.groupby("n").size().to_dict()
    {8: 5, 16: 5}
    """
    bar = None
    if progress:
        from tqdm.auto import tqdm
        bar = tqdm(unit=" trials")

    own: list[Protocol] = []
    if "protocol" in grid:
        own = _find_protocols(grid["protocol"])
        grid["protocol"] = [which.name for which in own]

    def told(outlook: Any) -> None:
        for which in own:
            which.raise_failure()
        if bar is not None:
            bar.total = outlook.total
            bar.update(outlook.done - bar.n)

    watch, error, finished = Watch(told), new_error(), ffi.new("bool *")
    text = plan(**grid)
    path, given = ffi.new("char[]", os.fsencode(db)), ffi.new("char[]", text.encode())
    options = ffi.new("struct rl_study_options *",
                      {"path": path, "plan": given if grid else ffi.NULL, "extend": extend,
                       "jobs": jobs or os.cpu_count() or 1, "user": watch.handle,
                       "go_on": lib.go_on})
    watch.check(lib.rl_study_run(options, finished, error), error)
    if bar is not None:
        bar.close()
    return load(db)


@contextmanager
def _report(paths: tuple[str | os.PathLike[str], ...]) -> Iterator[Any]:
    names = [ffi.new("char[]", os.fsencode(path)) for path in paths]
    report, error = ffi.new("struct rl_report *"), new_error()
    try:
        check(lib.rl_report_load(report, ffi.new("char *[]", names), len(names), error), error)
        yield report
    finally:
        lib.rl_report_free(report)


def load(*paths: str | os.PathLike[str]) -> Any:
    """The trials of one or more studies as a DataFrame, one row a trial, sorted."""
    with _report(paths) as report:
        return _frame(lib.trials_csv(report))


def _frame(csv: Any) -> Any:
    return pandas.read_csv(io.StringIO(take_text(csv)), keep_default_na=False, na_values=[""])


def curves(*paths: str | os.PathLike[str]) -> Any:
    """What the gauge of a study with `curve=` shows as time passes: a row a point and step.

    >>> import ringleader as rl, tempfile
    >>> db = tempfile.mkdtemp() + "/s.db"
    >>> frame = rl.study(db, n=64, start="leaders", trials=5, curve="leaders")
    >>> int(rl.curves(db).query("step == 0")["mean"].item())
    64
    """
    with _report(paths) as report:
        return _frame(lib.curves_csv(report))


def fits(*paths: str | os.PathLike[str]) -> Any:
    """How the steps grow, as in the report: a DataFrame with one row per family of points.

    `verdict` says whether the claim holds, `test.factor` what mean over claimed tends to, with the
    95 % interval `test.low` .. `test.high`. Without the claim, `exponent` (of the form `form`) has
    the interval `low` .. `high`.
    """
    with _report(paths) as report:
        told = json.loads(take_text(lib.growth_json(report)))
    return pandas.json_normalize(told["families"])
