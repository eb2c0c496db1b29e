/* SPDX-License-Identifier: MIT
 *
 * The configurations found so far: 13 bytes each, and 8 to 16 in the table.
 */
#include "verify/explore/found.h"

#include <stdlib.h>

void rl_found_clear(struct rl_found *found)
{
    rl_interned_clear(&found->configurations);
}

void rl_found_free(struct rl_found *found)
{
    rl_interned_free(&found->configurations);
    free(found->parents);
    free(found->arcs);
    *found = (struct rl_found){0};
}

/* As much room for parents and arcs as the list has. */
static bool keep_up(struct rl_found *found)
{
    uint64_t *const allowance = found->configurations.allowance;
    const uint64_t room = found->configurations.room;
    uint32_t *parents =
        rl_interned_grow(allowance, found->parents, found->room, room, sizeof *parents);
    if (!parents)
        return false;
    found->parents = parents;
    uint8_t *arcs = rl_interned_grow(allowance, found->arcs, found->room, room, sizeof *arcs);
    if (!arcs)
        return false;
    found->arcs = arcs;
    found->room = room;
    return true;
}

enum rl_interned_answer rl_found_add(struct rl_found *found, uint64_t configuration,
                                     uint32_t parent, uint32_t arc, uint32_t *number_out)
{
    const enum rl_interned_answer answer =
        rl_interned_add(&found->configurations, configuration, number_out);
    if (answer != RL_INTERNED_NEW)
        return answer;
    if (*number_out >= found->room && !keep_up(found))
        return RL_INTERNED_NO_ROOM;
    found->parents[*number_out] = parent;
    found->arcs[*number_out] = (uint8_t)arc;
    return RL_INTERNED_NEW;
}
