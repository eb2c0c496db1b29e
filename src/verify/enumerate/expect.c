/* SPDX-License-Identifier: MIT
 *
 * Sums are taken task by task in a fixed order, so they do not depend on the number of threads.
 */
#include "verify/enumerate/expect.h"

#include <float.h>
#include <stdlib.h>

/* A sum of many doubles, and what rounding has cut off (Neumaier): its error is a few roundings of
 * the sum, however many there are; and it is the same on every machine. */
struct sum {
    double high, low;
};

static void add(struct sum *sum, double value)
{
    const double high = sum->high + value;
    sum->low += sum->high >= value ? (sum->high - high) + value : (value - high) + sum->high;
    sum->high = high;
}

struct part {
    struct sum sum;
    double worst;
    uint32_t worst_at; /* the first that is as bad as any */
    uint64_t worst_count;
};

struct job {
    const struct rl_space *space;
    const double *steps;
    bool (*from)(const struct rl_ring *ring);
    double threshold;
    struct part *parts;
};

static void add_up(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    const struct job *job = user;
    struct part *part = &job->parts[task];
    const double steps = job->steps[number];
    add(&part->sum, steps * (double)rl_words_weight(&job->space->words, word));
    part->worst = steps > part->worst ? steps : part->worst;
}

static void count_worst(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    const struct job *job = user;
    struct part *part = &job->parts[task];
    if (job->steps[number] < job->threshold)
        return;
    part->worst_at = part->worst_count == 0 ? number : part->worst_at;
    part->worst_count += rl_words_weight(&job->space->words, word);
}

static void look_from(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    const struct job *job = user;
    const struct rl_table *table = job->space->words.classes->table;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {table->protocol, table->params, agents};
    if (job->steps[number] <= job->parts[task].worst)
        return;
    rl_words_ring(&job->space->words, word->letters, &ring);
    if (job->from(&ring))
        job->parts[task].worst = job->steps[number];
}

static void keep_worst(const struct rl_space *space, uint32_t number,
                       struct rl_expectation *expectation)
{
    const struct rl_table *table = space->words.classes->table;
    struct rl_word word;
    rl_space_word(space, number, &word);
    for (uint32_t i = 0; i < space->words.n; i++)
        expectation->worst_configuration[i] =
            table->word[space->words.classes->first[word.letters[i]]];
}

enum rl_status rl_expect_summary(const struct rl_space *space, struct rl_workers *workers,
                                 const struct rl_solution *solution, uint64_t configurations,
                                 struct rl_expectation *expectation_out)
{
    const size_t tasks = rl_words_tasks(&space->words);
    struct job job = {.space = space, .steps = solution->steps};
    struct rl_expectation result = {
        .finite = true, .error = solution->error, .sweeps = solution->sweeps};
    if (!(job.parts = calloc(tasks, sizeof *job.parts)))
        return RL_NO_MEMORY;
    enum rl_status status = rl_space_visit(space, workers, add_up, &job);
    struct sum sum = {0};
    for (size_t task = 0; task < tasks; task++) {
        add(&sum, job.parts[task].sum.high);
        add(&sum, job.parts[task].sum.low);
        result.worst = job.parts[task].worst > result.worst ? job.parts[task].worst : result.worst;
    }
    result.mean = (sum.high + sum.low) / (double)configurations;
    /* Weight, product, sum, quotient; what is added is not negative. */
    result.error += 8 * DBL_EPSILON;
    job.threshold = result.worst * (1 - 2 * solution->error);
    if (!status)
        status = rl_space_visit(space, workers, count_worst, &job);
    uint32_t worst_at = 0;
    for (size_t task = 0; task < tasks; task++) {
        if (result.worst_count == 0)
            worst_at = job.parts[task].worst_at;
        result.worst_count += job.parts[task].worst_count;
    }
    keep_worst(space, worst_at, &result);
    free(job.parts);
    *expectation_out = result;
    return status;
}

enum rl_status rl_expect_worst_from(const struct rl_space *space, struct rl_workers *workers,
                                    const struct rl_solution *solution,
                                    bool (*from)(const struct rl_ring *ring), double *worst_out)
{
    const size_t tasks = rl_words_tasks(&space->words);
    struct job job = {.space = space, .steps = solution->steps, .from = from};
    if (!(job.parts = calloc(tasks, sizeof *job.parts)))
        return RL_NO_MEMORY;
    for (size_t task = 0; task < tasks; task++)
        job.parts[task].worst = -1;
    const enum rl_status status = rl_space_visit(space, workers, look_from, &job);
    *worst_out = -1;
    for (size_t task = 0; task < tasks; task++)
        if (job.parts[task].worst > *worst_out)
            *worst_out = job.parts[task].worst;
    free(job.parts);
    return status;
}
