/* SPDX-License-Identifier: MIT
 *
 * Executions of every protocol, by a loop over the registry: both engines have the same
 * distribution, an execution does not depend on how it is cut, and what is on record replays.
 *
 * The comparisons of distributions are two-sample Kolmogorov-Smirnov tests at fixed seeds. Each
 * fails by chance with probability 10^-7 at most (ties only make that smaller), all of them
 * together with less than 10^-4.
 */
#include <math.h>

#include "registry.h"
#include "core/inside.h"

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The greatest distance between the two empirical distributions; sorts both. */
static double distance(uint64_t *a, uint64_t *b, size_t count)
{
    qsort(a, count, sizeof *a, by_value);
    qsort(b, count, sizeof *b, by_value);
    double greatest = 0;
    for (size_t i = 0, j = 0; i < count && j < count;) {
        const uint64_t x = a[i] < b[j] ? a[i] : b[j];
        while (i < count && a[i] == x)
            i++;
        while (j < count && b[j] == x)
            j++;
        const double here = fabs((double)i - (double)j) / (double)count;
        greatest = here > greatest ? here : greatest;
    }
    return greatest;
}

/* sqrt(ln(2 / 10^-7) / 2) is 2.9. */
static double allowed(size_t count)
{
    return 2.9 * sqrt(2.0 / (double)count);
}

static void init(struct rl_run *run, const struct rl_protocol *protocol, uint32_t n, uint32_t delay,
                 const char *start, enum rl_engine_kind engine, uint64_t trial, uint64_t steps)
{
    struct rl_run_options options = {.protocol = protocol,
                                     .seed = 5 + (uint64_t)engine,
                                     .trial = trial,
                                     .start = start,
                                     .engine = engine,
                                     .until = protocol->target,
                                     .until_steps = true,
                                     .max_steps = steps};
    assert_true(registry_params(protocol, n, delay, &options.params));
    assert_int_equal(rl_run_init(run, &options, NULL), RL_OK);
}

static bool allows(const struct rl_protocol *protocol, uint32_t n, const char *start)
{
    struct rl_ring ring;
    struct rl_random random;
    if (!registry_ring(protocol, n, &ring))
        return false;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    const bool yes = rl_ring_start(&ring, start, &random, NULL) == RL_OK;
    free(ring.agents);
    return yes;
}

/* ---- distributions ----------------------------------------------------------------------------
 */

/* Values of one run: the hits of all sets (cut at the end), leaders, and gauges at the end. */
enum { VALUES = RL_MAX_SETS + 1 + RL_MAX_GAUGES };

static void values_of(const struct rl_run *run, uint64_t *values_out)
{
    memset(values_out, 0, VALUES * sizeof *values_out);
    for (size_t i = 0; i < run->ring.protocol->set_count; i++)
        values_out[i] = run->hits[i];
    values_out[RL_MAX_SETS] = rl_ring_leaders(&run->ring);
    run->ring.protocol->measure(&run->ring, values_out + RL_MAX_SETS + 1);
}

static void compare_engines(const struct rl_protocol *protocol, uint32_t n, uint32_t delay,
                            const char *start, uint64_t steps, size_t trials)
{
    uint64_t *samples = malloc(2 * VALUES * trials * sizeof *samples);
    assert_non_null(samples);
    for (int engine = 0; engine < 2; engine++)
        for (size_t t = 0; t < trials; t++) {
            struct rl_run run;
            uint64_t values[VALUES];
            init(&run, protocol, n, delay, start, engine ? RL_ENGINE_STEP : RL_ENGINE_EVENT, t,
                 steps);
            while (rl_run_advance(&run) == RL_RUNNING)
                ;
            values_of(&run, values);
            rl_run_free(&run);
            for (size_t v = 0; v < VALUES; v++)
                samples[((size_t)engine * VALUES + v) * trials + t] = values[v];
        }
    for (size_t v = 0; v < VALUES; v++) {
        const double d = distance(samples + v * trials, samples + (VALUES + v) * trials, trials);
        if (d > allowed(trials))
            fail_msg("%s, n = %u, delay %u, start %s: value %zu differs by %.3f", protocol->name, n,
                     delay, start, v, d);
    }
    free(samples);
}

TEST(both_engines_have_the_same_distribution)
{
    const struct rl_protocol *protocol;
    const char *start;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t s = 0; (start = registry_start(protocol, s)); s++) {
            if (allows(protocol, 10, start))
                compare_engines(protocol, 10, 0, start, 1500, 500);
            if (allows(protocol, 160, start))
                compare_engines(protocol, 160, 0, start, 6000, 200);
            /* The oracle speaks in the middle of silence, and before the end. */
            if (protocol->oracle && allows(protocol, 40, start))
                compare_engines(protocol, 40, 500, start, 3000, 500);
        }
}

/* ---- cuts -------------------------------------------------------------------------------------
 */

/* A checksum of the events up to step `end`, when the engine is stopped every `most` events and
 * every `stride` steps. Ends the run. */
static uint64_t digest_run(struct rl_run *run, uint64_t end, size_t most, uint64_t stride)
{
    struct rl_batch batch;
    uint64_t sum = 0;
    assert_int_equal(rl_batch_init(&batch, 1024), RL_OK);
    batch.wanted = most;
    while (run->engine.step < end && !run->engine.over) {
        const uint64_t next = run->engine.step + stride;
        rl_engine_advance(&run->engine, next < end ? next : end, &batch);
        for (size_t i = 0; i < batch.count; i++)
            sum = (sum ^ (batch.events[i].step << 20 ^ batch.events[i].arc)) *
                  UINT64_C(0x100000001b3);
    }
    rl_batch_free(&batch);
    rl_run_free(run);
    return sum;
}

