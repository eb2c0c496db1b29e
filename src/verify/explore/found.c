/* SPDX-License-Identifier: MIT
 *
 * The configurations found so far: 13 bytes each, and 8 to 16 in the table. Breadth first, most
 * links lead on to what was found later, so one look from the last to the first spreads marks
 * nearly everywhere; it is repeated until it changes nothing.
 */
#include "verify/explore/explorer.h"

#include <stdlib.h>

void rl_found_clear(struct rl_found *found)
{
    rl_interned_clear(&found->configurations);
    found->link_count = 0;
}

void rl_found_free(struct rl_found *found)
{
    rl_interned_free(&found->configurations);
    free(found->parents);
    free(found->arcs);
    free(found->links);
    *found = (struct rl_found){0};
}

enum rl_interned_answer rl_found_add(struct rl_found *found, uint64_t configuration,
                                     uint32_t parent, uint32_t arc, uint32_t *number_out)
{
    uint64_t *const allowance = found->configurations.allowance;
    const enum rl_interned_answer answer =
        rl_interned_add(&found->configurations, configuration, number_out);
    if (answer != RL_INTERNED_NEW)
        return answer;
    const uint64_t count = found->configurations.count;
    if (!rl_interned_room(allowance, &found->parents, &found->parent_room, count,
                          sizeof *found->parents) ||
        !rl_interned_room(allowance, &found->arcs, &found->arc_room, count, sizeof *found->arcs))
        return RL_INTERNED_NO_ROOM;
    found->parents[*number_out] = parent;
    found->arcs[*number_out] = (uint8_t)arc;
    return RL_INTERNED_NEW;
}

bool rl_found_link(struct rl_found *found, uint32_t from, uint32_t to)
{
    if (!rl_interned_room(found->configurations.allowance, &found->links, &found->link_room,
                          found->link_count + 1, sizeof *found->links))
        return false;
    found->links[found->link_count++] = (struct rl_way){from, to};
    return true;
}

void rl_found_spread(const struct rl_found *found, bool *marked)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint64_t i = found->link_count; i-- > 0;) {
            const struct rl_way link = found->links[i];
            if (marked[link.to] && !marked[link.from])
                marked[link.from] = changed = true;
        }
    }
}
