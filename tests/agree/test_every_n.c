/* SPDX-License-Identifier: MIT
 *
 * For every n against brute force: every automaton of a proof, asked about every ring of up to
 * eight agents (of prl-oracle, six), says what plain enumeration says. Moves are made letter by
 * letter here, reachability is spread until nothing changes; nothing is shared with
 * src/verify/every_n but the answers.
 */
#include "test.h"
#include "verify/every_n/proof.h"

enum { MOST_AGENTS = 8 };

static struct rl_every_n ask(const char *name)
{
    return test_every_n(rl_protocol_named(name), 24, 300000, UINT64_C(1) << 30);
}

/* ---- words ---- */

static size_t power(size_t letters, uint32_t n)
{
    return n == 0 ? 1 : letters * power(letters, n - 1);
}

static void decode(size_t code, size_t letters, uint32_t n, rl_letter *word)
{
    for (uint32_t i = 0; i < n; i++, code /= letters)
        word[i] = (rl_letter)(code % letters);
}

static size_t encode(const rl_letter *word, size_t letters, uint32_t n)
{
    size_t code = 0;
    for (uint32_t i = n; i-- > 0;)
        code = code * letters + word[i];
    return code;
}

static uint32_t count_leaders(const struct rl_alphabet *alphabet, const rl_letter *word, uint32_t n)
{
    uint32_t leaders = 0;
    for (uint32_t i = 0; i < n; i++)
        leaders += alphabet->leads[word[i]];
    return leaders;
}

/* One interaction; false if what comes out is no letter. */
static bool interact(const struct rl_alphabet *alphabet, bool report, rl_letter *word, uint32_t l,
                     uint32_t r)
{
    const struct rl_pair pair =
        alphabet->meet[report][(size_t)word[l] * alphabet->letters + word[r]];
    word[l] = pair.l;
    word[r] = pair.r;
    return pair.l != RL_NO_LETTER;
}

/* ---- moves ---- */

/* Does the sweep over arcs from, from + step, ..., to lead into the set? */
static bool sweep_leads(const struct rl_chain *chain, const struct rl_automaton *set,
                        const rl_letter *word, uint32_t n, int from, int to, int step)
{
    rl_letter after[MOST_AGENTS];
    memcpy(after, word, n * sizeof *after);
    for (int arc = from;; arc += step) {
        if (!interact(chain->alphabet, chain->report, after, (uint32_t)arc,
                      (uint32_t)(arc + 1) % n))
            return false;
        if (arc == to)
            return rl_automaton_accepts(set, after, n);
    }
}

static bool move_leads(const struct rl_chain *chain, const struct rl_automaton *set,
                       enum rl_move move, const rl_letter *word, uint32_t n)
{
    const int last = (int)n - 2; /* the last arc that is not over the seam */
    if (move == RL_MOVE_SEAM)
        return sweep_leads(chain, set, word, n, last + 1, last + 1, 1);
    for (int i = 0; i <= last; i++)
        for (int j = i; j <= (move == RL_MOVE_ARC ? i : last); j++)
            if (move == RL_MOVE_LEFT ? sweep_leads(chain, set, word, n, j, i, -1)
                                     : sweep_leads(chain, set, word, n, i, j, 1))
                return true;
    return false;
}

static void compare_move(const struct rl_chain *chain, uint32_t i, uint32_t n)
{
    const size_t letters = chain->alphabet->letters, count = power(letters, n);
    rl_letter word[MOST_AGENTS];
    for (size_t code = 0; code < count; code++) {
        decode(code, letters, n, word);
        const bool before = rl_automaton_accepts(&chain->sets[i], word, n);
        bool expected = before;
        if (!before && chain->moves[i] == RL_MOVE_LOSE)
            expected = count_leaders(chain->alphabet, word, n) == 0;
        else if (!before && rl_automaton_accepts(&chain->guard, word, n))
            expected = move_leads(chain, &chain->sets[i], chain->moves[i], word, n);
        if (rl_automaton_accepts(&chain->sets[i + 1], word, n) != expected)
            fail_msg("n = %u, move %u (%s), word %zu", n, i, rl_move_name(chain->moves[i]), code);
    }
}

/* Every automaton of every chain, on all words of up to so many. */
static void compare_moves(const char *name, size_t words)
{
    FREED(rl_every_n) answer = ask(name);
    for (int stage = 0; stage < RL_EVERY_N_STAGES; stage++) {
        const struct rl_chain *chain = &answer.proof->chains[stage];
        assert_true(chain->count > 0);
        for (uint32_t i = 0; i < chain->count; i++)
            for (uint32_t n = 2; n <= MOST_AGENTS && power(chain->alphabet->letters, n) <= words;
                 n++)
                compare_move(chain, i, n);
    }
}

