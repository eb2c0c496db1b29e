/* SPDX-License-Identifier: MIT
 *
 * The sets C_PB, C_NI and S_RL and the gauges of P_RL. (Every configuration of n <= 3 is in
 * agree/test_prl_brute.c.)
 */
#include "test.h"

static void is_in(const char *text, uint32_t n, uint32_t N, bool c_pb, bool c_ni, bool s_rl)
{
    FREED(rl_ring) ring = test_ring("prl", n, N);
    test_fill(&ring, text);
    const bool expected[3] = {c_pb, c_ni, s_rl};
    for (size_t i = 0; i < 3; i++) {
        const struct rl_set *set = &ring.protocol->sets[i];
        if (set->contains(&ring) != expected[i])
            fail_msg("'%s' (N = %u) %s %s, says the fast form", text, N,
                     expected[i] ? "is not in" : "is in", set->name);
        if (set->by_definition(&ring) != expected[i])
            fail_msg("'%s' (N = %u) %s %s, says the definition", text, N,
                     expected[i] ? "is not in" : "is in", set->name);
    }
}

TEST(without_a_leader_a_ring_is_in_no_set)
{
    is_in("0 0 0 0", 4, 4, false, false, false);
    is_in("0B 0s 0 0", 4, 4, false, false, false);
}

TEST(a_live_bullet_is_peaceful_behind_a_shield_and_without_signals)
{
    is_in("0Ls 1B 0 0", 4, 4, true, true, true);
    is_in("0L 1B 0 0", 4, 4, false, false, false);   /* no shield */
    is_in("0Ls 1B! 0 0", 4, 4, false, false, false); /* a signal at the bullet */
    is_in("0Ls! 1B 0 0", 4, 4, false, false, false); /* at the leader */
    is_in("0Ls 1! 2B 0", 4, 4, false, false, false); /* between them */
    is_in("0Ls 1B 0! 0!", 4, 4, true, true, true);   /* beyond it: no matter */
    is_in("0L! 1b 0! 0!", 4, 4, true, true, true);   /* a dummy bullet needs nothing */
    is_in("0Ls 0 0L 1B", 4, 4, false, false, false); /* the nearest left leader counts */
    is_in("0L 0 0Ls 1B", 4, 4, true, true, false);
    is_in("0B 1 0 0Ls", 4, 4, true, true, true); /* across the seam of the ring */
    is_in("0LBs 0 0 0", 4, 4, true, true, true); /* at the leader itself */
    is_in("0LB 0 0 0", 4, 4, false, false, false);
}

TEST(a_live_bullet_is_modest_if_no_distance_behind_it_is_too_large)
{
    is_in("0Ls 1 2B 0", 4, 9, true, true, true);
    is_in("0Ls 1 0B 0", 4, 9, true, true, true);
    is_in("0Ls 1 3B 0", 4, 9, true, false, false); /* at the bullet */
    is_in("0Ls 2 2B 0", 4, 9, true, false, false); /* behind it */
    is_in("0Ls 2 2 0", 4, 9, true, true, true);    /* without a live bullet: no matter */
    is_in("0Ls 1 2B 9", 4, 9, true, false, false); /* beyond it only security matters */
    is_in("0Ls 1 2B 8", 4, 9, true, true, true);
}

TEST(an_agent_is_secure_if_it_cannot_count_to_N_before_the_next_leader)
{
    is_in("0L 1 2 3", 4, 4, true, true, true); /* d_R = 3, 2, 1 */
    is_in("0L 2 2 3", 4, 4, true, false, false);
    is_in("0L 1 3 3", 4, 4, true, false, false);
    is_in("0L 1 2 4", 4, 4, true, false, false);
    is_in("1L 1 2 3", 4, 4, true, false, false); /* a leader's dist must be 0 */
    is_in("0L 3 0L 3", 4, 4, true, true, false); /* d_R = 1 and 1 */
    is_in("0L 4 0L 3", 4, 4, true, false, false);
    is_in("0L 3 0L 4", 4, 4, true, false, false); /* the gap across the seam */
    is_in("4 0L 1 2", 4, 4, true, false, false);
    is_in("3 0L 1 2", 4, 4, true, true, true);
}

