/* SPDX-License-Identifier: MIT
 *
 * The hunt for slow configurations.
 *
 * Trial k of every configuration has the hunt's seed and trial number k, so noise matters less when
 * two means are compared. Trials that chose a configuration make it look worse than it is; so the
 * last few are judged by trials with other numbers, and the report on the chosen one comes from yet
 * other trials.
 *
 * A generation makes CHILDREN changed copies and runs RUNGS races: all children get a few trials,
 * the best quarter of them more, the best quarter of those more again. The winners join the
 * population, whose best member gets more trials each time, so that luck wears off.
 */
#include "ringleader/study.h"
#include "base/clock.h"
#include "base/plain.h"
#include "core/inside.h"
#include "study/inside.h"
#include "study/store_sqlite.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POPULATION = 24,
    CHILDREN = 32,
    MOST = POPULATION + CHILDREN,
    RUNGS = 4,
    PATIENCE = 250, /* generations without a better one, after which it ends */
    FINALISTS = 8,
    PER_TRIAL = 300,    /* events that beginning a run is worth */
    TASK = 16,          /* trials that a worker gets at once */
    MOST_TRIALS = 3000, /* of one candidate */
};
static const size_t RUNG_TRIALS[RUNGS] = {6, 18, 72, 288};
static const double USUAL_WORK = 4e8, COMMIT_SECONDS = 0.5;
/* Numbers of the trials that choose among the last, and of those that are reported. */
static const uint64_t CHOOSING = UINT64_C(1) << 20, REPORTED = UINT64_C(1) << 21;

/* A configuration, or a named start, and what its trials gave. */
struct candidate {
    char *text;          /* a configuration; NULL: the start `name`, filled anew in each trial */
    const char *name;    /* the start it is, unchanged; NULL: none */
    double sum, squares; /* of all trials, with the limit for those that gave up */
    size_t count, gave_up;
};

/* A failure sticks, and so does being stopped: from then on nothing is done. */
struct hunter {
    const struct rl_hunt_options *options;
    struct rl_hunt *hunt;
    enum rl_status status;
    struct rl_error *error;
    struct rl_random random;
    struct candidate at[MOST]; /* the population first, best first */
    size_t count;
    struct rl_ring ring, other; /* that is being changed, and of which it gets pieces */
    double spent, work;
    struct rl_point model;        /* what all trials share */
    struct rl_point points[MOST]; /* of those that are under way, which `plan` has */
    struct rl_plan plan;
    struct rl_crew crew;
    /* What keeps the trials, or NULL; under which name, and how many batches there were. */
    struct rl_store *store;
    char request[RL_PLAN_LINE + 200];
    uint64_t batch;
    double committed;
    struct rl_hunt_progress progress;
};

static bool goes_on(const struct hunter *hunter)
{
    return !hunter->status && !hunter->hunt->stopped;
}

static struct rl_stats stats_of(const struct candidate *it)
{
    const double count = (double)it->count, mean = it->sum / count;
    const double variance = fmax(0, it->squares - mean * it->sum) / (count - 1);
    return (struct rl_stats){.count = it->count,
                             .gave_up = it->gave_up,
                             .mean = mean,
                             .standard_error = sqrt(variance / count)};
}

/* One that is known badly must look better by as much. */
static double score_of(const struct candidate *it)
{
    const struct rl_stats stats = stats_of(it);
    return it->gave_up ? INFINITY : stats.mean - stats.standard_error;
}

static int by_score(const void *a, const void *b)
{
    const double x = score_of(a), y = score_of(b);
    return (x < y) - (x > y);
}

/* Drops all but the first `most`. */
static void keep_first(struct hunter *hunter, size_t most)
{
    while (hunter->count > most)
        free(hunter->at[--hunter->count].text);
}

/* ---- trials ---- */

