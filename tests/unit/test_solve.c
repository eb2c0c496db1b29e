/* SPDX-License-Identifier: MIT
 *
 * Expected steps, lumping and fractions on chains made by hand, whose answers are known by heart.
 */
#include "test.h"

#include "verify/enumerate/verifier.h"

#include <math.h>

enum { LENGTH = 50, ARCS = 2 };

/* A walk on 0 .. LENGTH, one step to either side with the same chance; at the far end the step
 * outwards stays. It reaches 0 from i after i (2 LENGTH + 1 - i) steps on average. `copies` of it
 * go side by side, and a step outwards changes to the next copy. */
struct chain {
    struct rl_graph graph;
    uint32_t next[3 * (LENGTH + 1) * ARCS];
    uint8_t target[3 * (LENGTH + 1)];
};

static uint32_t number(uint32_t copy, uint32_t i)
{
    return copy * (LENGTH + 1) + i;
}

static void make_walks(struct chain *chain, uint32_t copies)
{
    *chain = (struct chain){.graph = {copies * (LENGTH + 1), ARCS, chain->next}};
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

/* On classes, or on the graph as it is. */
static struct rl_solution solve(struct chain *chain, bool lumped, unsigned jobs,
                                struct rl_lump *lump_out)
{
    struct rl_effort effort = {.jobs = jobs};
    struct rl_solution solution;
    rl_lump_init(lump_out, &chain->graph, chain->target, lumped ? UINT32_MAX : 0, &effort);
    assert_int_equal(effort.status, RL_OK);
    rl_solve(&solution, lump_out, &effort, 1e-10);
    assert_int_equal(effort.status, RL_OK);
    return solution;
}

TEST(a_walk_takes_as_many_steps_as_the_formula_says)
{
    struct chain chain;
    make_walks(&chain, 3);
    for (int lumped = 0; lumped < 2; lumped++) {
        FREED(rl_lump) lump;
        FREED(rl_solution) solution = solve(&chain, lumped, 2, &lump);
        assert_int_equal(lump.of != NULL, lumped);
        assert_true(solution.finite && solution.error <= 1e-10);
        for (uint32_t i = 0; i < chain.graph.count; i++)
            assert_near(solution.steps[rl_lump_class(&lump, i)], expected(i % (LENGTH + 1)),
                        solution.error * expected(i % (LENGTH + 1)));
    }
}

TEST(a_target_that_is_not_reached_from_everywhere_takes_for_ever)
{
    struct chain chain;
    make_walks(&chain, 1);
    chain.next[ARCS * LENGTH] = LENGTH;
    for (int lumped = 0; lumped < 2; lumped++) {
        FREED(rl_lump) lump;
        FREED(rl_solution) solution = solve(&chain, lumped, 1, &lump);
        assert_false(solution.finite);
    }
}

TEST(the_proven_error_is_that_of_the_last_sweep_and_not_a_wish)
{
    struct chain chain;
    FREED(rl_solution) solution;
    struct rl_effort effort = {.jobs = 1};
    make_walks(&chain, 1);
    const struct rl_lump lump = {.graph = chain.graph, .target = chain.target};
    rl_solve(&solution, &lump, &effort, 1e-30);
    assert_int_equal(effort.status, RL_OK);
    assert_true(solution.error > 1e-17 && solution.error < 1e-9);
}

/* Every sum of the method cancels at its first step from 0. */
TEST(a_chain_on_which_the_method_breaks_down_is_solved_all_the_same)
{
    enum { COUNT = 21 };
    static uint32_t next[COUNT * ARCS] = {9,  9,  1, 1,  9,  2,  3,  13, 1, 2, 5, 5,  3,  3,
                                          7,  16, 7, 16, 9,  20, 10, 4,  2, 2, 3, 0,  14, 2,
                                          16, 7,  2, 2,  19, 16, 13, 2,  9, 9, 5, 15, 4,  4};
    static const uint8_t target[COUNT] = {[1] = 1, [5] = 1};
    const struct rl_lump lump = {.graph = {COUNT, ARCS, next}, .target = (uint8_t *)target};
    FREED(rl_solution) solution;
    struct rl_effort effort = {.jobs = 1};
    rl_solve(&solution, &lump, &effort, 1e-9);
    assert_int_equal(effort.status, RL_OK);
    assert_true(solution.finite && solution.error <= 1e-9);
    double worst = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        worst = solution.steps[i] > worst ? solution.steps[i] : worst;
    assert_near(worst, 15.75, 1e-8);
    assert_true(solution.sweeps < 804); /* one run of the method in vain, 2, and then sweeps, 800 */
}

/* Two counters: one goes up and the other begins anew, until both are at the top. It takes 8e8
 * steps, and neither the method nor sweeps get there. */
TEST(counters_that_begin_anew_are_eliminated)
{
    enum { TOP = 28, SIDE = TOP + 1, COUNT = SIDE * SIDE };
    static uint32_t next[COUNT * ARCS];
    static const uint8_t target[COUNT] = {[COUNT - 1] = 1};
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t l = i / SIDE, r = i % SIDE;
        next[ARCS * i] = (l < TOP ? l + 1 : l) * SIDE + (r < TOP ? 0 : r);
        next[ARCS * i + 1] = (l < TOP ? 0 : l) * SIDE + (r < TOP ? r + 1 : r);
    }
    const struct rl_lump lump = {.graph = {COUNT, ARCS, next}, .target = (uint8_t *)target};
    FREED(rl_solution) solution;
    struct rl_effort effort = {.jobs = 1, .memory = 1 << 23};
    rl_solve(&solution, &lump, &effort, 1e-9);
    assert_int_equal(effort.status, RL_OK);
    assert_true(solution.finite && solution.error < 1e-5);
    assert_near(solution.steps[0], 805306365, 1);
    rl_solve_free(&solution);
    effort.memory = COUNT * COUNT * sizeof(double); /* no room for the matrix */
    rl_solve(&solution, &lump, &effort, 1e-9);
    assert_true(effort.status == RL_OK && solution.error > 0.5);
}

