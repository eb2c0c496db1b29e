/* SPDX-License-Identifier: MIT
 *
 * Certificates: a proof for every n (every_n.h) as text, to be kept, sent and checked by others.
 * docs/formats.md has the form, and tests/agree/certificate.py a checker that shares nothing with
 * this one.
 */
#ifndef RINGLEADER_CERTIFICATE_H
#define RINGLEADER_CERTIFICATE_H

#include "ringleader/every_n.h"

RL_BEGIN

/* Writes what was proved: that the target is closed and safe, which must be so, and from which n on
 * the protocol is self-stabilizing, if that is. RL_IO if `put` fails. */
RL_MUST_CHECK enum rl_status rl_certificate_write(const struct rl_every_n *answer, void *user,
                                                  bool (*put)(void *user, const void *bytes,
                                                              size_t size));

/* What a certificate certifies: the target is closed and safe on all rings of `least` agents or
 * more (of the sizes that the protocol is for), and the protocol self-stabilizing on those of
 * `from_n` or more (0: nothing is said of that). */
struct rl_certificate {
    const struct rl_protocol *protocol;
    struct rl_params params;
    uint32_t least, from_n;
    /* Small rings that were enumerated beside it, and are again when it is checked. */
    uint32_t enumerated, small_n[RL_EVERY_N_SMALL];
    bool small_holds[RL_EVERY_N_SMALL];
    uint32_t checked;  /* the automaton equals the target on all rings of up to so many agents */
    uint32_t automata; /* so many were looked at */
};

/* Checks a certificate from the beginning. RL_BAD_TEXT if it is not one (with line and column),
 * RL_BAD_CERTIFICATE if it does not prove what it says; `error` then has a ring that shows it.
 * RL_TOO_LARGE and RL_STOPPED as in rl_verify. `watch` may be NULL. */
RL_MUST_CHECK enum rl_status rl_certificate_check(const char *text, size_t length, uint64_t memory,
                                                  const struct rl_watch *watch,
                                                  struct rl_certificate *certificate_out,
                                                  struct rl_error *error);

RL_END

#endif
