/* SPDX-License-Identifier: MIT
 *
 * The verifier against brute force, on rings of two agents and on refused ones of three.
 */
#include "agree/verify_brute.h"

TEST(two_agents_agree_with_brute_force)
{
    compare("prl", 2, 2, false);
    compare("prl", 2, 3, false);
    compare("prl", 2, 5, false);
}

TEST(a_protocol_that_does_not_stabilize_agrees_with_brute_force)
{
    compare("prl-dummy", 2, 2, false);
    compare("prl-dummy", 2, 3, false);
}

TEST(the_space_without_reductions_agrees_with_brute_force)
{
    compare("prl", 2, 2, true);
    compare("prl-dummy", 2, 3, true);
    compare("prl", 2, 1, true);
    compare("fj06", 2, 0, true);
}

/* N < n: the sets are not closed, nothing is safe, a lemma is violated. */
TEST(refused_parameters_agree_with_brute_force)
{
    compare("prl", 2, 1, false);
    compare("prl", 3, 1, false);
}

TEST(oracles_agree_with_brute_force)
{
    compare("fj06", 2, 0, false);
    compare("fj06", 3, 0, false);
    compare("fj06", 4, 0, false);
    compare("fj06", 3, 0, true);
    compare("prl-oracle", 3, 0, false);
}

TEST(rivals_agree_with_brute_force)
{
    compare("aaf08", 3, 2, false);
    compare("aaf08", 2, 3, false);
}

/* P_RL where both orders of each pair interact: no lemma is about that, but every set and step is
 * well defined. */
TEST(undirected_rings_agree_with_brute_force)
{
    struct rl_protocol protocol = *rl_protocol_named("prl");
    protocol.undirected = true;
    protocol.lemma_count = protocol.claim_count = 0;
    compare_protocol(&protocol, 2, 2, false);
    compare_protocol(&protocol, 3, 1, false);
    protocol = *rl_protocol_named("fj06");
    protocol.undirected = true;
    compare_protocol(&protocol, 3, 0, false);
    compare_protocol(&protocol, 4, 0, true);
}
