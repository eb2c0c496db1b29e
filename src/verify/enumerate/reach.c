/* SPDX-License-Identifier: MIT
 *
 * Both fixpoints by sweeps over all numbers, in place and in alternating directions, until nothing
 * changes. A fixpoint is the same whatever the order, so threads may see each other's changes
 * early or late (the bytes are read and written atomically). Sweeps are few: 10 to 30 for P_RL.
 */
#include "verify/enumerate/reach.h"

#include <stdlib.h>

struct sweep {
    const struct rl_space *space;
    uint8_t *set;
    uint8_t from; /* the value that is given up ... */
    uint8_t seen; /* ... where a successor has this one */
    bool backwards;
    size_t tasks;
    int changed;
};

static inline uint8_t read_byte(const uint8_t *set, uint32_t number)
{
    return __atomic_load_n(&set[number], __ATOMIC_RELAXED);
}

static bool update(struct sweep *sweep, uint32_t number)
{
    const uint32_t arcs = sweep->space->words.arcs;
    const uint32_t *next = sweep->space->next + (size_t)number * arcs;
    if (read_byte(sweep->set, number) != sweep->from)
        return false;
    for (uint32_t arc = 0; arc < arcs; arc++)
        if (read_byte(sweep->set, next[arc]) == sweep->seen) {
            __atomic_store_n(&sweep->set[number], !sweep->from, __ATOMIC_RELAXED);
            return true;
        }
    return false;
}

static void sweep_task(void *user, size_t task)
{
    struct sweep *sweep = user;
    bool changed = false;
    if (sweep->backwards)
        task = sweep->tasks - 1 - task;
    const size_t begin = task * RL_WORKERS_CHUNK;
    const size_t end = rl_workers_end(task, sweep->space->count);
    for (size_t k = begin; k < end; k++)
        changed |= update(sweep, (uint32_t)(sweep->backwards ? end - 1 - (k - begin) : k));
    if (changed)
        __atomic_store_n(&sweep->changed, 1, __ATOMIC_RELAXED);
}

static enum rl_status sweep_to_fixpoint(struct sweep *sweep, struct rl_workers *workers)
{
    enum rl_status status = RL_OK;
    sweep->tasks = rl_workers_tasks(sweep->space->count);
    workers->progress.sweeps = 0;
    do {
        sweep->changed = 0;
        status = rl_workers_run(workers, sweep->tasks, sweep_task, sweep);
        sweep->backwards = !sweep->backwards;
        workers->progress.sweeps++;
    } while (!status && sweep->changed);
    return status;
}

struct members {
    const struct rl_words *words;
    bool (*predicate)(const struct rl_ring *ring);
    uint8_t *set;
};

static void mark_candidate(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    (void)task;
    struct members *members = user;
    members->set[number] = rl_words_leaders(members->words, word->letters) == 1 &&
                           rl_words_keeps_outputs(members->words, word->letters);
}

enum rl_status rl_reach_safe(const struct rl_space *space, struct rl_workers *workers,
                             uint8_t *safe_out)
{
    struct members members = {.words = &space->words, .set = safe_out};
    const enum rl_status status = rl_space_visit(space, workers, mark_candidate, &members);
    struct sweep sweep = {.space = space, .set = safe_out, .from = 1, .seen = 0};
    return status ? status : sweep_to_fixpoint(&sweep, workers);
}

enum rl_status rl_reach_back(const struct rl_space *space, struct rl_workers *workers, uint8_t *set)
{
    struct sweep sweep = {.space = space, .set = set, .from = 0, .seen = 1};
    return sweep_to_fixpoint(&sweep, workers);
}

static void mark_member(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    (void)task;
    struct members *members = user;
    const struct rl_table *table = members->words->classes->table;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {table->protocol, table->params, agents};
    rl_words_ring(members->words, word->letters, &ring);
    members->set[number] = members->predicate(&ring);
}

enum rl_status rl_reach_members(const struct rl_space *space, struct rl_workers *workers,
                                bool (*predicate)(const struct rl_ring *ring), uint8_t *set_out)
{
    struct members members = {&space->words, predicate, set_out};
    return rl_space_visit(space, workers, mark_member, &members);
}

struct weighing {
    const struct rl_words *words;
    const uint8_t *set;
    struct rl_size size;
};

static void weigh(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    (void)task;
    struct weighing *weighing = user;
    if (!weighing->set[number])
        return;
    __atomic_fetch_add(&weighing->size.representatives, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&weighing->size.configurations, rl_words_weight(weighing->words, word),
                       __ATOMIC_RELAXED);
}

enum rl_status rl_reach_size(const struct rl_space *space, struct rl_workers *workers,
                             const uint8_t *set, struct rl_size *size_out)
{
    struct weighing weighing = {.words = &space->words, .set = set};
    const enum rl_status status = rl_space_visit(space, workers, weigh, &weighing);
    *size_out = weighing.size;
    return status;
}
