/* SPDX-License-Identifier: MIT
 *
 * What is known of the rival protocols on small rings, asked of the verifier: the rings on which
 * they stabilize, those on which they do not, and mutants, each with one clause left out, which the
 * verifier must catch with a counterexample. And that the target of ppl is closed, for which there
 * are too many configurations, by a walk through all that one interaction can depend on.
 */
#include "registry.h"

/* Each with the smallest ring on which it fails. */
#define MUTANTS(X)                                                                                 \
    X(aaf08_without_1, 3, 2, "the barrier absorbs the bullet")                                     \
    X(aaf08_without_2, 3, 2, "a leader that fires absorbs the probe")                              \
    X(aaf08_without_3, 3, 2, "no probe is sent into a leader")                                     \
    X(aaf08_without_4, 3, 2, "the phase is reset when the barrier advances")                       \
    X(aaf08_without_5, 3, 2, "the barrier waits while r holds a probe")                            \
    X(fj06_without_1, 3, 0, "a shield swallows the bullet it meets")                               \
    X(fj06_without_2, 3, 0, "a leader fires when it meets its left")                               \
    X(fj06_without_3, 3, 0, "a bullet kills")                                                      \
    X(prl_oracle_without_13, 2, 0, "line 13: a live bullet kills an unshielded leader")

#define DECLARE(id, n, parameter, clause) extern const struct rl_protocol rl_protocol_##id;
MUTANTS(DECLARE)
#undef DECLARE

/* ---- the verifier -----------------------------------------------------------------------------
 */

/* Asks for closed sets and self-stabilization; parameters may be such as the protocol refuses. */
static void ask(const struct rl_protocol *protocol, uint32_t n, uint32_t parameter,
                struct rl_verification *answer)
{
    struct rl_error error = {0};
    const struct rl_verify_options options = {
        .protocol = protocol,
        .params = {.n = n, .value = {parameter}},
        .questions = RL_ASK_CLOSURE | RL_ASK_STABILITY,
        .precision = 1e-6,
        .memory = UINT64_C(2) << 30,
        .jobs = 1,
    };
    if (rl_verify(answer, &options, &error))
        fail_msg("%s, n = %u: %s", protocol->name, n, error.text);
}

static void check_stabilizes(const char *name, uint32_t n, uint32_t parameter)
{
    struct rl_verification answer;
    const struct rl_protocol *protocol = rl_protocol_named(name);
    ask(protocol, n, parameter, &answer);
    if (!answer.self_stabilizing)
        fail_msg("%s, n = %u, parameter %u: not self-stabilizing", name, n, parameter);
    for (size_t i = 0; i < protocol->set_count; i++)
        assert_true(answer.sets[i].closed && answer.sets[i].size > 0);
    assert_true(answer.sets[protocol->target].inside_safe);
    rl_verify_free(&answer);
}

static void the_rivals_stabilize_on_the_rings_they_are_for(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 6; n++)
        check_stabilizes("fj06", n, 0);
    check_stabilizes("aaf08", 3, 2);
    check_stabilizes("aaf08", 3, 4);
    check_stabilizes("aaf08", 4, 3);
    for (uint32_t n = 2; n <= 4; n++)
        check_stabilizes("prl-oracle", n, 0);
}

/* Equal to the safe set, as computed by an independent program too. */
static void the_targets_of_fj06_and_aaf08_are_all_that_is_safe(void **state)
{
    (void)state;
    static const struct {
        const char *protocol;
        uint32_t n, parameter;
        uint64_t safe;
    } known[] = {{"fj06", 3, 0, 126}, {"fj06", 4, 0, 680}, {"aaf08", 4, 3, 31488}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_verification answer;
        const struct rl_protocol *protocol = rl_protocol_named(known[i].protocol);
        ask(protocol, known[i].n, known[i].parameter, &answer);
        assert_true(answer.safe == known[i].safe);
        assert_true(answer.sets[protocol->target].size == known[i].safe);
        rl_verify_free(&answer);
    }
}

static bool count_bytes(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
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
    struct rl_verification answer;
    size_t written = 0;
    ask(protocol, n, parameter, &answer);
    if (rl_verify_all_well(&answer, protocol))
        fail_msg("%s, n = %u, parameter %u is fine without: %s", protocol->name, n, parameter,
                 without);
    const struct rl_counterexample *example = shown(&answer, protocol);
    const struct rl_params params = {.n = n, .value = {parameter}};
    assert_true(example->exists);
    assert_int_equal(rl_counterexample_write(example, protocol, &params, &written, count_bytes),
                     RL_OK);
    assert_true(written > 0);
    rl_verify_free(&answer);
}

