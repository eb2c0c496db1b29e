/* SPDX-License-Identifier: MIT
 *
 * A protocol for tests only: walkers on an undirected ring that merge when they meet. The protocols
 * of the registry keep every arc of an undirected ring active; this one has few active arcs, so
 * that the event engine must keep its list there, too.
 */
#include "ringleader/ring.h"

#define UNDIRECTED 1
enum { WIDTH = 4 };

static inline void interact(const struct rl_params *params, rl_state *l, rl_state *r)
{
    (void)params;
    if (*l == 1) {
        *l = 0;
        *r = 1;
    }
}

static inline bool leads(rl_state state)
{
    return state == 1;
}

static bool one_contains(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1;
}

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    (void)params, (void)error;
    return RL_OK;
}

static const char *const WALKER_TEXT[] = {"", "L"};
static const struct rl_variable VARIABLES[] = {
    {.name = "walker", .shift = 0, .width = 1, .size = 2, .symbols = WALKER_TEXT},
};
static const struct rl_set SETS[] = {{"one", "one walker", one_contains, one_contains}};

extern const struct rl_protocol rl_protocol_walkers;
const struct rl_protocol rl_protocol_walkers = {
    .name = "walkers",
    .interact = interact,
    .leads = leads,
    .width = WIDTH,
    .undirected = true,
    .check = check,
    .variables = VARIABLES,
    .variable_count = 1,
    .sets = SETS,
    .set_count = 1,
};
