/* SPDX-License-Identifier: MIT
 *
 * A run that is cut is the run uncut. The same seed is run freely, with a limit after the hit, in
 * pieces of random length and size, one step at a time, from snapshots, with a fault pending after
 * the hit, with somebody watching, from its record, and by the page's shim: hits, events and
 * configurations are the same to the bit. For every protocol of the list, those of examples/, and
 * random tables of rules (tables.h; a page has none). python/tests has the same for Python.
 *   agree_test_cut [TABLES]     default 1500
 */
#include "registry.h"
#include "tables.h"
#include "simulate/inside.h"

#define export_name(name) unused /* natively nothing is exported */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "web/shim.c"
void memory_reset(void) {}

extern const struct rl_protocol *const rl_protocol_fratricide, *const rl_protocol_loose,
                                                                   *const rl_protocol_relay;

static bool listed; /* from the first step on */

/* What a run came to: at the hit, or at the end of its time. */
struct outcome {
    uint64_t step, events, hits[RL_MAX_SETS], trail;
    uint64_t words; /* a hash of the configuration */
    uint64_t most;  /* events after this step are nobody's business */
};

static void hash_in(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x100000001b3) + (value >> 32);
}

static uint64_t hash_of(const struct rl_ring *ring)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < ring->params.n; i++)
        hash_in(&hash, rl_ring_get(ring, i));
    return hash;
}

static void note_events(struct outcome *outcome, const struct rl_batch *batch)
{
    for (size_t i = 0; i < batch->count && batch->events[i].step <= outcome->most; i++) {
        outcome->events++;
        hash_in(&outcome->trail, batch->events[i].step);
        hash_in(&outcome->trail, batch->events[i].arc);
        hash_in(&outcome->trail, batch->events[i].l ^ batch->events[i].r << 32);
    }
}

static void watch_batch(void *user, struct rl_run *run)
{
    note_events(user, &run->batch);
}

static void no_sample(void *user, const struct rl_run *run, const struct rl_sample *sample)
{
    (void)user, (void)run, (void)sample;
}

/* Runs the options to their end; with a timeline, or against a record, if that is wished. */
static struct outcome run_to_end(const struct rl_experiment *options, uint64_t most, bool timeline,
                                 const struct rl_execution *record)
{
    struct outcome outcome = {.most = most};
    struct rl_timeline samples;
    struct rl_replay replay;
    FREED(rl_run) run;
    assert_ok(rl_run_init(&run, options, &error));
    if (listed)
        list_at_once(&run.engine);
    rl_run_observe(&run, (struct rl_observer){.user = &outcome, .batch = watch_batch});
    if (timeline)
        rl_timeline_watch(&samples, &run, NULL, no_sample);
    if (record)
        assert_int_equal(rl_replay_watch(&replay, record, &run), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING && run.step < most)
        continue;
    outcome.step = run.step;
    memcpy(outcome.hits, run.hits, sizeof run.hits);
    outcome.words = hash_of(&run.ring);
    if (record) {
        assert_ok(rl_replay_end(&replay, &run, &error));
        rl_replay_free(&replay);
    }
    return outcome;
}

/* What is on record of the run, run again while every event is computed by the rules alone. A
 * protocol of the list goes through the text. */
static struct outcome from_record(const struct rl_experiment *options)
{
    FREED(rl_run) run;
    struct rl_execution read;
    FREED(bytes) text = {0};
    const bool named = rl_protocol_named(options->protocol->name) == options->protocol;
    assert_int_equal(rl_run_init(&run, options, NULL), RL_OK);
    if (listed)
        list_at_once(&run.engine);
    test_finish(&run);
    const struct rl_execution execution = rl_execution_of(&run, options, NULL);
    assert_int_equal(rl_execution_write(&execution, &text, put_bytes), RL_OK);
    if (named)
        assert_ok(rl_execution_read(&read, text.at, text.size, false, &error));
    const struct rl_execution *record = named ? &read : &execution;
    const struct outcome outcome = run_to_end(&record->experiment, RL_NEVER, false, record);
    if (named)
        rl_execution_free(&read);
    return outcome;
}

static void assert_same(const char *what, const struct rl_experiment *options,
                        const struct outcome *a, const struct outcome *b)
{
    const size_t sets = options->protocol->set_count;
    bool same = a->step == b->step && a->events == b->events && a->trail == b->trail &&
                a->words == b->words;
    for (size_t i = 0; i < sets; i++)
        same &= a->hits[i] == b->hits[i];
    if (!same)
        fail_msg("%s, %s: %s n = %u, delay %u, seed %llu: step %llu and %llu, events %llu and %llu",
                 what, rl_engine_name(options->engine), options->protocol->name, options->params.n,
                 options->protocol->oracle ? options->params.value[options->protocol->delay] : 0,
                 (unsigned long long)options->seed, (unsigned long long)a->step,
                 (unsigned long long)b->step, (unsigned long long)a->events,
                 (unsigned long long)b->events);
}

