/* SPDX-License-Identifier: MIT
 *
 * P_RL: time-optimal self-stabilizing leader election on directed rings.
 *
 * Yokota, Sudo, Masuzawa, "Time-Optimal Self-Stabilizing Leader Election on Rings in Population
 * Protocols" (2020), Algorithm 1, line for line. Every agent knows a bound N >= n; from any
 * configuration one leader remains after O(nN) expected steps; 24(N+1) states.
 *
 * Leaders shoot to the right. A leader that has learnt, by a bullet-absence signal from its right,
 * that its last bullet is gone fires again at its next interaction: live and shielded if that is
 * with its right neighbour, dummy and unshielded if with its left one. So the scheduler tosses the
 * coin, and a leader that has fired live cannot be killed before another shielded leader exists.
 * `dist` counts the distance to the nearest leader on the left; a follower that counts to N becomes
 * a leader.
 *
 * The rules are in two separate files, because others include them too: protocols that create
 * leaders in another way include prl_elimination.h (lines 6-19), and a device includes both
 * (src/device/prl.h).
 */
#ifndef NAME
#define NAME  "prl"
#define TITLE "P_RL, Algorithm 1 of the paper"
#define CLAIM "O(nN)"
#endif
#define SOURCE                                                                                     \
    "D. Yokota, Y. Sudo, T. Masuzawa: Time-Optimal Self-Stabilizing Leader Election on Rings in "  \
    "Population Protocols, 2020"
#define PROVENANCE "as printed"
#define ASSUMPTION "a bound N >= n is known"
#define STATES     "24(N+1)"

/* With N < 2^27 dist needs 27 bits, and the other variables fill the word of 32 exactly. */
#define MAX_N ((UINT32_C(1) << 27) - 1)

#define PARAMETERS(P) P(N, n, "the bound on n that every agent knows")
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    NUMBER(dist, N + 1, MAX_N + 1, "")                                                             \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "b", "B") /* none, dummy, live */                                          \
    SYMBOLS(shield, "", "s")      /* ignored in followers */                                       \
    SYMBOLS(signal, "", "!")      /* a bullet-absence signal */
#define PACKED(P) P(leader) P(bullet) P(shield) P(signal) P(dist)
#include "ringleader/agent.h"

/* Algorithm 1, line for line: creation (lines 1-5), then elimination (lines 6-19). */
#include "protocols/prl_creation.h"
#include "protocols/prl_elimination.h"

#ifndef COPY /* what `ringleader new --like` leaves behind */
/* Lines 6-19 for two followers. Nobody can foretell whether l has a bullet; so the lines are
 * followed as if it had one and as if it had none, and one outcome is taken, without a branch. */
static inline void eliminate_no_leader(struct agent *l, struct agent *r)
{
    enum { SOME = 4 }; /* no bullet has this bit; it tells the compiler that there is one */
    const uint32_t some = 0 - (uint32_t)(l->bullet > 0);
    struct agent l_some = *l, r_some = *r;
    l_some.bullet |= SOME;
    eliminate(&l_some, &r_some);
    l->bullet = 0;
    eliminate(l, r);
    l->bullet = (l_some.bullet & some & ~(uint32_t)SOME) | (l->bullet & ~some);
    l->signal = (l_some.signal & some) | (l->signal & ~some);
    r->bullet = (r_some.bullet & some & ~(uint32_t)SOME) | (r->bullet & ~some);
    r->signal = (r_some.signal & some) | (r->signal & ~some);
}
#endif

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    create(world.N, l, r);
#ifndef COPY
    if (l->leader == 0 && r->leader == 0) {
        eliminate_no_leader(l, r);
        return;
    }
#endif
    eliminate(l, r);
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

#ifndef COPY
static __attribute__((noinline)) bool would_change(const struct rl_params *params, rl_state l,
                                                   rl_state r)
{
    rl_state l_after = l, r_after = r;
    interact(params, false, &l_after, &r_after);
    return l != l_after || r != r_after;
}

/* Would this interaction change a state? The same answer as doing it (a test compares all pairs of
 * states), but cheap for two followers, the commonest case: a bullet at l always moves or
 * disappears, and otherwise only dist and signals can change. Without branches: which of them it
 * is cannot be foretold. */
static inline bool is_active(const struct rl_params *params, bool no_leader, rl_state l, rl_state r)
{
    (void)no_leader;
    const struct agent a = unpack(l), b = unpack(r);
    if (a.leader | b.leader)
        return would_change(params, l, r);
    return ((a.bullet | (b.signal & ~a.signal)) > 0) | (b.dist == params->value[PARAMETER_N]) |
           ((b.bullet == 0) & (b.dist != a.dist + 1));
}
#endif

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t N = params->value[PARAMETER_N];
    if (N > MAX_N)
        return rl_error_set(error, RL_BAD_PARAMETER, "N = %u is above 2^27 - 1 = %u, the largest",
                            N, MAX_N);
    if (N < params->n)
        return rl_error_set(error, N > 0 ? RL_UNPROMISED : RL_BAD_PARAMETER,
                            "N = %u is below n = %u; the protocol needs 2 <= n <= N", N, params->n);
    return RL_OK;
}

#include "protocols/prl_sets.h"
#include "protocols/prl_starts.h"

#ifndef COPY
#include "protocols/prl_words.h"
#include "protocols/prl_lemmas.h"

#define FIELDS                                                                                     \
    .is_active = is_active, .check = check, LISTED(set, SETS), .target = S_RL,                     \
    .set_sees = SET_SEES, LISTED(start, STARTS), LISTED(lemma, LEMMAS), LISTED(claim, CLAIMS),     \
    .explain = explain, .describe = describe, LISTED(obstacle, OBSTACLES), .obstruct = obstruct
#else
#define FIELDS .check = check, LISTED(start, STARTS)
#endif
