# SPDX-License-Identifier: MIT
"""Fischer and Jiang's protocol as a Python rule: what src/protocols/fj06.c is in C."""
import numpy as np

import ringleader as rl


def meet(l, r, no_leader):
    """Leaders fire to the right, bullets kill, shields stop them; without a leader one appears."""
    if no_leader:
        r.leader = r.bullet = r.shield = 1
    elif r.shield:
        r.shield, l.shield, l.bullet = 0, 1, 0
        r.bullet |= r.leader
    elif l.bullet:
        l.bullet, r.bullet, r.leader = 0, 1, 0
    elif r.leader:
        r.bullet = 1


@rl.with_one_leader
def guarded(ring):
    """One leader, and on its left a shield before every bullet."""
    leaders = np.flatnonzero(ring["leader"])
    if len(leaders) != 1:
        return False
    shield, bullet = (np.roll(ring[name], -leaders[0])[::-1] for name in ("shield", "bullet"))
    first = np.flatnonzero(shield[:-1])
    return bool(shield[-1]) or (len(first) > 0 and not bullet[:first[0] + 1].any())


def make(name="fj06", rule=meet, **sets):
    return rl.protocol(variables=dict(leader=2, bullet=2, shield=2), output=lambda s: s.leader,
                       oracle=True, name=name, sets=sets)(rule)
