/* SPDX-License-Identifier: MIT
 *
 * loose: loosely-stabilizing leader election with timers.
 *
 * Our own, on the idea of loose stabilization: a leader is elected soon and stays for long, but not
 * forever. The leader fills its neighbours' timers, and each agent passes on one less than it got.
 * An agent whose timer has run out becomes a leader. So the agents need no bound on n: if the
 * timers are short, now and then a second leader appears, and P_RL's lines 6-19 kill one of the
 * two. `verify` says what that means: no configuration is safe.
 *
 *     ringleader elect -p loose.c -n 50 --patience 400 --until settled=1e5
 *     ringleader verify -p loose.c -n 3 --patience 2
 */
#define TITLE      "timers instead of distances: elected soon, kept for long, not forever"
#define SOURCE     "our own, with lines 6-19 of P_RL"
#define PROVENANCE "our design"

#define PARAMETERS(P) P(patience, 8 * n, "where a timer begins")
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    NUMBER(timer, patience + 1, 1 << 20, "")                                                       \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "b", "B")                                                                  \
    SYMBOLS(shield, "", "s")                                                                       \
    SYMBOLS(signal, "", "!")
#include "ringleader/agent.h"

#include "protocols/prl_elimination.h"

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    const uint32_t most = larger(l->timer, r->timer);
    l->timer = l->leader ? world.patience : most > 0 ? most - 1 : 0;
    r->timer = r->leader ? world.patience : most > 0 ? most - 1 : 0;
    if (r->timer == 0 && !r->leader) {
        *r = (struct agent){.leader = 1, .bullet = 2, .shield = 1, .timer = world.patience};
    }
    eliminate(l, r);
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t patience = params->value[PARAMETER_patience];
    return patience >= 1 && patience < 1 << 20
               ? RL_OK
               : rl_error_set(error, RL_BAD_PARAMETER, "patience is 1 to 2^20 - 1");
}

#define FIELDS .check = check