/* Round and round, one or two on, with one way out: the method goes astray, by a factor of 1e30. */
TEST(a_circle_is_solved_all_the_same)
{
    enum { COUNT = 347 };
    static uint32_t next[COUNT * ARCS];
    static const uint8_t target[COUNT] = {1};
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t arc = 0; arc < ARCS; arc++)
            next[ARCS * i + arc] = i + 1 + arc < COUNT ? i + 1 + arc : arc;
    const struct rl_lump lump = {.graph = {COUNT, ARCS, next}, .target = (uint8_t *)target};
    FREED(rl_solution) solution;
    struct rl_effort effort = {.jobs = 1};
    rl_solve(&solution, &lump, &effort, 1e-9);
    assert_int_equal(effort.status, RL_OK);
    assert_true(solution.finite && solution.error <= 1e-9);
    for (uint32_t i = 1; i < COUNT; i++) { /* each is one more than the mean of its successors */
        const uint32_t *const to = next + ARCS * i;
        assert_near(solution.steps[i], 1 + (solution.steps[to[0]] + solution.steps[to[1]]) / 2,
                    1e-6);
    }
}

enum { STATES = 24, TRIALS = 5000 };

/* Gauss-Jordan on h - P h = 1; false: some state never reaches the target. */
static bool eliminate(const struct rl_lump *lump, long double *h)
{
    static long double rows[STATES][STATES + 1];
    const uint32_t count = lump->graph.count, arcs = lump->graph.arcs;
    memset(rows, 0, sizeof rows);
    for (uint32_t i = 0; i < count; i++) {
        rows[i][i] = 1;
        rows[i][count] = !lump->target[i];
        for (uint32_t arc = 0; !lump->target[i] && arc < arcs; arc++)
            rows[i][lump->graph.next[i * arcs + arc]] -= 1.0L / arcs;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (fabsl(rows[k][k]) < 1e-12L)
            return false;
        for (uint32_t i = 0; i < count; i++) {
            const long double factor = i == k ? 0 : rows[i][k] / rows[k][k];
            for (uint32_t j = k; factor != 0 && j <= count; j++)
                rows[i][j] -= factor * rows[k][j];
        }
    }
    for (uint32_t i = 0; i < count; i++)
        h[i] = rows[i][count] / rows[i][i];
    return true;
}

