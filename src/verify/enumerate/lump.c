/* SPDX-License-Identifier: MIT
 *
 * Rounds of refinement on hashes: in a round, a configuration's hash becomes that of its own and of
 * the sum of its successors', so that after k rounds it stands for all that can be told within k
 * steps. Now and then equal hashes are made classes, and every row is compared in full with that of
 * its class: if all are the same, the classes are right, whatever the hashes did; if not, more
 * rounds follow. A round is one pass that gathers, as one sweep of a solver is, and 20 are enough
 * for P_RL at n = N = 4: 855,184 representatives as S_RL sees it, 25,573 classes.
 */
#include "verify/enumerate/verifier.h"

#include <stdlib.h>
#include <string.h>

#include "verify/interned.h"

/* A look at the rows every so many rounds at least; classes that are watched in between, every so
 * many rounds; rows that are fetched ahead. */
enum { LOOK = 8, WATCHED = 1 << 12, WATCH = 2, AHEAD = 64, MOST_ARCS = 2 * RL_VERIFY_AGENTS };

/* The hash of the target, always. */
#define TARGET UINT32_C(0x4f6cdd1d)

struct rounds {
    const struct rl_graph *graph;
    const uint8_t *target;
    struct rl_effort *effort;
    struct rl_lump *lump;
    uint32_t *before, *after; /* [number] hashes */
    struct rl_interned seen;
    struct rl_effort unlimited; /* theirs */
    uint32_t *first;            /* [class] its first member */
    int differs;
};

static inline uint32_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)((hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 32);
}

/* The last two hashes of a number. Classes are the same when those of the last round are those of
 * the one before, so what has two hashes of 32 bits then has one of 64. */
static inline uint64_t key_of(const struct rounds *rounds, size_t number)
{
    return (uint64_t)rounds->before[number] << 32 | rounds->after[number];
}

static void round_task(void *user, size_t task)
{
    const struct rounds *rounds = user;
    const uint32_t arcs = rounds->graph->arcs;
    const size_t end = rl_effort_end(task, rounds->graph->count);
    for (size_t i = task * RL_EFFORT_CHUNK; i < end; i++) {
        const uint32_t *next = rounds->graph->next + i * arcs;
        __builtin_prefetch(next + AHEAD * arcs);
        uint64_t sum = rounds->before[i] * UINT64_C(0x9e3779b97f4a7c15);
        for (uint32_t arc = 0; arc < arcs; arc++)
            sum += rounds->before[next[arc]];
        rounds->after[i] = rounds->target[i] ? TARGET : mix(sum);
    }
}

/* Did the last round tell members of a class apart? Then it is too early for a look, which costs as
 * much as two rounds. Some classes stand for all. */
static bool has_split(const struct rounds *rounds)
{
    uint64_t watched[WATCHED] = {0};
    for (size_t i = 0; i < rounds->graph->count; i++) {
        const uint64_t key = key_of(rounds, i);
        uint64_t *other = &watched[(key >> 32) % WATCHED];
        *other = *other ? *other : key;
        if (*other != key && *other >> 32 == key >> 32)
            return true;
    }
    return false;
}

/* Makes equal hashes one class, in the order in which they are first seen; the target comes first.
 * False: there are more than `most`. */
static bool number_classes(struct rounds *rounds, uint32_t most)
{
    rl_interned_clear(&rounds->seen);
    rl_interned_add(&rounds->seen, (uint64_t)TARGET << 32 | TARGET);
    for (uint32_t i = 0; i < rounds->graph->count && !rounds->unlimited.status; i++) {
        const uint64_t count = rounds->seen.count;
        const uint32_t class = rl_interned_add(&rounds->seen, key_of(rounds, i));
        if (class > most)
            return false;
        if (class == count)
            rounds->first[class] = i;
        rounds->lump->of[i] = class;
    }
    rounds->lump->graph.count = (uint32_t)rounds->seen.count;
    return rl_effort_has(rounds->effort, !rounds->unlimited.status);
}

