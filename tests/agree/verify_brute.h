/* SPDX-License-Identifier: MIT
 *
 * The verifier against brute force: every configuration for itself, in plain arrays, with the sets
 * as the paper defines them, safe by deleting until nothing changes, and expected steps by plain
 * sweeps. Nothing here is shared with src/verify.
 */
#ifndef RINGLEADER_TEST_VERIFY_BRUTE_H
#define RINGLEADER_TEST_VERIFY_BRUTE_H

#include <math.h>

#include "test.h"

struct brute {
    const struct rl_protocol *protocol;
    struct rl_params params;
    uint32_t states, arcs;
    size_t count;
    uint32_t *next;  /* [configuration * arcs + arc] */
    uint8_t *output; /* [configuration * arcs + arc]: does it change an output? */
    uint32_t *leaders;
    uint8_t *member[RL_MAX_SETS], *safe, *reaching;
    double *steps;
};

/* Agent 0 is the lowest digit, unlike in the verifier. */
static inline void decode(const struct brute *brute, size_t code, struct rl_ring *ring)
{
    for (uint32_t i = 0; i < brute->params.n; i++, code /= brute->states)
        rl_ring_set(ring, i,
                    rl_protocol_state(brute->protocol, &brute->params, code % brute->states));
}

static inline size_t encode(const struct brute *brute, const struct rl_ring *ring)
{
    size_t code = 0;
    for (uint32_t i = brute->params.n; i-- > 0;)
        code = code * brute->states +
               rl_protocol_index(brute->protocol, &brute->params, rl_ring_get(ring, i));
    return code;
}

static inline bool same_outputs(const struct rl_ring *a, const struct rl_ring *b)
{
    for (uint32_t i = 0; i < a->params.n; i++)
        if (a->protocol->leads(rl_ring_get(a, i)) != a->protocol->leads(rl_ring_get(b, i)))
            return false;
    return true;
}

static inline struct brute brute_begin(const struct rl_protocol *protocol, uint32_t n,
                                       uint32_t value)
{
    struct brute brute = {.protocol = protocol, .params = {.n = n, .value = {value}}};
    uint64_t memory[2][32];
    struct rl_ring ring = {brute.protocol, brute.params, memory[0]};
    struct rl_ring after = {brute.protocol, brute.params, memory[1]};
    brute.states = (uint32_t)rl_protocol_states(brute.protocol, &brute.params);
    brute.arcs = rl_ring_arcs(&ring);
    brute.count = 1;
    for (uint32_t i = 0; i < n; i++)
        brute.count *= brute.states;
    brute.next = malloc(brute.count * brute.arcs * sizeof *brute.next);
    brute.output = calloc(brute.count, brute.arcs);
    brute.leaders = malloc(brute.count * sizeof *brute.leaders);
    brute.safe = calloc(brute.count, 1);
    brute.reaching = calloc(brute.count, 1);
    brute.steps = calloc(brute.count, sizeof *brute.steps);
    for (size_t s = 0; s < brute.protocol->set_count; s++)
        brute.member[s] = calloc(brute.count, 1);
    for (size_t c = 0; c < brute.count; c++) {
        decode(&brute, c, &ring);
        brute.leaders[c] = rl_ring_leaders(&ring);
        for (size_t s = 0; s < brute.protocol->set_count; s++)
            brute.member[s][c] = test_by_definition(&brute.protocol->sets[s], &ring);
        for (uint32_t arc = 0; arc < brute.arcs; arc++) {
            decode(&brute, c, &after);
            rl_ring_interact(&after, arc);
            brute.next[c * brute.arcs + arc] = (uint32_t)encode(&brute, &after);
            brute.output[c * brute.arcs + arc] = !same_outputs(&ring, &after);
        }
    }
    return brute;
}

static inline void brute_end(struct brute *brute)
{
    free(brute->next);
    free(brute->output);
    free(brute->leaders);
    free(brute->safe);
    free(brute->reaching);
    free(brute->steps);
    for (size_t s = 0; s < brute->protocol->set_count; s++)
        free(brute->member[s]);
}

static inline size_t size_of(const struct brute *brute, const uint8_t *set)
{
    size_t size = 0;
    for (size_t c = 0; c < brute->count; c++)
        size += set[c];
    return size;
}

static inline bool is_closed(const struct brute *brute, const uint8_t *set)
{
    for (size_t i = 0; i < brute->count * brute->arcs; i++)
        if (set[i / brute->arcs] && !set[brute->next[i]])
            return false;
    return true;
}

