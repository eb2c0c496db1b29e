/* SPDX-License-Identifier: MIT
 *
 * The hunt for slow configurations.
 *
 * Trial k of a configuration is the run from it with the hunt's seed and trial number k, for all
 * the same: what differs between two means is then less noise. Trials that chose a configuration
 * make it look worse than it is; so the last few are judged by trials with numbers of their own,
 * and what is reported of the chosen one comes from others again.
 *
 * A generation makes CHILDREN changed copies and runs RUNGS races: all children get a few trials,
 * the best quarter of them more, the best quarter of those more again. Who is left joins the
 * population, whose best members get more trials each time, so that luck wears off.
 */
#include "ringleader/study.h"
#include "study/inside.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    POPULATION = 24,
    CHILDREN = 32,
    MOST = POPULATION + CHILDREN,
    RUNGS = 4,
    PATIENCE = 250, /* generations without a better one, after which it ends */
    FINALISTS = 8,
    PER_TRIAL = 300, /* events that beginning a run is worth */
};
static const size_t RUNG_TRIALS[RUNGS] = {6, 24, 96, 384};
static const double USUAL_WORK = 4e8;
/* Numbers of the trials that choose among the last, and of those that are reported. */
static const uint64_t CHOOSING = UINT64_C(1) << 20, REPORTED = UINT64_C(1) << 21;

/* A configuration, or a named start, and what its trials gave. */
struct candidate {
    void *words;      /* NULL: the start `name`, filled anew in each trial */
    const char *name; /* the start it is, unchanged; NULL: none */
    double *values;   /* steps of those that reached the target */
    size_t known, room;
    double sum, squares, lost; /* of all, and of those that gave up */
    size_t count, gave_up;
};

struct hunter {
    const struct rl_hunt_options *options;
    struct rl_hunt *hunt;
    struct rl_random random;
    struct candidate at[MOST]; /* the population first, best first */
    size_t count;
    double spent, work;
    atomic_bool stopping;
    struct rl_hunt_progress progress;
};

static size_t bytes_of(const struct hunter *hunter)
{
    return rl_ring_bytes(hunter->options->protocol, hunter->options->params.n);
}

static double mean_of(const struct candidate *it)
{
    return it->sum / (double)it->count;
}

/* One that is known badly must look better by as much. */
static double score_of(const struct candidate *it)
{
    const double count = (double)it->count, mean = it->sum / count;
    const double variance = fmax(0, it->squares / count - mean * mean);
    return it->gave_up ? INFINITY : mean - sqrt(variance / count);
}

static int by_score(const void *a, const void *b)
{
    const double x = score_of(a), y = score_of(b);
    return (x < y) - (x > y);
}

static void drop(struct candidate *it)
{
    free(it->words);
    free(it->values);
    *it = (struct candidate){0};
}

/* ---- trials -----------------------------------------------------------------------------------
 */

struct job {
    struct candidate *candidate;
    uint64_t trial;
    double steps;
    bool gave_up;
    enum rl_status status;
};

struct shift {
    struct hunter *hunter;
    struct job *jobs;
    size_t count;
    atomic_size_t next;
};

static void run_job(struct hunter *hunter, struct job *job)
{
    const struct rl_hunt_options *given = hunter->options;
    const struct rl_run_options options = {
        .protocol = given->protocol,
        .params = given->params,
        .seed = given->seed,
        .trial = job->trial,
        .start = job->candidate->words ? NULL : job->candidate->name,
        .configuration = job->candidate->words,
        .until = given->protocol->target,
        .settled = rl_settled_usual(given->protocol, &given->params),
        .max_steps = given->max_steps,
    };
    struct rl_run run;
    job->status = rl_run_init(&run, &options, NULL);
    /* One that takes a tenth of all work gives up: it may never end. */
    while (!job->status && rl_run_advance(&run) == RL_RUNNING &&
           (double)run.events < hunter->work / 10 && !atomic_load(&hunter->stopping))
        ;
    job->gave_up = run.state != RL_REACHED;
    job->steps = (double)(run.settled.wanted && !job->gave_up ? run.settled.since : run.step);
    rl_run_free(&run);
}

