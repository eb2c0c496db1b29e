/* SPDX-License-Identifier: MIT
 *
 * A protocol for tests only: walkers on an undirected ring that merge when they meet. The protocols
 * of the registry keep every arc of an undirected ring active; this one has few active arcs, so
 * that the event engine must keep its list there, too.
 */
#define NAME                       "walkers"
#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(walker, "", "L")
#include "ringleader/agent.h"

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    (void)world;
    if (l->walker) {
        l->walker = 0;
        r->walker = 1;
    }
}

static inline bool leads(struct agent agent)
{
    return agent.walker;
}

static const struct rl_set SETS[] = {{"one", "one walker", has_one_leader, has_one_leader}};

#define FIELDS .undirected = true, LISTED(set, SETS)
