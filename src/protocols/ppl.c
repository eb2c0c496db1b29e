/* SPDX-License-Identifier: MIT
 *
 * P_PL: leader election on directed rings with polylogarithmically many states.
 *
 * After Yokota, Sudo, Ooshita, Masuzawa, "A Near Time-Optimal Population Protocol for
 * Self-Stabilizing Leader Election on Rings with a Poly-Logarithmic Number of States" (2023), the
 * answer to the open question of the 2020 paper. A reconstruction: the plan is the paper's, the
 * details are ours. Every agent knows psi = ceil(log2 n) + O(1); O(n^2 log n) steps.
 *
 * Segments of psi agents carry IDs, one bit an agent, the lowest first, that grow by one from
 * segment to segment; `dist` counts mod 2 psi from the leader and says where segments begin. Round
 * a ring without a leader this cannot close up, for there are fewer than 2^psi segments: some
 * agent's dist or bit contradicts its neighbours'. Leaders send out a signal sigR that fades as it
 * travels and holds the clocks at zero; where it has been away for long, a clock reaches KMAX and
 * that agent takes a contradiction for the absence of a leader instead of mending it. Bits are
 * compared by tokens, which walk back and forth between a segment and the next: black ones from
 * segments at dist 0, white ones from those at dist psi. Leaders are eliminated by the lines 6-19
 * of P_RL.
 */
#define PRL_RULES_ONLY
#include "protocols/prl.c"

#include "protocols/common.h"

#define NAME  "ppl"
#define TITLE "P_PL, polylogarithmically many states (a reconstruction)"
#define SOURCE                                                                                     \
    "D. Yokota, Y. Sudo, F. Ooshita, T. Masuzawa: A Near Time-Optimal Population Protocol for "    \
    "Self-Stabilizing Leader Election on Rings with a Poly-Logarithmic Number of States, 2023"
#define PROVENANCE "reconstruction"
#define ASSUMPTION "psi with n < psi 2^psi is known"
#define CLAIM      "O(n^2 log n)"
#define STATES     "192 psi^2 (kmax+1)^2 (8psi-3)^2"

#define WIDTH 8
enum { PARAMETER_PSI = 0, PARAMETER_KMAX = 1 };
enum { MAX_PSI = 32, MAX_KMAX = 255 };
enum {
    SHIFT_LEADER = 0,
    SHIFT_BULLET = 1,
    SHIFT_SHIELD = 3,
    SHIFT_SIGNAL = 4,
    SHIFT_LAST = 5,
    SHIFT_BIT = 6,
    SHIFT_HITS = 7,
    SHIFT_DIST = 12,
    SHIFT_SIGR = 18,
    SHIFT_CLOCK = 26,
    SHIFT_BLACK = 34,
    SHIFT_WHITE = 42,
};

/* A token, or none (pos = 0). pos is how far it has to go: 1 .. psi to the right, to the bit that
 * it is compared with; -1 .. -(psi-1) to the left, to the bit from which it goes on. */
struct token {
    int32_t pos;
    uint32_t bit;   /* what the bit there should be */
    uint32_t carry; /* of the addition of one, to the next bit */
};

struct ppl_agent {
    struct prl_agent fight; /* leader, bullet, shield, signal */
    uint32_t last;          /* in the segment just before a leader, whose ID is not compared */
    uint32_t bit;
    uint32_t hits; /* interactions with the left in a row, mod psi: a clock of length psi */
    uint32_t dist; /* mod 2 psi */
    uint32_t sigR; /* signal of a leader, 0 .. KMAX */
    uint32_t clock;
    struct token tokens[2]; /* black, white */
};

/* ---- packing ----------------------------------------------------------------------------------
 */

/* Tokens are numbered: 0 is none, then pos 1 .. psi and -1 .. -(psi-1), four of each. */
static inline struct token unpack_token(uint32_t psi, uint32_t number)
{
    if (number == 0)
        return (struct token){0};
    const int32_t place = (int32_t)((number - 1) >> 2);
    return (struct token){.pos = place < (int32_t)psi ? place + 1 : (int32_t)psi - 1 - place,
                          .bit = (number - 1) >> 1 & 1,
                          .carry = (number - 1) & 1};
}