/* Few states and arcs, so that sums cancel now and then: on some of them the method breaks down. */
TEST(random_chains_agree_with_elimination)
{
    static uint32_t next[STATES * 3];
    static uint8_t target[STATES];
    long double h[STATES];
    struct rl_random random;
    unsigned solved = 0;
    rl_random_init(&random, 21, 0, RL_PURPOSE_START);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const uint32_t count = 2 + (uint32_t)rl_random_below(&random, STATES - 1);
        const uint32_t arcs = 2 + (uint32_t)rl_random_below(&random, 2);
        const struct rl_lump lump = {.graph = {count, arcs, next}, .target = target};
        for (uint32_t i = 0; i < count * arcs; i++)
            next[i] = (uint32_t)rl_random_below(&random, count);
        for (uint32_t i = 0; i < count; i++)
            target[i] = i == 0 || rl_random_below(&random, 8) == 0;
        FREED(rl_solution) solution;
        struct rl_effort effort = {.jobs = 1};
        rl_solve(&solution, &lump, &effort, 1e-9);
        assert_int_equal(effort.status, RL_OK);
        if (!solution.finite || !eliminate(&lump, h))
            continue;
        solved++;
        for (uint32_t i = 0; i < count; i++)
            assert_near(solution.steps[i], (double)h[i], 2e-9 * (double)h[i]);
        assert_true(solution.error <= 1e-9);
    }
    assert_true(solved > TRIALS / 3);
}

TEST(walks_side_by_side_are_lumped_into_one)
{
    struct chain chain;
    FREED(rl_lump) lump;
    make_walks(&chain, 3);
    struct rl_effort effort = {.jobs = 2};
    rl_lump_init(&lump, &chain.graph, chain.target, UINT32_MAX, &effort);
    assert_int_equal(effort.status, RL_OK);
    assert_int_equal(lump.graph.count, LENGTH + 1);
    for (uint32_t i = 0; i <= LENGTH; i++) {
        assert_int_equal(lump.of[number(0, i)], lump.of[number(1, i)]);
        assert_int_equal(lump.of[number(0, i)], lump.of[number(2, i)]);
        assert_int_equal(lump.of[number(0, i)] == 0, i == 0);
    }
}

TEST(a_chain_in_which_all_differ_is_not_lumped)
{
    struct chain chain;
    struct rl_lump lump;
    make_walks(&chain, 2);
    chain.next[ARCS * number(1, LENGTH) + 1] = number(1, 1); /* a short cut in one of them */
    struct rl_effort effort = {.jobs = 2};
    rl_lump_init(&lump, &chain.graph, chain.target, UINT32_MAX, &effort);
    assert_int_equal(effort.status, RL_OK);
    assert_true(lump.graph.count > LENGTH + 1);
    assert_int_not_equal(lump.of[number(0, LENGTH)], lump.of[number(1, LENGTH)]);
    rl_lump_free(&lump);
    /* So many classes are not worth it. */
    rl_lump_init(&lump, &chain.graph, chain.target, LENGTH / 2, &effort);
    assert_int_equal(effort.status, RL_OK);
    assert_null(lump.of);
    assert_ptr_equal(lump.graph.next, chain.next);
    rl_lump_free(&lump);
}

TEST(fractions_are_the_formula_exactly)
{
    struct chain chain;
    FREED(rl_lump) lump;
    char *worst, *mean, wanted[64];
    uint64_t weights[LENGTH + 1], sum = 0;
    if (!rl_verify_has_exact())
        skip();
    make_walks(&chain, 1);
    struct rl_effort effort = {.jobs = 2};
    rl_lump_init(&lump, &chain.graph, chain.target, UINT32_MAX, &effort);
    assert_int_equal(effort.status, RL_OK);
    for (uint32_t i = 0; i <= LENGTH; i++) {
        weights[i] = 1;
        sum += (uint64_t)i * (2 * LENGTH + 1 - i);
    }
    assert_int_equal(rl_exact_solve(&lump.graph, weights, &worst, &mean), RL_OK);
    snprintf(wanted, sizeof wanted, "%u", LENGTH * (LENGTH + 1));
    assert_string_equal(worst, wanted);
    assert_int_equal(sum, 17 * 5050);
    assert_int_equal(LENGTH + 1, 17 * 3);
    snprintf(wanted, sizeof wanted, "5050/3");
    assert_string_equal(mean, wanted);
    free(worst);
    free(mean);
}
