/* SPDX-License-Identifier: MIT
 *
 * A step in the paper's proof of Lemma 12 that does not hold as it is written (docs/proof.md tells
 * the others, with commands): that a bullet finds u_j unshielded with probability at least 1/2.
 *
 * P'_RL (prl-dummy), three agents, leaders u_i = u_0 = u_k and u_j = u_1, both shielded. Wait until
 * gamma = seq_R(j, k-1) . seq_L(k-1, j) . e_j has occurred, then until u_i fires, then until its
 * bullet reaches u_j. All moments that can occur are numbered, and the probability is what value
 * iteration tends to.
 */
#include "registry.h"

enum { AGENTS = 3, MOST = 1000, ENDED = -1 };
static const uint32_t GAMMA[] = {1, 2, 2, 1, 1};
enum { GAMMA_LENGTH = sizeof GAMMA / sizeof GAMMA[0] };

struct moment {
    rl_state agents[AGENTS];
    uint32_t occurred; /* arcs of gamma */
    bool fired;        /* u_i, after gamma */
};

/* What one arc leads to: another moment, or the end, with u_1's shield before the interaction and
 * where the test for a kill looks at it, after a dummy shot. */
struct outcome {
    int next;
    bool bare_before, bare_then;
};

static struct moment moments[MOST];
static struct outcome outcomes[MOST][AGENTS];
static int count;

static int number_of(const struct moment *moment)
{
    for (int i = 0; i < count; i++)
        if (memcmp(moments[i].agents, moment->agents, sizeof moment->agents) == 0 &&
            moments[i].occurred == moment->occurred && moments[i].fired == moment->fired)
            return i;
    assert_true(count < MOST);
    moments[count] = *moment;
    return count++;
}

static struct outcome outcome_of(struct rl_ring *ring, struct moment moment, uint32_t arc)
{
    for (uint32_t i = 0; i < AGENTS; i++)
        rl_ring_set(ring, i, moment.agents[i]);
    const bool ready = registry_get(ring, 0, "signal") == 1; /* u_0 fires at its next interaction */
    const bool bare = registry_get(ring, 1, "shield") == 0,
               drops = registry_get(ring, 1, "signal") == 1;
    const bool reaches = arc == 0 && (ready || registry_get(ring, 0, "bullet") > 0);
    moment.fired |= moment.occurred == GAMMA_LENGTH && ready && arc != 1;
    if (reaches && moment.fired)
        return (struct outcome){ENDED, bare, bare || drops};
    moment.occurred += moment.occurred < GAMMA_LENGTH && arc == GAMMA[moment.occurred];
    rl_ring_interact(ring, arc);
    for (uint32_t i = 0; i < AGENTS; i++)
        moment.agents[i] = rl_ring_get(ring, i);
    return (struct outcome){.next = number_of(&moment)};
}

/* The probability that u_1 is bare at the end: before the interaction, or `then`. */
static double probability(bool then)
{
    static double at[MOST];
    memset(at, 0, sizeof at);
    for (int sweep = 0; sweep < 5000; sweep++)
        for (int i = count - 1; i >= 0; i--) {
            double sum = 0;
            for (int arc = 0; arc < AGENTS; arc++) {
                const struct outcome *out = &outcomes[i][arc];
                sum += out->next != ENDED ? at[out->next]
                       : then             ? out->bare_then
                                          : out->bare_before;
            }
            at[i] = sum / AGENTS;
        }
    return at[0];
}

TEST(a_bullet_finds_u_j_unshielded_in_less_than_half_of_the_cases)
{
    FREED(rl_ring) ring = test_ring("prl-dummy", AGENTS, AGENTS);
    struct moment start = {0};
    test_fill(&ring, "0Ls 0Ls 0");
    for (uint32_t i = 0; i < AGENTS; i++)
        start.agents[i] = rl_ring_get(&ring, i);
    number_of(&start);
    for (int i = 0; i < count; i++)
        for (uint32_t arc = 0; arc < AGENTS; arc++)
            outcomes[i][arc] = outcome_of(&ring, moments[i], arc);
    assert_near(probability(false), 1993.0 / 4032, 1e-12);
    assert_near(probability(true), 0.58803973, 1e-8);
}