static void *work_shift(void *user)
{
    struct shift *shift = user;
    for (size_t i; (i = atomic_fetch_add(&shift->next, 1)) < shift->count &&
                   !atomic_load(&shift->hunter->stopping);)
        run_job(shift->hunter, &shift->jobs[i]);
    return NULL;
}

/* The caller's own share of the work; between two trials somebody may want to know. */
static void work_and_ask(struct shift *shift)
{
    struct hunter *hunter = shift->hunter;
    hunter->progress.done = fmin(1, hunter->spent / hunter->work);
    for (size_t i; (i = atomic_fetch_add(&shift->next, 1)) < shift->count;) {
        run_job(hunter, &shift->jobs[i]);
        if (hunter->options->stop &&
            hunter->options->stop(hunter->options->user, &hunter->progress)) {
            atomic_store(&hunter->stopping, true);
            hunter->hunt->stopped = true;
            return;
        }
    }
}

static void run_jobs(struct hunter *hunter, struct job *jobs, size_t count)
{
    struct shift shift = {hunter, jobs, count, 0};
    pthread_t threads[64];
    size_t begun = 0;
    while (begun + 1 < hunter->options->jobs && begun < 64 && begun + 1 < count &&
           pthread_create(&threads[begun], NULL, work_shift, &shift) == 0)
        begun++;
    work_and_ask(&shift);
    for (size_t i = 0; i < begun; i++)
        pthread_join(threads[i], NULL);
}

static bool count_job(const struct job *job)
{
    struct candidate *it = job->candidate;
    if (it->known == it->room) {
        const size_t room = it->room ? 2 * it->room : 32;
        double *values = realloc(it->values, room * sizeof *values);
        if (!values)
            return false;
        it->values = values;
        it->room = room;
    }
    if (job->gave_up)
        it->lost += job->steps;
    else
        it->values[it->known++] = job->steps;
    it->count++;
    it->sum += job->steps;
    it->squares += job->steps * job->steps;
    it->gave_up += job->gave_up;
    return true;
}

/* Brings each of some candidates to `trials` trials; their numbers begin at `from`. */
static enum rl_status bring_to(struct hunter *hunter, struct candidate *some, size_t count,
                               size_t trials, uint64_t from)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        total += some[i].count < trials ? trials - some[i].count : 0;
    struct job *jobs = calloc(total + 1, sizeof *jobs);
    if (!jobs)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        for (size_t k = some[i].count; k < trials; k++)
            jobs[at++] = (struct job){.candidate = &some[i], .trial = from + k};
    run_jobs(hunter, jobs, total);
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < total && !status && !hunter->hunt->stopped; i++) {
        status = jobs[i].status ? jobs[i].status : count_job(&jobs[i]) ? RL_OK : RL_NO_MEMORY;
        hunter->spent += PER_TRIAL + jobs[i].steps / hunter->options->params.n;
        hunter->hunt->trials++;
    }
    free(jobs);
    return status;
}

/* ---- changes ----------------------------------------------------------------------------------
 */

static uint32_t size_of(const struct rl_variable *variable, const struct rl_params *params)
{
    return variable->size_for ? variable->size_for(params) : variable->size;
}

/* Whether variables that depend on each other are a state still. */
static bool is_state(const struct rl_ring *ring, rl_state state)
{
    const struct rl_numbering *numbering = ring->protocol->numbering;
    if (!numbering)
        return true;
    const uint64_t index = numbering->index(&ring->params, state);
    return index < numbering->count(&ring->params) &&
           numbering->state(&ring->params, index) == state;
}

static void set_variable(struct rl_ring *ring, uint32_t i, const struct rl_variable *variable,
                         uint32_t value)
{
    const rl_state mask = ((UINT64_C(1) << variable->width) - 1) << variable->shift;
    const rl_state state = (rl_ring_get(ring, i) & ~mask) | (rl_state)value << variable->shift;
    if (is_state(ring, state))
        rl_ring_set(ring, i, state);
}

