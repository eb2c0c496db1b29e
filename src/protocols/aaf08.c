/* SPDX-License-Identifier: MIT
 *
 * AAF08: leader election on directed rings whose size is not a multiple of a given k.
 *
 * Angluin, Aspnes, Fischer, Jiang, "Self-stabilizing Population Protocols", ACM TAAS 3(4), 2008. As
 * restated for k = 2; for other k its natural extension. 16k states; Theta(n^3) expected steps.
 *
 * Labels count 0 .. k-1 round the ring. A barrier stands between l and r where r.label is not
 * l.label + 1 mod k; since k does not divide n there is always one. A barrier sends out a probe and
 * then advances to the right; a probe that comes round to a barrier has met no leader, and the
 * agent there becomes one. Leaders shoot to the left; barriers absorb bullets, so a single leader
 * cannot shoot itself. With n = 2 it fails for k = 3, 4, 5; so n >= 3. It needs each of the five
 * clauses in tests/mutants/aaf08.txt.
 */
#define NAME  "aaf08"
#define TITLE "leader election on rings whose size is not a multiple of k"
#define SOURCE                                                                                     \
    "D. Angluin, J. Aspnes, M. Fischer, H. Jiang: Self-stabilizing Population Protocols, ACM "     \
    "TAAS 3(4), 2008"
#define PROVENANCE "as restated for k = 2, natural extension for other k"
#define ASSUMPTION "n not a multiple of k, n >= 3"
#define CLAIM      "Theta(n^3)"
#define STATES     "16k"

#define MAX_K (1 << 16)
#define BULLETS_FLY_LEFT

#define PARAMETERS(P)                                                                              \
    P(k, smallest_non_divisor(n), "a number >= 2 that does not divide n (default: the smallest)")
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    NUMBER(label, k, MAX_K, "")                                                                    \
    SYMBOLS(phase, "", "'") /* of the barrier on the right: it has yet to send a probe, it has */  \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "B")                                                                       \
    SYMBOLS(probe, "", "p")
#define PACKED(P) P(leader) P(bullet) P(probe) P(phase) P(label)
#include "ringleader/agent.h"

static uint32_t smallest_non_divisor(uint32_t n)
{
    uint32_t k = 2;
    while (n % k == 0)
        k++;
    return k;
}

static inline uint32_t next_label(uint32_t k, uint32_t label)
{
    return label + 1 >= k ? 0 : label + 1;
}

// clang-format off
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    const uint32_t good = next_label(world.k, l->label);
    if (r->label != good) { /* a barrier */
        if (l->probe) { l->leader = 1; l->probe = 0; }
        if (l->phase == 0) {
            l->phase = 1;
            if (!r->leader) r->probe = 1;
        } else if (!r->probe) {
            r->label = good; r->bullet = 0; r->phase = 0;
        }
    } else if (r->leader) {
        if (r->bullet) r->leader = 0;
        else { l->bullet = 1; l->probe = 0; }
    } else {
        if (r->bullet) { r->bullet = 0; l->bullet = 1; }
        if (l->probe) { l->probe = 0; r->probe = 1; }
    }
}
// clang-format on

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

#ifndef COPY /* what `ringleader new --like` leaves behind */
/* Whether the interaction would change a state, without branches: which of its cases an arc is in
 * cannot be foretold, and the list of active arcs asks three times an event. */
static inline bool is_active(const struct rl_params *params, bool no_leader, rl_state l_word,
                             rl_state r_word)
{
    (void)no_leader;
    const struct agent l = unpack(l_word), r = unpack(r_word);
    const uint32_t barrier = r.label != next_label(params->value[PARAMETER_k], l.label);
    const uint32_t at_barrier = l.probe | (l.phase ^ 1) | (r.probe ^ 1);
    const uint32_t elsewhere = r.bullet | l.probe | (r.leader & (l.bullet ^ 1));
    return (barrier & at_barrier) | ((barrier ^ 1) & elsewhere);
}
#endif

/* ---- the target ---- */

#include "protocols/obstacles.h"