TEST(one_leader_more_than_one_is_not_in_S_RL)
{
    is_in("0L 0L 0L 0L", 4, 4, true, true, false);
    is_in("0L 0 0 0L", 4, 4, true, true, false);
    is_in("0L 0 0 0", 4, 4, true, true, true);
}

/* Random states in which every answer is common: few leaders, small distances, few signals. */
static void draw_ring(struct rl_ring *ring, struct rl_random *random)
{
    static const char *const bullets[] = {"", "", "b", "B"};
    const uint32_t n = ring->params.n, N = ring->params.value[0];
    const uint32_t leaders = rl_random_below(random, 4), calm = 1 + rl_random_below(random, 3 * n);
    char text[4096];
    size_t used = 0;
    uint32_t from_leader = rl_random_below(random, n);
    for (uint32_t i = 0; i < n; i++, from_leader++) {
        const bool leads = rl_random_below(random, n) < leaders;
        from_leader = leads ? 0 : from_leader;
        const bool wild = rl_random_below(random, calm) == 0;
        const uint32_t most = wild || from_leader > N ? N : from_leader;
        const uint32_t dist = leads && !wild ? 0 : rl_random_below(random, most + 1);
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%u%s%s%s%s ", dist, leads ? "L" : "",
            rl_random_below(random, 3) ? "" : bullets[rl_random_below(random, 4)],
            rl_random_below(random, 4) ? "s" : "", rl_random_below(random, 2 * calm) ? "" : "!");
    }
    test_fill(ring, text);
}

/* Larger rings than can be enumerated. Each answer must occur, or the test says nothing. */
TEST(both_forms_of_every_set_agree_on_random_rings)
{
    struct rl_random random = test_random(21, 0, RL_PURPOSE_START);
    uint64_t members[3] = {0}, others[3] = {0};
    for (int t = 0; t < 60000; t++) {
        const uint32_t n = 4 + rl_random_below(&random, 40);
        FREED(rl_ring) ring = test_ring("prl", n, n + rl_random_below(&random, n + 1));
        draw_ring(&ring, &random);
        for (size_t i = 0; i < 3; i++) {
            const bool fast = ring.protocol->sets[i].contains(&ring);
            if (fast != ring.protocol->sets[i].by_definition(&ring))
                fail_msg("%s: '%s', N = %u", ring.protocol->sets[i].name, test_text(&ring),
                         ring.params.value[0]);
            fast ? members[i]++ : others[i]++;
        }
    }
    for (int i = 0; i < 3; i++)
        if (members[i] < 1000 || others[i] < 1000)
            fail_msg("set %d: %llu rings in it, %llu not", i, (unsigned long long)members[i],
                     (unsigned long long)others[i]);
}

static void gauges_show(const char *text, uint32_t n, uint32_t N, const uint64_t *expected)
{
    FREED(rl_ring) ring = test_ring("prl", n, N);
    uint64_t values[RL_MAX_GAUGES];
    test_fill(&ring, text);
    ring.protocol->measure(&ring, values);
    for (size_t i = 0; i < ring.protocol->gauge_count; i++)
        if (values[i] != expected[i])
            fail_msg("%s of '%s' is %llu, not %llu", ring.protocol->gauges[i], text,
                     (unsigned long long)values[i], (unsigned long long)expected[i]);
}

TEST(gauges_show_bullets_signals_insecure_agents_and_the_largest_distance)
{
    gauges_show("0LBs 1b! 2b 3!", 4, 4, (const uint64_t[]){1, 2, 2, 0, 3});
    gauges_show("0 0 0 0", 4, 4, (const uint64_t[]){0, 0, 0, 4, 0}); /* leaderless: all insecure */
    gauges_show("1L 2B 4 0L", 4, 4, (const uint64_t[]){1, 0, 0, 2, 4}); /* u_0, u_2 */
    gauges_show("4 0L 1 2", 4, 4, (const uint64_t[]){0, 0, 0, 1, 4});
}
