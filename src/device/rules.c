/* SPDX-License-Identifier: MIT
 *
 * A protocol of the registry on a link: whether it fits, and the two rules.
 *
 * Interesting values are at the ends of a domain (a counter at 0, at its limit). So where not all
 * pairs can be tried, random pairs are that are often there. For prl that is where N > 41.
 */
#include "ringleader/device.h"

#include "ringleader/ring.h"
#include "ringleader/status.h"
#include "core/inside.h"

static void interact(const void *about, rl_link_word *l, rl_link_word *r)
{
    const struct rl_rules *rules = about;
    rules->protocol->interact(&rules->params, false, l, r);
}

static rl_link_word legal(const void *about, rl_link_word any)
{
    const struct rl_rules *rules = about;
    if (rl_protocol_is_state(rules->protocol, &rules->params, any))
        return any;
    return rl_protocol_state(rules->protocol, &rules->params,
                             any % rl_protocol_states(rules->protocol, &rules->params));
}

static bool keeps_output(const struct rl_rules *rules, rl_state l, rl_state r,
                         struct rl_error *error)
{
    rl_state l_after = l, r_after = r;
    rules->protocol->interact(&rules->params, false, &l_after, &r_after);
    if (rules->protocol->leads(l) == rules->protocol->leads(l_after))
        return true;
    (void)rl_error_set(error, RL_BAD_PARAMETER,
                       "%s cannot run on devices: when %s and %s meet, the initiator's output "
                       "changes, and it would hear of that too late",
                       rules->protocol->name, rl_ring_state(rules->protocol, l).text,
                       rl_ring_state(rules->protocol, r).text);
    return false;
}

/* A random state, each of whose variables is as likely at an end of its domain as elsewhere. */
static rl_state some_state(const struct rl_rules *rules, struct rl_random *random)
{
    rl_state state = rl_protocol_random_state(rules->protocol, &rules->params, random);
    for (size_t i = 0; i < rules->protocol->variable_count; i++) {
        const struct rl_variable *variable = &rules->protocol->variables[i];
        const uint32_t size = rl_variable_size(variable, &rules->params);
        const uint32_t ends[] = {0, 1 % size, size - (size > 1 ? 2 : 1), size - 1};
        if (rl_random_below(random, 2))
            state = rl_variable_set(variable, state, ends[rl_random_below(random, 4)]);
    }
    return legal(rules, state);
}

/* In all pairs of states, if they are few. */
static bool keep_output(const struct rl_rules *rules, struct rl_error *error)
{
    const uint64_t states = rl_protocol_states(rules->protocol, &rules->params);
    const bool few = states < (UINT64_C(1) << 31) && states * states <= RL_RULES_PAIRS;
    struct rl_random random;
    bool kept = true;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    for (uint64_t i = 0; i < (few ? states * states : RL_RULES_PAIRS) && kept; i++) {
        const rl_state l = few ? rl_protocol_state(rules->protocol, &rules->params, i / states)
                               : some_state(rules, &random);
        const rl_state r = few ? rl_protocol_state(rules->protocol, &rules->params, i % states)
                               : some_state(rules, &random);
        kept = keeps_output(rules, l, r, error);
    }
    return kept;
}

enum rl_status rl_rules_init(struct rl_rules *rules, const struct rl_protocol *protocol,
                             const struct rl_params *params, struct rl_error *error)
{
    *rules = (struct rl_rules){
        .protocol = protocol, .params = *params, .link = {interact, legal, rules}};
    if (protocol->oracle)
        return rl_error_set(
            error, RL_BAD_PARAMETER,
            "%s cannot run on devices: it needs an oracle, and no device sees the whole ring",
            protocol->name);
    if (protocol->undirected)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "%s cannot run on devices: it is for undirected rings, and a device "
                            "asks only its right neighbour",
                            protocol->name);
    return keep_output(rules, error) ? RL_OK : RL_BAD_PARAMETER;
}
