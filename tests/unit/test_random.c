/* SPDX-License-Identifier: MIT
 *
 * Random numbers: streams, bounded draws and waiting times.
 */
#include "test.h"

static void streams_of_different_purposes_differ(void **state)
{
    (void)state;
    struct rl_random a, b, c, d;
    rl_random_init(&a, 1, 0, RL_PURPOSE_START);
    rl_random_init(&b, 1, 0, RL_PURPOSE_SCHEDULE);
    rl_random_init(&c, 1, 1, RL_PURPOSE_START);
    rl_random_init(&d, 2, 0, RL_PURPOSE_START);
    const uint64_t x = rl_random_next(&a);
    assert_int_not_equal(x, rl_random_next(&b));
    assert_int_not_equal(x, rl_random_next(&c));
    assert_int_not_equal(x, rl_random_next(&d));
}

static void bounded_draws_stay_below_their_bound(void **state)
{
    (void)state;
    struct rl_random random;
    rl_random_init(&random, 7, 0, RL_PURPOSE_START);
    const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(1) << 26, UINT64_C(1) << 32};
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
        for (int i = 0; i < 1000; i++)
            assert_true(rl_random_below(&random, bounds[b]) < bounds[b]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_different_purposes_differ),
        cmocka_unit_test(bounded_draws_stay_below_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
