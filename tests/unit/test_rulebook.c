/* SPDX-License-Identifier: MIT
 *
 * Rulebooks: a protocol copied into a table is that protocol.
 */
#include "test.h"

/* The values of a state of fj06, as its word has them: three bits. */
enum { BITS = 3, STATES = 8 };

struct copied {
    struct rl_rulebook book;
    uint64_t memory[1 << 10];
};

static void copy_protocol(struct copied *copied, const struct rl_protocol *original)
{
    const struct rl_params params = rl_protocol_usual(original, 10);
    assert_true(rl_rulebook_bytes(BITS, true) <= sizeof copied->memory);
    rl_rulebook_init(&copied->book, copied->memory, BITS, true);
    struct rl_protocol *protocol = &copied->book.protocol;
    protocol->name = "copy";
    protocol->variables = original->variables;
    protocol->variable_count = original->variable_count;
    for (uint32_t word = 0; word < STATES; word++)
        rl_rulebook_add(&copied->book, word, original->leads(word));
    for (int no_leader = 0; no_leader < 2; no_leader++)
        for (uint32_t pair = 0; pair < STATES * STATES; pair++) {
            rl_state l = pair % STATES, r = pair / STATES;
            original->interact(&params, no_leader, &l, &r);
            rl_rulebook_rule(&copied->book, no_leader, pair % STATES, pair / STATES, (uint32_t)l,
                             (uint32_t)r);
        }
}

/* The words after `steps` steps, without the output's bit, and the events. */
static uint64_t run(const struct rl_protocol *protocol, enum rl_engine_kind engine, uint64_t seed,
                    uint32_t *words_out, uint32_t n)
{
    struct rl_experiment options;
    FREED(rl_run) run;
    const struct rl_fault fault = {.step = 3000, .agents = 5};
    rl_experiment_init(&options, protocol, n);
    options.engine = engine;
    options.seed = seed;
    options.end.kind = RL_UNTIL_STEPS;
    options.end.steps = 20000;
    options.faults = &fault;
    options.fault_count = 1;
    test_run(&run, &options);
    for (uint32_t i = 0; i < n; i++)
        words_out[i] = (uint32_t)rl_ring_get(&run.ring, i) & (STATES - 1);
    const uint64_t events = run.events;
    return events;
}

TEST(a_copy_of_fj06_runs_as_fj06_from_the_same_seed_with_faults)
{
    static struct copied copied;
    uint32_t ours[40], theirs[40];
    const struct rl_protocol *fj06 = rl_protocol_named("fj06");
    copy_protocol(&copied, fj06);
    for (int kind = RL_ENGINE_EVENT; kind <= RL_ENGINE_STEP; kind++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const uint64_t a = run(fj06, kind, seed, theirs, 40);
            const uint64_t b = run(&copied.book.protocol, kind, seed, ours, 40);
            assert_int_equal(a, b);
            assert_memory_equal(ours, theirs, sizeof ours);
        }
}

TEST(a_copy_has_the_states_of_its_original)
{
    static struct copied copied;
    const struct rl_protocol *fj06 = rl_protocol_named("fj06"), *copy = &copied.book.protocol;
    copy_protocol(&copied, fj06);
    const struct rl_params params = rl_protocol_usual(copy, 10);
    assert_int_equal(rl_protocol_states(copy, &params), STATES);
    for (uint32_t word = 0; word < STATES; word++) {
        const uint32_t ours = rl_rulebook_word(&copied.book, word);
        assert_int_equal(copy->leads(ours), fj06->leads(word));
        assert_true(rl_protocol_is_state(copy, &params, ours));
        assert_int_equal(rl_protocol_state(copy, &params, rl_protocol_index(copy, &params, ours)),
                         ours);
    }
}
