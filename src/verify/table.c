/* SPDX-License-Identifier: MIT
 *
 * The transition table, made by asking the protocol about every pair of states.
 */
#include "verify/table.h"
#include "core/inside.h"

#include <stdlib.h>

enum { MOST_STATES = 1 << 14 };

enum rl_status rl_table_check(const struct rl_protocol *protocol, const struct rl_params *params,
                              struct rl_error *error)
{
    if (!protocol->oracle || params->value[protocol->delay] == 0)
        return RL_OK;
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "%s is %u, but the verifier knows only an oracle that reports at once: "
                        "how long it has waited is no part of a configuration",
                        protocol->parameters[protocol->delay].name, params->value[protocol->delay]);
}

uint64_t rl_table_bytes(const struct rl_protocol *protocol, const struct rl_params *params)
{
    const uint64_t states = rl_protocol_states(protocol, params);
    if (states > MOST_STATES)
        return 0;
    return (protocol->oracle ? 2 : 1) * states * states * sizeof(struct rl_pair);
}

static enum rl_status fill(struct rl_table *table, bool no_leader)
{
    const struct rl_protocol *protocol = table->protocol;
    const size_t states = table->states;
    const struct rl_params params = table->params;
    struct rl_pair *next = malloc(states * states * sizeof *next);
    if (!next)
        return RL_NO_MEMORY;
    table->next[no_leader] = next;
    for (size_t a = 0; a < states; a++)
        for (size_t b = 0; b < states; b++) {
            rl_state l = table->word[a], r = table->word[b];
            protocol->interact(&params, no_leader, &l, &r);
            next[a * states + b] =
                (struct rl_pair){(uint16_t)rl_protocol_index(protocol, &params, l),
                                 (uint16_t)rl_protocol_index(protocol, &params, r)};
        }
    return RL_OK;
}

enum rl_status rl_table_init(struct rl_table *table, const struct rl_protocol *protocol,
                             const struct rl_params *params)
{
    *table = (struct rl_table){.protocol = protocol,
                               .params = *params,
                               .states = (uint32_t)rl_protocol_states(protocol, params)};
    table->word = malloc(table->states * sizeof *table->word);
    table->leads = malloc(table->states * sizeof *table->leads);
    if (!table->word || !table->leads)
        return RL_NO_MEMORY;
    for (uint32_t i = 0; i < table->states; i++) {
        table->word[i] = rl_protocol_state(protocol, params, i);
        table->leads[i] = protocol->leads(table->word[i]);
    }
    const enum rl_status status = fill(table, false);
    return status || !protocol->oracle ? status : fill(table, true);
}

void rl_table_free(struct rl_table *table)
{
    free(table->word);
    free(table->leads);
    free(table->next[0]);
    free(table->next[1]);
    *table = (struct rl_table){0};
}
