# SPDX-License-Identifier: MIT
"""Elections: one at once (`elect`), or step by step (`Run`)."""
from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping

import numpy as np

from ringleader._c import ffi, lib
from ringleader._library import NEVER, RequestError, check, new_error
from ringleader.pictures import fitted, ring_svg, take_svg
from ringleader.protocols import Protocol, find

ENGINES = {"event": lib.RL_ENGINE_EVENT, "step": lib.RL_ENGINE_STEP}


def _engine(name: str) -> int:
    if name not in ENGINES:
        raise RequestError(f"there is no engine '{name}'; there are event and step")
    return int(ENGINES[name])


def _faults(faults: Iterable[str], n: int) -> Any:
    rows = ffi.new("struct rl_fault[]", max(1, len(list(faults))))
    for row, fault in zip(rows, faults):
        error = new_error()
        check(lib.rl_run_parse_fault(str(fault).encode(), n, ffi.addressof(row), error), error)
    return rows


def _set(protocol: Protocol, name: str | None) -> int:
    if name is not None and name not in protocol.sets:
        raise RequestError(f"{protocol.name} has no set '{name}'; it has "
                           + (", ".join(protocol.sets) or "none"))
    return protocol.sets.index(name or protocol.target)


def _closed_set(protocol: Protocol, name: str | None) -> int:
    """As _set, for those who need one that a configuration shows to be hit."""
    index = _set(protocol, name)
    if not protocol._pointer.sets[index].contains:
        raise RequestError(f"{protocol.name} declares no closed set")
    return index


@dataclass(frozen=True)
class Election:
    """What an election came to. `hits` are the steps at which the closed sets were entered."""

    protocol: str
    n: int
    parameters: dict[str, int]
    seed: int
    trial: int
    engine: str
    reached: bool
    steps: int
    events: int
    hits: dict[str, int | None]
    leaders: int
    leader: int | None
    faults: list[dict[str, int | None]]
    configuration: Any = field(repr=False, compare=False)
    _svg: str | None = field(repr=False, compare=False, default=None)

    @property
    def parallel_time(self) -> float:
        return self.steps / self.n

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{name}<td>{'' if hit is None else format(hit, ',')}"
                       for name, hit in self.hits.items())
        who = "no leader" if self.leader is None else f"u<sub>{self.leader}</sub> leads"
        return (f"<p><b>{self.protocol}</b> on {self.n:,} agents: {who} after {self.steps:,} steps, "
                f"{self.events:,} of them events</p><table><tr><th>set<th>hit at step{rows}</table>"
                + (self._svg or ""))


def _or_none(step: int) -> int | None:
    return None if step == NEVER else step


def elect(protocol: str | Protocol = "prl", *, n: int, start: Any = None, seed: int = 1,
          trial: int = 0, engine: str = "event", until: str | None = None,
          steps: int | None = None, max_steps: int | None = None, faults: Iterable[str] = (),
          picture: bool = False, progress: bool = False, **parameters: Any) -> Election:
    """Runs one election until the target (or `until`) is hit, or for exactly `steps` steps.

    `start` is a name, or an array or mapping of the variables. The same seed gives the same election
    as the command line's. Whatever else counts in an experiment has its name here too, such as
    `after`: go on for so many steps after the hit. A protocol without closed sets is run until it has
    settled: one leader, and no output has changed for long; `steps` is then the step since which,
    observed and not proved.

    >>> import ringleader as rl
    >>> result = rl.elect(n=1000, seed=7)
    >>> result.steps, result.leader
    (4912509, 683)
    """
    which, faults = find(protocol), list(faults)
    if steps is not None:
        until = f"steps={operator.index(steps)}"
    said = dict(seed=operator.index(seed), trial=operator.index(trial), engine=engine, until=until,
                max_steps=max_steps)
    experiment, run = which._experiment(n, {**parameters, **said}), ffi.new("struct rl_run *")
    rows = _faults(faults, experiment.params.n)
    experiment.faults, experiment.fault_count = rows, len(faults)
    keep = _begin(experiment, which, start)
    error = new_error()
    try:
        check(lib.rl_run_init(run, experiment, error), error)
        with take_svg(run, which.name if picture else None) as svg:
            state = _go(run, which, progress)
        return _election(run, which, experiment.params, seed, trial, engine, state, svg.text)
    finally:
        lib.rl_run_free(run)
        del keep