/* A stretch that begins anywhere: short ones as often as long ones. */
static uint32_t stretch(struct rl_random *random, uint32_t n)
{
    uint32_t length = n;
    while (length > 1 && rl_random_below(random, 2))
        length = (length + 1) / 2;
    return 1 + (uint32_t)rl_random_below(random, length);
}

/* A variable along a stretch: one value, or a ramp, up or down. */
static void change_variable(struct rl_ring *ring, struct rl_random *random, bool ramp)
{
    const struct rl_protocol *protocol = ring->protocol;
    const uint32_t n = ring->params.n, first = (uint32_t)rl_random_below(random, n);
    const struct rl_variable *variable =
        &protocol->variables[rl_random_below(random, protocol->variable_count)];
    const uint32_t size = size_of(variable, &ring->params), length = stretch(random, n);
    const uint32_t value = (uint32_t)rl_random_below(random, size);
    const uint32_t slope = !ramp ? 0 : rl_random_below(random, 2) ? 1 : size - 1;
    for (uint32_t k = 0; k < length; k++)
        set_variable(ring, (first + k) % n, variable,
                     (uint32_t)((value + (uint64_t)k * slope) % size));
}

/* A piece of another configuration, from any place to any place. */
static void take_piece(struct rl_ring *ring, const void *other, struct rl_random *random)
{
    const uint32_t n = ring->params.n, length = stretch(random, n);
    const uint32_t from = (uint32_t)rl_random_below(random, n);
    const uint32_t to = rl_random_below(random, 2) ? from : (uint32_t)rl_random_below(random, n);
    for (uint32_t k = 0; k < length; k++)
        rl_ring_set(ring, (to + k) % n, rl_word_get(other, ring->protocol->width, (from + k) % n));
}

static void change_once(struct hunter *hunter, struct rl_ring *ring)
{
    struct rl_random *random = &hunter->random;
    const struct candidate *other =
        &hunter
             ->at[rl_random_below(random, hunter->count < POPULATION ? hunter->count : POPULATION)];
    switch (rl_random_below(random, 5)) {
    case 0:
        rl_ring_fault(ring, 1, random, NULL, NULL);
        break;
    case 1:
        change_variable(ring, random, true);
        break;
    case 2:
        take_piece(ring, other->words, random);
        break;
    default:
        change_variable(ring, random, false);
    }
}

/* A changed copy of one of the population, the better ones more often. */
static enum rl_status add_child(struct hunter *hunter)
{
    struct rl_random *random = &hunter->random;
    const uint64_t a = rl_random_below(random, POPULATION), b = rl_random_below(random, POPULATION);
    const size_t parent = (size_t)(a < b ? a : b) % hunter->count;
    struct candidate *child = &hunter->at[hunter->count];
    *child = (struct candidate){.words = malloc(bytes_of(hunter))};
    if (!child->words)
        return RL_NO_MEMORY;
    memcpy(child->words, hunter->at[parent].words, bytes_of(hunter));
    struct rl_ring ring = {hunter->options->protocol, hunter->options->params, child->words, false};
    do
        change_once(hunter, &ring);
    while (rl_random_below(random, 3) == 0);
    for (size_t i = 0; i < hunter->count; i++)
        if (memcmp(hunter->at[i].words, child->words, bytes_of(hunter)) == 0) {
            drop(child);
            return RL_OK;
        }
    hunter->count++;
    hunter->hunt->configurations++;
    return RL_OK;
}

/* ---- generations ------------------------------------------------------------------------------
 */

/* The candidates from `first` on: all get trials, the better part goes on, and again; who lost is
 * dropped. */
static enum rl_status race(struct hunter *hunter, size_t first)
{
    enum rl_status status = RL_OK;
    for (size_t rung = 0; rung < RUNGS && !status && !hunter->hunt->stopped; rung++) {
        const size_t left = hunter->count - first;
        status = bring_to(hunter, &hunter->at[first], left, RUNG_TRIALS[rung], 0);
        if (status || hunter->hunt->stopped)
            break;
        qsort(&hunter->at[first], left, sizeof hunter->at[0], by_score);
        while (rung + 1 < RUNGS && hunter->count > first + (left + 3) / 4)
            drop(&hunter->at[--hunter->count]);
    }
    return status;
}

