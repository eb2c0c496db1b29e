/* The rules and variables of fj06, and nothing else; src/protocols/fj06.c also has its sets, starts
 * and words. Fischer and Jiang, OPODIS 2006, as restated. */
#define ORACLE
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "B")                                                                       \
    SYMBOLS(shield, "", "s")
#include "ringleader/agent.h"

// clang-format off
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (world.no_leader) {
        r->leader = 1; r->bullet = 1; r->shield = 1;
    } else if (r->shield) {
        r->shield = 0; l->shield = 1; l->bullet = 0;
        if (r->leader) r->bullet = 1;
    } else if (l->bullet) {
        l->bullet = 0; r->bullet = 1; r->leader = 0;
    } else if (r->leader) {
        r->bullet = 1;
    }
}
// clang-format on

static inline bool leads(struct agent agent)
{
    return agent.leader;
}