static uint64_t digest(const struct rl_protocol *protocol, const char *start,
                       enum rl_engine_kind kind, uint64_t end, size_t most, uint64_t stride)
{
    struct rl_run run;
    init(&run, protocol, 90, 400, start, kind, 3, end);
    return digest_run(&run, end, most, stride);
}

TEST(no_execution_depends_on_how_it_is_cut)
{
    const struct rl_protocol *protocol;
    const char *start;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t s = 0; (start = registry_start(protocol, s)); s++)
            for (int kind = 0; kind < 2 && allows(protocol, 90, start); kind++) {
                const enum rl_engine_kind engine = kind ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
                const uint64_t whole = digest(protocol, start, engine, 20000, 1024, RL_NEVER / 2);
                assert_true(whole == digest(protocol, start, engine, 20000, 1, RL_NEVER / 2));
                assert_true(whole == digest(protocol, start, engine, 20000, 1024, 7));
                assert_true(whole == digest(protocol, start, engine, 20000, 3, 100));
            }
}

/* No leader, and few agents at which something is going on: the event engine keeps a list while the
 * oracle waits. */
static uint64_t digest_waiting(const struct rl_protocol *protocol, uint32_t delay, size_t most)
{
    enum { N = 90 };
    struct rl_run run;
    struct rl_ring ring;
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    assert_true(registry_ring(protocol, N, &ring));
    for (uint32_t i = 0; i < N; i += 30) {
        const rl_state any = rl_protocol_random_state(protocol, &ring.params, &random);
        rl_ring_set(&ring, i, rl_look_crowned(protocol, &ring.params, any, false));
    }
    assert_int_equal(rl_ring_leaders(&ring), 0);
    struct rl_run_options options = {.protocol = protocol,
                                     .seed = 1,
                                     .configuration = ring.agents,
                                     .engine = RL_ENGINE_EVENT,
                                     .until_steps = true,
                                     .max_steps = 2000};
    assert_true(registry_params(protocol, N, delay, &options.params));
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    free(ring.agents);
    return digest_run(&run, 2000, most, RL_NEVER / 2);
}

/* An event may happen at the very step after which the oracle speaks, and a batch may end with it.
 * The delays are tried in a row, so that this does come about. */
TEST(nor_does_it_where_an_event_meets_the_oracle)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (uint32_t delay = 100; protocol->oracle && delay < 600; delay++)
            if (digest_waiting(protocol, delay, 1024) != digest_waiting(protocol, delay, 1))
                fail_msg("%s, delay %u", protocol->name, delay);
}

/* ---- records ----------------------------------------------------------------------------------
 */

struct memory {
    uint8_t *bytes;
    size_t size;
};

static bool put(void *user, const void *bytes, size_t size)
{
    struct memory *memory = user;
    memory->bytes = realloc(memory->bytes, memory->size + size);
    assert_non_null(memory->bytes);
    memcpy(memory->bytes + memory->size, bytes, size);
    memory->size += size;
    return true;
}

/* A run with two faults on record; the first strikes while an oracle still waits, so that its
 * count of leaders must follow the fault. */
static void check_record(const struct rl_protocol *protocol, const char *start,
                         enum rl_engine_kind engine)
{
    struct rl_run run;
    struct rl_execution execution;
    struct rl_replay replay;
    struct memory memory = {0};
    const struct rl_fault faults[] = {{.step = 100, .agents = 4}, {.step = 2000, .agents = 12}};
    struct rl_run_options options = {.protocol = protocol,
                                     .start = start,
                                     .engine = engine,
                                     .until = protocol->target,
                                     .until_steps = true,
                                     .max_steps = 6000,
                                     .faults = faults,
                                     .fault_count = 2};
    struct rl_error error = {0};
    assert_true(registry_params(protocol, 12, 250, &options.params));
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING)
        ;
    const struct rl_execution was = rl_execution_of(&run, &options, NULL);
    assert_int_equal(rl_execution_write(&was, &memory, put), RL_OK);
    if (rl_execution_read(&execution, (char *)memory.bytes, memory.size, false, &error))
        fail_msg("%s, start %s: %s", protocol->name, start, error.text);
    const struct rl_ring end = run.ring; /* kept from rl_run_free */
    run.ring.agents = NULL;
    rl_run_free(&run);
    assert_int_equal(rl_run_init(&run, &execution.options, NULL), RL_OK);
    assert_int_equal(rl_replay_watch(&replay, &execution, &run), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING)
        ;
    if (rl_replay_end(&replay, &run, &error))
        fail_msg("%s, start %s: %s", protocol->name, start, error.text);
    assert_memory_equal(end.agents, run.ring.agents, rl_ring_bytes(protocol, 12));
    free(end.agents);
    rl_replay_free(&replay);
    rl_execution_free(&execution);
    rl_run_free(&run);
    free(memory.bytes);
}

TEST(a_record_of_every_protocol_replays)
{
    const struct rl_protocol *protocol;
    const char *start;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t s = 0; (start = registry_start(protocol, s)); s++)
            if (allows(protocol, 12, start)) {
                check_record(protocol, start, RL_ENGINE_EVENT);
                check_record(protocol, start, RL_ENGINE_STEP);
            }
}
