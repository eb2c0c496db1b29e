# SPDX-License-Identifier: MIT
"""Pictures, as SVG for a notebook's cell."""
from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator

from ringleader._c import ffi, lib
from ringleader._library import check, take_text


def ring_svg(ring: Any, title: str) -> str:
    """A configuration as a ring."""
    return take_text(lib.ring_svg(ring, title.encode()))


def fitted(svg: str) -> str:
    """As wide as what it stands in."""
    return svg.replace("<svg ", '<svg style="width:100%;height:auto" ', 1)


class Svg:
    """A picture that is there when its block has ended."""

    text: str | None = None

    def _repr_svg_(self) -> str:
        return self.text or ""


@contextmanager
def take_svg(run: Any, title: str | None) -> Iterator[Svg]:
    """Draws what a run does within the block in space and time, if there is a title."""
    svg = Svg()
    if title is None:
        yield svg
        return
    picture = ffi.new("struct rl_spacetime *")
    options = ffi.new("struct rl_spacetime_options *", {"columns": 400, "rows": 400})
    try:
        check(lib.rl_spacetime_init(picture, ffi.addressof(run.ring), options))
        lib.rl_spacetime_watch(picture, run)
        yield svg
        svg.text = take_text(lib.spacetime_svg(picture, title.encode(), run))
    finally:
        lib.rl_spacetime_free(picture)
