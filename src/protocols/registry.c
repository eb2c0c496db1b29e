/* SPDX-License-Identifier: MIT
 *
 * The registry: the protocols of the list in meson.build, in its order.
 */
#include "ringleader/protocol.h"

#include <assert.h>

#include "protocol_list.h"
#include "protocols/fitted.h"
#include "ringleader/text.h"

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

bool rl_protocol_add(const struct rl_protocol *protocol)
{
    assert(protocol && protocol->name && "a protocol has a name");
    size_t count = 0;
    while (count < MOST_ADDED && added[count])
        count++;
    if (count == MOST_ADDED || rl_protocol_named(protocol->name))
        return false;
    added[count] = protocol;
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
