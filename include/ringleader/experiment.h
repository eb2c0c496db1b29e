/* SPDX-License-Identifier: MIT
 *
 * An experiment: which protocol on which ring, from where, with which seed.
 */
#ifndef RINGLEADER_EXPERIMENT_H
#define RINGLEADER_EXPERIMENT_H

#include "ringleader/protocol.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * A request: which protocol on which ring, with which parameters, from where, with which seed and
 * trial. It is read and written here only, so that a thing has one spelling in options, plans,
 * links of the page, databases, CSV and JSON: what one of them prints, any other reads.
 *
 * A request is given as items of a key and a value, in any order:
 *
 *     protocol     a name; `p` is the same key
 *     undirected   with an empty value: that protocol's composition for undirected rings
 *     n            the number of agents
 *     NAME         a parameter of the protocol: a choice by its name, else a count, which may be
 *                  told in n (2n, n^1.5)
 *     oracle       delay=COUNT: the delay of the oracle, which is a parameter too
 *     start        a name of a start (the caller decides about anything else)
 *     seed, trial  counts
 *
 * Nothing here allocates; texts stay the caller's.
 */

struct rl_text;

struct rl_item {
    const char *key;
    const char *value;
};

enum { RL_REQUEST_ITEMS = 32 };

struct rl_request {
    const struct rl_protocol *protocol;
    struct rl_params params;
    const char *start; /* of the item, or "random" */
    uint64_t seed;
    uint64_t trial;
};

/* The default request: the first protocol of the list, from `random`, seed 1, trial 0. It has no
 * ring yet: n is 0. */
void rl_request_init(struct rl_request *request);

/* Reads the items into a request that rl_request_init has made; its protocol, which the caller may
 * have changed, is the one of a request that names none. All parameters are filled in and checked.
 * RL_UNPROMISED means that all is read and can be run, but outside what the protocol promises.
 * Whatever fails, `culprit_out` (may be NULL) is the item whose value cannot be read, or `count` if
 * the text of the error says all. */
RL_MUST_CHECK enum rl_status rl_request_read(struct rl_request *request,
                                             const struct rl_item *items, size_t count,
                                             size_t *culprit_out, struct rl_error *error);

RL_END

#endif
