/* SPDX-License-Identifier: MIT
 *
 * Which configuration leads to which, in the order found, and from where something can be reached.
 */
#ifndef RINGLEADER_VERIFY_LINKS_H
#define RINGLEADER_VERIFY_LINKS_H

#include "verify/interned.h"

struct rl_link {
    uint32_t from, to;
};

struct rl_links {
    uint64_t *allowance; /* bytes that may still be taken */
    struct rl_link *list;
    uint64_t count, room;
};

/* False: no room. */
bool rl_links_add(struct rl_links *links, uint32_t from, uint32_t to);
void rl_links_free(struct rl_links *links);

/* Marks everything from which something marked can be reached. Time: O(links) for each time that a
 * way turns back in the order found. */
void rl_links_spread(const struct rl_links *links, bool *marked);

#endif