static inline void find_safe(struct brute *brute)
{
    for (size_t c = 0; c < brute->count; c++) {
        brute->safe[c] = brute->leaders[c] == 1;
        for (uint32_t arc = 0; arc < brute->arcs; arc++)
            brute->safe[c] &= !brute->output[c * brute->arcs + arc];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < brute->count * brute->arcs; i++)
            if (brute->safe[i / brute->arcs] && !brute->safe[brute->next[i]]) {
                brute->safe[i / brute->arcs] = 0;
                changed = true;
            }
    }
}

static inline void find_reaching(struct brute *brute, const uint8_t *set)
{
    memcpy(brute->reaching, set, brute->count);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < brute->count * brute->arcs; i++)
            if (!brute->reaching[i / brute->arcs] && brute->reaching[brute->next[i]]) {
                brute->reaching[i / brute->arcs] = 1;
                changed = true;
            }
    }
}

/* Gauss-Seidel from 0 rises to the solution; it stops where doubles do. */
static inline void find_steps(struct brute *brute, const uint8_t *set)
{
    memset(brute->steps, 0, brute->count * sizeof *brute->steps);
    for (double change = 1; change > 1e-12;) {
        change = 0;
        for (size_t c = 0; c < brute->count; c++) {
            double sum = 0, others = 0;
            if (set[c])
                continue;
            for (uint32_t arc = 0; arc < brute->arcs; arc++) {
                const uint32_t next = brute->next[c * brute->arcs + arc];
                sum += next == c ? 0 : brute->steps[next];
                others += next != c;
            }
            const double steps = (brute->arcs + sum) / others;
            change = fmax(change, (steps - brute->steps[c]) / steps);
            brute->steps[c] = steps;
        }
    }
}

static inline void compare_expected(struct brute *brute, const uint8_t *set,
                                    const struct rl_expectation *expected)
{
    find_reaching(brute, set);
    assert_true(expected->known);
    assert_int_equal(expected->finite, size_of(brute, brute->reaching) == brute->count);
    if (!expected->finite)
        return;
    find_steps(brute, set);
    double worst = 0, sum = 0;
    for (size_t c = 0; c < brute->count; c++) {
        worst = fmax(worst, brute->steps[c]);
        sum += brute->steps[c];
    }
    assert_near(expected->worst, worst, 2e-9 * worst);
    assert_near(expected->mean, sum / (double)brute->count, 2e-9 * expected->mean);
    assert_true(expected->error <= 1e-9);
    uint64_t memory[32];
    struct rl_ring ring = {brute->protocol, brute->params, memory};
    for (uint32_t i = 0; i < brute->params.n; i++)
        rl_ring_set(&ring, i, expected->worst_configuration[i]);
    assert_near(brute->steps[encode(brute, &ring)], worst, 2e-9 * worst);
    size_t as_bad = 0;
    for (size_t c = 0; c < brute->count; c++)
        as_bad += brute->steps[c] >= worst * (1 - 2e-9);
    assert_int_equal(expected->worst_count, as_bad);
}

static inline void compare_claims(struct brute *brute, const struct rl_verification *answer)
{
    uint64_t memory[32];
    struct rl_ring ring = {brute->protocol, brute->params, memory};
    uint8_t *to = malloc(brute->count);
    for (size_t k = 0; k < brute->protocol->claim_count; k++) {
        const struct rl_claim *claim = &brute->protocol->claims[k];
        for (size_t c = 0; c < brute->count; c++) {
            decode(brute, c, &ring);
            to[c] = claim->to(&ring);
        }
        find_reaching(brute, to);
        assert_int_equal(answer->claims[k].finite, size_of(brute, brute->reaching) == brute->count);
        if (!answer->claims[k].finite)
            continue;
        find_steps(brute, to);
        double worst = 0;
        for (size_t c = 0; c < brute->count; c++) {
            decode(brute, c, &ring);
            if (claim->from(&ring))
                worst = fmax(worst, brute->steps[c]);
        }
        assert_near(answer->claims[k].worst, worst, 2e-9 * worst);
    }
    free(to);
}

