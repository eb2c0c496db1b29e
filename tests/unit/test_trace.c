/* SPDX-License-Identifier: MIT
 *
 * Traces: what is written is read back, a damaged one is refused by the name of its defect, and a
 * wrong one does not pass the check.
 */
#include "simulate/trace_format.h"
#include "test.h"

/* A trace in memory. */
struct bytes {
    uint8_t *at;
    size_t size;
    size_t limit; /* putting beyond it fails */
};

static bool put(void *user, const void *bytes, size_t size)
{
    struct bytes *trace = user;
    if (trace->size + size > trace->limit)
        return false;
    trace->at = realloc(trace->at, trace->size + size + 1);
    memcpy(trace->at + trace->size, bytes, size);
    trace->size += size;
    return true;
}

static const struct rl_fault FAULTS[] = {{.step = 50, .agents = 4}, {.step = 700, .agents = 12}};

static struct rl_run_options options_for(const char *start, size_t faults)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    return (struct rl_run_options){.protocol = prl,
                                   .params = {.n = 12, .value = {15}},
                                   .seed = 5,
                                   .trial = 6,
                                   .start = start,
                                   .until = prl->target,
                                   .max_steps = RL_NEVER,
                                   .faults = FAULTS,
                                   .fault_count = faults};
}

/* Records a run, which the caller frees along with the bytes. */
static struct bytes record(struct rl_run *run, const struct rl_run_options *options)
{
    struct bytes trace = {.limit = SIZE_MAX};
    struct rl_trace_info info = {
        .seed = options->seed, .trial = options->trial, .engine = options->engine};
    snprintf(info.start, sizeof info.start, "%s", options->start);
    struct rl_trace_writer writer;
    assert_int_equal(rl_run_init(run, options, NULL), RL_OK);
    rl_trace_begin(&writer, &trace, put, &info, &run->ring);
    rl_trace_watch(&writer, run);
    while (rl_run_advance(run) == RL_RUNNING)
        continue;
    assert_int_equal(rl_trace_end(&writer, run->step, run->hits, 3), RL_OK);
    return trace;
}

static enum rl_status check(struct rl_trace_reader *reader, const struct bytes *trace,
                            struct rl_error *error)
{
    *error = (struct rl_error){0};
    const enum rl_status status = rl_trace_open(reader, trace->at, trace->size, false, error);
    return status ? status : rl_trace_check(reader, error);
}

static void a_recorded_run_replays_to_the_same_end(void **state)
{
    (void)state;
    static const char *const starts[] = {"random", "leaderless", "safe"};
    for (int s = 0; s < 3; s++)
        for (size_t faults = 0; faults <= 2; faults++) {
            struct rl_run_options options = options_for(starts[s], faults);
            options.engine = faults % 2 ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
            struct rl_run run;
            struct bytes trace = record(&run, &options);
            struct rl_trace_reader reader;
            struct rl_error error;
            if (check(&reader, &trace, &error))
                fail_msg("%s", error.text);
            assert_string_equal(reader.ring.protocol->name, "prl");
            assert_string_equal(reader.info.start, starts[s]);
            assert_int_equal(reader.info.seed, 5);
            assert_int_equal(reader.info.trial, 6);
            assert_int_equal(reader.info.engine, options.engine);
            assert_int_equal(reader.ring.params.value[0], 15);
            assert_int_equal(reader.final_step, run.step);
            assert_int_equal(reader.events, run.events);
            assert_int_equal(reader.faults, faults);
            assert_memory_equal(reader.hits, run.hits, 3 * sizeof run.hits[0]);
            assert_memory_equal(reader.ring.agents, run.ring.agents, 48);
            rl_trace_close(&reader);
            rl_run_free(&run);
            free(trace.at);
        }
}

static void records_come_back_one_by_one(void **state)
{
    (void)state;
    const struct rl_run_options options = options_for("random", 1);
    struct rl_run run;
    struct bytes trace = record(&run, &options);
    struct rl_trace_reader reader;
    struct rl_trace_record entry = {.kind = RL_TRACE_EVENT};
    assert_int_equal(rl_trace_open(&reader, trace.at, trace.size, false, NULL), RL_OK);
    uint64_t events = 0, faults = 0;
    while (entry.kind != RL_TRACE_END) {
        assert_int_equal(rl_trace_next(&reader, &entry, NULL), RL_OK);
        events += entry.kind == RL_TRACE_EVENT;
        if (entry.kind == RL_TRACE_FAULT) {
            faults++;
            assert_int_equal(entry.step, 50);
            assert_int_equal(entry.count, 4);
        }
    }
    assert_int_equal(events, run.events);
    assert_int_equal(faults, 1);
    assert_int_equal(entry.step, run.step);
    rl_trace_close(&reader);
    rl_run_free(&run);
    free(trace.at);
}

