/* SPDX-License-Identifier: MIT
 *
 * The verifier against brute force, on rings of two agents and on refused ones of three.
 */
#include "agree/verify_brute.h"

static void two_agents_agree_with_brute_force(void **state)
{
    (void)state;
    compare("prl", 2, 2, false);
    compare("prl", 2, 3, false);
    compare("prl", 2, 5, false);
}

static void a_protocol_that_does_not_stabilize_agrees_with_brute_force(void **state)
{
    (void)state;
    compare("prl-dummy", 2, 2, false);
    compare("prl-dummy", 2, 3, false);
}

static void the_space_without_reductions_agrees_with_brute_force(void **state)
{
    (void)state;
    compare("prl", 2, 2, true);
    compare("prl-dummy", 2, 3, true);
}

/* N < n: the sets are not closed, nothing is safe, a lemma is violated. */
static void refused_parameters_agree_with_brute_force(void **state)
{
    (void)state;
    compare("prl", 2, 1, false);
    compare("prl", 3, 1, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_agents_agree_with_brute_force),
        cmocka_unit_test(a_protocol_that_does_not_stabilize_agrees_with_brute_force),
        cmocka_unit_test(the_space_without_reductions_agrees_with_brute_force),
        cmocka_unit_test(refused_parameters_agree_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
