/* SPDX-License-Identifier: MIT
 *
 * fences against a second reading of its specification, written apart from the first: transitions
 * on named pieces instead of packed words, and a plain search of what is reachable.
 *
 * The second reading leaves out elimination and has patience 1, so a configuration is one agent's
 * letter, fence and slot after the other. That loses nothing: detection does not look at bullets,
 * and a Restart after K meetings is, for K = 1, the same arc once.
 */
#include "found.h"
#include "registry.h"

/* ---- the second reading ---- */

struct piece {
    char kind; /* ' ' empty, W, S, * joker, p plain, l last, r ready, w wait, g go */
    int letter;
};

struct agent {
    int leader, label, fence;
    struct piece slot;
};

static const struct piece NOTHING = {' ', 0};

static int among(struct piece slot, const char *kinds)
{
    return strchr(kinds, slot.kind) != NULL;
}

static void put(struct agent *u, char kind)
{
    u->slot = (struct piece){kind, 0};
}

static void begin_again(struct agent *l, struct agent *r)
{
    l->fence = 1;
    put(l, 'r');
    if (r->leader)
        return;
    r->fence = 0;
    put(r, 'W');
}

static void send_on(struct agent *l, struct agent *r)
{
    struct piece m = l->slot;
    struct piece after = NOTHING;
    if (l->slot.kind == 'r') {
        m = (struct piece){r->fence ? 'l' : 'p', l->label};
        after.kind = 'w';
    } else if (r->fence && m.kind == 'l')
        m.kind = 'p';
    if (among(r->slot, " ")) {
        r->slot = m;
        l->slot = after;
        return;
    }
    const int fits = m.kind == '*' || m.letter == r->label;
    if (among(r->slot, "w") && fits && m.kind == 'l') {
        *l = (struct agent){1, l->label, 0, NOTHING};
        r->fence = 0;
        put(r, 'S');
    } else if (among(r->slot, "w") && fits) {
        put(r, 'g');
        l->slot = after;
    } else if (!among(r->slot, "WS")) {
        if (m.kind == '*')
            l->slot = NOTHING;
        else
            begin_again(l, r);
    }
}

static void meet(struct agent *l, struct agent *r)
{
    if (among(r->slot, "S"))
        r->label = (r->label + 1) % 3;
    if (among(l->slot, "S")) {
        if (!among(r->slot, "W*r")) {
            put(r, 'S');
            r->fence = 0;
        }
        l->slot = NOTHING;
    } else if (l->leader) {
        if (!r->leader && among(r->slot, " "))
            put(r, '*');
        else if (!r->leader && among(r->slot, "w"))
            put(r, 'g');
    } else if (among(l->slot, " "))
        begin_again(l, r);
    else if (r->leader)
        put(l, among(l->slot, "rw") ? 'w' : ' ');
    else if (among(l->slot, "W")) {
        if (!r->fence || !among(r->slot, "rw")) {
            r->fence = 0;
            put(r, 'W');
        }
        l->slot = NOTHING;
    } else if (among(l->slot, "w")) {
        if (among(r->slot, "rwg"))
            begin_again(l, r);
    } else if (among(l->slot, "g")) {
        if (among(r->slot, " ") && !r->fence) {
            l->slot = NOTHING;
            put(r, 'r');
        } else if (!among(r->slot, "WS"))
            begin_again(l, r);
    } else
        send_on(l, r);
}

/* ---- to and fro ---- */

static const char *const PIECES[] = {" ",  "S",  "W",  "*", "p0", "p1", "p2",
                                     "l0", "l1", "l2", "r", "w",  "g"};
enum { PIECE_COUNT = 13 };

static struct piece piece(uint32_t slot)
{
    return (struct piece){PIECES[slot][0], PIECES[slot][1] ? PIECES[slot][1] - '0' : 0};
}

static uint32_t variable(const char *name, rl_state word)
{
    return rl_variable_get(registry_variable(rl_protocol_named("fences"), name), word);
}

static struct agent agent_of(rl_state word)
{
    return (struct agent){(int)variable("leader", word), (int)variable("label", word),
                          (int)variable("fence", word), piece(variable("slot", word))};
}

static int same_piece(struct piece a, struct piece b)
{
    return a.kind == b.kind && a.letter == b.letter;
}

static int same(struct agent a, struct agent b)
{
    return a.leader == b.leader && a.label == b.label && a.fence == b.fence &&
           same_piece(a.slot, b.slot);
}

