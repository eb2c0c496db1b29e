/* SPDX-License-Identifier: MIT
 *
 * fences: self-stabilizing leader election on every directed ring, constant states, no knowledge.
 *
 * Our own design, on the idea of Chen and Chen (PODC 2019) that a repetition in the word on the
 * ring betrays the absence of a leader; docs/protocols/fences.md has the rules, the reasons and
 * what is verified. 504 + 36K states whatever n is; exponential expected time.
 *
 * Every follower holds a letter. With one leader the letters, read rightwards from it, shall form a
 * square-free word. Without a leader the ring, read on and on, holds the square xx with |x| = n. A
 * check compares a zone with the zone to its right, letter by letter: a pointer sends the letter
 * under it to the right, the next pointer compares it with the letter under itself, steps on if
 * they are equal, and sends in its turn. The last letter before a fence is flagged; if it matches
 * too, two equal blocks stand side by side and a leader is made. Every failure is the same action,
 * Restart, which puts a wiper in front of the new pointer. All that a check uses moves right and
 * keeps its order: that is the invariant behind soundness.
 *
 * Leaders are eliminated as in P_RL, by its own lines.
 */
#define PRL_RULES_ONLY
#include "protocols/prl.c"

#include "ringleader/text.h"

enum { WIDTH = 4 };
enum { PARAMETER_PATIENCE = 0, LEAST_PATIENCE = 3, MOST_PATIENCE = 255 };

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

