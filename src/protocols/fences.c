/* SPDX-License-Identifier: MIT
 *
 * fences: self-stabilizing leader election on every directed ring, constant states, no knowledge.
 *
 * Our own design, on the idea of Chen and Chen (PODC 2019) that a repetition in the word on the
 * ring shows that there is no leader; docs/protocols/fences.md has the rules, the reasons and what
 * is verified. 504 + 36K states whatever n is; exponential expected time.
 *
 * Every follower holds a letter. With one leader the letters to its right should form a square-free
 * word. Without a leader the ring, read round and round, has the square xx with |x| = n. A check
 * compares a zone with the zone to its right, letter by letter: a pointer sends the letter under it
 * to the right, the next pointer compares it with the letter under itself, steps on if they are
 * equal, and sends in its turn. The last letter before a fence is flagged; if it matches too, two
 * equal blocks stand side by side and a leader is made. Every failure is the same action, Restart,
 * which puts a wiper in front of the new pointer. All that a check uses moves right and keeps its
 * order: that is the invariant behind soundness.
 *
 * Leaders are eliminated as in P_RL, by its own lines.
 */
#define NAME  "fences"
#define TITLE "constant states on every ring, in exponential time"
#define SOURCE                                                                                     \
    "on the idea of H.-P. Chen and H.-L. Chen: Self-Stabilizing Leader Election, "                 \
    "PODC 2019"
#define PROVENANCE "our design"
#define ASSUMPTION "none"
#define CLAIM      "exponential"
#define STATES     "504 + 36K"

enum { LEAST_PATIENCE = 3, MOST_PATIENCE = 255 };

#define PARAMETERS(P)                                                                              \
    P(patience, 4, "K: after this many meetings in a row, an empty agent restarts")
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    SYMBOLS(fence, "", "|")                                                                        \
    NUMBER(label, 3, 3, "") /* the letter */                                                       \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(slot, "", "S", "W", "*", ":0", ":1", ":2", ":0.", ":1.", ":2.", "r", "w", "g")         \
    NUMBER(idle, patience, MOST_PATIENCE,                                                          \
           "+") /* meetings that an empty slot has waited, else 0 */                               \
    SYMBOLS(bullet, "", "b", "B")                                                                  \
    SYMBOLS(shield, "", "s")                                                                       \
    SYMBOLS(signal, "", "!")
#define PACKED(P) P(leader) P(bullet) P(shield) P(signal) P(label) P(fence) P(slot) P(idle)
#include "ringleader/agent.h"

#include "protocols/prl_elimination.h"

/* What stands in the slot of an agent. Letters in flight come in threes: PLAIN + c, LAST + c. */
enum {
    EMPTY,     /* with `idle`, the specification's empty_d */
    SCRAMBLER, /* S: rewrites letters after a detection */
    WIPER,     /* W: clears the way in front of a new pointer */
    JOKER,     /* a leader's message: matches every letter */
    PLAIN,
    LAST = PLAIN + 3, /* the letter just before the next fence */
    READY = LAST + 3, /* a pointer that must send its letter */
    WAIT,             /* a pointer that has sent and awaits a letter */
    GO,               /* a pointer whose letter matched: must step right */
    SLOTS
};

static inline bool is_message(uint32_t slot)
{
    return slot >= JOKER && slot < READY;
}

static inline bool is_pointer(uint32_t slot)
{
    return slot >= READY;
}

static inline bool is_last(uint32_t slot)
{
    return slot >= LAST && slot < READY;
}

/* The letter of a message that is no joker. */
static inline uint32_t letter_of(uint32_t slot)
{
    return (slot - PLAIN) % 3;
}

static inline void restart(struct agent *l, struct agent *r)
{
    l->fence = 1;
    l->slot = READY;
    l->idle = 0;
    if (!r->leader) {
        r->fence = 0;
        r->slot = WIPER;
    }
}

// clang-format off
static inline void detect(struct agent *l, struct agent *r)
{
    l->leader = 1; l->bullet = 2; l->shield = 1; l->signal = 0;
    l->fence = 0; l->slot = EMPTY;
    r->fence = 0; r->slot = SCRAMBLER;
}

/* Lines 10-15: a pointer that must send, or a message, has r before it. */
static inline void deliver(struct agent *l, struct agent *r)
{
    uint32_t m = l->slot, after = EMPTY;                                                 /* 10 */
    if (l->slot == READY) { m = (r->fence ? LAST : PLAIN) + l->label; after = WAIT; }
    else if (r->fence && is_last(m)) m = PLAIN + letter_of(m);
    if (r->slot == EMPTY) { r->slot = m; l->slot = after; }                              /* 11 */
    else if (r->slot == WAIT && (m == JOKER || letter_of(m) == r->label)) {              /* 12 */
        if (is_last(m)) detect(l, r);                                                    /* 13 */
        else { r->slot = GO; l->slot = after; }                                          /* 14 */
    } else if (r->slot != WIPER && r->slot != SCRAMBLER) {                               /* 15 */
        if (m == JOKER) l->slot = EMPTY;
        else restart(l, r);
    }
}