static inline uint32_t pack_token(uint32_t psi, struct token token)
{
    if (token.pos == 0)
        return 0;
    const int32_t place = token.pos > 0 ? token.pos - 1 : (int32_t)psi - 1 - token.pos;
    return 1 + (((uint32_t)place << 2) | token.bit << 1 | token.carry);
}

/* The part of an agent that lines 6-19 are about. */
static inline struct prl_agent unpack(rl_state state)
{
    return (struct prl_agent){
        .leader = (uint32_t)(state >> SHIFT_LEADER) & 1,
        .bullet = (uint32_t)(state >> SHIFT_BULLET) & 3,
        .shield = (uint32_t)(state >> SHIFT_SHIELD) & 1,
        .signal = (uint32_t)(state >> SHIFT_SIGNAL) & 1,
    };
}

static inline struct ppl_agent unpack_all(uint32_t psi, rl_state state)
{
    return (struct ppl_agent){
        .fight = unpack(state),
        .last = (uint32_t)(state >> SHIFT_LAST) & 1,
        .bit = (uint32_t)(state >> SHIFT_BIT) & 1,
        .hits = (uint32_t)(state >> SHIFT_HITS) & 31,
        .dist = (uint32_t)(state >> SHIFT_DIST) & 63,
        .sigR = (uint32_t)(state >> SHIFT_SIGR) & 255,
        .clock = (uint32_t)(state >> SHIFT_CLOCK) & 255,
        .tokens = {unpack_token(psi, (uint32_t)(state >> SHIFT_BLACK) & 255),
                   unpack_token(psi, (uint32_t)(state >> SHIFT_WHITE) & 255)},
    };
}

static inline rl_state pack(uint32_t psi, const struct ppl_agent *agent)
{
    return (rl_state)agent->fight.leader << SHIFT_LEADER |
           (rl_state)agent->fight.bullet << SHIFT_BULLET |
           (rl_state)agent->fight.shield << SHIFT_SHIELD |
           (rl_state)agent->fight.signal << SHIFT_SIGNAL | (rl_state)agent->last << SHIFT_LAST |
           (rl_state)agent->bit << SHIFT_BIT | (rl_state)agent->hits << SHIFT_HITS |
           (rl_state)agent->dist << SHIFT_DIST | (rl_state)agent->sigR << SHIFT_SIGR |
           (rl_state)agent->clock << SHIFT_CLOCK |
           (rl_state)pack_token(psi, agent->tokens[0]) << SHIFT_BLACK |
           (rl_state)pack_token(psi, agent->tokens[1]) << SHIFT_WHITE;
}

/* ---- the rules --------------------------------------------------------------------------------
 */

// clang-format off
static inline void become_leader(struct ppl_agent *x)
{
    x->fight = (struct prl_agent){.leader = 1, .bullet = 2, .shield = 1};
}

/* Who takes contradictions for the absence of a leader: clocks run where no sigR has come by. */
static inline void set_mode(uint32_t psi, uint32_t kmax, struct ppl_agent *l, struct ppl_agent *r)
{
    if (l->fight.leader) l->sigR = kmax;
    r->sigR = larger(r->sigR, l->sigR); l->sigR = 0;
    l->hits = 0; r->hits++;
    if (r->hits >= psi) {
        r->hits = 0;
        if (r->sigR > 0) r->sigR--;
        else r->clock = smaller(r->clock + 1, kmax);
    }
    if (r->sigR > 0) r->clock = 0;
    if (l->fight.leader) l->clock = 0;
    if (r->fight.leader) r->clock = 0;
}