enum { NOT_ONE_BARRIER = OTHERS, LOOSE_BULLET = 2 * OTHERS, LOOSE_PROBE = 4 * OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES(0),
    {"barrier too many", "there is a barrier to its right, and it is not the only one", 0},
    {"loose bullet",
     "between the leader and the barrier to its right, which will not absorb it: it may kill the "
     "leader",
     0},
    {"loose probe",
     "between the leader and the barrier to its right: it may reach that barrier and make another "
     "leader",
     0},
};

/* Between u_i and its right neighbour. */
static bool has_barrier(const struct rl_ring *ring, uint32_t i)
{
    const uint32_t good = next_label(ring->params.value[PARAMETER_k], agent_at(ring, i).label);
    return agent_at(ring, rl_ring_right(ring, i)).label != good;
}

/* One leader p, exactly one barrier (u, v), and for every q from p clockwise to u:
 * (bullet_q = 0 or v = p) and (probe_q = 0 or u = p). */
static bool is_cleared(const struct rl_ring *ring, uint8_t *flags)
{
    const uint32_t n = ring->params.n;
    bool cleared = flag_leaders(ring, flags);
    uint32_t barriers = 0, u = 0;
    for (uint32_t i = 0; i < n && (cleared || flags); i++)
        if (has_barrier(ring, i)) {
            barriers++;
            u = i;
        }
    for (uint32_t i = 0; i < n && flags && barriers != 1; i++)
        if (barriers == 0 || has_barrier(ring, i))
            flag(flags, i, NOT_ONE_BARRIER);
    if (!cleared || barriers != 1)
        return false;
    const uint32_t p = rl_ring_first_leader(ring), v = rl_ring_right(ring, u);
    for (uint32_t q = p;; q = rl_ring_right(ring, q)) {
        const struct agent agent = agent_at(ring, q);
        if (agent.bullet && v != p)
            cleared = flag(flags, q, LOOSE_BULLET);
        if (agent.probe && u != p)
            cleared = flag(flags, q, LOOSE_PROBE);
        if (q == u)
            return cleared;
    }
}

TARGET(cleared)

static const struct rl_set SETS[] = {
    {"cleared", "one leader, one barrier, and nothing between them that can do harm",
     cleared_contains, NULL},
};

#define GAUGES "barriers", "bullets", "probes"

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    values_out[0] = values_out[1] = values_out[2] = 0;
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const struct agent u = agent_at(ring, i);
        values_out[0] += has_barrier(ring, i);
        values_out[1] += u.bullet;
        values_out[2] += u.probe;
    }
}

/* ---- starts ---- */

/* Labels that count from u_0, so that the only barrier is on its left. */
static void fill_counting(struct rl_ring *ring, uint32_t leaders_apart)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        set_agent(ring, i,
                  (struct agent){.label = i % ring->params.value[PARAMETER_k],
                                 .leader = leaders_apart && i % leaders_apart == 0 &&
                                           i + leaders_apart <= ring->params.n});
}

START(leaderless)
{
    fill_counting(ring, 0);
    return RL_OK;
}

START(opposite)
{
    fill_counting(ring, ring->params.n / 2);
    return RL_OK;
}

START(leaders)
{
    fill_counting(ring, 1);
    return RL_OK;
}

/* Three leaders a third of the ring apart, each with a barrier on its left. Barriers all move right
 * at the same pace, so it takes of the order of n^2 moves until two of them meet. */
START(barriers)
{
    const uint32_t n = ring->params.n, k = ring->params.value[PARAMETER_k];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t third = i < n / 3 ? 0 : i < 2 * (n / 3) ? 1 : 2;
        const uint32_t skipped = third == 1; /* one label at n/3, k - 1 at 2n/3 */
        set_agent(ring, i,
                  (struct agent){.label = (i % k + skipped) % k, .leader = i == third * (n / 3)});
    }
    return RL_OK;
}