TEST(each_set_of_fj06_is_the_one_before_and_what_a_move_leads_there)
{
    compare_moves("fj06", 3000000);
}

TEST(each_set_of_prl_oracle_is_the_one_before_and_what_a_move_leads_there)
{
    compare_moves("prl-oracle", 600000);
}

/* ---- sets ---- */

/* The learnt sets and the predicates, as they are defined, on all rings of n agents. */
static void compare_sets(const struct rl_every_n *answer, uint32_t n)
{
    const struct rl_every_n_proof *proof = answer->proof;
    const struct rl_protocol *protocol = proof->table.protocol;
    const size_t letters = proof->plain.letters, count = power(letters, n);
    uint64_t memory[MOST_AGENTS];
    struct rl_ring ring = {protocol, {.n = n}, memory};
    rl_letter word[MOST_AGENTS];
    for (size_t code = 0; code < count; code++) {
        decode(code, letters, n, word);
        /* Any member of a class will do. */
        for (uint32_t i = 0; i < n; i++) {
            uint32_t member = (uint32_t)(code + i) % proof->table.states;
            while (proof->classes.of[member] != word[i])
                member = (member + 1) % proof->table.states;
            rl_ring_set(&ring, i, proof->table.word[member]);
        }
        for (size_t set = 0; set < protocol->set_count; set++)
            if (test_by_definition(&protocol->sets[set], &ring) !=
                rl_automaton_accepts(&proof->set[set], word, n))
                fail_msg("%s, n = %u, word %zu", protocol->sets[set].name, n, code);
    }
}

TEST(the_target_of_fj06_is_learnt_right_for_all_rings_of_eight)
{
    FREED(rl_every_n) answer = ask("fj06");
    assert_int_equal(answer.sets[0].states, 7);
    for (uint32_t n = 2; n <= 8; n++)
        compare_sets(&answer, n);
}

TEST(the_sets_of_prl_oracle_are_learnt_right_for_all_rings_of_five)
{
    FREED(rl_every_n) answer = ask("prl-oracle");
    for (uint32_t n = 2; n <= 5; n++)
        compare_sets(&answer, n);
}

/* ---- reachability ---- */

/* From which words the silent interactions lead to those marked in `reach`: spread until nothing
 * changes. With `keep`, only interactions that do not change how many lead. */
static void spread(const struct rl_alphabet *alphabet, uint32_t n, bool keep, uint8_t *reach)
{
    const size_t letters = alphabet->letters, count = power(letters, n);
    bool up = true;
    for (bool changed = true; changed; up = !up) {
        changed = false;
        for (size_t k = 0; k < count; k++) {
            const size_t code = up ? k : count - 1 - k;
            rl_letter word[MOST_AGENTS], after[MOST_AGENTS];
            if (reach[code])
                continue;
            decode(code, letters, n, word);
            for (uint32_t arc = 0; arc < n && !reach[code]; arc++) {
                memcpy(after, word, n * sizeof *after);
                interact(alphabet, false, after, arc, (arc + 1) % n);
                if (keep && count_leaders(alphabet, after, n) != count_leaders(alphabet, word, n))
                    continue;
                reach[code] = reach[encode(after, letters, n)];
            }
            changed |= reach[code];
        }
    }
}

/* The marked word whose marks are its leaders. */
static void mark(const struct rl_alphabet *plain, const struct rl_alphabet *marked,
                 const rl_letter *word, uint32_t n, rl_letter *word_out)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = 0;
        while (marked->plain[a] != word[i] || marked->marked[a] != plain->leads[word[i]])
            a++;
        word_out[i] = (rl_letter)a;
    }
}

/* Two or more leaders: what the last set has can lose a leader, by an interaction that comes after
 * others that lose none; and the other way round, wherever u_1 leads. */
static void check_many(const struct rl_every_n_proof *proof, uint32_t n)
{
    const struct rl_alphabet *plain = &proof->plain;
    const struct rl_chain *chain = &proof->chains[RL_STAGE_MANY];
    const size_t letters = plain->letters, count = power(letters, n);
    uint8_t *reach = calloc(count, 1);
    rl_letter word[MOST_AGENTS], after[MOST_AGENTS];
    for (size_t code = 0; code < count; code++)
        for (uint32_t arc = 0; arc < n; arc++) {
            decode(code, letters, n, word);
            memcpy(after, word, n * sizeof *after);
            interact(plain, false, after, arc, (arc + 1) % n);
            const uint32_t left = count_leaders(plain, after, n);
            reach[code] |= left < count_leaders(plain, word, n) && (left > 0 || proof->may_lose);
        }
    spread(plain, n, true, reach);
    for (size_t code = 0; code < count; code++) {
        decode(code, letters, n, word);
        if (count_leaders(plain, word, n) < 2 || !plain->leads[word[1]])
            continue;
        mark(plain, &proof->marked, word, n, after);
        if (rl_automaton_accepts(&chain->sets[chain->count], after, n) != reach[code])
            fail_msg("2 or more leaders, n = %u, word %zu", n, code);
    }
    free(reach);
}