static inline void count_distance(uint32_t psi, uint32_t kmax, struct ppl_agent *l,
                                  struct ppl_agent *r)
{
    if (l->fight.leader) l->dist = 0;
    const uint32_t next = l->dist + 1 == 2 * psi ? 0 : l->dist + 1;
    if (r->fight.leader) r->dist = 0;
    else if (r->clock != kmax) r->dist = next;
    else if (r->dist != next) { become_leader(r); r->dist = 0; r->clock = 0; }
    l->last = r->fight.leader ? 1 : r->dist == 0 || r->dist == psi ? 0 : r->last;
}
// clang-format on

/* How far an agent is from the beginning of the segment where its tokens come from. */
static inline int32_t offset_of(uint32_t psi, uint32_t colour, const struct ppl_agent *x)
{
    const uint32_t begin = colour * psi;
    return (int32_t)(x->dist >= begin ? x->dist - begin : x->dist + 2 * psi - begin);
}

/* Can this token be at this agent? It goes to a bit of the next segment, or back to one of its own
 * but the first. */
static inline bool fits(uint32_t psi, uint32_t colour, const struct ppl_agent *x,
                        struct token token)
{
    const int32_t goal = offset_of(psi, colour, x) + token.pos;
    const int32_t low = token.pos > 0 ? (int32_t)psi : 1;
    return goal >= low && goal <= low + (int32_t)psi - 1 - (token.pos < 0);
}

static inline struct token next_bit(uint32_t psi, uint32_t bit, uint32_t carry)
{
    return (struct token){.pos = (int32_t)psi, .bit = bit ^ carry, .carry = bit & carry};
}

/* The token of r that has arrived there. */
static inline void compare(uint32_t psi, uint32_t kmax, uint32_t colour, struct ppl_agent *r)
{
    struct token *token = &r->tokens[colour];
    if (r->bit != token->bit) {
        if (r->clock == kmax)
            become_leader(r);
        else
            r->bit = token->bit;
    }
    const bool done = offset_of(psi, colour, r) == 2 * (int32_t)psi - 1;
    if (done)
        *token = (struct token){0};
    else
        token->pos = 1 - (int32_t)psi;
}

static inline void move_token(uint32_t psi, uint32_t kmax, uint32_t colour, struct ppl_agent *l,
                              struct ppl_agent *r)
{
    const struct token none = {0};
    struct token *const a = &l->tokens[colour], *const b = &r->tokens[colour];
    if (a->pos == 0 && l->dist == colour * psi && !l->last)
        *a = next_bit(psi, l->bit, 1);
    if (a->pos != 0 && !fits(psi, colour, l, *a))
        *a = none;
    if (b->pos != 0 && !fits(psi, colour, r, *b))
        *b = none;
    if (a->pos != 0 && b->pos != 0)
        *a = none;
    if (a->pos > 0) {
        if (!r->fight.leader && !r->last) {
            *b = *a;
            if (--b->pos == 0)
                compare(psi, kmax, colour, r);
        }
        *a = none;
    } else if (b->pos < 0) {
        *a = *b;
        *b = none;
        if (++a->pos == 0)
            *a = next_bit(psi, l->bit, a->carry);
    }
}

static inline void interact(const struct rl_params *params, rl_state *l_word, rl_state *r_word)
{
    const uint32_t psi = params->value[PARAMETER_PSI], kmax = params->value[PARAMETER_KMAX];
    struct ppl_agent l = unpack_all(psi, *l_word), r = unpack_all(psi, *r_word);
    set_mode(psi, kmax, &l, &r);
    count_distance(psi, kmax, &l, &r);
    move_token(psi, kmax, 0, &l, &r);
    move_token(psi, kmax, 1, &l, &r);
    eliminate(&l.fight, &r.fight);
    *l_word = pack(psi, &l);
    *r_word = pack(psi, &r);
}

static inline bool leads(rl_state state)
{
    return state >> SHIFT_LEADER & 1;
}

#include "protocols/prl_bullets.h"
#include "protocols/ppl_sets.h"
#include "protocols/ppl_starts.h"

/* ---- the declaration --------------------------------------------------------------------------
 */