struct fences_agent {
    struct prl_agent prl; /* leader, bullet, shield and signal; no dist */
    uint32_t label;       /* the letter: 0, 1 or 2 */
    uint32_t fence;       /* 0 or 1 */
    uint32_t slot;
    uint32_t idle; /* meetings in a row that an empty slot has waited; 0 for any other slot */
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

static inline void restart(struct fences_agent *l, struct fences_agent *r)
{
    l->fence = 1;
    l->slot = READY;
    l->idle = 0;
    if (!r->prl.leader) {
        r->fence = 0;
        r->slot = WIPER;
    }
}

// clang-format off
static inline void detect(struct fences_agent *l, struct fences_agent *r)
{
    l->prl.leader = 1; l->prl.bullet = 2; l->prl.shield = 1; l->prl.signal = 0;
    l->fence = 0; l->slot = EMPTY;
    r->fence = 0; r->slot = SCRAMBLER;
}

/* Lines 10-15: a pointer that must send, or a message, has r before it. */
static inline void deliver(struct fences_agent *l, struct fences_agent *r)
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
static inline void check_words(uint32_t K, struct fences_agent *l, struct fences_agent *r)
{
    if (r->slot == SCRAMBLER) r->label = (r->label + 1) % 3;                             /*  1 */
    if (r->slot == EMPTY) r->idle = 0;                                                   /*  2 */
    if (l->slot == SCRAMBLER) {                                                          /*  3 */
        if (r->slot != WIPER && r->slot != JOKER && r->slot != READY) {
            r->slot = SCRAMBLER; r->fence = 0;
        }
        l->slot = EMPTY;
    } else if (l->prl.leader) {                                                          /*  4 */
        if (!r->prl.leader && r->slot == EMPTY) r->slot = JOKER;
        else if (!r->prl.leader && r->slot == WAIT) r->slot = GO;
    } else if (l->slot == EMPTY) {                                                       /*  5 */
        if (l->idle < K - 1) l->idle++;
        else restart(l, r);
    } else if (r->prl.leader) {                                                          /*  6 */
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

enum {
    SHIFT_LEADER = 0,
    SHIFT_BULLET = 1,
    SHIFT_SHIELD = 3,
    SHIFT_SIGNAL = 4,
    SHIFT_LABEL = 5,
    SHIFT_FENCE = 7,
    SHIFT_SLOT = 8,
    SHIFT_IDLE = 12,
};

static inline struct fences_agent unpack(rl_state state)
{
    const uint32_t word = (uint32_t)state;
    return (struct fences_agent){
        .prl = {.leader = word >> SHIFT_LEADER & 1,
                .bullet = word >> SHIFT_BULLET & 3,
                .shield = word >> SHIFT_SHIELD & 1,
                .signal = word >> SHIFT_SIGNAL & 1},
        .label = word >> SHIFT_LABEL & 3,
        .fence = word >> SHIFT_FENCE & 1,
        .slot = word >> SHIFT_SLOT & 15,
        .idle = word >> SHIFT_IDLE,
    };
}

static inline rl_state pack(struct fences_agent agent)
{
    return agent.prl.leader << SHIFT_LEADER | agent.prl.bullet << SHIFT_BULLET |
           agent.prl.shield << SHIFT_SHIELD | agent.prl.signal << SHIFT_SIGNAL |
           agent.label << SHIFT_LABEL | agent.fence << SHIFT_FENCE | agent.slot << SHIFT_SLOT |
           agent.idle << SHIFT_IDLE;
}

static inline void interact(const struct rl_params *params, rl_state *l_word, rl_state *r_word)
{
    struct fences_agent l = unpack(*l_word);
    struct fences_agent r = unpack(*r_word);
    check_words(params->value[PARAMETER_PATIENCE], &l, &r);
    eliminate(&l.prl, &r.prl); /* line 16: the paper's lines 6-19 */
    *l_word = pack(l);
    *r_word = pack(r);
}

static inline bool leads(rl_state state)
{
    return state & 1;
}

#include "protocols/fences_sets.h"
#include "protocols/fences_starts.h"

/* ---- states -----------------------------------------------------------------------------------
 *
 * A follower has no shield and is idle only with an empty slot: 3 letters * 2 fences * (12 + K)
 * slots * 3 bullets * 2 signals. A leader has no fence, and its slot is empty (not idle) or holds
 * the scrambler: 3 letters * 2 slots * 3 bullets * 2 shields * 2 signals. Followers come first. */

static uint64_t follower_states(const struct rl_params *params)
{
    return UINT64_C(36) * (SLOTS - 1 + params->value[PARAMETER_PATIENCE]);
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
    const uint32_t K = params->value[PARAMETER_PATIENCE];
    const bool leader = index >= follower_states(params);
    if (leader)
        index -= follower_states(params);
    struct fences_agent u = {.prl.leader = leader};
    u.prl.bullet = digit(&index, 3);
    u.prl.signal = digit(&index, 2);
    u.label = digit(&index, 3);
    if (leader) {
        u.prl.shield = digit(&index, 2);
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
    const uint32_t K = params->value[PARAMETER_PATIENCE];
    const struct fences_agent u = unpack(state);
    const uint64_t first = u.prl.bullet + 3 * (u.prl.signal + 2 * u.label);
    if (u.prl.leader)
        return follower_states(params) + first + 18 * (u.prl.shield + 2 * (u.slot != EMPTY));
    return first + 18 * (u.fence + 2 * (uint64_t)(u.slot == EMPTY ? u.idle : K + u.slot - 1));
}

static const struct rl_numbering NUMBERING = {state_count, state_at, index_of};

/* ---- declaration ------------------------------------------------------------------------------
 */

static uint32_t idle_values(const struct rl_params *params)
{
    return params->value[PARAMETER_PATIENCE];
}

static const char *const FENCE_TEXT[] = {"", "|"};
static const char *const SLOT_TEXT[] = {"",    "S",   "W",   "*", ":0", ":1", ":2",
                                        ":0.", ":1.", ":2.", "r", "w",  "g"};
static const char *const LEADER_TEXT[] = {"", "L"};
static const char *const BULLET_TEXT[] = {"", "b", "B"};
static const char *const SHIELD_TEXT[] = {"", "s"};
static const char *const SIGNAL_TEXT[] = {"", "!"};

static const struct rl_variable VARIABLES[] = {
    {.name = "fence", .shift = SHIFT_FENCE, .width = 1, .size = 2, .symbols = FENCE_TEXT},
    {.name = "label", .shift = SHIFT_LABEL, .width = 2, .size = 3, .prefix = ""},
    {.name = "leader", .shift = SHIFT_LEADER, .width = 1, .size = 2, .symbols = LEADER_TEXT},
    {.name = "slot", .shift = SHIFT_SLOT, .width = 4, .size = SLOTS, .symbols = SLOT_TEXT},
    {.name = "idle", .shift = SHIFT_IDLE, .width = 8, .size_for = idle_values, .prefix = "+"},
    {.name = "bullet", .shift = SHIFT_BULLET, .width = 2, .size = 3, .symbols = BULLET_TEXT},
    {.name = "shield", .shift = SHIFT_SHIELD, .width = 1, .size = 2, .symbols = SHIELD_TEXT},
    {.name = "signal", .shift = SHIFT_SIGNAL, .width = 1, .size = 2, .symbols = SIGNAL_TEXT},
};

/* Detection sees no bullet, elimination no word. `idle` is left out of detection: from any state of
 * an empty slot a Restart is some meetings away. */
enum { FENCE, LABEL, LEADER, SLOT, IDLE, BULLET, SHIELD, SIGNAL }; /* places in VARIABLES */

static const struct rl_part PARTS[] = {
    {"detection", 1 << LEADER | 1 << FENCE | 1 << LABEL | 1 << SLOT, RL_CREATION},
    {"elimination", 1 << LEADER | 1 << BULLET | 1 << SHIELD | 1 << SIGNAL, RL_DEATH},
};

static uint32_t usual_patience(uint32_t n)
{
    (void)n;
    return 4;
}

static const struct rl_parameter PARAMETERS[] = {
    {.name = "patience",
     .meaning = "K: the meetings in a row after which an empty agent restarts",
     .default_for = usual_patience},
};

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t K = params->value[PARAMETER_PATIENCE];
    if (K < LEAST_PATIENCE || K > MOST_PATIENCE)
        return rl_error_set(error, RL_BAD_PARAMETER, "patience is %u to %u, not %u", LEAST_PATIENCE,
                            MOST_PATIENCE, K);
    return RL_OK;
}

enum { TARGET = 0 }; /* S_F */

#define NAME  "fences"
#define TITLE "constant states on every ring, in exponential time"
#define SOURCE                                                                                     \
    "on the idea of H.-P. Chen and H.-L. Chen: Self-Stabilizing Leader Election, "                 \
    "PODC 2019"
#define PROVENANCE "our design"
#define ASSUMPTION "none"
#define CLAIM      "exponential"
#define STATES     "504 + 36K"

#define MORE_FIELDS .numbering = &NUMBERING, .parts = PARTS, .part_count = COUNT(PARTS),

#include "protocols/declare.h"