static void a_trace_cut_anywhere_is_refused(void **state)
{
    (void)state;
    const struct rl_run_options options = options_for("random", 2);
    struct rl_run run;
    struct bytes trace = record(&run, &options);
    for (size_t size = 0; size < trace.size; size++) {
        uint8_t *exact = malloc(size + !size); /* so that valgrind sees a read beyond it */
        memcpy(exact, trace.at, size);
        struct rl_trace_reader reader;
        struct rl_error error = {0};
        assert_int_equal(rl_trace_open(&reader, exact, size, false, &error), RL_BAD_TRACE);
        assert_non_null(strstr(error.text, size < 8 ? "not a trace" : "truncated"));
        rl_trace_close(&reader);
        free(exact);
    }
    rl_run_free(&run);
    free(trace.at);
}

static void a_trace_with_a_changed_byte_is_refused(void **state)
{
    (void)state;
    const struct rl_run_options options = options_for("random", 2);
    struct rl_run run;
    struct bytes trace = record(&run, &options);
    for (size_t i = 0; i < trace.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            trace.at[i] ^= (uint8_t)(1 << bit);
            struct rl_trace_reader reader;
            struct rl_error error;
            assert_int_equal(check(&reader, &trace, &error), RL_BAD_TRACE);
            assert_true(error.text[0] != '\0');
            rl_trace_close(&reader);
            trace.at[i] ^= (uint8_t)(1 << bit);
        }
    rl_run_free(&run);
    free(trace.at);
}

/* ---- traces made by hand ----------------------------------------------------------------------
 */

/* Adds the right checksum to `size` bytes and says why the trace is refused. */
static const char *defect_of(const char *bytes, size_t size)
{
    static struct rl_error error;
    uint8_t trace[256];
    memcpy(trace, bytes, size);
    const uint64_t checksum = trace_checksum(TRACE_CHECKSUM_BEGIN, trace, size);
    for (int i = 0; i < 8; i++)
        trace[size + (size_t)i] = (uint8_t)(checksum >> 8 * i);
    const struct bytes whole = {.at = trace, .size = size + 8};
    struct rl_trace_reader reader;
    const enum rl_status status = check(&reader, &whole, &error);
    rl_trace_close(&reader);
    return status ? error.text : "right";
}

/* Of the literal, without its final zero. */
#define DEFECT(bytes) defect_of(bytes, sizeof(bytes) - 1)

/* prl on n = 2, N = 2, start "file", seed 1, trial 0, plain engine; "0L 0" and "0 0". */
#define HEAD       "RLTRACE1\3prl\2\1\2\4file\1\0\1"
#define SAFE       "\1\0"
#define LEADERLESS "\0\0"
/* The end after `steps` more, with the hits of C_PB, C_NI and S_RL (0: none). */
#define END(steps, hits) "\0\2" steps "\3" hits

static void a_trace_made_by_hand_is_right(void **state)
{
    (void)state;
    assert_string_equal(DEFECT(HEAD SAFE END("\0", "\1\1\1")), "right");
    assert_string_equal(DEFECT(HEAD SAFE END("\7", "\1\1\1")), "right");
    /* "0 0", arc 0: "0 1", arc 1: "1 -> 0L" created, in S_RL at step 2 */
    assert_string_equal(DEFECT(HEAD LEADERLESS "\1\0\1\2" END("\0", "\3\3\3")), "right");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\1\0\1\1" END("\0", "\3\3\3")), "right");
}