def _begin(experiment: Any, which: Protocol, start: Any) -> Any:
    """Sets the start; what must be kept alive for it."""
    if start is None or isinstance(start, str):
        keep = ffi.new("char[]", (start or "random").encode())
        experiment.start = keep
    else:
        keep = which._pack(start, experiment.params)
        experiment.configuration = ffi.from_buffer(keep)
    return keep


def _go(run: Any, which: Protocol, progress: bool) -> int:
    """Advances to the end. Between the spells Python sees to Ctrl-C; within, others may run."""
    bar = None
    if progress:
        from tqdm.auto import tqdm
        bar = tqdm(unit=" steps", unit_scale=True)
    state = lib.rl_run_advance(run)
    while state == lib.RL_RUNNING and which._failure is None:
        if bar is not None:
            bar.update(run.step - bar.n)
        state = lib.rl_run_advance(run)
    if bar is not None:
        bar.close()
    which.raise_failure()
    return int(state)


def _steps(run: Any, state: int) -> int:
    """Those to the hit, or to where nothing changed any more; else all."""
    if state != lib.RL_REACHED:
        return int(run.step)
    return int(run.settled.since if run.settled.wanted else run.hits[run.end.set])


def _election(run: Any, which: Protocol, params: Any, seed: int, trial: int, engine: str,
              state: int, svg: str | None) -> Election:
    leaders = lib.rl_ring_leaders(ffi.addressof(run.ring))
    size = which._pointer.width * params.n
    words = np.frombuffer(ffi.buffer(run.ring.agents, size),
                          np.uint64 if which._pointer.width == 8 else np.uint32)
    return Election(
        protocol=which.name, n=params.n, seed=seed, trial=trial, engine=engine,
        parameters={name: params.value[i] for i, name in enumerate(which.parameters)},
        reached=state == lib.RL_REACHED, events=run.events,
        steps=_steps(run, state),
        hits={name: _or_none(run.hits[i]) for i, name in enumerate(which.sets)},
        leaders=leaders,
        leader=lib.rl_ring_first_leader(ffi.addressof(run.ring)) if leaders == 1 else None,
        faults=[{"step": run.faults[i].step, "agents": run.faults[i].agents,
                 "recovered_after": _or_none(run.faults[i].recovered_after)}
                for i in range(run.fault_count)],
        configuration=which._unpack(words), _svg=svg)