/* The best get more trials each time, up to a limit. */
static enum rl_status look_again(struct hunter *hunter)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < 4 && i < hunter->count && !status && !hunter->hunt->stopped; i++)
        if (hunter->at[i].count < 8 * RUNG_TRIALS[RUNGS - 1])
            status = bring_to(hunter, &hunter->at[i], 1, hunter->at[i].count + RUNG_TRIALS[2], 0);
    return status;
}

static void select_best(struct hunter *hunter)
{
    qsort(hunter->at, hunter->count, sizeof hunter->at[0], by_score);
    while (hunter->count > POPULATION)
        drop(&hunter->at[--hunter->count]);
    hunter->progress.best = mean_of(&hunter->at[0]);
}

static enum rl_status evolve(struct hunter *hunter)
{
    enum rl_status status = RL_OK;
    double best = 0;
    for (unsigned idle = 0;
         idle < PATIENCE && hunter->spent < 0.8 * hunter->work && !status && !hunter->hunt->stopped;
         idle++) {
        const size_t first = hunter->count;
        for (size_t i = 0; i < CHILDREN && !status; i++)
            status = add_child(hunter);
        if (!status)
            status = race(hunter, first);
        if (status || hunter->hunt->stopped)
            break;
        select_best(hunter);
        status = look_again(hunter);
        if (!status && !hunter->hunt->stopped)
            select_best(hunter);
        if (score_of(&hunter->at[0]) > best) {
            best = score_of(&hunter->at[0]);
            idle = 0;
        }
        hunter->progress.generation = ++hunter->hunt->generations;
    }
    return status;
}

/* ---- the named starts -------------------------------------------------------------------------
 */

static const char *start_at(const struct rl_protocol *protocol, size_t index)
{
    return index == 0 ? RL_START_RANDOM : protocol->starts[index - 1].name;
}

/* A member of a start, as trial number `which` has it; dropped if it is there already. */
static enum rl_status add_member(struct hunter *hunter, const char *name, uint64_t which)
{
    struct candidate *it = &hunter->at[hunter->count];
    *it = (struct candidate){.words = malloc(bytes_of(hunter)), .name = name};
    if (!it->words)
        return RL_NO_MEMORY;
    struct rl_ring ring = {hunter->options->protocol, hunter->options->params, it->words, false};
    bool fine = rl_ring_fill(&ring, name, NULL, hunter->options->seed, which, NULL) == RL_OK;
    for (size_t i = 0; i < hunter->count && fine; i++)
        fine = memcmp(hunter->at[i].words, it->words, bytes_of(hunter)) != 0;
    if (fine)
        hunter->count++, hunter->hunt->configurations++;
    else
        drop(it);
    return RL_OK;
}

/* The population begins with members of all starts, in turn. */
static enum rl_status begin_population(struct hunter *hunter)
{
    const struct rl_protocol *protocol = hunter->options->protocol;
    enum rl_status status = RL_OK;
    for (uint64_t which = 0; which < POPULATION && !status; which++)
        for (size_t i = 0; i <= protocol->start_count && hunter->count < MOST && !status; i++)
            status = add_member(hunter, start_at(protocol, i), which);
    if (!status)
        status = race(hunter, 0);
    if (!status && !hunter->hunt->stopped)
        select_best(hunter);
    return status;
}

/* Fresh trials of one candidate: as many as can be afforded for a share of the work. */
static enum rl_status judge(struct hunter *hunter, const struct candidate *it, double share,
                            uint64_t from, struct rl_stats *stats_out)
{
    const double each = PER_TRIAL + mean_of(it) / hunter->options->params.n;
    const size_t trials = (size_t)fmax(20, fmin(2000, share * hunter->work / each));
    struct candidate fresh = {.words = it->words, .name = it->name};
    const enum rl_status status = bring_to(hunter, &fresh, 1, trials, from);
    if (!status && !hunter->hunt->stopped) {
        const double limit = fresh.gave_up ? fresh.lost / (double)fresh.gave_up : 0;
        *stats_out = rl_stats_of(fresh.values, fresh.known, fresh.gave_up, limit);
    }
    free(fresh.values);
    return status;
}

