/* SPDX-License-Identifier: MIT
 *
 * How agents look and what is said of them: for every protocol, and the words of P_RL.
 */
#include "agree/registry.h"

static void explain_into(char *memory, size_t size, const struct rl_ring *ring, uint32_t arc)
{
    struct rl_text text = rl_text_into(memory, size);
    rl_look_explain(ring, arc, rl_ring_lacks_leader(ring), &text);
    assert_true(text.length < size);
}

static void check_every_pair(struct rl_ring *ring)
{
    const uint64_t states = rl_protocol_states(ring->protocol, &ring->params);
    char words[1024];
    for (uint64_t a = 0; a < states; a++)
        for (uint64_t b = 0; b < states; b++) {
            rl_ring_set(ring, 0, rl_protocol_state(ring->protocol, &ring->params, a));
            rl_ring_set(ring, 1, rl_protocol_state(ring->protocol, &ring->params, b));
            explain_into(words, sizeof words, ring, 0);
            const bool changed = rl_ring_interact(ring, 0);
            if (changed != (words[0] != '\0'))
                fail_msg("states %u and %u: changed %d, said '%s'", (unsigned)a, (unsigned)b,
                         changed, words);
        }
}

TEST(every_event_of_every_small_protocol_is_explained)
{
    const struct rl_protocol *protocol;
    size_t checked = 0;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        FREED(rl_ring) ring;
        if (!registry_ring(protocol, 3, &ring) || rl_protocol_states(protocol, &ring.params) > 1000)
            continue;
        check_every_pair(&ring);
        checked++;
    }
    assert_true(checked >= 2);
}

static void assert_ring_said(struct rl_ring *ring, const char *configuration, uint32_t arc,
                             const char *words)
{
    char said[1024];
    test_fill(ring, configuration);
    explain_into(said, sizeof said, ring, arc);
    assert_string_equal(said, words);
    rl_ring_free(ring);
}

static void assert_told_of(const char *protocol, const char *configuration, uint32_t arc,
                           const char *words)
{
    struct rl_ring ring = test_ring(protocol, 4, strcmp(protocol, "prl") == 0 ? 9 : 3);
    assert_ring_said(&ring, configuration, arc, words);
}

TEST(undirected_rings_are_told_in_words_too)
{
    FREED(rl_ring) ring = test_ring("fj06-undirected", 4, 0);
    char said[1024];
    struct rl_random random = test_random(3, 0, RL_PURPOSE_START);
    assert_int_equal(rl_ring_start(&ring, "zero", &random, NULL), RL_OK);
    explain_into(said, sizeof said, &ring, 0);
    assert_string_equal(said, "u_0 and u_1 met, and counted it\n");
    assert_int_equal(rl_ring_start(&ring, "oriented", &random, NULL), RL_OK);
    for (uint32_t i = 0; i < 4; i++) { /* all leaders, so the oracle is silent and leaders fire */
        const rl_state above = rl_ring_get(&ring, i) & ~(rl_state)7;
        rl_ring_set(&ring, i, above | 1);
    }
    explain_into(said, sizeof said, &ring, 0);
    assert_string_equal(said, "the leader u_1 fired: line 4\n");
}

static void assert_said_undirected(const char *protocol, const char *configuration,
                                   uint32_t orientation, uint32_t arc, const char *words)
{
    struct rl_ring ring = test_ring(protocol, 4, 0);
    ring.params = rl_protocol_usual(ring.protocol, 4);
    ring.params.value[rl_protocol_parameter(ring.protocol, "orientation")] = orientation;
    assert_ring_said(&ring, configuration, arc, words);
}

TEST(colours_and_directions_are_told_too)
{
    assert_said_undirected("fj06-undirected", "~ @f3 - -", 0, 0,
                           "u_0 took colour 1: its two neighbours looked alike\n"
                           "u_0 now has colour 0 ahead and colour 1 behind it\n"
                           "u_1 now has colour 1 ahead and colour 0 behind it\n"
                           "the oracle says that there is no leader: u_0 became one, with a bullet "
                           "and a shield: line 1\n");
    assert_said_undirected("fj06-undirected", "@>2 @@>1<1* - -", 1, 0, "u_0 turned round\n");
    for (uint32_t arc = 0; arc <= 4; arc += 4) /* whichever of the two is the initiator */
        assert_said_undirected("ppl-undirected", "B@>2 @@<1 - -", 1, arc,
                               "u_0.bullet went from B to 0\n"
                               "u_1.dist went from 0 to 1; bullet from 0 to B; hits from 0 to 1; "
                               "black from 0 to 3\n");
}

