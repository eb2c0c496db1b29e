/* SPDX-License-Identifier: MIT
 *
 * An experiment: which protocol on which ring, from where, with which random numbers, what happens
 * to it, and when it ends.
 */
#ifndef RINGLEADER_EXPERIMENT_H
#define RINGLEADER_EXPERIMENT_H

#include "ringleader/protocol.h"

RL_BEGIN

struct rl_ring;
struct rl_schedule;
struct rl_text;

/* The counts of an experiment. Each row holds everything about one field. Options of `elect` and
 * `study`, keys of plans, the identity of a point, columns of a study's file and of CSV, and keys
 * of JSON all come from these rows. CONTRIBUTING.md says how to add one.
 *
 * A row: the member, its place in struct rl_experiment, its key, the least value, the most
 * (RL_NEVER: no limit, and `none` means RL_NEVER), the default, whether it is part of the identity
 * of a point, what the help calls its value, its meaning. */
#define RL_END_COUNTS(FIELD)                                                                       \
    FIELD(max_steps, end.max_steps, "max-steps", 1, RL_NEVER, RL_NEVER, true, "COUNT",             \
          "give up at this step")                                                                  \
    FIELD(after, end.after, "after", 0, INT64_MAX, 0, true, "COUNT",                               \
          "go on for this many steps after the set is hit")
#define RL_EXPERIMENT_COUNTS(FIELD)                                                                \
    FIELD(seed, seed, "seed", 0, INT64_MAX, 1, true, "COUNT",                                      \
          "chooses the random numbers (default 1)")                                                \
    RL_END_COUNTS(FIELD)

/* ---- when a run ends ---- */

enum rl_until {
    RL_UNTIL_SET,      /* `after` steps beyond the hit of the set, when all faults are done */
    RL_UNTIL_SETTLED,  /* when one agent leads and no output has changed for `steps` (run.h) */
    RL_UNTIL_STEPS,    /* after exactly `steps` */
    RL_UNTIL_SCHEDULE, /* with its schedule */
};

struct rl_end {
    enum rl_until kind;
    size_t set; /* whose hit is told, whatever ends the run */
    uint64_t steps;
    /* max_steps: whatever the kind; 0 or RL_NEVER is unlimited. */
#define RL_MEMBER(member, ...) uint64_t member;
    RL_END_COUNTS(RL_MEMBER)
#undef RL_MEMBER
};

/* ---- the whole ---- */

/* After `step` interactions, `agents` distinct random agents get random states. */
struct rl_fault {
    uint64_t step;
    uint32_t agents;
    /* Filled in by the run: steps from the fault to the next hit of the target, RL_NEVER if the
     * next fault or the end of the run came first. */
    uint64_t recovered_after;
};

/* Who makes an execution (run.h); "event" or "step". */
enum rl_engine_kind { RL_ENGINE_EVENT, RL_ENGINE_STEP };
const char *rl_engine_name(enum rl_engine_kind kind);

/* Zero is a sensible default for all members but the first two. */
struct rl_experiment {
    const struct rl_protocol *protocol;
    struct rl_params params;   /* complete (see rl_protocol_complete) */
    const char *start;         /* a named start (NULL: random), or ... */
    const char *start_text;    /* ... a configuration as text, or ... */
    const void *configuration; /* ... as n packed words, unless NULL */
    uint64_t seed, trial;
    enum rl_engine_kind engine;
    const struct rl_schedule *schedule; /* NULL: random arcs */
    const struct rl_fault *faults;      /* in any order; of one step, as they stand */
    size_t fault_count;
    struct rl_end end;
    bool unpromised; /* run even if the protocol promises nothing, as for N < n */
};

/* A ring of n agents with the protocol's default parameters, from a random start with seed 1, until
 * the target is hit. */
void rl_experiment_init(struct rl_experiment *experiment, const struct rl_protocol *protocol,
                        uint32_t n);

/* ---- as text ----
 *
 * Experiments are read only here. So options, plans, links to the page, databases, CSV and JSON all
 * spell things the same way, and each reads what any other prints. An experiment is given as a list
 * of items, each with a key and a value, in any order:
 *
 *     protocol     a name; `p` is the same key
 *     undirected   value empty: the protocol's version for undirected rings
 *     n            the number of agents
 *     NAME         a parameter of the protocol: the name of a choice, or a count, which may depend
 *                  on n (2n, n^1.5)
 *     oracle       delay=COUNT: the delay of the oracle, which is a parameter too
 *     start        the name of a start (the caller decides about anything else)
 *     trial        a count
 *     seed         and all others of RL_EXPERIMENT_COUNTS: counts that may depend on n
 *     engine       event or step
 *     until        a set, or steps=COUNT, or settled=COUNT
 *
 * Nothing here allocates memory. The caller keeps its strings.
 */

struct rl_item {
    const char *key;
    const char *value;
};

enum { RL_REQUEST_ITEMS = 32 };

/* Reads the items. What they do not say is as rl_experiment_init has it. If no item names a
 * protocol, it is the one in the experiment already, or the first of the list if that is NULL. All
 * parameters are filled in and checked. RL_UNPROMISED means that everything was read and can be
 * run, but the protocol promises nothing there. On failure `culprit_out` (may be NULL) is the index
 * of the item at fault, or `count` if it is none alone; an error text of RL_BAD_TEXT does not name
 * its key. */
RL_MUST_CHECK enum rl_status rl_experiment_read(struct rl_experiment *experiment,
                                                const struct rl_item *items, size_t count,
                                                size_t *culprit_out, struct rl_error *error);

RL_END

#endif
