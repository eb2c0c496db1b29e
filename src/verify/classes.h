/* SPDX-License-Identifier: MIT
 *
 * Classes of agent states that nobody can tell apart: first reduction of the configuration space.
 *
 * Given what an observer sees of a state (a label; the output is always seen), two states are in
 * one class if they have the same label and stay in equal classes whatever they meet: the coarsest
 * partition that the transitions respect. Replacing agents of a configuration by others of their
 * class then changes neither what the observer sees nor, up to such replacements, what follows.
 */
#ifndef RINGLEADER_CLASSES_H
#define RINGLEADER_CLASSES_H

#include "verify/effort.h"

/* ---- the table ---------------------------------------------------------------------------------
 *
 * The transition table of one agent pair: all states of a protocol by number, and what every two of
 * them become. For a protocol with an oracle there are two tables, one for each of its reports.
 */

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

/* How many configurations n agents with so many states have; 0 if these are more than `most`. */
uint64_t rl_table_configurations(uint64_t states, uint32_t n, uint64_t most);

/* The next word of so many digits below `states`, in their order; false after the last. */
bool rl_table_advance(uint32_t states, uint16_t *digits, uint32_t count);

/* Bytes that a table takes; 0 if the protocol has too many states for one. */
uint64_t rl_table_bytes(const struct rl_protocol *protocol, const struct rl_params *params);
/* Free also after a failure. */
void rl_table_init(struct rl_table *table, const struct rl_protocol *protocol,
                   const struct rl_params *params, struct rl_effort *effort);
void rl_table_free(struct rl_table *table);

/* ---- refinement --------------------------------------------------------------------------------
 *
 * As Moore did it: in each round a member's row tells its class and those of what it leads to, and
 * a class falls apart into the members with equal rows.
 */

/* What is refined: `count` members, each with a row of `width` numbers. */
struct rl_partition {
    uint32_t count, width;
    const void *user;
    /* The row of a member, given the classes so far. */
    void (*row)(const void *user, const uint32_t *class, uint32_t member, uint32_t *row_out);
    uint32_t *class;  /* [member] */
    uint32_t *first;  /* [class] its first member; classes are numbered in that order */
    uint32_t classes; /* how many */
};

/* The coarsest partition that is no coarser than `class` and in which members of a class have equal
 * rows. Makes `first`; the caller frees both, also after a failure.
 * Time: O(count * width) a round, at most `classes` rounds. */
void rl_partition_refine(struct rl_partition *partition, struct rl_effort *effort);

struct rl_classes {
    const struct rl_table *table;
    uint32_t count;
    uint32_t *of;            /* [state] its class */
    uint32_t *size;          /* [class] its number of states */
    uint16_t *first;         /* [class] its first state; classes are numbered in that order */
    bool *leads;             /* [class] */
    struct rl_pair *next[2]; /* as in the table, of classes */
};

/* The coarsest classes that respect the labels, outputs and transitions. labels[i][state] is what
 * the i-th observer sees. The table must outlive the classes. Free also after a failure.
 * Time: O(states^2) a round, at most `count` rounds. */
void rl_classes_init(struct rl_classes *classes, const struct rl_table *table,
                     const uint32_t *const *labels, size_t label_count, struct rl_effort *effort);
void rl_classes_free(struct rl_classes *classes);

/* Is it the same partition (of the same table)? */
bool rl_classes_equal(const struct rl_classes *a, const struct rl_classes *b);

#endif