/* Has the crew do the trials from number `from` on of each candidate; NaN: it gave up. */
static void run_trials(struct hunter *hunter, size_t count, size_t trials, uint64_t from,
                       double *steps)
{
    struct rl_crew *crew = &hunter->crew;
    struct rl_trial done[RL_TASK_MOST];
    const struct rl_hunt_options *options = hunter->options;
    size_t next = 0, under_way = 0;
    while (goes_on(hunter) && (under_way > 0 || next < count * trials)) {
        for (; next < count * trials && under_way < RL_CREW_AHEAD * crew->count; under_way++) {
            const size_t first = next % trials, left = trials - first;
            const struct rl_task task = {.point = (uint32_t)(next / trials),
                                         .first = from + first,
                                         .count = left < TASK ? (uint32_t)left : TASK};
            hunter->status = crew->give(crew->self, &task);
            next += task.count;
        }
        const size_t taken = crew->take(crew->self, 0.05, done);
        under_way -= taken > 0;
        for (size_t k = 0; k < taken && !hunter->status; k++) {
            const bool reached = rl_trial_reached(&hunter->points[done[k].point], &done[k]);
            hunter->status = done[k].status;
            steps[done[k].point * trials + done[k].trial - from] =
                reached ? (double)done[k].steps : NAN;
        }
        hunter->hunt->stopped = options->stop && options->stop(options->user, &hunter->progress);
    }
    if (!goes_on(hunter)) { /* nobody is to be at work on what is freed from now on */
        crew->stop(crew->self);
        *crew = (struct rl_crew){0};
    }
}

/* The steps of a batch from the file, or into it. A hunt is a function of its request: who asks for
 * the same again goes the same way, and runs only what is not there yet. What half a second took is
 * lost in a kill. */
static bool recall(struct hunter *hunter, double *steps, size_t bytes)
{
    struct rl_store *store = hunter->store;
    if (!store || !store->database)
        return false;
    sqlite3_stmt *row =
        store_ask(store, "SELECT steps FROM hunt WHERE request = ? AND batch = ?", hunter->request);
    store_bind_count(row, 2, hunter->batch);
    const bool found = store_next(store, row) && (size_t)sqlite3_column_bytes(row, 0) == bytes;
    if (found)
        memcpy(steps, sqlite3_column_blob(row, 0), bytes);
    sqlite3_finalize(row);
    hunter->status = store->status;
    return found;
}

static void keep(struct hunter *hunter, const double *steps, size_t bytes)
{
    struct rl_store *store = hunter->store;
    if (!goes_on(hunter) || !store)
        return;
    store_begin(store);
    sqlite3_stmt *row =
        store_ask(store, "INSERT OR REPLACE INTO hunt VALUES (?, ?, ?)", hunter->request);
    store_bind_count(row, 2, hunter->batch);
    sqlite3_bind_blob(row, 3, steps, (int)bytes, SQLITE_TRANSIENT);
    store_run_once(store, row);
    sqlite3_finalize(row);
    hunter->status = store->status;
    if (seconds_now() > hunter->committed + COMMIT_SECONDS) {
        hunter->committed = seconds_now();
        hunter->status = store_commit(store);
    }
}

/* So many trials of each of some candidates, with numbers from `from` on. */
static void try_all(struct hunter *hunter, struct candidate *some, size_t count, size_t trials,
                    uint64_t from)
{
    const size_t total = count * trials;
    double *steps = goes_on(hunter) ? calloc(total + 1, sizeof *steps) : NULL;
    if (!steps && goes_on(hunter))
        hunter->status = RL_NO_MEMORY;
    if (!steps)
        return;
    for (size_t i = 0; i < count; i++) {
        hunter->points[i] = hunter->model;
        hunter->points[i].run.start_text = some[i].text;
        if (!some[i].text)
            hunter->points[i].run.start = some[i].name;
    }
    hunter->progress.done = fmin(1, hunter->spent / hunter->work);
    if (!recall(hunter, steps, total * sizeof *steps)) {
        run_trials(hunter, count, trials, from, steps);
        keep(hunter, steps, total * sizeof *steps);
    }
    hunter->batch++;
    hunter->hunt->trials += total;
    for (size_t i = 0; i < total && goes_on(hunter); i++) {
        struct candidate *it = &some[i / trials];
        const double value = isnan(steps[i]) ? (double)hunter->model.run.end.max_steps : steps[i];
        it->gave_up += isnan(steps[i]) != 0;
        it->sum += value;
        it->squares += value * value;
        it->count++;
        hunter->spent += PER_TRIAL + value / hunter->model.run.params.n;
    }
    free(steps);
}

