/* SPDX-License-Identifier: MIT
 *
 * fratricide: when two leaders meet, one of them remains.
 *
 * The oldest leader election of population protocols, folklore: L, L -> L, F, with every agent a
 * leader at first. Where everybody can meet everybody, exactly one leader is left. On a ring only
 * neighbours meet, and two leaders with followers between them never do. `verify` shows how that
 * happens. (It also shows that a ring without a leader stays without one, so this was never
 * self-stabilizing.)
 *
 *     ringleader explore -p fratricide.c -n 4 --from leaders --reaches one
 */
#define TITLE      "two leaders that meet become one; right on complete graphs, wrong on rings"
#define SOURCE     "folklore"
#define PROVENANCE "our own wording"

#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L")
#include "ringleader/agent.h"

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    (void)world;
    if (l->leader && r->leader)
        r->leader = 0;
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

static enum rl_status start_leaders(struct rl_ring *ring, struct rl_random *random,
                                    struct rl_error *error)
{
    (void)random, (void)error;
    set_all(ring, (struct agent){.leader = 1});
    return RL_OK;
}

static const struct rl_start STARTS[] = {{"leaders", "every agent a leader", start_leaders}};
static const struct rl_set SETS[] = {{"one", "exactly one leader", has_one_leader, has_one_leader}};

#define FIELDS LISTED(start, STARTS), LISTED(set, SETS), .target = 0
