/* SPDX-License-Identifier: MIT
 *
 * ringleader replay: a recorded trace, checked step by step.
 */
#include <stdlib.h>

#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"FILE", NULL, VALUE_INPUT, NULL, .is_word = true, .missing = "replay wants one trace file",
     .too_many = "replay wants one trace file"},
    {"protocol", "FILE.c", VALUE_PROTOCOL, "the file of the protocol, if it is one of your own",
     .letter = 'p'},
    {"events", NULL, VALUE_NONE, "print every event: step, arc, and the states of l and r after it",
     .not_with = "json"},
    {"at", "STEP", VALUE_SIZE,
     "print the configuration after that many steps, as `elect --start` reads\n"
     "it; after a fault, where one strikes there",
     .not_with = "events json"},
    {"force", NULL, VALUE_NONE,
     "accept what the protocol promises nothing for (see verify --force)"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};
static const struct option_group OWN = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

static void print_event(const struct rl_ring *ring, const struct rl_trace_record *record)
{
    const rl_state l = rl_ring_get(ring, rl_ring_initiator(ring, record->arc));
    const rl_state r = rl_ring_get(ring, rl_ring_responder(ring, record->arc));
    printf("%llu\t%u\t%s\t%s\n", (unsigned long long)record->step, record->arc,
           rl_ring_state(ring->protocol, l).text, rl_ring_state(ring->protocol, r).text);
}

/* The bytes of a trace, and whether any parameters will do. */
struct trace {
    const char *bytes;
    size_t size;
    bool forced;
};

static enum rl_status open_trace(struct rl_trace_reader *reader, const struct trace *trace,
                                 struct rl_error *error)
{
    return rl_trace_open(reader, trace->bytes, trace->size, trace->forced, error);
}

/* Once more from the beginning, for the reader has been to the end: so a trace with a hit that is
 * elsewhere is refused before any of it is shown. */
static enum rl_status print_events(struct rl_trace_reader *reader, const struct trace *trace,
                                   struct rl_error *error)
{
    struct rl_trace_record record = {.kind = RL_TRACE_EVENT};
    rl_trace_close(reader);
    enum rl_status status = open_trace(reader, trace, error);
    if (!status)
        puts("step\tarc\tl\tr");
    while (!status && record.kind != RL_TRACE_END) {
        status = rl_trace_next(reader, &record, error);
        if (status)
            break;
        if (record.kind == RL_TRACE_EVENT)
            print_event(&reader->ring, &record);
        else if (record.kind == RL_TRACE_FAULT)
            printf("%llu\tfault of %u agents\n", (unsigned long long)record.step, record.count);
    }
    return status;
}

/* The number of records up to a step, so that the reader, which is at the beginning, can be taken
 * just so far: it tells a record only when it has applied it. */
static enum rl_status count_records(struct rl_trace_reader *reader, uint64_t step,
                                    uint64_t *count_out, struct rl_error *error)
{
    struct rl_trace_record record = {.kind = RL_TRACE_EVENT};
    enum rl_status status = RL_OK;
    *count_out = 0;
    while (!status && record.kind != RL_TRACE_END && record.step <= step) {
        status = rl_trace_next(reader, &record, error);
        *count_out += record.kind != RL_TRACE_END && record.step <= step;
    }
    return status;
}

static enum rl_status print_at(struct rl_trace_reader *reader, const struct trace *trace,
                               uint64_t step, struct rl_error *error)
{
    struct rl_trace_record record;
    uint64_t count = 0;
    if (step > reader->final_step)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "there is no step %llu: the trace ends at %llu",
                            (unsigned long long)step, (unsigned long long)reader->final_step);
    rl_trace_close(reader);
    enum rl_status status = open_trace(reader, trace, error);
    if (!status)
        status = count_records(reader, step, &count, error);
    rl_trace_close(reader);
    if (!status)
        status = open_trace(reader, trace, error);
    for (; !status && count > 0; count--)
        status = rl_trace_next(reader, &record, error);
    if (!status)
        write_configuration(&reader->ring, stdout);
    return status;
}

static void report(const struct rl_trace_reader *reader)
{
    const struct rl_ring *ring = &reader->ring;
    printf("%s on a ring of n = %s agents, start %s, seed %llu, trial %llu\n\n",
           ring->protocol->name, grouped(ring->params.n), reader->info.start,
           (unsigned long long)reader->info.seed, (unsigned long long)reader->info.trial);
    for (size_t i = 0; i < ring->protocol->set_count; i++)
        printf("  %-8s %22s\n", ring->protocol->sets[i].name,
               reader->hits[i] == RL_NEVER ? "-" : grouped(reader->hits[i]));
    printf("\nreplayed %s steps, %s events, %s faults; every event and every hit is right\n",
           grouped(reader->final_step), grouped(reader->events), grouped(reader->faults));
}

static void report_json(const struct rl_trace_reader *reader)
{
    const struct rl_ring *ring = &reader->ring;
    struct rl_json json = rl_json_begin(stdout);
    json_heading(&json, ring->protocol, &ring->params);
    rl_json_string(&json, "start", reader->info.start);
    rl_json_count(&json, "seed", reader->info.seed);
    rl_json_count(&json, "trial", reader->info.trial);
    rl_json_string(&json, "engine", rl_engine_name(reader->info.engine));
    rl_json_count(&json, "steps", reader->final_step);
    rl_json_count(&json, "events", reader->events);
    rl_json_count(&json, "faults", reader->faults);
    rl_json_hits(&json, "hits", ring->protocol, reader->hits);
    rl_json_bool(&json, "right", true);
    rl_json_end(&json);
}

static int run_replay(struct arguments *arguments)
{
    const char *path = argument(arguments, "FILE");
    char *bytes = NULL;
    size_t size;
    int outcome = check_own_only(arguments);
    if (outcome == GO_ON)
        outcome = read_file(path, &bytes, &size);
    if (outcome != GO_ON)
        return outcome;
    const struct trace trace = {bytes, size, argument(arguments, "force")};
    struct rl_trace_reader reader;
    struct rl_error error = {0};
    enum rl_status status = open_trace(&reader, &trace, &error);
    if (!status)
        status = rl_trace_check(&reader, &error);
    const bool events = argument(arguments, "events"), at = argument(arguments, "at");
    uint64_t step = 0;
    if (!status)
        outcome = read_count(arguments, "at", reader.ring.params.n, &step);
    if (!status && outcome == GO_ON && at)
        status = print_at(&reader, &trace, step, &error);
    if (!status && events)
        status = print_events(&reader, &trace, &error);
    if (status)
        outcome = complain_status(status, &error, path);
    else if (outcome == GO_ON && !events && !at)
        (argument(arguments, "json") ? report_json : report)(&reader);
    rl_trace_close(&reader);
    free(bytes);
    return outcome;
}

const struct command command_replay = {
    .name = "replay",
    .summary = "a recorded trace, checked step by step",
    .usage = "ringleader replay FILE [options]",
    .about = "Replays a trace written by `elect --trace`: recomputes every event, and checks that "
             "every\n"
             "hit is where the trace says. A damaged trace is refused by the name of its defect.\n",
    .groups = {&OWN},
    .status = "0 the trace is right, 2 it is damaged or wrong, 3 it could not be read.",
    .examples = "  ringleader elect -n 20 --trace t.rlt && ringleader replay t.rlt\n"
                "  ringleader replay --events t.rlt | head\n"
                "  ringleader replay t.rlt --at 100 > c.txt\n",
    .run = run_replay,
};