/* Fresh trials, with numbers from `from` on, in place of those that a candidate has: as many as can
 * be afforded for a share of the work. */
static struct rl_stats judge(struct hunter *hunter, struct candidate *it, double share,
                             uint64_t from)
{
    const double each = PER_TRIAL + stats_of(it).mean / hunter->model.run.params.n;
    const size_t trials = (size_t)fmax(20, fmin(2000, share * hunter->work / each));
    *it = (struct candidate){.text = it->text, .name = it->name};
    try_all(hunter, it, 1, trials, from);
    struct rl_stats stats = goes_on(hunter) ? stats_of(it) : (struct rl_stats){0};
    rl_stats_interval(&stats);
    return stats;
}

/* ---- changes ---- */

/* One agent anew; or along a stretch, short ones as often as long ones: a piece of another
 * configuration, or a variable that has one value, or goes up or down. */
static void change_once(struct hunter *hunter)
{
    struct rl_ring *ring = &hunter->ring;
    struct rl_random *random = &hunter->random;
    const struct rl_protocol *protocol = ring->protocol;
    const uint32_t n = ring->params.n;
    assert(n > 0 && "a ring has agents");
    const struct rl_variable *variable =
        &protocol->variables[rl_random_below(random, protocol->variable_count)];
    const uint32_t size = rl_variable_size(variable, &ring->params);
    const uint64_t kind = rl_random_below(random, 6), value = rl_random_below(random, size);
    const uint64_t slope = kind == 1 ? 1 : kind == 2 ? size - 1 : 0;
    const uint64_t from = rl_random_below(random, n);
    const uint64_t to = rl_random_below(random, 2) ? from : rl_random_below(random, n);
    uint32_t longest = n;
    if (kind == 5) {
        rl_ring_fault(ring, 1, random, NULL, NULL);
        return;
    }
    while (longest > 1 && rl_random_below(random, 2))
        longest = (longest + 1) / 2;
    const uint64_t length = 1 + rl_random_below(random, longest);
    for (uint64_t k = 0; k < length; k++) {
        const uint32_t i = (uint32_t)((to + k) % n);
        const rl_state state = kind == 0 ? rl_word_get(hunter->other.agents, protocol->width,
                                                       (uint32_t)((from + k) % n))
                                         : rl_variable_set(variable, rl_ring_get(ring, i),
                                                           (uint32_t)((value + k * slope) % size));
        if (rl_protocol_is_state(protocol, &ring->params, state))
            rl_ring_set(ring, i, state);
    }
}

/* Fills a ring with a configuration, or (NULL) as a start does in this trial. */
static bool fill(const struct hunter *hunter, struct rl_ring *ring, const char *text,
                 const char *name, uint64_t trial)
{
    struct rl_experiment experiment = hunter->model.run;
    experiment.start = name;
    experiment.start_text = text;
    experiment.trial = trial;
    return rl_experiment_fill(&experiment, ring, NULL) == RL_OK;
}

/* Takes in the ring, unless it is there already. */
static void take_in(struct hunter *hunter, const char *name)
{
    struct rl_text length = rl_text_into(NULL, 0);
    if (!goes_on(hunter) || hunter->count == MOST)
        return;
    rl_ring_print(&hunter->ring, &length);
    struct candidate it = {.text = malloc(length.length + 1), .name = name};
    if (!it.text) {
        hunter->status = RL_NO_MEMORY;
        return;
    }
    struct rl_text text = rl_text_into(it.text, length.length + 1);
    rl_ring_print(&hunter->ring, &text);
    hunter->at[hunter->count++] = it;
    for (size_t i = 0; i + 1 < hunter->count; i++)
        if (strcmp(hunter->at[i].text, it.text) == 0) {
            keep_first(hunter, hunter->count - 1);
            return;
        }
    hunter->hunt->configurations++;
}