/* The engine by itself to step `end`, in pieces: what Python does. */
static struct outcome in_pieces(const struct rl_experiment *options, uint64_t end,
                                struct rl_random *knife)
{
    struct outcome outcome = {.most = end};
    struct rl_ring ring = {options->protocol, options->params,
                           calloc(options->params.n, options->protocol->width)};
    struct rl_random random, eye;
    FREED(rl_engine) engine;
    FREED(rl_snapshot) snapshot;
    FREED(rl_batch) batch;
    rl_random_init(&random, options->seed, options->trial, RL_PURPOSE_START);
    assert_int_equal(rl_ring_start(&ring, options->start, &random, NULL), RL_OK);
    rl_random_init(&random, options->seed, options->trial, RL_PURPOSE_SCHEDULE);
    rl_random_init(&eye, options->seed, options->trial, RL_PURPOSE_FAULT);
    assert_int_equal(rl_engine_init(&engine, options->engine, &ring, &random, NULL), RL_OK);
    if (listed)
        list_at_once(&engine);
    assert_int_equal(rl_snapshot_init(&snapshot, &engine), RL_OK);
    assert_int_equal(rl_batch_init(&batch, 64), RL_OK);
    rl_hits_forget(outcome.hits);
    rl_hits_note(outcome.hits, &ring, 0);
    const uint64_t longest = 1 + end / (1 + rl_random_below(knife, 20));
    while (engine.step < end) {
        uint64_t piece = 1 + rl_random_below(knife, longest < UINT32_MAX ? longest : UINT32_MAX);
        if (is_one_in(knife, 8))
            piece = 1;
        piece = piece < end - engine.step ? piece : end - engine.step;
        batch.wanted = 1 + rl_random_below(knife, 64);
        switch (rl_random_below(knife, 4)) {
        case 0: /* there and back again */
            rl_snapshot_take(&snapshot, &engine);
            rl_engine_advance(&engine, engine.step + piece, &batch);
            rl_snapshot_restore(&snapshot, &engine);
            batch.count = 0;
            break;
        case 1:
            rl_engine_step(&engine, &eye, &batch);
            break;
        default:
            rl_engine_advance(&engine, engine.step + piece, &batch);
        }
        note_events(&outcome, &batch);
        rl_hits_find(outcome.hits, &ring, &batch);
    }
    outcome.step = engine.step;
    outcome.words = hash_of(&ring);
    free(ring.agents);
    return outcome;
}

/* What somebody at the page may do until step `end`: go on, step, keep a moment and come back. */
static struct outcome by_page(const struct rl_experiment *options, uint64_t end,
                              struct rl_random *hand)
{
    struct outcome outcome = {.most = end};
    struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
    const struct rl_point point = {.run = {.protocol = options->protocol,
                                           .params = options->params,
                                           .start = options->start,
                                           .seed = options->seed,
                                           .end.max_steps = RL_NEVER}};
    rl_text_string(&text, rl_plan_line(&point).text);
    if (page_open(options->engine == RL_ENGINE_STEP, 0))
        fail_msg("%s", buffer);
    if (listed)
        list_at_once(&page.engine);
    const uint64_t longest = 1 + end / (1 + rl_random_below(hand, 20));
    while (page.engine.step < end) {
        const uint64_t next = page.engine.step + 1 + rl_random_below(hand, longest);
        switch (rl_random_below(hand, 4)) {
        case 0:
            assert_true(page_save(0));
            page_advance((double)next, 50);
            page_restore(0);
            break;
        case 1:
            page_step();
            break;
        default:
            page_advance((double)(next < end ? next : end), 1 + rl_random_below(hand, 64));
        }
        note_events(&outcome, &page.batch);
    }
    assert_int_equal(page.events, outcome.events);
    outcome.step = page.engine.step;
    memcpy(outcome.hits, page.hits, sizeof page.hits);
    outcome.words = hash_of(&page.ring);
    if (moments[0])
        rl_snapshot_free(&moments[0]->snapshot);
    free(moments[0]);
    rl_snapshot_free(&page.snapshot);
    rl_batch_free(&page.batch);
    rl_engine_free(&page.engine);
    free(page.ring.agents);
    free(page.marks);
    free(page.shade);
    free(page.obstacles);
    return outcome;
}

/* With a fault some time after the hit: what was before it stays, and watching changes nothing of
 * what comes after. */
