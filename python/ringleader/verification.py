# SPDX-License-Identifier: MIT
"""Verification: every configuration of a small ring."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Iterator

import numpy as np

from ringleader._c import ffi, lib
from ringleader._library import RequestError, Watch, new_error, text
from ringleader.elections import Run, _closed_set
from ringleader.pictures import fitted
from ringleader.protocols import Protocol, find


@dataclass(frozen=True)
class Execution:
    """An execution from `start` along `arcs`: what a "no" is made of. Iterate to step through it."""

    protocol: Protocol = field(repr=False)
    parameters: dict[str, int]
    start: Any
    arcs: list[int]

    def __iter__(self) -> Iterator[Run]:
        """The ring before the first interaction and after each; the same Run, further on."""
        run = Run(self.protocol, n=len(self.start), start=self.start, engine="step",
                  **self.parameters)
        yield run
        for arc in self.arcs:
            lib.rl_engine_interact(run._engine, arc, run._batch)
            yield run

    def _repr_html_(self) -> str:
        return "".join(f'<div style="display:inline-block;width:18em">{fitted(run._repr_svg_())}</div>'
                       for run in self)


@dataclass(frozen=True)
class Expected:
    """Expected steps to a set: fractions if they were asked for and are few enough. Which
    configuration is the worst is None where doubles are too coarse to tell."""

    worst: float | Fraction
    mean: float | Fraction
    error: float
    worst_configuration: Any = field(repr=False)


@dataclass(frozen=True)
class SetAnswer:
    size: int
    closed: bool
    inside_safe: bool
    way_out: Execution | None
    expected: Expected | None


@dataclass(frozen=True)
class Verification:
    """The answers. `sets` and `lemmas` are by name; `trapped` shows why it is not stabilizing."""

    protocol: str
    n: int
    agent_states: int
    configurations: int
    safe: int
    self_stabilizing: bool
    all_well: bool
    sets: dict[str, SetAnswer]
    lemmas: dict[str, tuple[int, int]]
    trapped: Execution | None

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{name}<td>{answer.size:,}<td>{'yes' if answer.closed else 'no'}"
            f"<td>{'' if answer.expected is None else answer.expected.worst}"
            for name, answer in self.sets.items())
        verdict = "self-stabilizing" if self.self_stabilizing else "not self-stabilizing"
        return (f"<p><b>{self.protocol}</b> on {self.n} agents, {self.configurations:,} configurations:"
                f" {verdict}</p><table><tr><th>set<th>size<th>closed<th>worst expected steps{rows}"
                "</table>")


class _Reader:
    """Turns the answer of C into Python, while it is there."""

    def __init__(self, which: Protocol, params: Any) -> None:
        self.which, self.params = which, params

    def configuration(self, words: Any) -> Any:
        return self.which._unpack(np.array(list(words[0:self.params.n]), np.uint64))

    def execution(self, example: Any) -> Execution | None:
        if not example.exists:
            return None
        parameters = {name: self.params.value[i] for i, name in enumerate(self.which.parameters)}
        return Execution(self.which, parameters, self.configuration(example.start),
                         list(example.arcs[0:example.length]))

    def expected(self, answer: Any) -> Expected | None:
        exact = answer.exact_worst and answer.exact_mean
        if not (answer.known or exact) or not answer.finite:
            return None
        return Expected(Fraction(text(answer.exact_worst)) if exact else answer.worst,
                        Fraction(text(answer.exact_mean)) if exact else answer.mean,
                        0.0 if exact else answer.error,
                        self.configuration(answer.worst_configuration) if answer.known else None)

    def set(self, answer: Any) -> SetAnswer:
        return SetAnswer(answer.size, answer.closed, answer.inside_safe,
                         self.execution(answer.way_out), self.expected(answer.expected))


def _options(protocol: Any, params: Any, watch: Any, exact: bool, jobs: int | None) -> Any:
    options = ffi.new("struct rl_verify_options *")
    lib.rl_verify_options_init(options, protocol, params.n)
    options.params, options.watch, options.exact = params, watch, exact
    options.jobs = jobs or os.cpu_count() or 1
    return options


def verify(protocol: str | Protocol = "prl", *, n: int, exact: bool = False, jobs: int | None = None,
           **parameters: Any) -> Verification:
    """Looks at every configuration: closed sets, lemmas, self-stabilization, expected steps.

    >>> import ringleader as rl
    >>> answer = rl.verify(n=2, exact=True)
    >>> answer.self_stabilizing, answer.sets["S_RL"].expected.worst
    (True, Fraction(6, 1))
    """
    which = find(protocol)
    params = which._params(n, parameters)
    watch, error = Watch(), new_error()
    row = ffi.new("struct rl_watch *", {"user": watch.handle, "tell": lib.tell_progress})
    # A set of Python's is called back from the threads of the verifier: they wait for each other.
    own = hasattr(which, "rule")
    if exact and not lib.rl_verify_has_exact():
        raise RequestError("exact fractions need a library built with FLINT")
    options = _options(which._pointer, params, row, exact, 1 if own else jobs)
    answer = ffi.new("struct rl_verification *")
    try:
        status = lib.rl_verify(answer, options, error)
        which.raise_failure()
        watch.check(status, error)
        reader = _Reader(which, params)
        return Verification(
            which.name, params.n, answer.agent_states, answer.configurations, answer.safe,
            answer.self_stabilizing, lib.rl_verify_all_well(answer, which._pointer),
            {which.sets[i]: reader.set(answer.sets[i])
             for i in range(lib.rl_protocol_set_count(which._pointer))},
            {text(which._pointer.lemmas[i].name): (answer.lemmas[i].checked,
                                                   answer.lemmas[i].violations)
             for i in range(which._pointer.lemma_count)},
            reader.execution(answer.trapped))
    finally:
        lib.rl_verify_free(answer)


def distribution(protocol: str | Protocol = "prl", *, n: int, start: Any = None, seed: int = 1,
                 until: str | None = None, **parameters: Any) -> Any:
    """P(T <= t) of the hit of a set (default: the target) from a start, for t = 0, 1, 2, ...

    >>> import ringleader as rl
    >>> float(rl.distribution(n=2, start="leaderless")[-1]) > 0.999999
    True
    """
    which = find(protocol)
    run = Run(which, n=n, start=start, seed=seed, **parameters)
    watch, error = Watch(), new_error()
    options = _options(which._pointer, run._params, ffi.NULL, False, 1)
    status = lib.rl_distribution(options, run._ring, _closed_set(which, until), watch.handle, lib.keep_row,
                                 error)
    which.raise_failure()
    watch.check(status, error)
    return np.array(watch.rows)
