# SPDX-License-Identifier: MIT
"""Protocols: the library's by name, your own as a C file or as a rule in Python."""
from __future__ import annotations

import hashlib
import inspect
import itertools
import operator
import os
import tempfile
from types import SimpleNamespace
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from ringleader._c import ffi, lib
from ringleader._library import RequestError, check, new_error, text

_own: dict[Any, "Own"] = {}
_listed: list["Unlisted"] = []


class Protocol:
    """A protocol: its name, variables, parameters, starts and closed sets.

    >>> import ringleader as rl
    >>> rl.protocols()["fj06"].variables
    {'leader': 2, 'bullet': 2, 'shield': 2}
    """

    def __init__(self, pointer: Any) -> None:
        self._pointer = pointer
        self.name = text(pointer.name)
        self.title = text(pointer.title)
        self.source = text(pointer.source)
        self.parameters = [text(pointer.parameters[i].name) for i in range(pointer.parameter_count)]
        self.starts = ["random"] + [text(pointer.starts[i].name)
                                    for i in range(pointer.start_count)]
        self.sets = [text(pointer.sets[i].name) for i in range(pointer.set_count)]
        self.target = self.sets[pointer.target]
        self.oracle = bool(pointer.oracle)
        self._failure: BaseException | None = None

    def raise_failure(self) -> None:
        """Raises what a predicate of a set raised while C was at work."""
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    @property
    def variables(self) -> dict[str, int]:
        """The variables of an agent with the number of their values (at most, if it depends on N)."""
        return {text(v.name): v.size for v in self._variables()}

    def _variables(self) -> Iterator[Any]:
        return (self._pointer.variables[i] for i in range(self._pointer.variable_count))

    def _experiment(self, n: int, given: Mapping[str, Any]) -> Any:
        """struct rl_experiment, complete and checked, of what is given and not None."""
        said = {"n": operator.index(n), **given}
        items = [(key if key in self.parameters else key.replace("_", "-"), str(value))
                 for key, value in said.items() if value is not None]
        keep = [(ffi.new("char[]", k.encode()), ffi.new("char[]", v.encode())) for k, v in items]
        experiment, error = ffi.new("struct rl_experiment *"), new_error()
        experiment.protocol = self._pointer
        rows = ffi.new("struct rl_item[]", [{"key": k, "value": v} for k, v in keep])
        check(lib.rl_experiment_read(experiment, rows, len(items), ffi.NULL, error), error)
        return experiment

    def _params(self, n: int, given: Mapping[str, Any]) -> Any:
        """struct rl_params, complete and checked."""
        experiment = self._experiment(n, given)
        return ffi.new("struct rl_params *", experiment.params)[0]  # which owns its memory

    def _dtype(self) -> Any:
        return np.dtype([(text(v.name), np.uint32) for v in self._variables()])

    def _unpack(self, words: Any) -> Any:
        """Words as a structured array of the variables."""
        agents = np.empty(len(words), self._dtype())
        wide = words.astype(np.uint64)
        for v in self._variables():
            agents[text(v.name)] = (wide >> np.uint64(v.shift)) & np.uint64((1 << v.width) - 1)
        return agents

    def _pack(self, agents: Any, params: Any) -> Any:
        """The words of a structured array, or of a mapping of variables to values, checked."""
        names = agents.dtype.names if isinstance(agents, np.ndarray) else list(agents)
        known = {text(v.name): v for v in self._variables()}
        words = np.zeros(params.n, np.uint64)
        for name in names:
            if name not in known:
                raise RequestError(f"{self.name} has no variable '{name}'; it has "
                                   + ", ".join(known))
            values = np.broadcast_to(np.asarray(agents[name]), (params.n,)).astype(np.uint64)
            if (values >> np.uint64(known[name].width)).any():
                raise RequestError(f"{name} is above its maximum, {known[name].size - 1}")
            words |= values << np.uint64(known[name].shift)
        return self._checked(words, params)

    def _checked(self, words: Any, params: Any) -> Any:
        for word in np.unique(words):
            if not lib.rl_protocol_is_state(self._pointer, ffi.addressof(params), int(word)):
                raise RequestError(f"{int(word):#x} is not a state of {self.name}")
        return words.astype(np.uint64 if self._pointer.width == 8 else np.uint32)

    def __repr__(self) -> str:
        return f"<protocol {self.name}: {', '.join(self.variables)}>"


class Unlisted(Protocol):
    """A protocol of your own. It is in the library's list only if a study needs it there."""

    def list(self) -> None:
        """Puts it into the library's list, for plans name their protocols; there it stays."""
        there = lib.rl_protocol_named(self._pointer.name)
        if there and there.interact and there.hash and text(there.hash) == text(self._pointer.hash):
            return
        if not lib.rl_protocol_add(self._pointer):
            raise RequestError(f"there is another protocol {self.name} already, or there are too many: "
                               "give it another name")
        _listed.append(self)