TEST(both_readings_agree_on_every_pair_of_states)
{
    const struct rl_protocol *fences = rl_protocol_named("fences");
    const struct rl_params params = {.n = 2, .value = {1}};
    const uint64_t states = rl_protocol_states(fences, &params);
    struct agent *agents = calloc(states, sizeof *agents);
    for (uint64_t i = 0; i < states; i++)
        agents[i] = agent_of(rl_protocol_state(fences, &params, i));
    for (uint64_t i = 0; i < states; i++)
        for (uint64_t j = 0; j < states; j++) {
            rl_state l = rl_protocol_state(fences, &params, i);
            rl_state r = rl_protocol_state(fences, &params, j);
            const bool kills = variable("bullet", l) == 2 || variable("signal", l) == 1 ||
                               variable("signal", r) == 1;
            struct agent l2 = agents[i], r2 = agents[j];
            if (r2.leader && kills)
                continue; /* elimination may follow */
            fences->interact(&params, false, &l, &r);
            meet(&l2, &r2);
            if (!same(agents[rl_protocol_index(fences, &params, l)], l2) ||
                !same(agents[rl_protocol_index(fences, &params, r)], r2))
                fail_msg("the readings differ on states %u and %u", (unsigned)i, (unsigned)j);
        }
    free(agents);
}

/* ---- plain search ---- */

/* A configuration as a number: 78 followers and 3 leaders (with an empty slot) an agent. */
enum { KINDS = 81, MOST_AGENTS = 8 };

static int slot_number(struct piece slot)
{
    int i = 0;
    while (!same_piece(piece((uint32_t)i), slot))
        i++;
    return i;
}

static uint64_t number(const struct agent *u, int n)
{
    uint64_t result = 0;
    for (int i = n; i-- > 0;)
        result =
            result * KINDS +
            (uint64_t)(u[i].leader ? 78 + u[i].label
                                   : (slot_number(u[i].slot) * 2 + u[i].fence) * 3 + u[i].label);
    return result;
}

static void from_number(uint64_t configuration, struct agent *u, int n)
{
    for (int i = 0; i < n; i++, configuration /= KINDS) {
        const int kind = (int)(configuration % KINDS);
        u[i] = kind >= 78 ? (struct agent){1, kind - 78, 0, NOTHING}
                          : (struct agent){0, kind % 3, kind / 3 % 2, piece((uint32_t)kind / 6)};
    }
}

/* The number of configurations reachable from one leader and `word`; 0 if a detection is. */
static size_t reachable(const int *word, int n)
{
    struct found found = {.size = sizeof(uint64_t)};
    struct agent u[MOST_AGENTS] = {{1, 0, 0, {' ', 0}}};
    bool detected = false;
    for (int i = 1; i < n; i++)
        u[i] = (struct agent){0, word[i], 0, NOTHING};
    found_add(&found, &(uint64_t){number(u, n)});
    for (uint32_t at = 0; at < found.count && !detected; at++)
        for (int i = 0; i < n && !detected; i++) {
            from_number(*(const uint64_t *)found_key(&found, at), u, n);
            meet(&u[i], &u[(i + 1) % n]);
            detected = i != 0 && u[i].leader;
            if (!detected)
                found_add(&found, &(uint64_t){number(u, n)});
        }
    const size_t count = found.count;
    found_free(&found);
    return detected ? 0 : count;
}

static bool square_free(const int *word, int n)
{
    for (int s = 1; s < n; s++)
        for (int m = 1; s + 2 * m <= n; m++)
            if (memcmp(word + s, word + s + m, (size_t)m * sizeof *word) == 0)
                return false;
    return true;
}

/* The next word of letters 0, 1, 2 at 1 .. n-1 whose first letter is 0; false after the last. */
static bool next_word(int *word, int n)
{
    for (int i = n - 1; i >= 2; i--) {
        if (++word[i] < 3)
            return true;
        word[i] = 0;
    }
    return false;
}

/* Explores, with all variables, from one leader and `word`. */
static struct rl_exploration explored(const int *word, int n)
{
    FREED(rl_ring) ring = test_ring("fences", (uint32_t)n, 3);
    char text[64] = "0L";
    for (int i = 1; i < n; i++)
        sprintf(text + strlen(text), " %d", word[i]);
    test_fill(&ring, text);
    const struct rl_explore_options options = {.experiment.protocol = ring.protocol,
                                               .experiment.params = ring.params,
                                               .experiment.configuration = ring.agents,
                                               .memory = UINT64_C(1) << 30};
    struct rl_exploration exploration;
    assert_ok(rl_explore(&options, &exploration, &error));
    return exploration;
}