static uint32_t dist_values(const struct rl_params *params)
{
    return 2 * params->value[PARAMETER_PSI];
}

static uint32_t hits_values(const struct rl_params *params)
{
    return params->value[PARAMETER_PSI];
}

static uint32_t clock_values(const struct rl_params *params)
{
    return params->value[PARAMETER_KMAX] + 1;
}

static uint32_t token_values(const struct rl_params *params)
{
    return 8 * params->value[PARAMETER_PSI] - 3;
}

static const char *const LEADER_TEXT[] = {"", "L"};
static const char *const BULLET_TEXT[] = {"", "b", "B"};
static const char *const SHIELD_TEXT[] = {"", "s"};
static const char *const SIGNAL_TEXT[] = {"", "!"};
static const char *const LAST_TEXT[] = {"", "|"};
static const char *const BIT_TEXT[] = {"", "^"};

static const struct rl_variable VARIABLES[] = {
    {.name = "dist", .shift = SHIFT_DIST, .width = 6, .size_for = dist_values, .prefix = ""},
    {.name = "leader", .shift = SHIFT_LEADER, .width = 1, .size = 2, .symbols = LEADER_TEXT},
    {.name = "bullet", .shift = SHIFT_BULLET, .width = 2, .size = 3, .symbols = BULLET_TEXT},
    {.name = "shield", .shift = SHIFT_SHIELD, .width = 1, .size = 2, .symbols = SHIELD_TEXT},
    {.name = "signal", .shift = SHIFT_SIGNAL, .width = 1, .size = 2, .symbols = SIGNAL_TEXT},
    {.name = "last", .shift = SHIFT_LAST, .width = 1, .size = 2, .symbols = LAST_TEXT},
    {.name = "bit", .shift = SHIFT_BIT, .width = 1, .size = 2, .symbols = BIT_TEXT},
    {.name = "sigR", .shift = SHIFT_SIGR, .width = 8, .size_for = clock_values, .prefix = "r"},
    {.name = "clock", .shift = SHIFT_CLOCK, .width = 8, .size_for = clock_values, .prefix = "c"},
    {.name = "hits", .shift = SHIFT_HITS, .width = 5, .size_for = hits_values, .prefix = "h"},
    {.name = "black", .shift = SHIFT_BLACK, .width = 8, .size_for = token_values, .prefix = "k"},
    {.name = "white", .shift = SHIFT_WHITE, .width = 8, .size_for = token_values, .prefix = "w"},
    MORE_VARIABLES};

static uint32_t least_psi(uint32_t n)
{
    uint32_t psi = 2;
    while (UINT32_C(1) << psi < n)
        psi++;
    return psi;
}

static uint32_t default_kmax(uint32_t n)
{
    return 4 * least_psi(n);
}

static const struct rl_parameter PARAMETERS[] = {
    {.name = "psi",
     .meaning = "length of a segment (default: ceil(log2 n), at least 2)",
     .default_for = least_psi},
    {.name = "kmax",
     .meaning = "where clocks stop and signals begin (default: 4 ceil(log2 n))",
     .default_for = default_kmax},
    MORE_PARAMETERS};

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t psi = params->value[PARAMETER_PSI], kmax = params->value[PARAMETER_KMAX];
    if (psi < 2 || psi > MAX_PSI)
        return rl_error_set(error, RL_BAD_PARAMETER, "psi = %u is not in 2 .. %u", psi, MAX_PSI);
    if (kmax < 1 || kmax > MAX_KMAX)
        return rl_error_set(error, RL_BAD_PARAMETER, "kmax = %u is not in 1 .. %u", kmax, MAX_KMAX);
    if (params->n >= (uint64_t)psi << psi)
        return rl_error_set(
            error, RL_UNPROMISED,
            "n = %u is not below psi 2^psi = %u: the IDs of %u segments could close "
            "up round the ring",
            params->n, psi << psi, 1u << psi);
    return RL_OK;
}

#include "protocols/declare.h"
