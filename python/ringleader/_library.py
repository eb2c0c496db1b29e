# SPDX-License-Identifier: MIT
"""What the modules share: the C library, its errors as exceptions, and interruptions."""
from __future__ import annotations

from typing import Any

from ringleader._c import ffi, lib

NEVER = 2**64 - 1


class Error(Exception):
    """The library refused or failed; the text says why."""


class RequestError(Error, ValueError):
    """What was asked for makes no sense."""


def text(pointer: Any) -> str:
    """A C string; '' for NULL."""
    return str(ffi.string(pointer).decode()) if pointer else ""


def new_error() -> Any:
    return ffi.new("struct rl_error *")


def check(status: int, error: Any = None) -> None:
    """Raises what a status stands for."""
    if status == lib.RL_OK:
        return
    if status == lib.RL_NO_MEMORY:
        raise MemoryError(text(lib.rl_status_message(status)))
    message = text(error.text) if error and error.text[0] != b"\0" else ""
    raise RequestError(message or text(lib.rl_status_message(status)))


def take_text(pointer: Any) -> str:
    """A text in memory that is ours now."""
    if not pointer:
        raise MemoryError("out of memory")
    try:
        return str(ffi.string(pointer).decode())
    finally:
        lib.free(pointer)


class Watch:
    """Called back by long work: keeps Ctrl-C and other exceptions until C has returned."""

    def __init__(self, told: Any = None) -> None:
        self.told = told
        self.exception: BaseException | None = None
        self.rows: list[float] = []
        self.handle = ffi.new_handle(self)

    def ask(self, what: Any) -> bool:
        if self.told is not None:
            self.told(what)
        return self.exception is None

    def check(self, status: int, error: Any) -> None:
        """As check, after the work; an exception of a callback comes first."""
        if self.exception is not None:
            raise self.exception
        check(status, error)


def _keep(_type: Any, exception: BaseException, trace: Any) -> None:
    # The first argument of the callback is in the frame that failed.
    user = trace.tb_frame.f_locals.get("user")
    ffi.from_handle(user).exception = exception


@ffi.def_extern(onerror=_keep, error=False)  # type: ignore[misc]
def tell_progress(user: Any, progress: Any) -> bool:
    return bool(ffi.from_handle(user).ask(progress))


@ffi.def_extern(onerror=_keep, error=False)  # type: ignore[misc]
def go_on(user: Any, outlook: Any) -> bool:
    return bool(ffi.from_handle(user).ask(outlook))


@ffi.def_extern(onerror=_keep)  # type: ignore[misc]
def keep_row(user: Any, step: int, probability: float) -> None:
    ffi.from_handle(user).rows.append(probability)