/* A member of each named start. */
static void add_members(struct hunter *hunter, uint64_t trial)
{
    const struct rl_protocol *protocol = hunter->model.run.protocol;
    for (size_t i = 0; i <= protocol->start_count; i++) {
        const char *name = i ? protocol->starts[i - 1].name : RL_START_RANDOM;
        if (fill(hunter, &hunter->ring, NULL, name, trial))
            take_in(hunter, name);
    }
}

/* A changed copy of one of the population, the better ones more often. */
static void add_child(struct hunter *hunter, size_t parents)
{
    const uint64_t a = rl_random_below(&hunter->random, parents);
    const uint64_t b = rl_random_below(&hunter->random, parents);
    const uint64_t c = rl_random_below(&hunter->random, parents);
    if (!fill(hunter, &hunter->ring, hunter->at[a < b ? a : b].text, NULL, 0) ||
        !fill(hunter, &hunter->other, hunter->at[c].text, NULL, 0))
        return;
    do
        change_once(hunter);
    while (rl_random_below(&hunter->random, 3) == 0);
    take_in(hunter, NULL);
}

/* ---- generations ---- */

static void sort_from(struct hunter *hunter, size_t first)
{
    if (goes_on(hunter))
        qsort(&hunter->at[first], hunter->count - first, sizeof hunter->at[0], by_score);
}

/* The candidates from `first` on: all get trials, the better part goes on, and again; who lost is
 * dropped. Then the best of all are the population. */
static void race(struct hunter *hunter, size_t first)
{
    for (size_t rung = 0; rung < RUNGS && hunter->count > first && goes_on(hunter); rung++) {
        if (rung > 0)
            keep_first(hunter, first + (hunter->count - first + 3) / 4);
        try_all(hunter, &hunter->at[first], hunter->count - first, RUNG_TRIALS[rung],
                hunter->at[first].count);
        sort_from(hunter, first);
    }
    sort_from(hunter, 0);
    keep_first(hunter, POPULATION);
}

/* Changed copies race; the best gets more trials each time, up to a limit. */
static void evolve(struct hunter *hunter)
{
    double best = 0;
    for (unsigned idle = 0;
         idle < PATIENCE && hunter->spent < 0.8 * hunter->work && goes_on(hunter); idle++) {
        const size_t parents = hunter->count;
        for (size_t i = 0; i < CHILDREN; i++)
            add_child(hunter, parents);
        race(hunter, parents);
        if (hunter->at[0].count < MOST_TRIALS)
            try_all(hunter, &hunter->at[0], 1, RUNG_TRIALS[2], hunter->at[0].count);
        sort_from(hunter, 0);
        if (score_of(&hunter->at[0]) > best) {
            best = score_of(&hunter->at[0]);
            idle = 0;
        }
        hunter->progress.best = stats_of(&hunter->at[0]).mean;
        hunter->progress.generation += goes_on(hunter);
    }
}

/* The worst of the starts: not of these members, but of whatever a start gives in each trial. */
static void judge_starts(struct hunter *hunter)
{
    add_members(hunter, 0);
    for (size_t i = 0; i < hunter->count; i++) {
        free(hunter->at[i].text);
        hunter->at[i].text = NULL;
    }
    race(hunter, 0);
    if (goes_on(hunter)) {
        hunter->hunt->named = hunter->at[0].name;
        hunter->hunt->named_stats = judge(hunter, &hunter->at[0], 0.05, REPORTED);
        hunter->progress.best_named = hunter->hunt->named_stats.mean;
    }
    keep_first(hunter, 0);
}

