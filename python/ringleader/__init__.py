# SPDX-License-Identifier: MIT
"""Ringleader: self-stabilizing leader election on rings, run, verified, studied and drawn.

    import ringleader as rl
    rl.elect(n=1000, seed=7)
"""
from ringleader._c import lib as _lib
from ringleader._library import Error, RequestError, text as _text
from ringleader.elections import Election, Run, draw, elect
from ringleader.protocols import File, Own, Protocol, protocol, protocols, with_one_leader
from ringleader.studies import curves, fits, load, plan, study
from ringleader.verification import (Execution, Expected, SetAnswer, Verification, distribution,
                                     verify)

__version__ = _text(_lib.rl_version())
__all__ = ["Election", "Error", "Execution", "Expected", "File", "Own", "Protocol", "RequestError", "Run",
           "SetAnswer", "Verification", "curves", "distribution", "draw", "elect", "fits", "load", "plan",
           "protocol", "protocols", "study", "verify", "with_one_leader"]