TEST(the_words_name_the_lines_of_the_paper)
{
    assert_told_of("prl", "0L! 1 2 3", 0,
                   "u_0 fired a live bullet and raised its shield: lines 6-8\n"
                   "a live bullet moved from u_0 to u_1: lines 15-18\n");
    assert_told_of("prl", "0Ls! 1 2 3", 3,
                   "u_0 fired a dummy bullet and lowered its shield: lines 9-11\n"
                   "the leader u_0 sent a bullet-absence signal to u_3: line 19\n");
    assert_told_of("prl", "0 8B 0L 3", 1,
                   "the live bullet of u_1 hit u_2, which had no shield: u_2 is no "
                   "longer a leader: lines 12-14\n");
    assert_told_of("prl", "0 8! 0 3", 1,
                   "u_2 counted to N = 9 and became a leader, with a live bullet and a "
                   "shield: lines 2-5\n");
    assert_told_of("prl", "0 1 7 3", 1, "u_2.dist went from 7 to 2: line 2\n");
}

TEST(the_facts_are_the_paper_s_predicates)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 4);
    static const struct {
        const char *ring;
        uint32_t agent;
        const char *said;
    } cases[] = {
        {"0Ls 1B 3 3", 1, "d_L = 1\nd_R = 3\nsecure\nits live bullet is peaceful and modest\n"},
        {"0Ls 1B 3 3", 2, "d_L = 2\nd_R = 2\nnot secure: it may yet count to N\n"},
        {"0 1 2 3", 1,
         "d_L = infinite: there is no leader\nd_R = infinite: there is no leader\n"
         "not secure: it may yet count to N\n"}};
    for (size_t i = 0; i < 3; i++) {
        char said[1024];
        struct rl_text text = rl_text_into(said, sizeof said);
        test_fill(&ring, cases[i].ring);
        rl_look_describe(&ring, cases[i].agent, &text);
        assert_string_equal(said, cases[i].said);
    }
}

TEST(marks_follow_the_variables)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 4);
    const struct rl_look look = rl_look_of(ring.protocol);
    test_fill(&ring, "0LBs 1bs 2! 3B");
    const uint32_t marks[] = {RL_MARK_LEADER | RL_MARK_SHIELD | RL_MARK_LIVE, RL_MARK_DUMMY,
                              RL_MARK_SIGNAL, RL_MARK_LIVE};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(rl_look_marks(&look, rl_ring_get(&ring, i)), marks[i]);
}

TEST(on_an_undirected_ring_a_bullet_flies_where_it_points)
{
    const struct rl_look look = rl_look_of(rl_protocol_named("prl-undirected"));
    for (int left = 0; left <= 1; left++) {
        int moves = 0;
        for (uint32_t arc = 0; arc < 10; arc++) {
            FREED(rl_ring) ring = test_oriented("prl-undirected", 5, left);
            rl_ring_set(&ring, 2, rl_variable_set(look.bullet, rl_ring_get(&ring, 2), 2));
            const uint32_t marks = rl_look_agent(&look, &ring, 2);
            const uint32_t ahead = marks & RL_MARK_LEFTWARD ? 1 : 3;
            assert_int_equal(marks & ~RL_MARK_SIGNAL, RL_MARK_LIVE | (left ? RL_MARK_LEFTWARD : 0));
            rl_ring_interact(&ring, arc);
            if (!(rl_look_agent(&look, &ring, 2) & RL_MARK_LIVE)) {
                moves++;
                assert_true(rl_look_agent(&look, &ring, ahead) & RL_MARK_LIVE);
            }
        }
        assert_int_equal(moves, 2); /* whichever of the two is the initiator */
    }
}

/* Labels 0 1 0 0 0 with k = 2: barriers to the right of u_2, u_3 and u_4, so bullets fly left. */
TEST(bullets_that_fly_left_and_barriers_have_their_marks)
{
    const struct rl_look look = rl_look_of(rl_protocol_named("aaf08"));
    FREED(rl_ring) ring = test_ring("aaf08", 5, 2);
    const uint32_t expected[] = {0, RL_MARK_LIVE, RL_MARK_BARRIER, RL_MARK_BARRIER | RL_MARK_SIGNAL,
                                 RL_MARK_BARRIER};
    const uint8_t none = 1, several = 4; /* leaders, barriers */
    uint8_t flags[5];
    assert_int_equal(rl_ring_parse(&ring, "0 1B 0 0p 0", 11, NULL), RL_OK);
    ring.protocol->obstruct(&ring, flags);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(rl_look_agent(&look, &ring, i), expected[i] | RL_MARK_LEFTWARD);
        assert_int_equal(flags[i], expected[i] & RL_MARK_BARRIER ? none | several : none);
    }
}