static void rings_are_refused_for_a_reason(void **state)
{
    (void)state;
    check_fails(rl_protocol_named("fj06"), 2, 0, "a third agent");
    check_fails(rl_protocol_named("aaf08"), 4, 2, "a k that does not divide n");
    check_fails(rl_protocol_named("aaf08"), 3, 3, "a k that does not divide n");
    for (uint32_t k = 3; k <= 5; k++)
        check_fails(rl_protocol_named("aaf08"), 2, k, "a third agent");
}

static void no_clause_of_a_rival_can_be_spared(void **state)
{
    (void)state;
#define CHECK(id, n, parameter, clause) check_fails(&rl_protocol_##id, n, parameter, clause);
    MUTANTS(CHECK)
#undef CHECK
}

/* ---- ppl --------------------------------------------------------------------------------------
 *
 * Membership is a conjunction of conditions on single tokens, given the bits, and on bullets; the
 * bullets are those of prl-oracle, whose target the verifier shows to be closed. An interaction
 * looks at two agents, at one colour of tokens at a time; of the clocks only whether r's has run
 * out matters. So it is enough to try, for every settled ring without tokens and every arc, all
 * pairs of tokens of one colour, with clocks at zero and run out: whatever a member of the target
 * can do, one of these does.
 */

static void put_value(struct rl_ring *ring, uint32_t i, const char *name, uint32_t value)
{
    for (size_t v = 0; v < ring->protocol->variable_count; v++) {
        const struct rl_variable *variable = &ring->protocol->variables[v];
        if (strcmp(variable->name, name) == 0)
            rl_ring_set(ring, i, rl_variable_set(variable, rl_ring_get(ring, i), value));
    }
}

/* A settled ring with its leader at u_0: the first ID and the bits of the last segment are free. */
static void settle(struct rl_ring *ring, uint32_t id, uint32_t last_bits, uint32_t clock)
{
    const uint32_t n = ring->params.n, psi = ring->params.value[0];
    for (uint32_t i = 0; i < n; i++) {
        const bool last = i / psi == (n - 1) / psi;
        rl_ring_set(ring, i, 0);
        put_value(ring, i, "leader", i == 0);
        put_value(ring, i, "dist", i % (2 * psi));
        put_value(ring, i, "last", last);
        put_value(ring, i, "bit", (last ? last_bits : id + i / psi) >> i % psi & 1);
        put_value(ring, i, "clock", clock);
    }
}

static uint64_t check_tokens(struct rl_ring *ring, uint32_t arc, const char *colour)
{
    const struct rl_set *target = &ring->protocol->sets[ring->protocol->target];
    const uint32_t tokens = 8 * ring->params.value[0] - 3, right = (arc + 1) % ring->params.n;
    const rl_state l = rl_ring_get(ring, arc), r = rl_ring_get(ring, right);
    uint64_t members = 0;
    for (uint32_t a = 0; a < tokens; a++)
        for (uint32_t b = 0; b < tokens; b++) {
            put_value(ring, arc, colour, a);
            put_value(ring, right, colour, b);
            if (target->contains(ring)) {
                members++;
                rl_ring_interact(ring, arc);
                if (!target->contains(ring))
                    fail_msg("n = %u, arc %u, %s tokens %u and %u lead out, to %s", ring->params.n,
                             arc, colour, a, b, registry_text(ring));
            }
            rl_ring_set(ring, arc, l);
            rl_ring_set(ring, right, r);
        }
    return members;
}

static void check_ppl(uint32_t psi, uint32_t n)
{
    struct rl_ring ring = test_ring("ppl", n, psi);
    ring.params.value[1] = 1; /* kmax */
    uint64_t members = 0;
    for (uint32_t id = 0; id < UINT32_C(1) << psi; id++)
        for (uint32_t bits = 0; bits < UINT32_C(1) << psi; bits++)
            for (uint32_t clock = 0; clock <= 1; clock++) {
                settle(&ring, id, bits, clock);
                for (uint32_t arc = 0; arc < n; arc++) {
                    members += check_tokens(&ring, arc, "black");
                    members += check_tokens(&ring, arc, "white");
                }
            }
    assert_true(members > 0);
    free(ring.agents);
}

static void the_target_of_ppl_is_closed(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 7; n++)
        check_ppl(2, n);
    for (uint32_t n = 2; n <= 13; n += n < 7 ? 1 : 3)
        check_ppl(3, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rivals_stabilize_on_the_rings_they_are_for),
        cmocka_unit_test(the_targets_of_fj06_and_aaf08_are_all_that_is_safe),
        cmocka_unit_test(rings_are_refused_for_a_reason),
        cmocka_unit_test(no_clause_of_a_rival_can_be_spared),
        cmocka_unit_test(the_target_of_ppl_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