class File(Unlisted):
    """A protocol from a C file (docs/own-protocol.md), compiled by the machine's compiler."""

    def __init__(self, path: str) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        os.makedirs(cache, exist_ok=True)
        words = (os.environ.get("CC"), os.path.join(cache, "ringleader"), tempfile.gettempdir())
        keep = [ffi.new("char[]", os.fsencode(word)) if word else ffi.NULL for word in words]
        self._file, error = ffi.gc(ffi.new("struct rl_own *"), lib.rl_own_free), new_error()
        status = lib.rl_own_load(self._file, os.fsencode(path),
                                 ffi.new("struct rl_own_tools *", keep), error)
        if self._file.messages:
            raise RequestError(text(self._file.messages) + text(error.text))
        check(status, error)
        super().__init__(self._file.protocol)


class Own(Unlisted):
    """A protocol made of a Python rule by `protocol`; calling it calls the rule."""

    def __init__(self, name: str, rule: Callable[..., Any], variables: Mapping[str, int],
                 output: Callable[[Any], Any], oracle: bool,
                 sets: Mapping[str, Callable[[Any], Any]]) -> None:
        self.rule = rule
        self._keep: list[Any] = []
        self._predicates = list(sets.values())
        sizes = {key: operator.index(size) for key, size in variables.items()}
        widths = {key: max(1, (size - 1).bit_length()) for key, size in sizes.items()}
        bits = sum(widths.values())
        if not sizes or min(sizes.values()) < 1:
            raise RequestError("a protocol has variables, each with one value or more")
        if bits > lib.RL_RULEBOOK_BITS:
            raise RequestError(f"{bits} bits of variables are too many for a table (at most "
                               f"{lib.RL_RULEBOOK_BITS}): write the protocol as a C file")
        if len(sets) > 4:
            raise RequestError("a protocol in Python has at most four sets")
        self._memory = np.zeros(lib.rl_rulebook_bytes(bits, oracle), np.uint8)
        self._book = ffi.new("struct rl_rulebook *")
        lib.rl_rulebook_init(self._book, ffi.from_buffer(self._memory), bits, oracle)
        self._declare(name, sizes, widths, list(sets))
        self._tabulate(rule, sizes, widths, output, oracle)
        super().__init__(ffi.addressof(self._book, "protocol"))
        self._sign()
        _own[self._book] = self

    def _text(self, value: str) -> Any:
        self._keep.append(ffi.new("char[]", value.encode()))
        return self._keep[-1]

    def _declare(self, name: str, sizes: dict[str, int], widths: dict[str, int],
                 sets: list[str]) -> None:
        pointer = self._book.protocol
        pointer.name = self._text(name)
        pointer.title = pointer.source = pointer.claim = self._text("")
        variables = ffi.new("struct rl_variable[]", len(sizes))
        shift = 0
        for variable, (key, size) in zip(variables, sizes.items()):
            variable.name, variable.size, variable.width = self._text(key), size, widths[key]
            variable.shift, variable.prefix = shift, self._text("" if shift == 0 else key[0])
            shift += widths[key]
        pointer.variables, pointer.variable_count = variables, len(sizes)
        rows = ffi.new("struct rl_set[]", len(sets))
        for i, (row, key) in enumerate(zip(rows, sets)):
            one = getattr(self._predicates[i], "with_one_leader", False)
            row.name, row.meaning = self._text(key), self._text("")
            row.contains = ffi.addressof(lib, f"{'with_one' if one else 'contains'}_{i}")
        if sets:
            pointer.sets, pointer.set_count = rows, len(sets)
        self._keep += [variables, rows]

    def _sign(self) -> None:
        """The text that a study keeps, which says all that the protocol is, and its hash."""
        parts: list[Callable[..., Any]] = [self.rule, *self._predicates]
        table = hashlib.sha256(self._memory.tobytes()).hexdigest()
        written = "\n".join(_source(part) for part in parts) + (
            f"\n# {(self.name, self.variables, self.sets, self.oracle)!r}\n# the table's hash: {table}\n")
        digits = hashlib.sha256(written.encode()).hexdigest()
        self._book.protocol.text, self._book.protocol.hash = self._text(written), self._text(digits)

    def _tabulate(self, rule: Callable[..., Any], sizes: dict[str, int], widths: dict[str, int],
                  output: Callable[[Any], Any], oracle: bool) -> None:
        """Asks the rule about every pair of states, and keeps the answers."""
        names, shifts = list(sizes), [0]
        for width in widths.values():
            shifts.append(shifts[-1] + width)

        def values(state: SimpleNamespace) -> int:
            word = 0
            for name, shift in zip(names, shifts):
                value = operator.index(getattr(state, name))
                if not 0 <= value < sizes[name]:
                    raise RequestError(f"the rule sets {name} to {value}; it has {sizes[name]} values")
                word |= value << shift
            return word

        states = [dict(zip(names, combination))
                  for combination in itertools.product(*(range(size) for size in sizes.values()))]
        states.sort(key=lambda state: [state[name] for name in reversed(names)])
        for state in states:
            agent = SimpleNamespace(**state)
            lib.rl_rulebook_add(self._book, values(agent), bool(output(agent)))
        for no_leader in (False, True) if oracle else (False,):
            for a, b in itertools.product(states, states):
                l, r = SimpleNamespace(**a), SimpleNamespace(**b)
                before = values(l), values(r)
                rule(l, r, no_leader) if oracle else rule(l, r)
                lib.rl_rulebook_rule(self._book, no_leader, *before, values(l), values(r))

    def _checked(self, words: Any, params: Any) -> Any:
        for word in np.unique(words):
            if any((int(word) >> v.shift & (1 << v.width) - 1) >= v.size for v in self._variables()):
                raise RequestError(f"{int(word):#x} is not a state of {self.name}")
        outputs = {int(word): lib.rl_rulebook_word(self._book, int(word)) for word in np.unique(words)}
        return np.array([outputs[int(word)] for word in words], np.uint32)

    def __call__(self, *arguments: Any) -> Any:
        return self.rule(*arguments)


