/* SPDX-License-Identifier: MIT
 *
 * Finding out what a predicate sees. To discover it, all states begin in one class; for every
 * choice of the other n-1 agents each state is tried, and a class whose states get different
 * answers falls apart. What remains together is never told apart, by any configuration.
 */
#include "verify/enumerate/view.h"
#include "core/inside.h"

#include <stdlib.h>
#include <string.h>

void rl_sight_declared(const struct rl_table *table, rl_sight *sees, uint16_t *labels_out)
{
    for (uint32_t s = 0; s < table->states; s++)
        labels_out[s] = sees ? (uint16_t)rl_protocol_index(table->protocol, &table->params,
                                                           sees(&table->params, table->word[s]))
                             : (uint16_t)s;
}

/* Splits classes by the answers: the states that answer as the first of their class does keep their
 * label. place[2 * label + answer] is the new one, or -1. Returns how many there are. */
static uint32_t split(uint32_t states, const bool *answer, uint16_t *labels, uint32_t count,
                      int32_t *place)
{
    memset(place, -1, 2 * (size_t)count * sizeof *place);
    for (uint32_t s = 0; s < states; s++) {
        int32_t *places = &place[2 * (size_t)labels[s]];
        if (places[answer[s]] < 0)
            places[answer[s]] = places[!answer[s]] < 0 ? labels[s] : (int32_t)count++;
        labels[s] = (uint16_t)places[answer[s]];
    }
    return count;
}

/* The next choice of agents 1 .. n-1, as an odometer; false after the last. */
static bool advance(const struct rl_table *table, uint32_t *digits, struct rl_ring *ring)
{
    for (uint32_t i = table->params.n - 1; i > 0; i--) {
        digits[i] = digits[i] + 1 == table->states ? 0 : digits[i] + 1;
        rl_ring_set(ring, i, table->word[digits[i]]);
        if (digits[i] > 0)
            return true;
    }
    return false;
}

void rl_sight_discover(const struct rl_table *table, bool (*contains)(const struct rl_ring *ring),
                       uint16_t *labels_out, struct rl_effort *effort)
{
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {table->protocol, table->params, agents};
    uint32_t digits[RL_VERIFY_AGENTS] = {0}, count = 1;
    bool *answer = rl_effort_calloc(effort, table->states, sizeof *answer);
    int32_t *place = rl_effort_calloc(effort, 2 * (size_t)table->states, sizeof *place);
    for (uint32_t i = 0; !effort->status && i < table->params.n; i++)
        rl_ring_set(&ring, i, table->word[0]);
    for (uint32_t s = 0; !effort->status && s < table->states; s++)
        labels_out[s] = 0;
    for (bool more = !effort->status; more; more = advance(table, digits, &ring)) {
        bool mixed = false;
        for (uint32_t s = 0; s < table->states; s++) {
            rl_ring_set(&ring, 0, table->word[s]);
            answer[s] = contains(&ring);
            mixed |= answer[s] != answer[0];
        }
        if (mixed)
            count = split(table->states, answer, labels_out, count, place);
    }
    free(answer);
    free(place);
}

static void rotate(struct rl_ring *ring)
{
    const uint32_t n = ring->params.n;
    const rl_state first = rl_ring_get(ring, 0);
    for (uint32_t i = 0; i + 1 < n; i++)
        rl_ring_set(ring, i, rl_ring_get(ring, i + 1));
    rl_ring_set(ring, n - 1, first);
}

bool rl_sight_probe(const struct rl_table *table, bool (*contains)(const struct rl_ring *ring),
                    rl_sight *sees, uint32_t tries, struct rl_ring *ring_out)
{
    struct rl_random random;
    rl_random_init(&random, tries, 0, RL_PURPOSE_START);
    for (uint32_t k = 0; k < tries; k++) {
        rl_ring_randomize(ring_out, &random);
        const bool answer = contains(ring_out);
        rotate(ring_out);
        if (contains(ring_out) != answer)
            return false;
        for (uint32_t i = 0; sees && i < table->params.n; i++)
            rl_ring_set(ring_out, i, sees(&table->params, rl_ring_get(ring_out, i)));
        if (contains(ring_out) != answer)
            return false;
    }
    return true;
}