static inline void compare_lemmas(struct brute *brute, const struct rl_verification *answer)
{
    uint64_t memory[2][32];
    struct rl_ring before = {brute->protocol, brute->params, memory[0]};
    struct rl_ring after = {brute->protocol, brute->params, memory[1]};
    uint64_t checked[RL_MAX_LEMMAS] = {0}, violations[RL_MAX_LEMMAS] = {0};
    for (size_t c = 0; c < brute->count; c++)
        for (uint32_t arc = 0; arc < brute->arcs; arc++) {
            decode(brute, c, &before);
            decode(brute, brute->next[c * brute->arcs + arc], &after);
            for (size_t k = 0; k < brute->protocol->lemma_count; k++) {
                const enum rl_verdict verdict =
                    brute->protocol->lemmas[k].check(&before, arc, &after);
                checked[k] += verdict != RL_NOT_CONCERNED;
                violations[k] += verdict == RL_VIOLATED;
            }
        }
    for (size_t k = 0; k < brute->protocol->lemma_count; k++) {
        assert_int_equal(answer->lemmas[k].checked, checked[k]);
        assert_int_equal(answer->lemmas[k].violations, violations[k]);
        assert_int_equal(answer->lemmas[k].violation.exists, violations[k] > 0);
    }
}

/* What can be reached from a configuration. */
static inline uint8_t *reach(const struct brute *brute, size_t from)
{
    uint8_t *reached = calloc(brute->count, 1);
    reached[from] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < brute->count * brute->arcs; i++)
            if (reached[i / brute->arcs] && !reached[brute->next[i]]) {
                reached[brute->next[i]] = 1;
                changed = true;
            }
    }
    return reached;
}

/* The trap: everything that can be reached from its example is stuck; without reductions it is
 * exactly that, and all of it leads back. */
static inline void check_trap(struct brute *brute, const struct rl_verification *answer,
                              bool no_reduction)
{
    uint64_t memory[32];
    struct rl_ring ring = {brute->protocol, brute->params, memory};
    for (uint32_t i = 0; i < brute->params.n; i++)
        rl_ring_set(&ring, i, answer->trapped.start[i]);
    const size_t start = encode(brute, &ring);
    uint8_t *reached = reach(brute, start), *only = calloc(brute->count, 1);
    only[start] = 1;
    find_reaching(brute, brute->safe);
    for (size_t c = 0; c < brute->count; c++)
        assert_false(reached[c] && brute->reaching[c]);
    assert_true(size_of(brute, reached) <= answer->trap);
    find_reaching(brute, only);
    for (size_t c = 0; no_reduction && c < brute->count; c++)
        assert_true(!reached[c] || brute->reaching[c]);
    if (no_reduction)
        assert_int_equal(size_of(brute, reached), answer->trap);
    free(reached);
    free(only);
}

static inline void compare_protocol(const struct rl_protocol *protocol, uint32_t n, uint32_t value,
                                    bool no_reduction)
{
    struct brute brute = brute_begin(protocol, n, value);
    struct rl_verification answer =
        test_verify(protocol, brute.params, RL_ASK_EVERYTHING, no_reduction);
    assert_int_equal(answer.configurations, brute.count);
    assert_int_equal(answer.agent_states, brute.states);
    find_safe(&brute);
    assert_int_equal(answer.safe, size_of(&brute, brute.safe));
    find_reaching(&brute, brute.safe);
    assert_int_equal(answer.stuck, brute.count - size_of(&brute, brute.reaching));
    assert_int_equal(answer.self_stabilizing, answer.stuck == 0);
    if (!answer.self_stabilizing)
        check_trap(&brute, &answer, no_reduction);
    bool inside = true;
    for (size_t c = 0; c < brute.count; c++)
        inside &= !brute.member[protocol->target][c] || brute.safe[c];
    assert_int_equal(answer.sets[protocol->target].inside_safe, inside);
    for (size_t s = 0; s < protocol->set_count; s++) {
        assert_int_equal(answer.sets[s].size, size_of(&brute, brute.member[s]));
        assert_int_equal(answer.sets[s].closed, is_closed(&brute, brute.member[s]));
        assert_int_equal(answer.sets[s].way_out.exists, !answer.sets[s].closed);
        compare_expected(&brute, brute.member[s], &answer.sets[s].expected);
    }
    compare_expected(&brute, brute.safe, &answer.safe_expected);
    compare_lemmas(&brute, &answer);
    compare_claims(&brute, &answer);
    rl_verify_free(&answer);
    brute_end(&brute);
}

/* `value` is that of the first parameter. */
static inline void compare(const char *name, uint32_t n, uint32_t value, bool no_reduction)
{
    compare_protocol(rl_protocol_named(name), n, value, no_reduction);
}

#endif
