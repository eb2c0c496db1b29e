/* SPDX-License-Identifier: MIT
 *
 * Rulebooks: the table, and the numbering of the states that are in it.
 */
#include "ringleader/protocol.h"

#include <assert.h>

#define OUTPUT UINT32_C(0x80000000)

/* The declarations with which the loops were compiled (rulebook_rules.h). */
extern const struct rl_protocol *const rl_protocol_rulebook_0, *const rl_protocol_rulebook_1;

static uint64_t count(const struct rl_params *params)
{
    return ((const struct rl_rulebook *)params->data)->count;
}
static rl_state state(const struct rl_params *params, uint64_t index)
{
    return ((const struct rl_rulebook *)params->data)->states[index];
}
static uint64_t index_of(const struct rl_params *params, rl_state word)
{
    const struct rl_rulebook *book = params->data;
    const uint32_t index = book->indices[word & ((1u << book->bits) - 1)];
    return index < book->count ? index : 0;
}
/* Also the rules' (rulebook_rules.h). */
extern const struct rl_numbering rl_rulebook_numbering;
const struct rl_numbering rl_rulebook_numbering = {count, state, index_of};

/* The delay of an oracle, a parameter as everywhere. */
static uint32_t at_once(uint32_t n)
{
    (void)n;
    return 0;
}
static const struct rl_parameter DELAY = {
    .name = "delay",
    .meaning = "steps that the ring must be without a leader before the oracle reports it",
    .default_for = at_once};

/* As long as nobody declares others. */
static const struct rl_set SETTLED[] = {RL_SETTLED};

size_t rl_rulebook_bytes(uint32_t bits, bool oracle)
{
    const size_t words = (size_t)1 << bits;
    return 2 * words * sizeof(uint32_t) + (oracle ? 2 : 1) * words * words * sizeof(struct rl_rule);
}

void rl_rulebook_init(struct rl_rulebook *book, void *memory, uint32_t bits, bool oracle)
{
    assert(memory && bits > 0 && bits <= RL_RULEBOOK_BITS && "words have 1 to 12 bits");
    const uint32_t words = 1u << bits;
    *book =
        (struct rl_rulebook){.protocol = oracle ? *rl_protocol_rulebook_1 : *rl_protocol_rulebook_0,
                             .bits = (uint16_t)bits,
                             .states = memory,
                             .indices = (uint32_t *)memory + words};
    book->rules[0] = (struct rl_rule *)((uint32_t *)memory + 2 * words);
    book->rules[1] = book->rules[0] + (oracle ? (size_t)words * words : 0);
    book->protocol.numbering = &rl_rulebook_numbering;
    book->protocol.data = book;
    book->protocol.parameters = &DELAY;
    book->protocol.parameter_count = oracle;
    book->protocol.sets = SETTLED;
    book->protocol.set_count = 1;
    for (uint32_t i = 0; i < words; i++)
        book->indices[i] = UINT32_MAX;
}

void rl_rulebook_add(struct rl_rulebook *book, uint32_t values, bool leads)
{
    assert(values >> book->bits == 0 && "a word of more bits than the book has");
    assert(book->indices[values] == UINT32_MAX && "the state was added before");
    book->indices[values] = book->count;
    book->states[book->count++] = values | (leads ? OUTPUT : 0);
}

uint32_t rl_rulebook_word(const struct rl_rulebook *book, uint32_t values)
{
    assert(values >> book->bits == 0 && book->indices[values] < book->count &&
           "no state of the book");
    return book->states[book->indices[values]];
}

void rl_rulebook_rule(struct rl_rulebook *book, bool no_leader, uint32_t l, uint32_t r,
                      uint32_t l_after, uint32_t r_after)
{
    assert((l | r) >> book->bits == 0 && (!no_leader || book->protocol.oracle) &&
           "no rule of the book");
    const uint32_t changes = l != l_after || r != r_after ? RL_RULE_CHANGES : 0;
    book->rules[no_leader][l << book->bits | r] = (struct rl_rule){
        rl_rulebook_word(book, l_after) | changes, rl_rulebook_word(book, r_after)};
}
