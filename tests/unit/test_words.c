/* SPDX-License-Identifier: MIT
 *
 * Words up to rotation, and their numbers in a stored space.
 */
#include "test.h"

#include "verify/enumerate/verifier.h"

/* A space whose letters are all 24 states of P_RL with N = 0: small, and nothing is merged. */
struct letters {
    struct rl_table table;
    struct rl_classes classes;
    struct rl_words words;
};

static void begin(struct letters *letters, uint32_t n, bool rotate)
{
    const struct rl_params params = {.n = n, .value = {0}};
    uint32_t all[64];
    const uint32_t *labels[] = {all};
    for (uint32_t i = 0; i < 64; i++)
        all[i] = i;
    struct rl_effort effort = {0};
    rl_table_init(&letters->table, rl_protocol_named("prl"), &params, &effort);
    rl_classes_init(&letters->classes, &letters->table, labels, 1, &effort);
    assert_int_equal(effort.status, RL_OK);
    assert_int_equal(letters->classes.count, 24);
    rl_words_init(&letters->words, &letters->classes, rotate);
}

static void letters_free(struct letters *letters)
{
    rl_classes_free(&letters->classes);
    rl_table_free(&letters->table);
}

struct tally {
    const struct rl_words *words;
    uint64_t last, count, weight;
    bool in_order, canonical;
};

static void visit(void *user, const struct rl_word *word)
{
    struct tally *tally = user;
    const uint64_t code = rl_words_code(tally->words, word->letters);
    tally->in_order &= tally->count == 0 || code > tally->last;
    tally->canonical &= rl_words_canonical(tally->words, word->letters) == code;
    tally->last = code;
    tally->count++;
    tally->weight += rl_words_weight(tally->words, word);
}

static void check_tour(uint32_t n, bool rotate)
{
    FREED(letters) letters;
    begin(&letters, n, rotate);
    struct tally tally = {.words = &letters.words, .in_order = true, .canonical = true};
    for (size_t task = 0; task < rl_words_tasks(&letters.words); task++)
        rl_words_visit(&letters.words, task, visit, &tally);
    assert_true(tally.in_order);
    assert_true(tally.canonical);
    assert_int_equal(tally.count, rl_words_count(&letters.words));
    assert_int_equal(tally.weight, letters.words.power[n]);
}

TEST(every_orbit_has_one_representative_and_they_stand_for_all)
{
    for (uint32_t n = 2; n <= 4; n++) {
        check_tour(n, true);
        check_tour(n, false);
    }
}

TEST(rotated_words_have_the_same_representative)
{
    FREED(letters) letters;
    begin(&letters, 4, true);
    const uint16_t word[] = {5, 3, 20, 3, 5, 3, 20, 3};
    const uint64_t least = rl_words_canonical(&letters.words, word);
    for (int i = 1; i < 4; i++)
        assert_int_equal(rl_words_canonical(&letters.words, word + i), least);
    struct rl_word decoded;
    rl_words_decode(&letters.words, least, &decoded);
    assert_int_equal(decoded.letters[0], 3);
    assert_int_equal(decoded.letters[1], 5);
    assert_int_equal(decoded.orbit, 4);
    const uint16_t twice[] = {7, 2, 7, 2};
    rl_words_decode(&letters.words, rl_words_canonical(&letters.words, twice), &decoded);
    assert_int_equal(decoded.orbit, 2);
}

TEST(arcs_change_words_as_they_change_rings)
{
    FREED(letters) letters;
    begin(&letters, 3, true);
    struct rl_protocol undirected = *rl_protocol_named("prl");
    undirected.undirected = true;
    letters.table.protocol = &undirected;
    const struct rl_words *words = &letters.words;
    rl_words_init(&letters.words, &letters.classes, true);
    assert_int_equal(words->arcs, 6);
    for (uint64_t code = 0; code < words->power[3]; code++)
        for (uint32_t arc = 0; arc < words->arcs; arc++) {
            uint16_t letter[3];
            rl_state states[3];
            uint64_t agents[3], turned[6];
            struct rl_ring ring = {&undirected, letters.table.params, agents};
            struct rl_change change;
            rl_words_letters(words, code, letter);
            rl_words_ring(words, letter, &ring);
            rl_words_turn(words, letter, turned);
            assert_int_equal(
                rl_words_change(words, letter, rl_words_next(words, letter), arc, &change),
                rl_ring_interact(&ring, arc));
            const uint64_t after = rl_words_after(words, letter, turned, &change);
            letter[change.i] = change.a;
            letter[change.j] = change.b;
            assert_int_equal(after, rl_words_canonical(words, letter));
            rl_words_states(words, letter, states);
            for (uint32_t i = 0; i < 3; i++)
                assert_int_equal(states[i], rl_ring_get(&ring, i));
        }
}

TEST(numbers_and_words_of_a_space_are_inverse)
{
    FREED(letters) letters;
    FREED(rl_space) space;
    struct rl_effort effort = {.jobs = 2};
    begin(&letters, 3, true);
    rl_space_init(&space, &letters.words, &effort);
    assert_int_equal(effort.status, RL_OK);
    assert_int_equal(space.graph.count, rl_words_count(&letters.words));
    for (uint32_t number = 0; number < space.graph.count; number++) {
        struct rl_word word;
        rl_space_word(&space, number, &word);
        assert_int_equal(rl_space_number(&space, rl_words_code(&letters.words, word.letters)),
                         number);
    }
}