/* One leader, u_1: the set before the last leader may be lost has rings that reach the target, the
 * last one has them all; no leader: one interaction leads to a ring of the former. */
static void check_one_and_none(const struct rl_every_n_proof *proof, uint32_t n)
{
    const struct rl_alphabet *plain = &proof->plain;
    const struct rl_chain *one = &proof->chains[RL_STAGE_ONE];
    const struct rl_chain *none = &proof->chains[RL_STAGE_NONE];
    const size_t letters = plain->letters, count = power(letters, n);
    const struct rl_automaton *target = &proof->set[proof->table.protocol->target];
    uint8_t *reach = malloc(count);
    rl_letter word[MOST_AGENTS];
    for (size_t code = 0; code < count; code++) {
        decode(code, letters, n, word);
        reach[code] = rl_automaton_accepts(target, word, n);
    }
    spread(plain, n, false, reach);
    for (size_t code = 0; code < count; code++) {
        decode(code, letters, n, word);
        const uint32_t leaders = count_leaders(plain, word, n);
        if (rl_automaton_accepts(&one->sets[proof->lost_at], word, n))
            assert_true(leaders == 1 && reach[code]);
        if (leaders == 1 && plain->leads[word[1]])
            assert_true(rl_automaton_accepts(&one->sets[one->count], word, n));
        if (leaders == 0) {
            assert_true(rl_automaton_accepts(&none->sets[none->count], word, n));
            assert_true(interact(plain, true, word, 0, 1));
            assert_true(rl_automaton_accepts(&one->sets[proof->lost_at], word, n));
        }
    }
    free(reach);
}

static void check_reachability(const char *name, uint32_t most)
{
    FREED(rl_every_n) answer = ask(name);
    assert_true(answer.proved_from > 0 && answer.proof->may_lose);
    for (uint32_t n = 2; n <= most; n++) {
        check_many(answer.proof, n);
        check_one_and_none(answer.proof, n);
    }
}

TEST(the_stages_of_fj06_are_what_brute_force_reaches_up_to_eight)
{
    check_reachability("fj06", 8);
}

TEST(the_stages_of_prl_oracle_are_what_brute_force_reaches_up_to_five)
{
    check_reachability("prl-oracle", 5);
}

/* ---- answers ---- */

TEST(fj06_is_self_stabilizing_from_three_on_and_not_at_two)
{
    FREED(rl_every_n) answer = ask("fj06");
    assert_true(answer.safe && answer.sets[0].closed);
    assert_int_equal(answer.proved_from, 3);
    assert_int_equal(answer.self_stabilizing_from, 3);
    assert_int_equal(answer.small[0]->n, 2);
    assert_false(answer.small[0]->answer.self_stabilizing);
    assert_true(answer.small[0]->refused);
    assert_true(rl_every_n_all_well(&answer, rl_protocol_named("fj06")));
}

static void do_nothing(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    (void)params, (void)no_leader, (void)l, (void)r;
}

static bool one_leader_or_two(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1 || rl_ring_leaders(ring) == 2;
}

TEST(a_set_in_which_two_may_lead_is_not_safe)
{
    const struct rl_set set = {"pairs", "one leader or two", one_leader_or_two, NULL};
    struct rl_protocol protocol = *rl_protocol_named("fj06");
    struct rl_without_n same = *protocol.without_n;
    protocol.interact = same.interact = do_nothing;
    protocol.without_n = &same;
    protocol.is_active = NULL;
    protocol.loops = NULL;
    protocol.sets = &set;
    FREED(rl_every_n) answer = test_every_n(&protocol, 4, 300000, UINT64_C(1) << 30);
    assert_true(answer.sets[0].learnt && answer.sets[0].closed);
    assert_false(answer.safe);
}

TEST(prl_has_no_alphabet_for_all_n)
{
    FREED(rl_every_n) answer = ask("prl");
    assert_non_null(strstr(answer.obstacle, "parameter N depends on n"));
    assert_int_equal(answer.self_stabilizing_from, 0);
    assert_false(rl_every_n_all_well(&answer, rl_protocol_named("prl")));
}