def _source(function: Callable[..., Any]) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return f"# {function!r}, whose source is not at hand\n"


class Fields:
    """What a set looks at: the arrays of the variables, each made when it is asked for."""

    def __init__(self, own: Own, words: Any) -> None:
        self._own, self._words = own, words

    def __getitem__(self, name: str) -> Any:
        for v in self._own._variables():
            if text(v.name) == name:
                return self._words >> np.uint32(v.shift) & np.uint32((1 << v.width) - 1)
        raise RequestError(f"{self._own.name} has no variable '{name}'")


def _contains(index: int) -> Callable[[Any], bool]:
    def contains(ring: Any) -> bool:
        own = _own[ffi.cast("struct rl_rulebook *", ring.params.data)]
        if own._failure is not None:
            return False
        words = np.frombuffer(ffi.buffer(ring.agents, 4 * ring.params.n), np.uint32)
        try:
            return bool(own._predicates[index](Fields(own, words)))
        except BaseException as exception:  # C has to return first: see raise_failure
            own._failure = exception
            return False
    return contains


for _index in range(4):
    ffi.def_extern(name=f"contains_{_index}", error=False)(_contains(_index))


def with_one_leader(predicate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Marks a set all of whose configurations have exactly one leader.

    Python is then asked only where there is one, which C finds out: a run from many leaders is not
    held up by questions whose answer is no.
    """
    predicate.with_one_leader = True  # type: ignore[attr-defined]
    return predicate


def protocol(*, variables: Mapping[str, int], output: Callable[[Any], Any], oracle: bool = False,
             sets: Mapping[str, Callable[[Any], Any]] | None = None,
             name: str | None = None) -> Callable[[Callable[..., Any]], Own]:
    """Makes a protocol of a rule that changes two agents, l and r, as they meet.

    The rule is called once for every pair of states and becomes a table, which the C engines run at
    full speed. `output` says whether a state is a leader's. With `oracle` the rule has a third
    argument: whether the oracle reports that there is no leader. `sets` are closed sets: functions of
    a ring whose items are the arrays of the variables; the first is the target. A set must be closed: once
    inside, an execution stays inside (`verify` checks it on small rings).

    >>> import ringleader as rl
    >>> @rl.protocol(variables=dict(leader=2), output=lambda s: s.leader,
    ...              sets=dict(one=lambda ring: ring["leader"].sum() <= 1))
    ... def walkers(l, r):
    ...     l.leader, r.leader = 0, l.leader | r.leader
    >>> rl.elect(walkers, n=20, start=dict(leader=1)).leaders
    1
    """
    def make(rule: Callable[..., Any]) -> Own:
        return Own(name or rule.__name__, rule, variables, output, oracle, sets or {})
    return make


def protocols() -> dict[str, Protocol]:
    """The library's protocols, by name."""
    found: dict[str, Protocol] = {}
    for index in itertools.count():
        pointer = lib.rl_protocol_at(index)
        if not pointer:
            return found
        found[text(pointer.name)] = Protocol(pointer)
    return found


def find(which: str | os.PathLike[str] | Protocol) -> Protocol:
    """A protocol by its name, by the path of its C file, or itself."""
    if isinstance(which, Protocol):
        return which
    name = os.fspath(which)
    if name.endswith(".c"):
        return File(name)
    pointer = lib.rl_protocol_named(name.encode())
    if not pointer:
        raise RequestError(f"there is no protocol '{name}'; there are {', '.join(protocols())}")
    return Protocol(pointer)
