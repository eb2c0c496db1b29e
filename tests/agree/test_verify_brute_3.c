/* SPDX-License-Identifier: MIT
 *
 * The verifier against brute force, on rings of three agents: 884,736 configurations for n = N = 3.
 */
#include "agree/verify_brute.h"

TEST(three_agents_agree_with_brute_force)
{
    compare("prl", 3, 3, false);
}

TEST(three_agents_without_reductions_agree_with_brute_force)
{
    compare("prl", 3, 3, true);
}

TEST(three_agents_that_know_too_little_agree_with_brute_force)
{
    compare("prl", 3, 2, false);
}
