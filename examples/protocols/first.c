/* Say here in one line what it does.
 *
 *     ringleader elect -p FILE.c -n 100     one election
 *     ringleader verify -p FILE.c -n 3      every configuration of a ring of three
 *
 * Leaders shoot to the right; a bullet that reaches a leader kills it, unless it has a shield.
 * `dist` counts the distance to the nearest leader on the left. An agent that counts to N becomes a
 * leader.
 */
#define TITLE "my first protocol"

/* What every agent knows: the name, its default on a ring of n agents, what it is. */
#define PARAMETERS(P) P(N, n, "a bound on the number of agents")

/* The variables of an agent. SYMBOLS: a text for each value; NUMBER: how many values, how many
 * there can be at most, and what is written before the number. */
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    NUMBER(dist, N + 1, 1 << 20, "")                                                               \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "b", "B") /* none, harmless, deadly */                                     \
    SYMBOLS(shield, "", "s")                                                                       \
    SYMBOLS(signal, "", "!") /* no bullet ahead: fire again */
#include "ringleader/agent.h"

/* l meets its right neighbour r. */
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (l->leader)
        l->dist = 0;
    if (r->leader)
        r->dist = 0;
    else if (!r->bullet)
        r->dist = l->dist + 1 < world.N ? l->dist + 1 : world.N;
    if (r->dist == world.N)
        *r = (struct agent){.leader = 1, .bullet = 2, .shield = 1};

    if (l->leader && l->signal) {
        l->bullet = 2;
        l->shield = 1;
        l->signal = 0;
    }
    if (r->leader && r->signal) {
        r->bullet = 1;
        r->shield = 0;
        r->signal = 0;
    }
    if (l->bullet && r->leader) {
        if (l->bullet == 2 && !r->shield)
            r->leader = 0;
        l->bullet = 0;
    } else if (l->bullet) {
        if (!r->bullet)
            r->bullet = l->bullet;
        l->bullet = 0;
        r->signal = 0;
    }
    if (r->signal || r->leader)
        l->signal = 1;
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

/* All else is optional: see include/ringleader/agent.h. Without named sets an election goes on
 * until one agent leads and no output has changed for long. */
static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    if (params->value[PARAMETER_N] < params->n)
        return rl_error_set(error, RL_UNPROMISED, "N must be at least n");
    return RL_OK;
}

/* Two ways to begin; `random` is there without them. */
START_ALIKE(leaderless, .leader = 0)
START_ALIKE(leaders, .leader = 1)
static const struct rl_start STARTS[] = {
    {"leaderless", "nobody leads", start_leaderless},
    {"leaders", "everybody leads", start_leaders},
};

#define FIELDS .check = check, LISTED(start, STARTS)
