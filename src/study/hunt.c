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
 * population, whose best members get more trials each time, so that luck wears off.
 */
#include "ringleader/study.h"
#include "base/clock.h"
#include "base/plain.h"
#include "study/inside.h"
#include "study/store_sqlite.h"

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
    PER_TRIAL = 300, /* events that beginning a run is worth */
    TASK = 16,       /* trials that a worker gets at once */
};
static const size_t RUNG_TRIALS[RUNGS] = {6, 24, 96, 384};
static const double USUAL_WORK = 4e8, COMMIT_SECONDS = 0.5;
/* Numbers of the trials that choose among the last, and of those that are reported. */
static const uint64_t CHOOSING = UINT64_C(1) << 20, REPORTED = UINT64_C(1) << 21;

/* A configuration, or a named start, and what its trials gave. */
struct candidate {
    void *words;         /* the configuration, ... */
    char *text;          /* ... and as text; NULL: the start `name`, filled anew in each trial */
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
    double spent, work;
    struct rl_point model;        /* what all trials share */
    struct rl_point points[MOST]; /* of those that are under way, which `plan` has */
    struct rl_plan plan;
    struct rl_crew crew; /* all zero: gone home */
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

static struct rl_ring ring_of(const struct hunter *hunter, const struct candidate *it)
{
    return (struct rl_ring){hunter->model.protocol, hunter->model.params, it->words, false};
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
    free(it->text);
    *it = (struct candidate){0};
}

/* Drops all but the first `most`. */
static void keep_first(struct hunter *hunter, size_t most)
{
    while (hunter->count > most)
        drop(&hunter->at[--hunter->count]);
}

/* ---- trials ---- */

/* Nobody is at work on what is freed from now on. */
static void send_home(struct hunter *hunter)
{
    if (hunter->crew.self)
        hunter->crew.stop(hunter->crew.self);
    hunter->crew = (struct rl_crew){0};
}

/* What the batch took, if the file has it. A hunt is a function of its request: who asks for the
 * same again goes the same way, and runs only what is not there yet. */
static bool recall(struct hunter *hunter, double *steps, size_t bytes)
{
    struct rl_store *store = hunter->store;
    if (!goes_on(hunter) || !store || !store->database)
        return false;
    store_enter(store, hunter->error);
    sqlite3_stmt *row =
        store_ask(store, "SELECT steps FROM hunt WHERE request = ? AND batch = ?", hunter->request);
    store_bind_count(row, 2, hunter->batch);
    const bool found =
        store_next(store, row) && (size_t)sqlite3_column_bytes(row, 0) == bytes && bytes;
    if (found)
        memcpy(steps, sqlite3_column_blob(row, 0), bytes);
    sqlite3_finalize(row);
    hunter->status = store->status;
    return found;
}

/* What a run of half a second and less took is lost in a kill. */
static void keep(struct hunter *hunter, const double *steps, size_t bytes)
{
    struct rl_store *store = hunter->store;
    if (!goes_on(hunter) || !store)
        return;
    store_enter(store, hunter->error);
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

/* Has the crew bring the candidates to so many trials; what those of candidate i took goes to
 * steps[first[i]] and so on, NaN where one gave up. */
static void run_trials(struct hunter *hunter, const struct candidate *some, size_t count,
                       size_t trials, uint64_t from, const size_t *first, double *steps)
{
    struct rl_crew *crew = &hunter->crew;
    struct rl_trial done[RL_TASK_MOST];
    const struct rl_hunt_options *options = hunter->options;
    size_t i = 0, next = some[0].count, under_way = 0;
    while (goes_on(hunter) && (under_way > 0 || i < count)) {
        while (i < count && under_way < RL_CREW_AHEAD * crew->count) {
            struct rl_task task = {.point = (uint32_t)i, .first = from + next};
            task.count = next + TASK < trials ? TASK : (uint32_t)(trials - next);
            if (next < trials) {
                hunter->status = crew->give(crew->self, &task);
                under_way++;
            }
            next += TASK;
            if (next >= trials)
                next = ++i < count ? some[i].count : 0;
        }
        const size_t taken = under_way ? crew->take(crew->self, 0.05, done) : 0;
        under_way -= taken > 0;
        for (size_t k = 0; k < taken && !hunter->status; k++) {
            const size_t which = done[k].point;
            const bool reached = rl_trial_reached(&hunter->points[which], &done[k]);
            hunter->status = done[k].status;
            steps[first[which] + done[k].trial - from - some[which].count] =
                reached ? (double)done[k].steps : NAN;
        }
        hunter->hunt->stopped = options->stop && options->stop(options->user, &hunter->progress);
    }
    if (!goes_on(hunter))
        send_home(hunter);
}

/* What it takes to bring each of some candidates to `trials` trials, whose numbers begin at `from`:
 * in their order, whoever was first, NaN for who gave up. NULL if it does not go on, else to be
 * freed. */
static double *try_all(struct hunter *hunter, const struct candidate *some, size_t count,
                       size_t trials, uint64_t from)
{
    size_t first[MOST], total = 0;
    for (size_t i = 0; i < count; i++) {
        hunter->points[i] = hunter->model;
        hunter->points[i].start_text = some[i].text;
        if (!some[i].text)
            snprintf(hunter->points[i].start, RL_PLAN_NAME, "%s", some[i].name);
        first[i] = total;
        total += some[i].count < trials ? trials - some[i].count : 0;
    }
    double *steps = calloc(total + 1, sizeof *steps);
    if (!steps)
        hunter->status = RL_NO_MEMORY;
    hunter->progress.done = fmin(1, hunter->spent / hunter->work);
    if (!recall(hunter, steps, total * sizeof *steps)) {
        run_trials(hunter, some, count, trials, from, first, steps);
        keep(hunter, steps, total * sizeof *steps);
    }
    hunter->batch++;
    for (size_t i = 0; i < total && goes_on(hunter); i++) {
        const double value = isnan(steps[i]) ? (double)hunter->model.max_steps : steps[i];
        hunter->spent += PER_TRIAL + value / hunter->model.params.n;
        hunter->hunt->trials++;
    }
    if (goes_on(hunter))
        return steps;
    free(steps);
    return NULL;
}

/* Brings each of some candidates to `trials` trials. */
static void bring_to(struct hunter *hunter, struct candidate *some, size_t count, size_t trials)
{
    double *const steps = try_all(hunter, some, count, trials, 0), *at = steps;
    for (size_t i = 0; i < count && steps; i++)
        for (; some[i].count < trials; some[i].count++, at++) {
            const double value = isnan(*at) ? (double)hunter->model.max_steps : *at;
            some[i].gave_up += isnan(*at) != 0;
            some[i].sum += value;
            some[i].squares += value * value;
        }
    free(steps);
}

/* Fresh trials of one candidate: as many as can be afforded for a share of the work. */
static struct rl_stats judge(struct hunter *hunter, const struct candidate *it, double share,
                             uint64_t from)
{
    const double each = PER_TRIAL + mean_of(it) / hunter->model.params.n;
    const size_t trials = (size_t)fmax(20, fmin(2000, share * hunter->work / each));
    const struct candidate fresh = {.text = it->text, .name = it->name};
    double *steps = try_all(hunter, &fresh, 1, trials, from);
    size_t known = 0;
    for (size_t i = 0; steps && i < trials; i++)
        if (!isnan(steps[i]))
            steps[known++] = steps[i];
    const struct rl_stats stats =
        steps ? rl_stats_of(steps, known, trials - known, (double)hunter->model.max_steps)
              : (struct rl_stats){0};
    free(steps);
    return stats;
}

/* ---- changes ---- */

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

/* Takes in the candidate behind the last one, unless it is there already or has no text. */
static void take_in(struct hunter *hunter)
{
    struct candidate *it = &hunter->at[hunter->count];
    const struct rl_ring ring = ring_of(hunter, it);
    struct rl_text length = rl_text_into(NULL, 0);
    for (size_t i = 0; i < hunter->count; i++)
        if (memcmp(hunter->at[i].words, it->words, rl_ring_bytes(ring.protocol, ring.params.n)) ==
            0) {
            drop(it);
            return;
        }
    hunter->count++;
    hunter->hunt->configurations++;
    rl_ring_print(&ring, &length);
    it->text = malloc(length.length + 1);
    if (!it->text) {
        hunter->status = RL_NO_MEMORY;
        return;
    }
    struct rl_text text = rl_text_into(it->text, length.length + 1);
    rl_ring_print(&ring, &text);
}

/* Room for a candidate behind the last one; false: there is none, or it does not go on. */
static bool make_room(struct hunter *hunter, const char *name)
{
    struct candidate *it = &hunter->at[hunter->count];
    if (!goes_on(hunter) || hunter->count == MOST)
        return false;
    *it = (struct candidate){
        .words = malloc(rl_ring_bytes(hunter->model.protocol, hunter->model.params.n)),
        .name = name};
    if (!it->words)
        hunter->status = RL_NO_MEMORY;
    return it->words;
}

/* A changed copy of one of the population, the better ones more often. */
static void add_child(struct hunter *hunter)
{
    struct rl_random *random = &hunter->random;
    if (!make_room(hunter, NULL))
        return;
    const uint64_t a = rl_random_below(random, POPULATION), b = rl_random_below(random, POPULATION);
    const size_t parent = (size_t)(a < b ? a : b) % hunter->count;
    struct rl_ring ring = ring_of(hunter, &hunter->at[hunter->count]);
    memcpy(ring.agents, hunter->at[parent].words, rl_ring_bytes(ring.protocol, ring.params.n));
    do
        change_once(hunter, &ring);
    while (rl_random_below(random, 3) == 0);
    take_in(hunter);
}

/* A member of each named start, as trial number `which` has it; only what is not there yet. */
static void add_members(struct hunter *hunter, uint64_t which, const char *only)
{
    const struct rl_protocol *protocol = hunter->model.protocol;
    for (size_t i = 0; i <= protocol->start_count; i++) {
        const char *name = i == 0 ? RL_START_RANDOM : protocol->starts[i - 1].name;
        if ((only && strcmp(name, only) != 0) || !make_room(hunter, name))
            continue;
        struct rl_ring ring = ring_of(hunter, &hunter->at[hunter->count]);
        struct rl_random random;
        rl_random_init(&random, hunter->model.seed, which, RL_PURPOSE_START);
        if (rl_ring_start(&ring, name, &random, NULL) == RL_OK)
            take_in(hunter);
        else
            drop(&hunter->at[hunter->count]);
    }
}

/* ---- generations ---- */

/* The candidates from `first` on: all get trials, the better part goes on, and again; who lost is
 * dropped. */
static void race(struct hunter *hunter, size_t first)
{
    for (size_t rung = 0; rung < RUNGS && goes_on(hunter); rung++) {
        const size_t left = hunter->count - first;
        bring_to(hunter, &hunter->at[first], left, RUNG_TRIALS[rung]);
        if (!goes_on(hunter))
            return;
        qsort(&hunter->at[first], left, sizeof hunter->at[0], by_score);
        if (rung + 1 < RUNGS)
            keep_first(hunter, first + (left + 3) / 4);
    }
}

static void select_best(struct hunter *hunter)
{
    if (!goes_on(hunter))
        return;
    qsort(hunter->at, hunter->count, sizeof hunter->at[0], by_score);
    keep_first(hunter, POPULATION);
    hunter->progress.best = mean_of(&hunter->at[0]);
}

/* Changed copies race; the best get more trials each time, up to a limit. */
static void evolve(struct hunter *hunter)
{
    double best = 0;
    for (unsigned idle = 0;
         idle < PATIENCE && hunter->spent < 0.8 * hunter->work && goes_on(hunter); idle++) {
        const size_t first = hunter->count;
        for (size_t i = 0; i < CHILDREN; i++)
            add_child(hunter);
        race(hunter, first);
        select_best(hunter);
        for (size_t i = 0; i < 4 && i < hunter->count && goes_on(hunter); i++)
            if (hunter->at[i].count < 8 * RUNG_TRIALS[RUNGS - 1])
                bring_to(hunter, &hunter->at[i], 1, hunter->at[i].count + RUNG_TRIALS[2]);
        select_best(hunter);
        if (goes_on(hunter) && score_of(&hunter->at[0]) > best) {
            best = score_of(&hunter->at[0]);
            idle = 0;
        }
        hunter->progress.generation += goes_on(hunter);
    }
}

static void judge_starts(struct hunter *hunter)
{
    add_members(hunter, 0, NULL);
    /* Not these members, but whatever the start gives in each trial. */
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

/* The population begins with members of all starts, in turn. */
static void begin_population(struct hunter *hunter)
{
    for (uint64_t which = 0; which < POPULATION; which++)
        add_members(hunter, which, NULL);
    race(hunter, 0);
    select_best(hunter);
}

/* Of the last few, among which is always one of the worst named start. */
static void choose_last(struct hunter *hunter)
{
    struct rl_hunt *hunt = hunter->hunt;
    struct candidate *found = &hunter->at[0];
    struct rl_stats best = {0};
    if (!goes_on(hunter))
        return;
    keep_first(hunter, FINALISTS);
    add_members(hunter, 0, hunt->named);
    for (size_t i = 0; i < hunter->count && goes_on(hunter); i++) {
        if (hunter->at[i].count == 0) /* to know what it costs */
            bring_to(hunter, &hunter->at[i], 1, RUNG_TRIALS[0]);
        const struct rl_stats stats = judge(hunter, &hunter->at[i], 0.01, CHOOSING);
        if (i == 0 || stats.gave_up > best.gave_up ||
            (stats.gave_up == best.gave_up && stats.mean > best.mean)) {
            best = stats;
            found = &hunter->at[i];
        }
    }
    if (!goes_on(hunter))
        return;
    hunt->stats = judge(hunter, found, 0.1, REPORTED);
    hunt->origin = found->name;
    hunt->words = found->words;
    found->words = NULL;
}

/* Which hunt it is: all that its trials depend on. */
static void open_store(struct hunter *hunter)
{
    const struct rl_protocol *protocol = hunter->model.protocol;
    struct rl_text text = rl_text_into(hunter->request, sizeof hunter->request);
    char work[32];
    if (!hunter->options->path)
        return;
    plain_print(work, sizeof work, "%.17g", hunter->work);
    rl_text_format(&text, "%s; work=%s; hash=%s; streams=%u", rl_plan_line(&hunter->model).text,
                   work, protocol->hash ? protocol->hash : "none", RL_STREAM_VERSION);
    hunter->status =
        rl_store_open(&hunter->store, hunter->options->path, RL_STORE_WRITE, hunter->error);
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
    hunter->error = error;
    hunter->hunt = hunt;
    hunter->work = options->work > 0 ? options->work : USUAL_WORK;
    rl_random_init(&hunter->random, options->seed, 0, RL_PURPOSE_FAULT);
    /* A trial that takes a tenth of all work gives up: it may never end. */
    const double limit = hunter->work / 10 * options->params.n;
    hunter->model = (struct rl_point){.start = "hunt",
                                      .protocol = options->protocol,
                                      .params = options->params,
                                      .engine = RL_ENGINE_EVENT,
                                      .seed = options->seed,
                                      .max_steps = options->max_steps,
                                      .trials = 1};
    if (options->max_steps == 0 || (double)options->max_steps > limit)
        hunter->model.max_steps = (uint64_t)limit;
    hunter->plan = (struct rl_plan){.points = hunter->points, .count = MOST};
    open_store(hunter);
    if (goes_on(hunter))
        hunter->status =
            rl_crew_threads(&hunter->crew, &hunter->plan, options->jobs ? options->jobs : 1);
    judge_starts(hunter);
    begin_population(hunter);
    evolve(hunter);
    choose_last(hunter);
    send_home(hunter);
    hunt->generations = hunter->progress.generation;
    if (!hunter->status && hunter->store && hunter->store->in_transaction)
        hunter->status = store_commit(hunter->store);
    rl_store_close(hunter->store);
    keep_first(hunter, 0);
    status = hunter->status;
    free(hunter);
    return status;
}

void rl_hunt_free(struct rl_hunt *hunt)
{
    free(hunt->words);
    *hunt = (struct rl_hunt){0};
}
