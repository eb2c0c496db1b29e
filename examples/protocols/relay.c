/* SPDX-License-Identifier: MIT
 *
 * relay: leaders send tokens round the ring, and a token decides between two of them.
 *
 * Our own. A leader sends a token to the right, marked 0 and 1 in turn, and waits for it. If a
 * token reaches a leader whose own last mark is smaller, it comes from another leader, and this one
 * gives up. Tokens that catch up with each other merge. If there is no leader, the oracle reports
 * it, and an agent becomes one.
 *
 * It looks right: a single leader has one token, which comes back with its own mark. But leaders
 * that all wait for tokens that do not exist wait forever. `verify` finds them: with n = 3, 5,616
 * of 13,824 configurations cannot reach a safe one. So it is not self-stabilizing.
 *
 *     ringleader elect -p relay.c -n 100 --start leaderless
 *     ringleader verify -p relay.c -n 3
 */
#define TITLE      "a circulating token decides between leaders; right only from clean rings"
#define SOURCE     "our own"
#define PROVENANCE "our design"
#define ASSUMPTION "oracle Omega?"

#define ORACLE
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(mark, "", "+")       /* of the token it sent last */                                   \
    SYMBOLS(waits, "", "w")      /* for its token to come back */                                  \
    SYMBOLS(token, "", "o", "O") /* none, marked 0, marked 1 */
#include "ringleader/agent.h"

static inline void send(struct agent *leader, struct agent *to, uint32_t mark)
{
    leader->mark = mark;
    leader->waits = 1;
    to->token = 1 + mark;
}

/* The token of l has come to the leader r. */
static inline void receive(struct agent *l, struct agent *r)
{
    const uint32_t mark = l->token - 1;
    if (mark > r->mark)
        r->leader = 0;
    r->waits = 0;
    l->token = 0;
}

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (world.no_leader)
        *r = (struct agent){.leader = 1};
    else if (l->token && !l->leader) {
        if (r->leader)
            receive(l, r);
        else {
            r->token = r->token ? r->token : l->token;
            l->token = 0;
        }
    } else if (l->leader && !l->waits && !r->leader)
        send(l, r, !l->mark);
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

static enum rl_status start_leaderless(struct rl_ring *ring, struct rl_random *random,
                                       struct rl_error *error)
{
    (void)random, (void)error;
    set_all(ring, (struct agent){0});
    return RL_OK;
}

static const struct rl_start STARTS[] = {{"leaderless", "all variables zero", start_leaderless}};

#define FIELDS LISTED(start, STARTS)