static void every_defect_has_its_name(void **state)
{
    (void)state;
    assert_string_equal(DEFECT("RLTRACX1\3prl"), "not a trace: it does not begin with RLTRACE");
    assert_string_equal(DEFECT("RLTRACE2\3prl"),
                        "of another version of the format; this program reads version 1");
    assert_string_equal(DEFECT("RLTRACE1\3prx\2\1\2"),
                        "of a protocol that this program does not have");
    assert_string_equal(DEFECT("RLTRACE1\3prl\2\2\2\2"),
                        "damaged: the parameters do not fit the protocol");
    assert_string_equal(DEFECT("RLTRACE1\3prl\2\1\xff\xff\xff\xff\x7f"),
                        "damaged: a parameter is out of its range");
    assert_string_equal(DEFECT("RLTRACE1\3prl\3\1\2"),
                        "N = 2 is below n = 3; the protocol needs 2 <= n <= N");
    assert_string_equal(DEFECT("RLTRACE1\3prl\1\1\2"),
                        "a ring has 2 to 67108864 agents (2^26), not n = 1");
    assert_string_equal(DEFECT(HEAD "\6\0" END("\0", "\0\0\0")), "damaged: an impossible state");
    assert_string_equal(DEFECT(HEAD "\x60\0" END("\0", "\0\0\0")), "damaged: an impossible state");
    assert_string_equal(DEFECT(HEAD SAFE "\1\4" END("\0", "\1\1\1")),
                        "damaged: an arc out of range");
    assert_string_equal(DEFECT(HEAD SAFE "\0\3\1" END("\0", "\1\1\1")),
                        "damaged: a record of unknown kind");
    assert_string_equal(DEFECT(HEAD SAFE "\0\1\1\3" END("\0", "\1\1\1")),
                        "damaged: a fault of more agents than the ring has");
    assert_string_equal(DEFECT(HEAD SAFE "\0\1\1\1\2\0" END("\0", "\1\1\1")),
                        "damaged: an agent out of range");
    assert_string_equal(DEFECT(HEAD SAFE "\0\2\0\2\1\1"),
                        "damaged: the hits do not fit the protocol");
    assert_string_equal(DEFECT(HEAD SAFE END("\0", "\1\1\1") "\0"), "damaged: bytes after the end");
    assert_string_equal(
        DEFECT(HEAD SAFE "\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0" END("\1", "\1\1\1")),
        "damaged: the steps do not fit 64 bits");
}

static void an_event_that_changes_nothing_is_wrong(void **state)
{
    (void)state;
    assert_string_equal(DEFECT(HEAD SAFE "\1\0\1\0" END("\0", "\1\1\1")),
                        "wrong: the event at step 2 (arc 0) changes nothing");
}

/* The hits of all sets are at step 2, an event; any other claim is wrong. */
static void a_hit_in_the_wrong_place_is_wrong(void **state)
{
    (void)state;
    /* steps 3 and 8; the ring is in every set from step 8 on */
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\11\11\11")), "right");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\1\11\11")),
                        "wrong: at step 0 the ring is not in C_PB");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\11\4\11")),
                        "wrong: at step 3 the ring is not in C_NI");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\11\11\7")),
                        "wrong: nothing happens at step 6, the hit of S_RL");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\12\11\11")),
                        "wrong: at step 8 the ring is in C_PB");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\11\11\0")),
                        "wrong: at step 8 the ring is in S_RL");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0\5\2" END("\4", "\14\14\14")),
                        "wrong: at step 8 the ring is in C_PB");
    /* a hit that never comes */
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0" END("\4", "\7\0\0")),
                        "wrong: nothing happens at step 6, the hit of C_PB");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0" END("\4", "\10\0\0")),
                        "wrong: nothing happens at step 7, the hit of C_PB");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\3\0" END("\4", "\60\0\0")),
                        "wrong: nothing happens at step 47, the hit of C_PB");
}

/* Hits are counted from the last fault: here at step 4, to "0L 0". */
static void a_hit_before_the_last_fault_is_wrong(void **state)
{
    (void)state;
    assert_string_equal(DEFECT(HEAD LEADERLESS "\0\1\4\1\0\1" END("\1", "\5\5\5")), "right");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\0\1\4\1\0\1" END("\1", "\5\4\5")),
                        "wrong: nothing happens at step 3, the hit of C_NI");
    assert_string_equal(DEFECT(HEAD LEADERLESS "\0\1\4\1\0\1" END("\1", "\5\6\5")),
                        "wrong: at step 4 the ring is in C_NI");
}

static void a_writer_that_cannot_put_says_so_at_the_end(void **state)
{
    (void)state;
    struct rl_ring ring = test_ring("prl", 12, 15);
    const struct rl_trace_info info = {.start = "file"};
    const uint64_t hits[3] = {RL_NEVER, RL_NEVER, RL_NEVER};
    for (size_t limit = 0; limit <= 45; limit += 45) {
        struct bytes trace = {.limit = limit};
        struct rl_trace_writer writer;
        rl_trace_begin(&writer, &trace, put, &info, &ring);
        assert_int_equal(rl_trace_end(&writer, 0, hits, 3), RL_IO);
        free(trace.at);
    }
    test_done(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_run_replays_to_the_same_end),
        cmocka_unit_test(records_come_back_one_by_one),
        cmocka_unit_test(a_trace_cut_anywhere_is_refused),
        cmocka_unit_test(a_trace_with_a_changed_byte_is_refused),
        cmocka_unit_test(a_trace_made_by_hand_is_right),
        cmocka_unit_test(every_defect_has_its_name),
        cmocka_unit_test(an_event_that_changes_nothing_is_wrong),
        cmocka_unit_test(a_hit_in_the_wrong_place_is_wrong),
        cmocka_unit_test(a_hit_before_the_last_fault_is_wrong),
        cmocka_unit_test(a_writer_that_cannot_put_says_so_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