static enum rl_status judge_starts(struct hunter *hunter)
{
    const struct rl_protocol *protocol = hunter->options->protocol;
    enum rl_status status = RL_OK;
    for (size_t i = 0; i <= protocol->start_count && hunter->count < MOST && !status; i++)
        status = add_member(hunter, start_at(protocol, i), 0);
    /* Not these members, but whatever the start gives in each trial. */
    for (size_t i = 0; i < hunter->count; i++) {
        free(hunter->at[i].words);
        hunter->at[i].words = NULL;
    }
    if (!status)
        status = race(hunter, 0);
    if (!status && !hunter->hunt->stopped) {
        hunter->hunt->named = hunter->at[0].name;
        status = judge(hunter, &hunter->at[0], 0.05, REPORTED, &hunter->hunt->named_stats);
        hunter->progress.best_named = hunter->hunt->named_stats.mean;
    }
    while (hunter->count > 0)
        drop(&hunter->at[--hunter->count]);
    return status;
}

/* ---- the last ---------------------------------------------------------------------------------
 */

/* One of the worst named start is always among the last. */
static enum rl_status choose_last(struct hunter *hunter)
{
    while (hunter->count > FINALISTS)
        drop(&hunter->at[--hunter->count]);
    enum rl_status status = add_member(hunter, hunter->hunt->named, 0);
    const struct candidate *found = &hunter->at[0];
    struct rl_stats best = {0}, stats;
    for (size_t i = 0; i < hunter->count && !status && !hunter->hunt->stopped; i++) {
        if (hunter->at[i].count == 0) /* to know what it costs */
            status = bring_to(hunter, &hunter->at[i], 1, RUNG_TRIALS[0], 0);
        if (!status && !hunter->hunt->stopped)
            status = judge(hunter, &hunter->at[i], 0.01, CHOOSING, &stats);
        if (status || hunter->hunt->stopped)
            break;
        if (i == 0 || stats.gave_up > best.gave_up ||
            (stats.gave_up == best.gave_up && stats.mean > best.mean)) {
            best = stats;
            found = &hunter->at[i];
        }
    }
    if (status || hunter->hunt->stopped)
        return status;
    status = judge(hunter, found, 0.1, REPORTED, &hunter->hunt->stats);
    hunter->hunt->origin = found->name;
    hunter->hunt->words = malloc(bytes_of(hunter));
    if (hunter->hunt->words)
        memcpy(hunter->hunt->words, found->words, bytes_of(hunter));
    return status || hunter->hunt->words ? status : RL_NO_MEMORY;
}

enum rl_status rl_hunt_run(struct rl_hunt *hunt, const struct rl_hunt_options *options,
                           struct rl_error *error)
{
    *hunt = (struct rl_hunt){0};
    enum rl_status status = rl_protocol_allows(options->protocol, &options->params, error);
    struct hunter *hunter = status ? NULL : calloc(1, sizeof *hunter);
    if (!hunter)
        return status ? status : RL_NO_MEMORY;
    hunter->options = options;
    hunter->hunt = hunt;
    hunter->work = options->work > 0 ? options->work : USUAL_WORK;
    rl_random_init(&hunter->random, options->seed, 0, RL_PURPOSE_FAULT);
    status = judge_starts(hunter);
    if (!status && !hunt->stopped)
        status = begin_population(hunter);
    if (!status && !hunt->stopped)
        status = evolve(hunter);
    if (!status && !hunt->stopped)
        status = choose_last(hunter);
    while (hunter->count > 0)
        drop(&hunter->at[--hunter->count]);
    free(hunter);
    return status;
}

void rl_hunt_free(struct rl_hunt *hunt)
{
    free(hunt->words);
    *hunt = (struct rl_hunt){0};
}
