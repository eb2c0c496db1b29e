/* SPDX-License-Identifier: MIT
 *
 * A certificate in memory: what the file says, with the protocol that it is about. Sizes, letters
 * and tables are the protocol's own, or reading fails; the automata are as the file has them, and
 * nothing is known of them yet but that they are automata.
 */
#ifndef RINGLEADER_EVERY_N_CERTIFICATE_READ_H
#define RINGLEADER_EVERY_N_CERTIFICATE_READ_H

#include "ringleader/prove.h"
#include "verify/every_n/proof.h"

struct rl_certificate_text {
    struct rl_every_n_options options; /* protocol, parameters, from_n as the file has them */
    uint32_t from_n;                   /* self-stabilizing from there on; 0: nothing is said */
    uint32_t enumerated;               /* small rings: how many, and of each ... */
    uint32_t small_n[RL_EVERY_N_SMALL];
    bool small_holds[RL_EVERY_N_SMALL]; /* ... whether it is self-stabilizing */
    struct rl_every_n_proof proof;
};

/* Free also after a failure. RL_BAD_TEXT with line and column, or RL_NO_MEMORY. */
RL_MUST_CHECK enum rl_status rl_certificate_read(struct rl_certificate_text *read, const char *text,
                                                 size_t length, struct rl_error *error);
void rl_certificate_free(struct rl_certificate_text *read);

#endif
