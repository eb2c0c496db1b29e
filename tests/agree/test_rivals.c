/* SPDX-License-Identifier: MIT
 *
 * What is known of the rival protocols on small rings, asked of the verifier: the rings on which
 * they stabilize, and those on which they do not, for which there must be a counterexample.
 */
#include "registry.h"

/* Asks for closed sets and self-stabilization; parameters may be such as the protocol refuses. */
static struct rl_verification ask(const struct rl_protocol *protocol, uint32_t n,
                                  uint32_t parameter)
{
    const struct rl_params params = {.n = n, .value = {parameter}};
    return test_verify(protocol, params, RL_ASK_CLOSURE | RL_ASK_STABILITY, false);
}

static void check_stabilizes(const char *name, uint32_t n, uint32_t parameter)
{
    const struct rl_protocol *protocol = rl_protocol_named(name);
    FREED(rl_verification) answer = ask(protocol, n, parameter);
    if (!answer.self_stabilizing)
        fail_msg("%s, n = %u, parameter %u: not self-stabilizing", name, n, parameter);
    for (size_t i = 0; i < protocol->set_count; i++)
        assert_true(answer.sets[i].closed && answer.sets[i].size > 0);
    assert_true(answer.sets[protocol->target].inside_safe);
}

TEST(the_rivals_stabilize_on_the_rings_they_are_for)
{
    for (uint32_t n = 3; n <= 6; n++)
        check_stabilizes("fj06", n, 0);
    check_stabilizes("aaf08", 3, 2);
    check_stabilizes("aaf08", 3, 4);
    check_stabilizes("aaf08", 4, 3);
    for (uint32_t n = 2; n <= 4; n++)
        check_stabilizes("prl-oracle", n, 0);
}

/* Equal to the safe set, as computed by an independent program too. */
TEST(the_targets_of_fj06_and_aaf08_are_all_that_is_safe)
{
    static const struct {
        const char *protocol;
        uint32_t n, parameter;
        uint64_t safe;
    } known[] = {{"fj06", 3, 0, 126}, {"fj06", 4, 0, 680}, {"aaf08", 4, 3, 31488}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct rl_protocol *protocol = rl_protocol_named(known[i].protocol);
        FREED(rl_verification) answer = ask(protocol, known[i].n, known[i].parameter);
        assert_true(answer.safe == known[i].safe);
        assert_true(answer.sets[protocol->target].size == known[i].safe);
    }
}

/* The execution that shows a "no": out of a set, from the target to a change of output, or in a
 * trap that no safe configuration can be reached from. */
static const struct rl_counterexample *shown(const struct rl_verification *answer,
                                             const struct rl_protocol *protocol)
{
    for (size_t i = 0; i < protocol->set_count; i++)
        if (answer->sets[i].way_out.exists)
            return &answer->sets[i].way_out;
    const struct rl_set_answer *target = &answer->sets[protocol->target];
    return target->unsafe.exists ? &target->unsafe : &answer->trapped;
}

static void check_fails(const struct rl_protocol *protocol, uint32_t n, uint32_t parameter,
                        const char *without)
{
    FREED(rl_verification) answer = ask(protocol, n, parameter);
    FREED(bytes) written = {0};
    if (rl_verify_all_well(&answer, protocol))
        fail_msg("%s, n = %u, parameter %u is fine without: %s", protocol->name, n, parameter,
                 without);
    const struct rl_counterexample *example = shown(&answer, protocol);
    const struct rl_params params = {.n = n, .value = {parameter}};
    assert_true(example->exists);
    assert_int_equal(rl_counterexample_write(example, protocol, &params, &written, put_bytes),
                     RL_OK);
    assert_true(written.size > 0);
}

TEST(rings_are_refused_for_a_reason)
{
    check_fails(rl_protocol_named("fj06"), 2, 0, "a third agent");
    check_fails(rl_protocol_named("aaf08"), 4, 2, "a k that does not divide n");
    check_fails(rl_protocol_named("aaf08"), 3, 3, "a k that does not divide n");
    for (uint32_t k = 3; k <= 5; k++)
        check_fails(rl_protocol_named("aaf08"), 2, k, "a third agent");
}
