/* SPDX-License-Identifier: MIT
 *
 * Traps and ways: what a "no" is made of.
 *
 * A trap is a closed set whose members all reach each other (a bottom component of the graph of
 * configurations). If no safe configuration can be reached from somewhere, a trap without a safe
 * one can be.
 */
#ifndef RINGLEADER_TRAP_H
#define RINGLEADER_TRAP_H

#include "verify/enumerate/space.h"

/* Bytes of work space for `count` representatives. */
uint64_t rl_trap_bytes(uint64_t count);

/* Marks the members of a trap that is reachable from `from`; all others are 0. Time: O(count). */
RL_MUST_CHECK enum rl_status rl_trap_find(const struct rl_space *space, uint32_t from,
                                          uint8_t *trap_out);

/* The arcs of a shortest execution from the word of `from` to a configuration with an interaction
 * that changes an output, and that arc. If there is no such, and `from` is in a trap, those of a
 * shortest execution round it, back to the same word up to symmetry; none if nothing happens there
 * any more. The caller frees the arcs. */
RL_MUST_CHECK enum rl_status rl_trap_way(const struct rl_space *space, uint32_t from,
                                         uint32_t **arcs_out, size_t *length_out);

#endif