/* Which hunt it is: all that its trials depend on. */
static void open_store(struct hunter *hunter)
{
    const char *hash = hunter->model.run.protocol->hash;
    struct rl_text text = rl_text_into(hunter->request, sizeof hunter->request);
    char work[32];
    plain_print(work, sizeof work, "%.17g", hunter->work);
    rl_text_format(&text, "%s; work=%s; hash=%s; streams=%u", rl_plan_line(&hunter->model).text,
                   work, hash ? hash : "none", RL_STREAM_VERSION);
    hunter->status =
        rl_store_open(&hunter->store, hunter->options->path, RL_STORE_WRITE, hunter->error);
}

static void go_hunting(struct hunter *hunter)
{
    struct rl_hunt *hunt = hunter->hunt;
    judge_starts(hunter);
    for (uint64_t trial = 0; trial < POPULATION; trial++)
        add_members(hunter, trial);
    race(hunter, 0);
    evolve(hunter);
    keep_first(hunter, FINALISTS);
    if (goes_on(hunter) && fill(hunter, &hunter->ring, NULL, hunt->named, 0))
        take_in(hunter, hunt->named);
    for (size_t i = 0; i < hunter->count; i++)
        judge(hunter, &hunter->at[i], 0.01, CHOOSING);
    sort_from(hunter, 0);
    if (goes_on(hunter)) {
        hunt->stats = judge(hunter, &hunter->at[0], 0.1, REPORTED);
        hunt->origin = hunter->at[0].name;
        hunt->configuration = hunter->at[0].text;
        hunter->at[0].text = NULL;
    }
}

enum rl_status rl_hunt_run(struct rl_hunt *hunt, const struct rl_hunt_options *options,
                           struct rl_error *error)
{
    const struct rl_protocol *protocol = options->experiment->protocol;
    const struct rl_params params = options->experiment->params;
    *hunt = (struct rl_hunt){0};
    enum rl_status status = rl_protocol_allows(protocol, &params, error);
    struct hunter *hunter = status ? NULL : calloc(1, sizeof *hunter);
    if (!hunter)
        return status ? status : RL_NO_MEMORY;
    hunter->options = options;
    hunter->error = error;
    hunter->hunt = hunt;
    hunter->work = options->work > 0 ? options->work : USUAL_WORK;
    struct rl_experiment *run = &hunter->model.run;
    *run = *options->experiment;
    run->start = "hunt";
    rl_end_at_target(&run->end, protocol, &params);
    rl_random_init(&hunter->random, run->seed, 0, RL_PURPOSE_FAULT);
    /* A trial that takes a tenth of all work gives up: it may never end. */
    const double limit = hunter->work / 10 * params.n;
    if (run->end.max_steps == 0 || (double)run->end.max_steps > limit)
        run->end.max_steps = (uint64_t)limit;
    const size_t bytes = rl_ring_bytes(protocol, params.n);
    hunter->plan = (struct rl_plan){.points = hunter->points, .count = MOST};
    hunter->ring = (struct rl_ring){protocol, params, malloc(bytes), false};
    hunter->other = (struct rl_ring){protocol, params, malloc(bytes), false};
    if (!hunter->ring.agents || !hunter->other.agents)
        hunter->status = RL_NO_MEMORY;
    else if (options->path)
        open_store(hunter);
    if (goes_on(hunter))
        hunter->status =
            rl_crew_threads(&hunter->crew, &hunter->plan, options->jobs ? options->jobs : 1);
    if (goes_on(hunter))
        go_hunting(hunter);
    if (hunter->crew.stop)
        hunter->crew.stop(hunter->crew.self);
    hunt->generations = hunter->progress.generation;
    if (!hunter->status && hunter->store && hunter->store->in_transaction)
        hunter->status = store_commit(hunter->store);
    rl_store_close(hunter->store);
    keep_first(hunter, 0);
    free(hunter->ring.agents);
    free(hunter->other.agents);
    status = hunter->status;
    free(hunter);
    return status;
}

void rl_hunt_free(struct rl_hunt *hunt)
{
    free(hunt->configuration);
    *hunt = (struct rl_hunt){0};
}
