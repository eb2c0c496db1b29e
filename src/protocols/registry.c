/* SPDX-License-Identifier: MIT
 *
 * The registry: the protocols of the list in meson.build, in its order.
 */
#include "ringleader/protocol.h"

#include <assert.h>

#include "protocol_list.h"
#include "protocols/fitted.h"
#include "ringleader/status.h"
#include "core/inside.h"

#define DECLARE(id) extern const struct rl_protocol *const rl_protocol_##id;
RL_PROTOCOL_LIST(DECLARE)
#undef DECLARE

/* Those that were added. The list is the one thing in the library that outlives a call: see
 * docs/decisions/091-own-protocols.md. */
static const struct rl_protocol *added[16];
enum { MOST_ADDED = sizeof added / sizeof added[0] };

const struct rl_protocol *rl_protocol_at(size_t index)
{
    static const struct rl_protocol *const *const protocols[] = {
#define ADDRESS(id) &rl_protocol_##id,
        RL_PROTOCOL_LIST(ADDRESS)
#undef ADDRESS
    };
    enum { COUNT = sizeof protocols / sizeof protocols[0] };
    if (index < COUNT)
        return *protocols[index];
    return index - COUNT < MOST_ADDED ? added[index - COUNT] : NULL;
}

/* What a study knew of it, when its text was not at hand (store_recall_own). */
static bool stands_in_for(const struct rl_protocol *listed, const struct rl_protocol *protocol)
{
    return !listed->interact && protocol->hash && rl_text_equal(listed->name, protocol->name) &&
           rl_text_equal(listed->hash, protocol->hash);
}

bool rl_protocol_add(const struct rl_protocol *protocol)
{
    assert(protocol && protocol->name && "a protocol has a name");
    size_t place = 0;
    while (place < MOST_ADDED && added[place] && !stands_in_for(added[place], protocol))
        place++;
    if (place == MOST_ADDED || (!added[place] && rl_protocol_named(protocol->name)))
        return false;
    added[place] = protocol;
    return true;
}

const char *rl_protocol_fitted(const struct rl_protocol *protocol)
{
#define FIND(measured, growth)                                                                     \
    if (rl_text_equal(protocol->name, measured))                                                   \
        return growth;
    FITTED_GROWTH(FIND)
#undef FIND
    return NULL;
}
