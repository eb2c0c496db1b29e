/* SPDX-License-Identifier: MIT
 *
 * Expected steps, lumping and fractions on chains made by hand, whose answers are known by heart.
 */
#include "test.h"

#include "verify/enumerate/exact.h"
#include "verify/enumerate/lump.h"
#include "verify/enumerate/solve.h"

enum { LENGTH = 50, ARCS = 2 };

/* A walk on 0 .. LENGTH, one step to either side with the same chance; at the far end the step
 * outwards stays. It reaches 0 from i after i (2 LENGTH + 1 - i) steps on average. `copies` of it
 * go side by side, and a step outwards changes to the next copy. */
struct chain {
    struct rl_space space;
    uint32_t next[3 * (LENGTH + 1) * ARCS];
    uint8_t target[3 * (LENGTH + 1)];
};

static uint32_t number(uint32_t copy, uint32_t i)
{
    return copy * (LENGTH + 1) + i;
}

static void make_walks(struct chain *chain, uint32_t copies)
{
    *chain = (struct chain){.space = {.count = copies * (LENGTH + 1), .words = {.arcs = ARCS}}};
    chain->space.next = chain->next;
    for (uint32_t copy = 0; copy < copies; copy++)
        for (uint32_t i = 0; i <= LENGTH; i++) {
            const uint32_t other = (copy + 1) % copies;
            chain->next[ARCS * number(copy, i)] = number(copy, i > 0 ? i - 1 : 0);
            chain->next[ARCS * number(copy, i) + 1] = number(other, i < LENGTH ? i + 1 : LENGTH);
            chain->target[number(copy, i)] = i == 0;
        }
}

static double expected(uint32_t i)
{
    return (double)i * (2 * LENGTH + 1 - i);
}

TEST(a_walk_takes_as_many_steps_as_the_formula_says)
{
    struct chain chain;
    struct rl_solution solution;
    struct rl_workers workers = {.jobs = 2};
    make_walks(&chain, 1);
    assert_int_equal(rl_solve(&solution, &chain.space, &workers, chain.target, 1e-10), RL_OK);
    assert_true(solution.error <= 1e-10);
    for (uint32_t i = 0; i <= LENGTH; i++)
        assert_near(solution.steps[i], expected(i), solution.error * expected(i));
    rl_solve_free(&solution);
}

TEST(the_proven_error_is_that_of_the_last_sweep_and_not_a_wish)
{
    struct chain chain;
    struct rl_solution solution;
    struct rl_workers workers = {.jobs = 1};
    make_walks(&chain, 1);
    assert_int_equal(rl_solve(&solution, &chain.space, &workers, chain.target, 1e-30), RL_OK);
    assert_true(solution.error > 1e-17 && solution.error < 1e-9);
    rl_solve_free(&solution);
}

TEST(walks_side_by_side_are_lumped_into_one)
{
    struct chain chain;
    struct rl_lump lump;
    make_walks(&chain, 3);
    assert_int_equal(rl_lump_init(&lump, &chain.space, chain.target), RL_OK);
    assert_int_equal(lump.count, LENGTH + 1);
    for (uint32_t i = 0; i <= LENGTH; i++) {
        assert_int_equal(lump.of[number(0, i)], lump.of[number(1, i)]);
        assert_int_equal(lump.of[number(0, i)], lump.of[number(2, i)]);
        assert_int_equal(lump.of[number(0, i)] == 0, i == 0);
    }
    rl_lump_free(&lump);
}

TEST(a_chain_in_which_all_differ_is_not_lumped)
{
    struct chain chain;
    struct rl_lump lump;
    make_walks(&chain, 2);
    chain.next[ARCS * number(1, LENGTH) + 1] = number(1, 1); /* a short cut in one of them */
    assert_int_equal(rl_lump_init(&lump, &chain.space, chain.target), RL_OK);
    assert_true(lump.count > LENGTH + 1);
    assert_int_not_equal(lump.of[number(0, LENGTH)], lump.of[number(1, LENGTH)]);
    rl_lump_free(&lump);
}

TEST(fractions_are_the_formula_exactly)
{
    struct chain chain;
    struct rl_lump lump;
    char *worst, *mean, wanted[64];
    uint64_t weights[LENGTH + 1], sum = 0;
    uint32_t all[LENGTH + 1];
    if (!rl_exact_available())
        skip();
    make_walks(&chain, 1);
    assert_int_equal(rl_lump_init(&lump, &chain.space, chain.target), RL_OK);
    for (uint32_t i = 0; i <= LENGTH; i++) {
        weights[i] = 1;
        all[i] = i;
        sum += (uint64_t)i * (2 * LENGTH + 1 - i);
    }
    const struct rl_exact_request request = {&lump, ARCS, all, LENGTH + 1, weights, 7};
    assert_int_equal(rl_exact_solve(&request, &worst, &mean), RL_OK);
    snprintf(wanted, sizeof wanted, "%u", LENGTH * (LENGTH + 1));
    assert_string_equal(worst, wanted);
    assert_int_not_equal(sum % 7, 0);
    snprintf(wanted, sizeof wanted, "%llu/7", (unsigned long long)sum);
    assert_string_equal(mean, wanted);
    free(worst);
    free(mean);
    rl_lump_free(&lump);
}
