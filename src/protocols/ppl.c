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
 * segment to segment; `dist` counts mod 2 psi from the leader and says where segments begin.
 * Without a leader this cannot fit together round the ring, because there are fewer than 2^psi
 * segments: some agent's dist or bit contradicts its neighbours'. Leaders send out a signal sigR
 * that fades as it travels and holds the clocks at zero; where it has been away for long, a clock
 * reaches KMAX, and that agent takes a contradiction as the absence of a leader instead of
 * repairing it. Bits are compared by tokens, which walk back and forth between a segment and the
 * next: black ones from segments at dist 0, white ones from those at dist psi. Leaders are
 * eliminated by the lines 6-19 of P_RL.
 */
#define NAME  "ppl"
#define TITLE "P_PL, polylogarithmically many states (a reconstruction)"
#define SOURCE                                                                                     \
    "D. Yokota, Y. Sudo, F. Ooshita, T. Masuzawa: A Near Time-Optimal Population Protocol for "    \
    "Self-Stabilizing Leader Election on Rings with a Poly-Logarithmic Number of States, 2023"
#define PROVENANCE "reconstruction"
#define ASSUMPTION "psi with n < psi 2^psi is known"
#define CLAIM      "O(n^2 log n)"
#define STATES     "192 psi^2 (kmax+1)^2 (8psi-3)^2"

enum { MAX_PSI = 32, MAX_KMAX = 255 };

#define PARAMETERS(P)                                                                              \
    P(psi, least_psi(n), "length of a segment (default: ceil(log2 n), at least 2)")                \
    P(kmax, 4 * least_psi(n), "where clocks stop and signals begin (default: 4 ceil(log2 n))")
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    NUMBER(dist, 2 * psi, 2 * MAX_PSI, "")                                                         \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "b", "B")                                                                  \
    SYMBOLS(shield, "", "s")                                                                       \
    SYMBOLS(signal, "", "!")                                                                       \
    SYMBOLS(last, "", "|") /* in the segment before a leader, whose ID is not compared */          \
    SYMBOLS(bit, "", "^")                                                                          \
    NUMBER(sigR, kmax + 1, MAX_KMAX + 1, "r") /* signal of a leader */                             \
    NUMBER(clock, kmax + 1, MAX_KMAX + 1, "c")                                                     \
    NUMBER(hits, psi, MAX_PSI, "h") /* meetings with the left in a row: a clock of length psi */   \
    NUMBER(black, 8 * psi - 3, 8 * MAX_PSI - 3, "k") /* tokens */                                  \
    NUMBER(white, 8 * psi - 3, 8 * MAX_PSI - 3, "w")
#define PACKED(P)                                                                                  \
    P(leader)                                                                                      \
    P(bullet) P(shield) P(signal) P(last) P(bit) P(hits) P(dist) P(sigR) P(clock) P(black) P(white)
#include "ringleader/agent.h"

#include "protocols/prl_elimination.h"

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t least_psi(uint32_t n)
{
    uint32_t psi = 2;
    while (UINT32_C(1) << psi < n)
        psi++;
    return psi;
}

/* ---- tokens ---- */

/* A token, or none (pos = 0). pos is how far it has to go: 1 .. psi to the right, to the bit that
 * it is compared with; -1 .. -(psi-1) to the left, to the bit from which it goes on. */
struct token {
    int32_t pos;
    uint32_t bit;   /* what the bit there should be */
    uint32_t carry; /* of the addition of one, to the next bit */
};

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

/* The number of the token of a colour that is at an agent. */
static inline uint32_t *token_at(struct agent *agent, uint32_t colour)
{
    return colour ? &agent->white : &agent->black;
}

static inline struct token token_of(uint32_t psi, struct agent agent, uint32_t colour)
{
    return unpack_token(psi, *token_at(&agent, colour));
}

/* ---- the rules ---- */

// clang-format off
static inline void become_leader(struct agent *x)
{
    x->leader = 1; x->bullet = 2; x->shield = 1; x->signal = 0;
}

/* Who takes contradictions for the absence of a leader: clocks run where no sigR has come by. */
static inline void set_mode(uint32_t psi, uint32_t kmax, struct agent *l, struct agent *r)
{
    if (l->leader) l->sigR = kmax;
    r->sigR = larger(r->sigR, l->sigR); l->sigR = 0;
    l->hits = 0; r->hits++;
    if (r->hits >= psi) {
        r->hits = 0;
        if (r->sigR > 0) r->sigR--;
        else r->clock = smaller(r->clock + 1, kmax);
    }
    if (r->sigR > 0) r->clock = 0;
    if (l->leader) l->clock = 0;
    if (r->leader) r->clock = 0;
}