class Run:
    """An execution that you advance as far as you like, look at and disturb.

    >>> import ringleader as rl
    >>> run = rl.Run(n=100, seed=7)
    >>> run.advance(to=1000).step
    1000
    >>> int(run.configuration["leader"].sum())
    27
    """

    def __init__(self, protocol: str | Protocol = "prl", *, n: int, start: Any = None, seed: int = 1,
                 trial: int = 0, engine: str = "event", **parameters: Any) -> None:
        self.protocol = find(protocol)
        self._params = self.protocol._params(n, parameters)
        wide = self.protocol._pointer.width == 8
        self.words = np.zeros(self._params.n, np.uint64 if wide else np.uint32)
        self._ring = ffi.new("struct rl_ring *")
        self._ring.protocol, self._ring.params = self.protocol._pointer, self._params
        self._ring.agents = ffi.from_buffer(self.words)
        self.events = 0
        self._hits = ffi.new("uint64_t[8]")
        self._fault_random = self._random(seed, trial, 2)
        self._fill(start, seed, trial)
        self._engine = ffi.gc(ffi.new("struct rl_engine *"), lib.rl_engine_free)
        self._batch = ffi.gc(ffi.new("struct rl_batch *"), lib.rl_batch_free)
        self._snapshot = ffi.gc(ffi.new("struct rl_snapshot *"), lib.rl_snapshot_free)
        random = self._random(seed, trial, 1)
        check(lib.rl_engine_init(self._engine, _engine(engine), self._ring, random, ffi.NULL))
        check(lib.rl_batch_init(self._batch, 1 << 16))
        check(lib.rl_snapshot_init(self._snapshot, self._engine))
        self._look()

    @staticmethod
    def _random(seed: int, trial: int, purpose: int) -> Any:
        random = ffi.new("struct rl_random *")
        lib.rl_random_init(random, operator.index(seed), operator.index(trial), purpose)
        return random

    def _fill(self, start: Any, seed: int, trial: int) -> None:
        if start is None or isinstance(start, str):
            error = new_error()
            name = (start or "random").encode()
            check(lib.rl_ring_start(self._ring, name, self._random(seed, trial, 0), error), error)
        else:
            self.words[:] = self.protocol._pack(start, self._params)

    def _look(self) -> None:
        """After a disturbance: which sets is the ring in?"""
        lib.rl_hits_forget(self._hits)
        lib.rl_hits_note(self._hits, self._ring, self.step)
        self.protocol.raise_failure()

    @property
    def step(self) -> int:
        return int(self._engine.step)

    @property
    def hits(self) -> dict[str, int | None]:
        """The steps at which the closed sets were entered since the last disturbance."""
        return {name: _or_none(self._hits[i]) for i, name in enumerate(self.protocol.sets)}

    @property
    def leaders(self) -> int:
        return int(lib.rl_ring_leaders(self._ring))

    @property
    def configuration(self) -> Any:
        """The agents as a structured array of their variables, a copy; `words` is the ring itself."""
        return self.protocol._unpack(self.words)

    def advance(self, *, to: int | None = None, steps: int | None = None, events: int | None = None,
                until: str | None = None) -> Run:
        """Goes on to a step, for some steps or events, or to the hit of a set (default: the target)."""
        if sum(way is not None for way in (to, steps, events, until)) > 1:
            raise RequestError("one way to stop at a time: to, steps, events or until")
        if events is not None:
            return self._advance_events(operator.index(events))
        if to is None and steps is None:
            return self._advance_until(_closed_set(self.protocol, until))
        end = operator.index(to if to is not None else self.step + int(steps or 0))
        while self.step < end:  # steps pass in silence, too
            self._spell(end, self._batch.room)
        return self

    def _spell(self, end: int, wanted: int) -> None:
        self._batch.wanted = wanted
        lib.rl_engine_advance(self._engine, end, self._batch)
        lib.rl_hits_find(self._hits, self._ring, self._batch)
        self.events += self._batch.count
        self.protocol.raise_failure()

    def _advance_events(self, count: int) -> Run:
        end = self.events + count
        while self.events < end and not self._engine.over:
            self._spell(NEVER, min(end - self.events, self._batch.room))
        return self

    def _advance_until(self, index: int) -> Run:
        self._batch.wanted = self._batch.room
        while self._hits[index] == NEVER and not self._engine.over:
            lib.rl_hits_advance_to(self._hits, index, self._engine, NEVER, self._snapshot, self._batch)
            self.events += self._batch.count
            self.protocol.raise_failure()
        return self

    def fault(self, agents: int) -> Run:
        """Gives so many random agents random states."""
        if not 1 <= agents <= self._params.n:
            raise RequestError(f"1 to {self._params.n} agents can be struck")
        lib.rl_ring_fault(self._ring, agents, self._fault_random, ffi.NULL, ffi.NULL)
        return self._disturbed()

    def edit(self, agent: int, **values: int) -> Run:
        """Changes variables of one agent."""
        if not 0 <= agent < self._params.n:
            raise RequestError(f"there is no agent {agent}: 0 to {self._params.n - 1}")
        state = self.configuration
        for name, value in values.items():
            if name not in state.dtype.names:
                raise RequestError(f"{self.protocol.name} has no variable '{name}'")
            state[name][agent] = operator.index(value)
        self.words[:] = self.protocol._pack(state, self._params)
        return self._disturbed()

    def _disturbed(self) -> Run:
        lib.rl_engine_disturbed(self._engine)
        self._look()
        return self

    def timeline(self, steps: Iterable[int]) -> Any:
        """Goes on through these steps: a DataFrame of leaders and the protocol's gauges at each."""
        import pandas
        pointer = self.protocol._pointer
        names = [ffi.string(pointer.gauges[i]).decode() for i in range(pointer.gauge_count)]
        values = ffi.new("uint64_t[8]")
        rows = []
        for step in steps:
            self.advance(to=step)
            if names:
                pointer.measure(self._ring, values)
            rows.append([self.step, self.leaders, *values[0:len(names)]])
        return pandas.DataFrame(rows, columns=["step", "leaders", *names])

    def _repr_svg_(self) -> str:
        return ring_svg(self._ring, f"{self.protocol.name}, n = {self._params.n}, step {self.step:,}")

    def _repr_html_(self) -> str:
        return f'<div style="max-width:32em">{fitted(self._repr_svg_())}</div>'

    def __repr__(self) -> str:
        return f"<{self.protocol.name} on {self._params.n} agents at step {self.step}>"


def draw(protocol: str | Protocol = "prl", **request: Any) -> Election:
    """As `elect`, with a space-time picture: agents across, steps down."""
    return elect(protocol, picture=True, **request)
