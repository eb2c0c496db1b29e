/* SPDX-License-Identifier: MIT
 *
 * An experiment: which protocol, on which ring, from which start, with which seed.
 */
#ifndef RINGLEADER_EXPERIMENT_H
#define RINGLEADER_EXPERIMENT_H

#include "ringleader/protocol.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * A request: which protocol, on which ring, with which parameters, from which start, with which
 * seed and trial. Requests are read and written only here. So options, plans, links to the page,
 * databases, CSV and JSON all spell things the same way, and each reads what any other prints.
 *
 * A request is a list of items, each with a key and a value, in any order:
 *
 *     protocol     a name; `p` is the same key
 *     undirected   value empty: the protocol's version for undirected rings
 *     n            the number of agents
 *     NAME         a parameter of the protocol: the name of a choice, or a count, which may depend
 *                  on n (2n, n^1.5)
 *     oracle       delay=COUNT: the delay of the oracle, which is a parameter too
 *     start        the name of a start (the caller decides about anything else)
 *     seed, trial  counts
 *
 * Nothing here allocates memory. The caller keeps its strings.
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
    const char *start; /* the value of the item, or "random" */
    uint64_t seed;
    uint64_t trial;
};

/* The default request: the first protocol of the list, from `random`, seed 1, trial 0. It has no
 * ring yet: n is 0. */
void rl_request_init(struct rl_request *request);

/* Reads the items into a request made by rl_request_init. If no item names a protocol, the one in
 * the request stays; the caller may change it first. All parameters are filled in and checked.
 * RL_UNPROMISED means that everything was read and can be run, but the protocol promises nothing
 * there. On failure `culprit_out` (may be NULL) is the index of the item whose value cannot be
 * read, or `count` if the error text needs no such context. */
RL_MUST_CHECK enum rl_status rl_request_read(struct rl_request *request,
                                             const struct rl_item *items, size_t count,
                                             size_t *culprit_out, struct rl_error *error);

RL_END

#endif
