/* SPDX-License-Identifier: MIT
 *
 * A node's log: what happened to its state, one line each, in the order in which it happened there.
 *
 *     boot WORD                          it began with this state
 *     struck WORD                        its memory was overwritten
 *     done TICKET L R L' R'              as the responder it decided: l and r before, l and r after
 *     heard TICKET L L'                  as the initiator it learnt: its state before and after
 *     gap                                lines are missing here (the disk was full)
 *
 * Numbers are hexadecimal; words are packed states. A board may write the same on its console. What
 * follows from the logs of a whole ring is in account.h.
 */
#ifndef RINGLEADER_NET_JOURNAL_H
#define RINGLEADER_NET_JOURNAL_H

#include "ringleader/device.h"

enum rl_journal_kind {
    RL_JOURNAL_BOOT,
    RL_JOURNAL_STRUCK,
    RL_JOURNAL_DONE,
    RL_JOURNAL_HEARD,
    RL_JOURNAL_GAP
};

struct rl_entry {
    enum rl_journal_kind kind;
    uint64_t ticket;
    rl_state l, r;             /* before; of boot and struck: r */
    rl_state l_after, r_after; /* of heard: l only */
    size_t partner;            /* account.c: its place in the neighbour's journal */
};

enum { RL_JOURNAL_LINE = 128 };

/* The line of an entry, with its end; returns its length, below RL_JOURNAL_LINE. */
size_t rl_journal_print(const struct rl_entry *entry, char line_out[RL_JOURNAL_LINE]);
/* Reads a line without its end. False: it is none. */
bool rl_journal_parse(const char *line, size_t length, struct rl_entry *entry_out);

/* The entries of one node, growing. */
struct rl_journal {
    struct rl_entry *entries;
    size_t count;
    size_t room;
};
RL_MUST_CHECK enum rl_status rl_journal_add(struct rl_journal *journal,
                                            const struct rl_entry *entry);
void rl_journal_free(struct rl_journal *journal);

#endif