static inline void count_distance(uint32_t psi, uint32_t kmax, struct agent *l,
                                  struct agent *r)
{
    if (l->leader) l->dist = 0;
    const uint32_t next = l->dist + 1 == 2 * psi ? 0 : l->dist + 1;
    if (r->leader) r->dist = 0;
    else if (r->clock != kmax) r->dist = next;
    else if (r->dist != next) { become_leader(r); r->dist = 0; r->clock = 0; }
    l->last = r->leader ? 1 : r->dist == 0 || r->dist == psi ? 0 : r->last;
}
// clang-format on

/* How far an agent is from the beginning of the segment where its tokens come from. */
static inline int32_t offset_of(uint32_t psi, uint32_t colour, const struct agent *x)
{
    const uint32_t begin = colour * psi;
    return (int32_t)(x->dist >= begin ? x->dist - begin : x->dist + 2 * psi - begin);
}

/* Can this token be at this agent? It goes to a bit of the next segment, or back to one of its own
 * but the first. */
static inline bool fits(uint32_t psi, uint32_t colour, const struct agent *x, struct token token)
{
    const int32_t goal = offset_of(psi, colour, x) + token.pos;
    const int32_t low = token.pos > 0 ? (int32_t)psi : 1;
    return goal >= low && goal <= low + (int32_t)psi - 1 - (token.pos < 0);
}

static inline struct token next_bit(uint32_t psi, uint32_t bit, uint32_t carry)
{
    return (struct token){.pos = (int32_t)psi, .bit = bit ^ carry, .carry = bit & carry};
}

/* The token has arrived at r. */
static inline void compare(uint32_t psi, uint32_t kmax, uint32_t colour, struct token *token,
                           struct agent *r)
{
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

static inline void move_token(uint32_t psi, uint32_t kmax, uint32_t colour, struct agent *l,
                              struct agent *r)
{
    const struct token none = {0};
    struct token a = token_of(psi, *l, colour), b = token_of(psi, *r, colour);
    if (a.pos == 0 && l->dist == colour * psi && !l->last)
        a = next_bit(psi, l->bit, 1);
    if (a.pos != 0 && !fits(psi, colour, l, a))
        a = none;
    if (b.pos != 0 && !fits(psi, colour, r, b))
        b = none;
    if (a.pos != 0 && b.pos != 0)
        a = none;
    if (a.pos > 0) {
        if (!r->leader && !r->last) {
            b = a;
            if (--b.pos == 0)
                compare(psi, kmax, colour, &b, r);
        }
        a = none;
    } else if (b.pos < 0) {
        a = b;
        b = none;
        if (++a.pos == 0)
            a = next_bit(psi, l->bit, a.carry);
    }
    *token_at(l, colour) = pack_token(psi, a);
    *token_at(r, colour) = pack_token(psi, b);
}

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    const uint32_t psi = world.psi, kmax = world.kmax;
    set_mode(psi, kmax, l, r);
    count_distance(psi, kmax, l, r);
    move_token(psi, kmax, 0, l, r);
    move_token(psi, kmax, 1, l, r);
    eliminate(l, r);
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t psi = params->value[PARAMETER_psi], kmax = params->value[PARAMETER_kmax];
    if (psi < 2 || psi > MAX_PSI)
        return rl_error_set(error, RL_BAD_PARAMETER, "psi = %u is not in 2 .. %u", psi, MAX_PSI);
    if (kmax < 1 || kmax > MAX_KMAX)
        return rl_error_set(error, RL_BAD_PARAMETER, "kmax = %u is not in 1 .. %u", kmax, MAX_KMAX);
    if (params->n >= (uint64_t)psi << psi)
        return rl_error_set(error, RL_UNPROMISED,
                            "n = %u is not below psi 2^psi = %u: the IDs of %u segments could "
                            "close up around the ring",
                            params->n, psi << psi, 1u << psi);
    return RL_OK;
}

#include "protocols/prl_bullets.h"
#include "protocols/ppl_sets.h"
#include "protocols/ppl_starts.h"

#ifndef COPY /* what `ringleader new --like` leaves behind */
#define FIELDS                                                                                     \
    .check = check, LISTED(set, SETS), .target = 0, LISTED(start, STARTS),                         \
    LISTED(obstacle, OBSTACLES), .obstruct = obstruct
#else
#define FIELDS .check = check, LISTED(start, STARTS)
#endif