/* The classes of a number's successors, in ascending order. */
static inline void make_row(const struct rounds *rounds, uint32_t number, uint32_t *row)
{
    const uint32_t arcs = rounds->graph->arcs, *of = rounds->lump->of;
    const uint32_t *next = rounds->graph->next + (size_t)number * arcs;
    for (uint32_t arc = 0; arc < arcs; arc++) { /* insertion sort */
        const uint32_t class = of[next[arc]];
        uint32_t i = arc;
        for (; i > 0 && row[i - 1] > class; i--)
            row[i] = row[i - 1];
        row[i] = class;
    }
}

static void compare_task(void *user, size_t task)
{
    struct rounds *rounds = user;
    const size_t arcs = rounds->graph->arcs, end = rl_effort_end(task, rounds->graph->count);
    uint32_t row[MOST_ARCS];
    for (size_t i = task * RL_EFFORT_CHUNK; i < end; i++) {
        if (__atomic_load_n(&rounds->differs, __ATOMIC_RELAXED))
            return;
        const size_t class = rounds->lump->of[i];
        make_row(rounds, (uint32_t)i, row);
        if (class > 0 && memcmp(row, rounds->lump->graph.next + class * arcs, sizeof *row * arcs))
            __atomic_store_n(&rounds->differs, 1, __ATOMIC_RELAXED);
    }
}

/* Are all rows of a class the same? */
static void compare(struct rounds *rounds)
{
    struct rl_graph *graph = &rounds->lump->graph;
    free(graph->next);
    graph->next =
        rl_effort_calloc(rounds->effort, (size_t)graph->count * graph->arcs, sizeof *graph->next);
    for (uint32_t c = 1; graph->next && c < graph->count; c++)
        make_row(rounds, rounds->first[c], graph->next + (size_t)c * graph->arcs);
    rounds->differs = 0;
    rl_effort_run(rounds->effort, rl_effort_tasks(rounds->graph->count), compare_task, rounds);
}

/* False: there are more than `most` classes, or something failed. */
static bool refine(struct rounds *rounds, uint32_t most)
{
    const size_t tasks = rl_effort_tasks(rounds->graph->count);
    for (uint32_t i = 0; !rounds->effort->status && i < rounds->graph->count; i++)
        rounds->after[i] = rounds->target[i] ? TARGET : 0;
    rounds->differs = 1;
    for (uint32_t round = 1; !rounds->effort->status && rounds->differs; round++) {
        uint32_t *after = rounds->before;
        rounds->before = rounds->after;
        rounds->after = after;
        rounds->effort->progress.sweeps = round;
        rl_effort_run(rounds->effort, tasks, round_task, rounds);
        const bool watch = round > LOOK && round % WATCH == 0;
        if (rounds->effort->status || (round % LOOK != 0 && (!watch || has_split(rounds))))
            continue;
        if (!number_classes(rounds, most))
            return false;
        compare(rounds);
    }
    return !rounds->effort->status;
}

void rl_lump_init(struct rl_lump *lump, const struct rl_graph *graph, uint8_t *target,
                  uint32_t most, struct rl_effort *effort)
{
    const struct rl_lump none = {.graph = *graph, .target = target};
    *lump = none;
    if (most <= 1)
        return;
    const uint32_t room = most < graph->count ? most : graph->count;
    *lump = (struct rl_lump){.graph = {.arcs = graph->arcs}};
    struct rounds rounds = {.graph = graph,
                            .target = target,
                            .effort = effort,
                            .lump = lump,
                            .unlimited = {.memory = UINT64_MAX}};
    rounds.seen.effort = &rounds.unlimited;
    rounds.before = rl_effort_calloc(effort, graph->count, sizeof *rounds.before);
    rounds.after = rl_effort_calloc(effort, graph->count, sizeof *rounds.after);
    rounds.first = rl_effort_calloc(effort, (size_t)room + 1, sizeof *rounds.first);
    lump->of = rl_effort_calloc(effort, graph->count, sizeof *lump->of);
    if (refine(&rounds, room)) {
        if ((lump->target = rl_effort_calloc(effort, lump->graph.count, 1)))
            lump->target[0] = 1;
    } else {
        rl_lump_free(lump);
        *lump = none;
    }
    free(rounds.before);
    free(rounds.after);
    free(rounds.first);
    rl_interned_free(&rounds.seen);
}

void rl_lump_free(struct rl_lump *lump)
{
    if (lump->of) {
        free(lump->of);
        free(lump->graph.next);
        free(lump->target);
    }
    *lump = (struct rl_lump){0};
}