/* A random leader p and a random barrier (u, v); all that the target leaves free is uniform. */
START(safe)
{
    const uint32_t n = ring->params.n, k = ring->params.value[PARAMETER_k];
    const uint32_t p = rl_random_below(random, n), to_u = rl_random_below(random, n);
    uint32_t label = rl_random_below(random, k);
    for (uint32_t d = 0; d < n; d++) { /* d: distance from v = p + to_u + 1, to the right */
        const uint32_t from_p = (to_u + 1 + d) % n;
        const bool between = from_p <= to_u;
        struct agent a = {.label = label, .leader = from_p == 0};
        a.phase = rl_random_below(random, 2);
        a.bullet = between && to_u != n - 1 ? 0 : rl_random_below(random, 2);
        a.probe = between && to_u != 0 ? 0 : rl_random_below(random, 2);
        set_agent(ring, (p + from_p) % n, a);
        label = next_label(k, label);
    }
    return RL_OK;
}

static const struct rl_start STARTS[] = {
    {"leaderless", "no leader, one barrier", start_leaderless},
    {"opposite", "two leaders n/2 apart, one barrier", start_opposite},
    {"leaders", "every agent a leader, one barrier", start_leaders},
    {"barriers", "three leaders n/3 apart, a barrier on the left of each; hard", start_barriers},
    {"safe", "a random member of the target", start_safe},
};

/* ---- the declaration ---- */

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t k = params->value[PARAMETER_k];
    if (k < 2 || k > MAX_K)
        return rl_error_set(error, RL_BAD_PARAMETER, "k = %u is not in 2 .. 2^16", k);
    return RL_OK;
}

#define PROMISE                                                                                    \
    .least = 3, .below = "with two agents it does not stabilize", .by = PARAMETER_k + 1,           \
    .other = true,                                                                                 \
    .without = "labels could close up around the ring, and no barrier would be left to notice "    \
               "that there is no leader"

#define BARE_FIELDS                                                                                \
    .check = check, LISTED(set, SETS), .target = 0, LISTED(start, STARTS),                         \
    .has_barrier = has_barrier, LISTED(obstacle, OBSTACLES), .obstruct = obstruct
#ifndef COPY
/* In words, with the lines of the listing in docs/protocols/aaf08.md. */

/* Lines 3-5: a barrier stands between l and r. */
static void explain_barrier(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                            struct rl_text *text)
{
    if (l.probe)
        rl_text_format(text,
                       l.leader
                           ? "the leader u_%u absorbed the probe that reached it: line 3\n"
                           : "a probe reached the barrier without meeting a leader: u_%u became "
                             "one: line 3\n",
                       l_index);
    if (l.phase == 0)
        rl_text_format(text, "the barrier between u_%u and u_%u %s: line 4\n", l_index, r_index,
                       r.leader ? "may advance now" : "sent out a probe");
    else if (!r.probe)
        rl_text_format(text, "the barrier to the left of u_%u moved to its right%s: line 5\n",
                       r_index, r.bullet ? " and absorbed the bullet there" : "");
}

static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    (void)no_leader;
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const struct agent l = agent_at(ring, l_index), r = agent_at(ring, r_index);
    if (has_barrier(ring, l_index))
        explain_barrier(l, r, l_index, r_index, text);
    else if (r.leader && r.bullet)
        rl_text_format(text, "a bullet hit u_%u, who is no longer a leader: line 7\n", r_index);
    else if (r.leader) {
        if (!l.bullet)
            rl_text_format(text, "the leader u_%u fired a bullet to u_%u: line 8\n", r_index,
                           l_index);
        if (l.probe)
            rl_text_format(text, "the leader u_%u absorbed the probe of u_%u: line 8\n", r_index,
                           l_index);
    } else {
        if (r.bullet)
            rl_text_format(text, "a bullet moved from u_%u to u_%u: line 10\n", r_index, l_index);
        if (l.probe)
            rl_text_format(text, "a probe moved from u_%u to u_%u: line 11\n", l_index, r_index);
    }
}

#define FIELDS BARE_FIELDS, .is_active = is_active, .explain = explain
#else
#define FIELDS BARE_FIELDS
#endif