static void pending_fault(struct rl_experiment options, const struct outcome *free_run,
                          uint64_t later)
{
    const struct rl_fault fault = {.step = free_run->step + later, .agents = 1};
    struct outcome until_hit = {.most = free_run->step};
    struct rl_run run;
    options.faults = &fault;
    options.fault_count = 1;
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    if (listed)
        list_at_once(&run.engine);
    rl_run_observe(&run, (struct rl_observer){.user = &until_hit, .batch = watch_batch});
    memset(until_hit.hits, 0xff, sizeof until_hit.hits);
    while (run.faults_done == 0) {
        rl_run_advance(&run);
        for (size_t i = 0; i < options.protocol->set_count && run.faults_done == 0; i++)
            if (run.hits[i] <= free_run->step)
                until_hit.hits[i] = run.hits[i];
    }
    rl_run_free(&run);
    /* The batch in which the fault struck has had its hits forgotten. */
    for (size_t i = 0; i < options.protocol->set_count; i++)
        if (until_hit.hits[i] == RL_NEVER)
            until_hit.hits[i] = free_run->hits[i];
    until_hit.step = free_run->step;
    until_hit.words = free_run->words;
    assert_same("with a fault pending", &options, free_run, &until_hit);
    options.end.max_steps = fault.step + 4000;
    const struct outcome plain = run_to_end(&options, RL_NEVER, false, NULL);
    const struct outcome watched = run_to_end(&options, RL_NEVER, true, NULL);
    assert_same("after a fault, watched", &options, &plain, &watched);
}

/* All the ways. `most` is where a run that does not get there is given up. */
static void cut(struct rl_experiment options, uint64_t most, struct rl_random *knife)
{
    const bool settles = options.end.kind == RL_UNTIL_SETTLED;
    options.end.max_steps = RL_NEVER;
    struct outcome whole = run_to_end(&options, most, false, NULL);
    const uint64_t hit = whole.hits[options.end.set];
    const bool reached = !settles && hit != RL_NEVER && hit <= most;
    if (!reached) { /* to the end of its time, then */
        options.end.kind = RL_UNTIL_STEPS;
        options.end.steps = most;
        const struct outcome limited = run_to_end(&options, most, false, NULL);
        for (size_t i = 0; i < options.protocol->set_count && !settles; i++)
            if (whole.hits[i] > most)
                whole.hits[i] = RL_NEVER;
        whole.step = limited.step;
        whole.words = limited.words; /* the free run stands somewhere beyond */
        if (settles) {
            memcpy(whole.hits, limited.hits, sizeof whole.hits);
            whole.events = limited.events;
            whole.trail = limited.trail;
        }
        assert_same("with a limit", &options, &whole, &limited);
    } else {
        options.end.max_steps = hit + 1 + rl_random_below(knife, 1u << 24);
        const struct outcome limited = run_to_end(&options, RL_NEVER, false, NULL);
        whole.step = hit; /* the outcome of a free run is at its hit */
        assert_same("with a limit after the hit", &options, &whole, &limited);
        options.end.max_steps = RL_NEVER;
        pending_fault(options, &whole, 1 + rl_random_below(knife, 1u << 14));
    }
    const struct outcome watched = run_to_end(&options, most, true, NULL);
    assert_same("watched", &options, &whole, &watched);
    if (settles)
        return;
    struct outcome pieces = in_pieces(&options, whole.step, knife);
    assert_same("in pieces", &options, &whole, &pieces);
    const struct outcome recorded = from_record(&options);
    assert_same("from its record", &options, &whole, &recorded);
    if (rl_protocol_named(options.protocol->name) == options.protocol) {
        const struct outcome page_run = by_page(&options, whole.step, knife);
        assert_same("by the page", &options, &whole, &page_run);
    }
}

TEST(random_tables_run_the_same_however_they_are_cut)
{
    static struct table table;
    for (uint64_t k = 0; k < test_amount(0, 1500); k++) {
        struct rl_random random, knife;
        rl_random_init(&random, 25, k, RL_PURPOSE_START);
        knife = random;
        rl_random_next(&knife);
        table_make(&table, &random);
        struct rl_experiment options;
        const uint32_t n = 2 + rl_random_below(&random, is_one_in(&random, 8) ? 300 : 12);
        rl_experiment_init(&options, &table.protocol, n);
        if (table.protocol.oracle && !is_one_in(&random, 3))
            options.params.value[table.protocol.delay] = rl_random_below(&random, 600);
        options.start = "random";
        options.seed = k;
        options.engine = is_one_in(&random, 8) ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
        listed = is_one_in(&random, 2);
        cut(options, 1000 + rl_random_below(&random, 20000), &knife);
    }
}

TEST(every_protocol_runs_the_same_however_it_is_cut)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (uint64_t seed = 1; seed <= 1 + test_amount(0, 1500) / 100; seed++) {
            struct rl_experiment options;
            struct rl_random knife = test_random(seed, p, RL_PURPOSE_START);
            rl_experiment_init(&options, protocol, 3 + (uint32_t)(seed * 7 % 40));
            if (!registry_params(protocol, options.params.n, (uint32_t)(seed % 3) * 200,
                                 &options.params))
                continue;
            options.start = registry_start(protocol, seed % (protocol->start_count + 1));
            options.seed = seed;
            options.engine = (enum rl_engine_kind)(seed % 5 == 0);
            struct rl_ring ring = {protocol, options.params, calloc(64, 8)};
            struct rl_random random = test_random(seed, 0, RL_PURPOSE_START);
            const bool allowed = rl_ring_start(&ring, options.start, &random, NULL) == RL_OK;
            free(ring.agents);
            listed = seed % 2;
            if (allowed)
                cut(options, 60000, &knife);
        }
}
