/* SPDX-License-Identifier: MIT
 *
 * The account of a ring: from the logs of all its nodes, one order of all interactions.
 *
 * A log has the order of what happened at its node. Every interaction stands in two logs: the
 * responder's `done` and the initiator's `heard`, with the same ticket. Interactions of agents that
 * are not neighbours commute, so any order that agrees with all logs is one that happened. It is
 * then replayed, and must end as the nodes did.
 *
 * An anomaly is what does not fit: a decision never heard of or heard of twice, a state that is not
 * what it was, an interaction that is not the protocol's. Where a node was struck or began anew,
 * what its links left open between the last and the next interaction that fits is lost, not an
 * anomaly.
 */
#ifndef RINGLEADER_NET_ACCOUNT_H
#define RINGLEADER_NET_ACCOUNT_H

#include "net/journal.h"
#include "ringleader/ring.h"

struct rl_account {
    rl_state *start; /* of n agents: the last moment since which all is in order */
    rl_state *end;
    uint32_t *arcs; /* from start to end */
    size_t arc_count;
    uint64_t hits[RL_MAX_SETS]; /* along the arcs: of each set */
    uint64_t one_leader;        /* the step since which there is one leader; RL_NEVER: none */
    uint64_t interactions;      /* decided, in all the logs */
    uint64_t lost;              /* left open where a node was struck or began anew */
    uint64_t anomalies;
};

/* `journals` are those of u_0 .. u_{n-1}; a decision of which the initiator has not heard at the
 * end is added to its journal. The account begins after every boot, strike and gap. Time:
 * O(entries), mostly. */
RL_MUST_CHECK enum rl_status rl_account_init(struct rl_account *account,
                                             const struct rl_rules *rules,
                                             struct rl_journal *journals, uint32_t n);
void rl_account_free(struct rl_account *account);

#endif
