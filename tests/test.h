/* SPDX-License-Identifier: MIT
 *
 * What every test needs: cmocka in the order it wants, and doubles compared as doubles.
 */
#ifndef RINGLEADER_TEST_H
#define RINGLEADER_TEST_H

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes.h"
#include "ringleader.h"
#include "core/inside.h"
#include "draw/inside.h"
#include "own/inside.h"
#include "simulate/inside.h"
#include "study/inside.h"
#include "report/parts.h"

/* A test: TEST(a_sentence) { ... }. Those of a file run in the order in which they stand there. */
#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void list_##name(void)                                     \
    {                                                                                              \
        assert(test_count < sizeof test_list / sizeof *test_list);                                 \
        test_list[test_count++] = (struct CMUnitTest)cmocka_unit_test(name);                       \
    }                                                                                              \
    static void name(void **state __attribute__((unused)))

static struct CMUnitTest test_list[64];
static size_t test_count;

/* Runs every test of the file, each between setup and teardown. NULL: none. */
static inline int test_all(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    struct CMUnitTest tests[test_count];
    for (size_t i = 0; i < test_count; i++) {
        tests[i] = test_list[i];
        tests[i].setup_func = setup;
        tests[i].teardown_func = teardown;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static uint64_t test_amounts[2];

/* How many of what is made at random, by the first or second argument; usually only a few. */
static inline uint64_t test_amount(int argument, uint64_t usual)
{
    return test_amounts[argument] ? test_amounts[argument] : usual;
}

#ifndef TEST_MAIN_BELOW
/* The arguments are amounts, or say which tests to run: a name with * in it. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc && i <= 2; i++)
        if (!(test_amounts[i - 1] = strtoull(argv[i], NULL, 10)))
            cmocka_set_test_filter(argv[i]);
    return test_all(NULL, NULL);
}
#endif

/* Something that is freed where its block ends: FREED(rl_run) run; */
#define FREED(type)          __attribute__((cleanup(type##_free), unused)) struct type
#define rl_exploration_free  rl_explore_free
#define rl_solution_free     rl_solve_free
#define rl_verification_free rl_verify_free

static inline void rl_ring_free(struct rl_ring *ring)
{
    free(ring->agents);
    ring->agents = NULL;
}

static inline void rl_store_free(struct rl_store **store)
{
    rl_store_close(*store);
}

/* |a - b| <= tolerance, told with all digits where it fails. */
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        const double near_a = (a), near_b = (b), near_t = (tolerance);                             \
        if (!(near_a - near_b <= near_t && near_b - near_a <= near_t))                             \
            fail_msg("%s = %.17g is not within %g of %s = %.17g", #a, near_a, near_t, #b, near_b); \
    } while (0)

/* What is asked for is done, or the test fails with the reason. `error` is a fresh one. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        struct rl_error error = {0};                                                               \
        if (call)                                                                                  \
            fail_msg("%s: %u:%u: %s", #call, error.line, error.column, error.text);                \
    } while (0)

/* What is proved for every n. The sets are compared with what is learnt on so many `words`. */
static inline struct rl_every_n test_every_n(const struct rl_protocol *protocol, uint32_t sweeps,
                                             uint64_t words, uint64_t memory)
{
    const struct rl_every_n_options options = {.protocol = protocol,
                                               .from_n = 2,
                                               .sweeps = sweeps,
                                               .words = words,
                                               .memory = memory,
                                               .jobs = 1};
    struct rl_every_n answer;
    assert_ok(rl_every_n(&answer, &options, &error));
    return answer;
}

/* What the verifier finds. */
static inline struct rl_verification test_verify(const struct rl_protocol *protocol,
                                                 struct rl_params params, unsigned questions,
                                                 bool no_reduction)
{
    const struct rl_verify_options options = {.protocol = protocol,
                                              .params = params,
                                              .questions = questions,
                                              .no_reduction = no_reduction,
                                              .precision = 1e-9,
                                              .memory = UINT64_C(1) << 32,
                                              .jobs = 2};
    struct rl_verification answer;
    assert_ok(rl_verify(&answer, &options, &error));
    return answer;
}

static inline struct rl_random test_random(uint64_t seed, uint64_t trial, enum rl_purpose purpose)
{
    struct rl_random random;
    rl_random_init(&random, seed, trial, purpose);
    return random;
}

/* By the set's definition, where the source has one (agree/test_targets.c has the others). */
static inline bool test_by_definition(const struct rl_set *set, const struct rl_ring *ring)
{
    return set->by_definition ? set->by_definition(ring) : set->contains(ring);
}

/* A ring of zero words with memory of its own. */
static inline struct rl_ring test_ring(const char *protocol, uint32_t n, uint32_t first_parameter)
{
    struct rl_ring ring = {.protocol = rl_protocol_named(protocol),
                           .params = {.n = n, .value = {first_parameter}}};
    ring.agents = calloc(n, 8);
    return ring;
}

/* Parses a configuration that is right. */
static inline void test_fill(struct rl_ring *ring, const char *text)
{
    struct rl_error error = {0};
    if (rl_ring_parse(ring, text, strlen(text), &error))
        fail_msg("'%s': column %u: %s", text, error.column, error.text);
}

/* The configuration as text, in memory that the next call but three reuses. */
static inline const char *test_text(const struct rl_ring *ring)
{
    static char texts[4][4096];
    static unsigned next;
    char *memory = texts[next++ % 4];
    struct rl_text text = rl_text_into(memory, sizeof texts[0]);
    rl_ring_print(ring, &text);
    assert_true(text.length < sizeof texts[0]);
    return memory;
}

/* An oriented undirected ring of n = N agents that agree on right, or on left, without leaders,
 * bullets and signals. */
static inline struct rl_ring test_oriented(const char *protocol, uint32_t n, bool left)
{
    struct rl_ring ring = test_ring(protocol, n, n);
    const struct rl_look look = rl_look_of(ring.protocol);
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    ring.mirrored = left;
    assert_int_equal(rl_ring_start(&ring, "oriented", &random, NULL), RL_OK);
    ring.mirrored = false;
    for (uint32_t i = 0; i < n; i++) {
        rl_state state = rl_look_crowned(ring.protocol, &ring.params, rl_ring_get(&ring, i), false);
        state = rl_variable_set(look.bullet, state, 0);
        rl_ring_set(&ring, i, rl_variable_set(look.signal, state, 0));
    }
    return ring;
}

/* Options of a run from `start` to the protocol's target, without a limit. */
static inline struct rl_experiment test_options(const char *protocol, uint32_t n,
                                                uint32_t first_parameter, const char *start)
{
    const struct rl_protocol *named = rl_protocol_named(protocol);
    return (struct rl_experiment){.protocol = named,
                                  .params = {.n = n, .value = {first_parameter}},
                                  .seed = 1,
                                  .start = start,
                                  .end.set = named->target,
                                  .end.max_steps = RL_NEVER};
}

static inline void test_finish(struct rl_run *run)
{
    while (rl_run_advance(run) == RL_RUNNING)
        continue;
}

/* A whole run. */
static inline void test_run(struct rl_run *run, const struct rl_experiment *options)
{
    assert_ok(rl_run_init(run, options, &error));
    test_finish(run);
}

/* A schedule that is right. */
static inline struct rl_schedule test_schedule(uint32_t n, const char *text)
{
    struct rl_schedule schedule;
    assert_ok(rl_schedule_parse(&schedule, n, text, strlen(text), &error));
    return schedule;
}

/* A plan that is right. */
static inline struct rl_plan test_plan(const char *text)
{
    struct rl_plan plan;
    struct rl_error error = {0};
    if (rl_plan_parse(&plan, text, strlen(text), NULL, &error))
        fail_msg("'%s': line %u, column %u: %s", text, error.line, error.column, error.text);
    return plan;
}

/* A text with a mistake, and what is to be said of it. */
struct test_mistake {
    const char *text;
    uint32_t line, column;
    const char *reason; /* a part of it will do */
};

static inline void assert_mistake(const struct test_mistake *mistake, enum rl_status status,
                                  const struct rl_error *error)
{
    if (!status)
        fail_msg("'%s' was taken", mistake->text);
    if (error->line != mistake->line || error->column != mistake->column ||
        !strstr(error->text, mistake->reason))
        fail_msg("'%s' gave line %u, column %u: %s", mistake->text, error->line, error->column,
                 error->text);
}

/* The set of that name, which the protocol has. */
static inline const struct rl_set *test_set(const struct rl_ring *ring, const char *name)
{
    const int index = rl_protocol_set(ring->protocol, name);
    assert_true(index >= 0);
    return &ring->protocol->sets[index];
}

#endif
