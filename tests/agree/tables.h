/* SPDX-License-Identifier: MIT
 *
 * Random protocols: tables of rules for 2 to 8 states, with an oracle or without, for directed and
 * undirected rings, with loops of their own and without. Few rules do anything, so that rings fall
 * silent and the event engine keeps a list; leaders die easily, and with an oracle they come back
 * only when it speaks. The sets are those configurations whose agents are all in a set of states
 * that no rule leaves, so they are closed on every ring.
 */
#ifndef RINGLEADER_TEST_TABLES_H
#define RINGLEADER_TEST_TABLES_H

#include "statistics.h"

enum { TABLE_BITS = 3, TABLE_STATES = 1 << TABLE_BITS };

struct table {
    struct rl_rulebook book;
    struct rl_protocol protocol; /* the book's, or one without loops of its own */
    struct rl_set sets[2];
    uint8_t members[2]; /* of the sets: a bit for each state */
    uint32_t states;
    uint64_t memory[(2 * TABLE_STATES * 4 + 2 * TABLE_STATES * TABLE_STATES * 8) / 8];
};

static const struct rl_variable TABLE_VARIABLES[] = {
    {.name = "state", .width = TABLE_BITS, .size = TABLE_STATES, .prefix = "q"}};

static inline bool is_one_in(struct rl_random *random, uint32_t many)
{
    return rl_random_below(random, many) == 0;
}

static inline bool table_contains(const struct rl_ring *ring, int which)
{
    const struct table *table =
        (const struct table *)((const char *)ring->params.data - offsetof(struct table, book));
    for (uint32_t i = 0; i < ring->params.n; i++)
        if (!(table->members[which] >> (rl_ring_get(ring, i) & (TABLE_STATES - 1)) & 1))
            return false;
    return true;
}
static bool table_in_first(const struct rl_ring *ring)
{
    return table_contains(ring, 0);
}
static bool table_in_second(const struct rl_ring *ring)
{
    return table_contains(ring, 1);
}

/* A state that a rule may give: any, or one of the set if both agents are in it. */
static inline uint32_t table_result(struct table *table, struct rl_random *random, uint32_t l,
                                    uint32_t r)
{
    for (;;) {
        const uint32_t state = rl_random_below(random, table->states);
        bool allowed = true;
        for (int k = 0; k < 2; k++)
            if ((table->members[k] >> l & table->members[k] >> r & 1) &&
                !(table->members[k] >> state & 1))
                allowed = false;
        if (allowed)
            return state;
    }
}

static inline void table_fill(struct table *table, struct rl_random *random)
{
    /* Rare rules; or, before an oracle, none but a few in which leaders die. */
    const bool dying = table->book.protocol.oracle && is_one_in(random, 2);
    const uint32_t rare = dying ? 3 : 1 + rl_random_below(random, 8);
    for (int told = 0; told <= table->book.protocol.oracle; told++)
        for (uint32_t pair = 0; pair < TABLE_STATES * TABLE_STATES; pair++) {
            const uint32_t l = pair / TABLE_STATES, r = pair % TABLE_STATES;
            if (l >= table->states || r >= table->states)
                continue;
            /* What the oracle says mostly matters. */
            const bool does = is_one_in(random, told ? 2 : rare) &&
                              (!dying || told || l + 1 == table->states || r + 1 == table->states);
            rl_rulebook_rule(&table->book, told, l, r, does ? table_result(table, random, l, r) : l,
                             does ? table_result(table, random, l, r) : r);
        }
}

/* Makes the event engine keep its list after one step, as if a block without events were over, so
 * that short executions have it too. */
static inline void list_at_once(struct rl_engine *engine)
{
    const uint32_t quarter = rl_ring_arcs(engine->ring) / 4;
    engine->block_steps = (quarter < 64 ? 64 : quarter) - 1;
}

/* Makes the table that belongs to `random`. It must stay where it is. */
static inline void table_make(struct table *table, struct rl_random *random)
{
    const bool oracle = is_one_in(random, 2), undirected = is_one_in(random, 3);
    memset(table, 0, sizeof *table);
    rl_rulebook_init(&table->book, table->memory, TABLE_BITS, oracle);
    table->states = 2 + rl_random_below(random, TABLE_STATES - 1);
    const uint32_t leaders = rl_random_below(random, 3) + !oracle;
    for (uint32_t s = 0; s < table->states; s++)
        rl_rulebook_add(&table->book, s, s + leaders >= table->states);
    /* One inside the other, and never empty. */
    const uint32_t all = (1u << table->states) - 1;
    table->members[0] = (uint8_t)(1 + rl_random_below(random, all));
    table->members[1] = (uint8_t)(table->members[0] & (1 + rl_random_below(random, all)));
    if (table->members[1] == 0)
        table->members[1] = table->members[0];
    table_fill(table, random);
    table->sets[0] = (struct rl_set){"outer", "", table_in_first, table_in_first};
    table->sets[1] = (struct rl_set){"inner", "", table_in_second, table_in_second};
    struct rl_protocol *protocol = &table->book.protocol;
    protocol->name = "table";
    protocol->variables = TABLE_VARIABLES;
    protocol->variable_count = 1;
    if (!is_one_in(random, 6)) { /* else they settle */
        protocol->sets = table->sets;
        protocol->set_count = 2;
        protocol->target = rl_random_below(random, 2);
    }
    table->protocol = *protocol;
    table->protocol.undirected = undirected;
    if (undirected || is_one_in(random, 4))
        table->protocol.loops = NULL;
}

#endif
