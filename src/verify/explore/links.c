/* SPDX-License-Identifier: MIT
 *
 * Links. Breadth first, most of them lead on to what was found later, so one look from the last to
 * the first spreads marks nearly everywhere; it is repeated until it changes nothing.
 */
#include "verify/explore/links.h"

#include <stdlib.h>

bool rl_links_add(struct rl_links *links, uint32_t from, uint32_t to)
{
    if (links->count == links->room) {
        const uint64_t room = links->room ? 2 * links->room : 1024;
        struct rl_link *list =
            rl_interned_grow(links->allowance, links->list, links->room, room, sizeof *list);
        if (!list)
            return false;
        links->list = list;
        links->room = room;
    }
    links->list[links->count++] = (struct rl_link){from, to};
    return true;
}

void rl_links_free(struct rl_links *links)
{
    free(links->list);
    *links = (struct rl_links){0};
}

void rl_links_spread(const struct rl_links *links, bool *marked)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint64_t i = links->count; i-- > 0;) {
            const struct rl_link link = links->list[i];
            if (marked[link.to] && !marked[link.from])
                marked[link.from] = changed = true;
        }
    }
}
