/* SPDX-License-Identifier: MIT
 *
 * The transition table of one agent pair: all states of a protocol by number, and what every two of
 * them become. For a protocol with an oracle there are two tables, one for each of its reports.
 */
#ifndef RINGLEADER_TABLE_H
#define RINGLEADER_TABLE_H

#include "ringleader/ring.h"

/* States and classes of states have numbers below 2^16. */
struct rl_pair {
    uint16_t l;
    uint16_t r;
};

struct rl_table {
    const struct rl_protocol *protocol;
    struct rl_params params;
    uint32_t states;
    rl_state *word;          /* [state] packed */
    bool *leads;             /* [state] */
    struct rl_pair *next[2]; /* [report][l * states + r]; next[1] is NULL without an oracle */
};

/* RL_BAD_PARAMETER if what follows depends on more than the configuration: on how long an oracle
 * that reports late has waited, which no part of the verifier knows. To be asked first. */
RL_MUST_CHECK enum rl_status rl_table_check(const struct rl_protocol *protocol,
                                            const struct rl_params *params, struct rl_error *error);

/* Bytes that a table takes; 0 if the protocol has too many states for one. */
uint64_t rl_table_bytes(const struct rl_protocol *protocol, const struct rl_params *params);
RL_MUST_CHECK enum rl_status rl_table_init(struct rl_table *table,
                                           const struct rl_protocol *protocol,
                                           const struct rl_params *params);
void rl_table_free(struct rl_table *table);

#endif