/* The execution that an exploration shows ends with a follower made leader. */
static void check_detection(struct rl_exploration *exploration, int n)
{
    FREED(rl_ring) ring = test_ring("fences", (uint32_t)n, 3);
    for (uint32_t i = 0; i < ring.params.n; i++)
        rl_ring_set(&ring, i, exploration->execution.start[i]);
    assert_true(exploration->execution.exists);
    for (size_t i = 0; i < exploration->execution.length; i++) {
        assert_int_equal(rl_ring_leaders(&ring), 1);
        assert_true(rl_ring_interact(&ring, exploration->execution.arcs[i]));
    }
    assert_int_equal(rl_ring_leaders(&ring), 2);
}

TEST(a_detection_is_reachable_from_one_leader_exactly_where_its_word_has_a_square)
{
    for (int n = 2; n <= 6; n++) {
        int word[MOST_AGENTS] = {0};
        do {
            const size_t count = reachable(word, n);
            FREED(rl_exploration) exploration = explored(word, n);
            assert_int_equal(count > 0, square_free(word, n));
            assert_int_equal(exploration.violated, count == 0);
            if (exploration.violated)
                check_detection(&exploration, n);
            else
                assert_int_equal(exploration.explored[0].configurations, count);
        } while (next_word(word, n));
    }
}

/* ---- the target ---- */

/* Whether the ring is in the target, from which nothing leads out. */
static bool check_target(const struct rl_ring *ring)
{
    const struct rl_protocol *fences = ring->protocol;
    const struct rl_set *target = &fences->sets[fences->target];
    uint64_t agents[24];
    struct rl_ring after = *ring;
    after.agents = agents;
    if (!target->contains(ring))
        return false;
    for (uint32_t arc = 0; arc < ring->params.n; arc++) {
        memcpy(agents, ring->agents, rl_ring_bytes(fences, ring->params.n));
        rl_ring_interact(&after, arc);
        if (!target->contains(&after)) {
            char text[600];
            struct rl_text out = rl_text_into(text, sizeof text);
            rl_ring_print(ring, &out);
            fail_msg("'%s' leaves the target along arc %u", text, arc);
        }
    }
    return true;
}

/* Every letter, fence and slot of followers 1 .. n-1 beside the leader u_0; how many are in it. */
static uint64_t check_all(uint32_t n)
{
    FREED(rl_ring) ring = test_ring("fences", n, 1);
    uint64_t total = 1, inside = 0;
    for (uint32_t i = 1; i < n; i++)
        total *= 78;
    for (uint64_t configuration = 0; configuration < total; configuration++) {
        uint64_t rest = configuration;
        rl_ring_set(&ring, 0, 1);
        /* The followers without bullet and signal: every sixth, with patience 1. */
        for (uint32_t i = 1; i < n; i++, rest /= 78)
            rl_ring_set(&ring, i, rl_protocol_state(ring.protocol, &ring.params, rest % 78 * 6));
        inside += check_target(&ring);
    }
    return inside;
}

/* The numbers are those of the definition as section 5 of the specification has it. */
TEST(the_target_is_closed)
{
    static const unsigned INSIDE[] = {36, 1008, 31020, 765828};
    for (uint32_t n = 2; n <= 5; n++)
        assert_int_equal(check_all(n), INSIDE[n - 2]);
}

/* Near the target: a walk from `clean`, with a few agents struck now and then. */
TEST(the_target_is_closed_near_it)
{
    struct rl_random random = test_random(11, 0, RL_PURPOSE_FAULT);
    uint64_t inside = 0, outside = 0;
    for (uint32_t n = 2; n <= 24; n++) {
        FREED(rl_ring) ring = test_ring("fences", n, 3);
        for (int trial = 0; trial < 400; trial++) {
            assert_int_equal(rl_ring_start(&ring, "clean", &random, NULL), RL_OK);
            for (uint32_t step = 0; step < 20 * n; step++)
                rl_ring_interact(&ring, rl_random_below(&random, n));
            for (int strike = 0; strike < 4; strike++) {
                const bool is_in = check_target(&ring);
                inside += is_in;
                outside += !is_in;
                rl_ring_fault(&ring, 1, &random, NULL, NULL);
            }
        }
    }
    assert_true(inside > 1000 && outside > 1000);
}