TEST(other_protocols_name_the_lines_of_their_listings)
{
    assert_told_of("fj06", "- - - -", 0,
                   "the oracle says that there is no leader: u_1 became one, with a bullet and a "
                   "shield: line 1\n");
    assert_told_of("fj06", "B Ls - -", 0,
                   "a shield moved from u_1 to u_0 and absorbed the bullet there, and the leader "
                   "u_1 fired: line 2\n");
    assert_told_of("fj06", "B L - -", 0,
                   "the bullet of u_0 hit u_1, who is no longer a leader: line 3\n");
    assert_told_of("prl-oracle", "- - - -", 0,
                   "the oracle says that there is no leader: u_1 became one, with a live bullet "
                   "and a shield: line 4\n"
                   "the leader u_1 sent a bullet-absence signal to u_0: line 19\n");
    assert_told_of("aaf08", "0p 0 1 2", 0,
                   "a probe reached the barrier without meeting a leader: u_0 became one: line 3\n"
                   "the barrier between u_0 and u_1 sent out a probe: line 4\n");
    assert_told_of("aaf08", "0p 1L 2 0", 0,
                   "the leader u_1 fired a bullet to u_0: line 8\n"
                   "the leader u_1 absorbed the probe of u_0: line 8\n");
    /* Those without a listing tell what changes. */
    assert_told_of("fences", "0wB 1L 0 0", 0,
                   "u_1 is no longer a leader\nu_0.bullet went from B to 0\n"
                   "u_1.leader went from L to 0\n");
    assert_told_of("fences", "1r |1w 0 0", 0,
                   "u_0 became a leader\n"
                   "u_0.leader went from 0 to L; slot from r to 0; shield from 0 to s\n"
                   "u_1.fence went from | to 0; slot from w to S; bullet from 0 to B\n");
}

/* A small ring from some start; a half of them some steps later, a third with little left of it. */
static bool fill_somehow(struct rl_ring *ring, uint32_t number)
{
    const struct rl_protocol *protocol = ring->protocol;
    struct rl_random random = test_random(number, 0, RL_PURPOSE_START);
    const size_t start = rl_random_below(&random, (uint32_t)protocol->start_count + 1);
    if (!registry_params(protocol, 3 + rl_random_below(&random, 6), 0, &ring->params) ||
        rl_ring_start(ring, registry_start(protocol, start), &random, NULL))
        return false;
    for (uint32_t steps = number % 2 ? number % 100 : 0; steps > 0; steps--)
        rl_ring_interact(ring, rl_random_below(&random, rl_ring_arcs(ring)));
    for (uint32_t i = 0; i < ring->params.n && number % 3 == 0; i++)
        if (rl_random_below(&random, 4))
            rl_ring_set(ring, i, rl_protocol_state(protocol, &ring->params, 0));
    return true;
}

static bool is_obstructed(const struct rl_ring *ring, const uint8_t *flags, size_t set)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        for (size_t k = 0; k < ring->protocol->obstacle_count; k++)
            if ((flags[i] >> k & 1) && ring->protocol->obstacles[k].set <= set)
                return true;
    return false;
}

TEST(a_ring_is_in_a_set_if_and_only_if_nothing_obstructs_it)
{
    const struct rl_protocol *protocol;
    size_t protocols = 0;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        uint32_t words[32] = {0}, met[2] = {0};
        struct rl_ring ring = {.protocol = protocol, .agents = words};
        if (!protocol->obstruct)
            continue;
        protocols++;
        for (uint32_t number = 0; met[0] + met[1] < 4000; number++) {
            uint8_t flags[16];
            if (!fill_somehow(&ring, number))
                continue;
            protocol->obstruct(&ring, flags);
            for (size_t set = 0; set < protocol->set_count; set++)
                if (protocol->sets[set].contains(&ring) == is_obstructed(&ring, flags, set))
                    fail_msg("%s, %s: %s", protocol->name, protocol->sets[set].name,
                             test_text(&ring));
            met[protocol->sets[protocol->target].contains(&ring)]++;
        }
        if (met[0] < 100 || met[1] < 100)
            fail_msg("%s: %u outside of its target, %u inside", protocol->name, met[0], met[1]);
    }
    assert_true(protocols >= 6);
}

/* psi = 3: the IDs of the first two segments are equal. */
TEST(an_obstacle_is_where_it_is_and_has_its_name)
{
    FREED(rl_ring) ring = test_ring("ppl", 8, 3);
    uint8_t flags[8];
    test_fill(&ring, "0Ls 1 2 3 4 5 0| 1|");
    ring.protocol->obstruct(&ring, flags);
    assert_string_equal(ring.protocol->obstacles[3].name, "wrong bit");
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(flags[i], i == 3 ? 1 << 3 : 0);
}

TEST(any_agent_of_any_protocol_can_be_crowned_and_deposed)
{
    const struct rl_protocol *protocol;
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        struct rl_params params;
        if (!registry_params(protocol, 5, 0, &params))
            continue;
        for (int k = 0; k < 100; k++) {
            const rl_state any = rl_protocol_random_state(protocol, &params, &random);
            assert_true(protocol->leads(rl_look_crowned(protocol, &params, any, true)));
            assert_false(protocol->leads(rl_look_crowned(protocol, &params, any, false)));
        }
    }
}