/* Lines 1-15: leader creation. The numbers on the right are the specification's lines. */
static inline void check_words(uint32_t K, struct agent *l, struct agent *r)
{
    if (r->slot == SCRAMBLER) r->label = (r->label + 1) % 3;                             /*  1 */
    if (r->slot == EMPTY) r->idle = 0;                                                   /*  2 */
    if (l->slot == SCRAMBLER) {                                                          /*  3 */
        if (r->slot != WIPER && r->slot != JOKER && r->slot != READY) {
            r->slot = SCRAMBLER; r->fence = 0;
        }
        l->slot = EMPTY;
    } else if (l->leader) {                                                          /*  4 */
        if (!r->leader && r->slot == EMPTY) r->slot = JOKER;
        else if (!r->leader && r->slot == WAIT) r->slot = GO;
    } else if (l->slot == EMPTY) {                                                       /*  5 */
        if (l->idle < K - 1) l->idle++;
        else restart(l, r);
    } else if (r->leader) {                                                          /*  6 */
        l->slot = l->slot == READY || l->slot == WAIT ? WAIT : EMPTY;
    } else if (l->slot == WIPER) {                                                       /*  7 */
        if (!(r->fence && (r->slot == READY || r->slot == WAIT))) {
            r->fence = 0; r->slot = WIPER;
        }
        l->slot = EMPTY;
    } else if (l->slot == WAIT) {                                                        /*  8 */
        if (is_pointer(r->slot)) restart(l, r);
    } else if (l->slot == GO) {                                                          /*  9 */
        if (r->slot == EMPTY && !r->fence) { l->slot = EMPTY; r->slot = READY; }
        else if (r->slot != WIPER && r->slot != SCRAMBLER) restart(l, r);
    } else {
        deliver(l, r);                                                                /* 10-15 */
    }
}
// clang-format on

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    check_words(world.patience, l, r);
    eliminate(l, r); /* line 16: the paper's lines 6-19 */
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

#include "protocols/prl_bullets.h"
#include "protocols/fences_sets.h"
#include "protocols/fences_starts.h"

/* ---- states -----------------------------------------------------------------------------------
 *
 * A follower has no shield and is idle only with an empty slot: 3 letters * 2 fences * (12 + K)
 * slots * 3 bullets * 2 signals. A leader has no fence, and its slot is empty (not idle) or holds
 * the scrambler: 3 letters * 2 slots * 3 bullets * 2 shields * 2 signals. Followers come first. */

static uint64_t follower_states(const struct rl_params *params)
{
    return UINT64_C(36) * (SLOTS - 1 + params->value[PARAMETER_patience]);
}

static uint64_t state_count(const struct rl_params *params)
{
    return follower_states(params) + 72;
}

/* Takes the lowest digit, in base `size`, off `index`. */
static uint32_t digit(uint64_t *index, uint32_t size)
{
    const uint32_t value = (uint32_t)(*index % size);
    *index /= size;
    return value;
}

static rl_state state_at(const struct rl_params *params, uint64_t index)
{
    const uint32_t K = params->value[PARAMETER_patience];
    const bool leader = index >= follower_states(params);
    if (leader)
        index -= follower_states(params);
    struct agent u = {.leader = leader};
    u.bullet = digit(&index, 3);
    u.signal = digit(&index, 2);
    u.label = digit(&index, 3);
    if (leader) {
        u.shield = digit(&index, 2);
        u.slot = index ? SCRAMBLER : EMPTY;
        return pack(u);
    }
    u.fence = digit(&index, 2);
    u.slot = index < K ? EMPTY : (uint32_t)(index - K) + 1;
    u.idle = index < K ? (uint32_t)index : 0;
    return pack(u);
}

static uint64_t index_of(const struct rl_params *params, rl_state state)
{
    const uint32_t K = params->value[PARAMETER_patience];
    const struct agent u = unpack(state);
    const uint64_t first = u.bullet + 3 * (u.signal + 2 * u.label);
    if (u.leader)
        return follower_states(params) + first + 18 * (u.shield + 2 * (u.slot != EMPTY));
    return first + 18 * (u.fence + 2 * (uint64_t)(u.slot == EMPTY ? u.idle : K + u.slot - 1));
}

static const struct rl_numbering NUMBERING = {state_count, state_at, index_of};

/* ---- declaration ---- */

/* Detection sees no bullet, elimination no word. `idle` is left out of detection: from any state of
 * an empty slot a Restart is some meetings away. */
enum { FENCE, LABEL, LEADER, SLOT, IDLE, BULLET, SHIELD, SIGNAL }; /* places in the list */

static const struct rl_part PARTS[] = {
    {"detection", 1 << LEADER | 1 << FENCE | 1 << LABEL | 1 << SLOT, RL_CREATION},
    {"elimination", 1 << LEADER | 1 << BULLET | 1 << SHIELD | 1 << SIGNAL, RL_DEATH},
};

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t K = params->value[PARAMETER_patience];
    if (K < LEAST_PATIENCE || K > MOST_PATIENCE)
        return rl_error_set(error, RL_BAD_PARAMETER, "patience is %u to %u, not %u", LEAST_PATIENCE,
                            MOST_PATIENCE, K);
    return RL_OK;
}

#ifndef COPY /* what `ringleader new --like` leaves behind */
#define FIELDS                                                                                     \
    .check = check, .numbering = &NUMBERING, LISTED(part, PARTS), LISTED(set, SETS), .target = 0,  \
    LISTED(start, STARTS)
#else
#define FIELDS .check = check, .numbering = &NUMBERING, LISTED(part, PARTS), LISTED(start, STARTS)
#endif
