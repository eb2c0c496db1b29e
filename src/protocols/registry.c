/* SPDX-License-Identifier: MIT
 *
 * The registry: the protocols of the list in meson.build, in its order.
 */
#include "ringleader/protocol.h"

#include "protocol_list.h"
#include "protocols/fitted.h"
#include "ringleader/text.h"

#define DECLARE(id) extern const struct rl_protocol *const rl_protocol_##id;
RL_PROTOCOL_LIST(DECLARE)
#undef DECLARE

const struct rl_protocol *rl_protocol_at(size_t index)
{
    static const struct rl_protocol *const *const protocols[] = {
#define ADDRESS(id) &rl_protocol_##id,
        RL_PROTOCOL_LIST(ADDRESS)
#undef ADDRESS
    };
    return index < sizeof protocols / sizeof protocols[0] ? *protocols[index] : NULL;
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
