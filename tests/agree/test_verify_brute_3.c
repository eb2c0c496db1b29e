/* SPDX-License-Identifier: MIT
 *
 * The verifier against brute force, on rings of three agents: 884,736 configurations for n = N = 3.
 */
#include "agree/verify_brute.h"

static void three_agents_agree_with_brute_force(void **state)
{
    (void)state;
    compare("prl", 3, 3, false);
}

static void three_agents_without_reductions_agree_with_brute_force(void **state)
{
    (void)state;
    compare("prl", 3, 3, true);
}

static void three_agents_that_know_too_little_agree_with_brute_force(void **state)
{
    (void)state;
    compare("prl", 3, 2, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_agents_agree_with_brute_force),
        cmocka_unit_test(three_agents_without_reductions_agree_with_brute_force),
        cmocka_unit_test(three_agents_that_know_too_little_agree_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
