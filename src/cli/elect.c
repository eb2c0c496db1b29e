/* SPDX-License-Identifier: MIT
 *
 * ringleader elect: one election.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/election.h"

static const char *const ENGINES[] = {"event", "step", NULL};

static const struct option ELECTION_OPTIONS[] = {
    {"start", "NAME|FILE", VALUE_START,
     "where to begin: random (default) or another start of the protocol\n"
     "(`ringleader protocols prl` lists them), or a configuration file"},
    {"seed", "COUNT", VALUE_COUNT, "chooses the random streams (default 1)"},
    {"trial", "COUNT", VALUE_COUNT, "which of the independent trials of that seed (default 0)"},
    {"engine", "NAME", VALUE_CHOICE, "event (default; skips what changes nothing) or step (plain)",
     .choices = ENGINES},
    {"until", "SET", VALUE_SET,
     "stop when this set is hit (default: the protocol's target), or\n"
     "steps=COUNT: go on for exactly that many steps, or\n"
     "settled=COUNT: until one agent leads and no output has changed\n"
     "for that many steps (observed, not proved)"},
    {"max-steps", "COUNT", VALUE_SIZE, "give up at this step"},
    {"schedule", "FILE", VALUE_INPUT,
     "arcs from a file instead of random ones (step engine), to their\n"
     "end unless --until says otherwise"},
    {"fault", "K@STEP", VALUE_TEXT,
     "after STEP steps give K random agents (or K%) random states;\n"
     "repeatable",
     .repeatable = true},
};
const struct option_group election_options = {.options = ELECTION_OPTIONS,
                                              .count = OPTION_COUNT(ELECTION_OPTIONS)};

static const struct option OPTIONS[] = {
    {"timeline", "FILE", VALUE_OUTPUT, "leaders, bullets, ... at chosen steps, as CSV"},
    {"trace", "FILE", VALUE_OUTPUT, "record the execution for `ringleader replay`"},
    {"end", "FILE", VALUE_OUTPUT, "the last configuration, in the form that --start reads"},
    {"picture", "FILE", VALUE_OUTPUT,
     "a space-time picture, .svg, .png or .pdf (`ringleader draw` does more)"},
    {"watch", NULL, VALUE_NONE, "show the ring as the election goes on, a line a sample",
     .not_with = "json"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};
static const struct option_group OWN = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

/* ---- reading the request ----------------------------------------------------------------------
 */

static const struct rl_protocol *named_in; /* whose names the functions below list */

static const char *start_name(size_t index)
{
    if (index == 0)
        return RL_START_RANDOM;
    return index <= named_in->start_count ? named_in->starts[index - 1].name : NULL;
}

static const char *set_name(size_t index)
{
    return index < named_in->set_count ? named_in->sets[index].name : NULL;
}

static int choose_start(struct election *election, const char *start)
{
    election->start = election->options.start = start;
    named_in = election->options.protocol;
    if (rl_protocol_has_start(named_in, start))
        return GO_ON;
    if (strcmp(start, "-") != 0 && access(start, F_OK) != 0)
        return complain(EXIT_REQUEST,
                        "'%s' is neither a start of %s nor a file%s (see ringleader protocols %s)",
                        start, named_in->name, did_you_mean(start, start_name), named_in->name);
    election->start_is_file = true;
    struct rl_ring ring = {named_in, election->options.params,
                           malloc(rl_ring_bytes(named_in, election->options.params.n))};
    election->options.configuration = election->configuration = ring.agents;
    return ring.agents ? read_configuration(&ring, start) : complain(EXIT_OUTSIDE, "out of memory");
}

static int choose_engine(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    const char *engine = argument(arguments, "engine");
    const char *schedule = argument(arguments, "schedule");
    options->engine = engine && strcmp(engine, "step") == 0 ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
    if (!schedule || strcmp(schedule, "random") == 0)
        return GO_ON;
    if (engine && options->engine == RL_ENGINE_EVENT)
        return complain(EXIT_REQUEST, "a schedule from a file needs --engine step");
    options->engine = RL_ENGINE_STEP;
    char *text;
    size_t size;
    const int outcome = read_file(schedule, &text, &size);
    if (outcome != GO_ON)
        return outcome;
    struct rl_error error = {0};
    const struct rl_ring ring = {.protocol = options->protocol, .params = options->params};
    const enum rl_status status =
        rl_schedule_parse(&election->schedule, rl_ring_arcs(&ring), text, size, &error);
    free(text);
    options->schedule = &election->schedule;
    return status ? complain_status(status, &error, schedule) : GO_ON;
}

static int choose_end(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    options->max_steps = RL_NEVER;
    options->until = options->protocol->target;
    options->settled = rl_settled_usual(options->protocol, &options->params);
    int outcome = read_count(arguments, "max-steps", options->params.n, &options->max_steps);
    if (outcome == GO_ON && options->max_steps == 0)
        return complain(EXIT_REQUEST, "--max-steps wants a step to give up at, not 0");
    const char *until = argument(arguments, "until");
    /* A schedule is followed to its end, unless somebody says otherwise. */
    const char *schedule = argument(arguments, "schedule");
    election->to_schedules_end = schedule && strcmp(schedule, "random") != 0 && !until;
    options->until_steps = election->to_schedules_end;
    if (outcome != GO_ON || !until)
        return outcome;
    const char *settled = rl_text_after(until, "settled=");
    const char *count = settled ? settled : rl_text_after(until, "steps=");
    uint64_t steps;
    struct rl_error error = {0};
    if (count && rl_text_parse_count(count, options->params.n, &steps, &error))
        return complain(EXIT_REQUEST, "--until: %s", error.text);
    if (settled) {
        options->settled = steps;
        return steps ? GO_ON : complain(EXIT_REQUEST, "--until settled=0: give some steps");
    }
    if (count) {
        options->until_steps = true;
        election->limit_first = options->max_steps < steps;
        options->max_steps = election->limit_first ? options->max_steps : steps;
        return GO_ON;
    }
    const int set = rl_protocol_set(options->protocol, until);
    named_in = options->protocol;
    if (set < 0)
        return complain(EXIT_REQUEST, "protocol %s has no set '%s'%s (see ringleader protocols %s)",
                        options->protocol->name, until, did_you_mean(until, set_name),
                        options->protocol->name);
    options->settled = options->protocol->sets[set].contains ? 0 : options->settled;
    options->until = (size_t)set;
    return GO_ON;
}

static int by_step(const void *a, const void *b)
{
    const uint64_t x = ((const struct rl_fault *)a)->step, y = ((const struct rl_fault *)b)->step;
    return (x > y) - (x < y);
}

static int choose_faults(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    for (size_t i = 0; i < arguments->count; i++) {
        if (strcmp(arguments->given[i].name, "fault") != 0)
            continue;
        if (options->fault_count == MOST_FAULTS)
            return complain(EXIT_REQUEST, "more than %d faults", MOST_FAULTS);
        struct rl_error error = {0};
        if (rl_run_parse_fault(arguments->given[i].value, options->params.n,
                               &election->faults[options->fault_count++], &error))
            return complain(EXIT_REQUEST, "--fault: %s", error.text);
    }
    qsort(election->faults, options->fault_count, sizeof election->faults[0], by_step);
    options->faults = election->faults;
    return GO_ON;
}

int read_election(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    struct rl_request request;
    election->json = argument(arguments, "json");
    int outcome = read_ring(arguments, &request, NULL);
    if (outcome != GO_ON)
        return outcome;
    options->protocol = request.protocol;
    options->params = request.params;
    options->seed = request.seed;
    options->trial = request.trial;
    outcome = choose_end(election, arguments);
    if (outcome == GO_ON)
        outcome = choose_faults(election, arguments);
    if (outcome == GO_ON)
        outcome = choose_engine(election, arguments);
    return outcome == GO_ON ? choose_start(election, request.start) : outcome;
}

void free_election(struct election *election)
{
    rl_schedule_free(&election->schedule);
    free(election->configuration);
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void write_timeline_head(FILE *stream, const struct rl_protocol *protocol)
{
    fputs("step,leaders", stream);
    for (size_t i = 0; i < protocol->gauge_count; i++)
        fprintf(stream, ",%s", protocol->gauges[i]);
    fputc('\n', stream);
}

static void write_sample(void *user, const struct rl_run *run, const struct rl_sample *sample)
{
    FILE *stream = user;
    fprintf(stream, "%llu,%llu", (unsigned long long)sample->step,
            (unsigned long long)sample->leaders);
    for (size_t i = 0; i < run->ring.protocol->gauge_count; i++)
        fprintf(stream, ",%llu", (unsigned long long)sample->gauges[i]);
    fputc('\n', stream);
}

static void begin_trace(struct rl_trace_writer *writer, struct election *election,
                        struct rl_run *run)
{
    struct rl_trace_info info = {.seed = election->options.seed,
                                 .trial = election->options.trial,
                                 .engine = election->options.engine};
    snprintf(info.start, sizeof info.start, "%s",
             election->start_is_file ? "file" : election->start);
    rl_trace_begin(writer, election->trace.stream, rl_new_file_put, &info, &run->ring);
    rl_trace_watch(writer, run);
}

void run_election(struct election *election, struct rl_run *run)
{
    struct progress progress = progress_begin();
    while (rl_run_advance(run) == RL_RUNNING && !interrupted())
        if (progress_due(&progress))
            show_election(&progress, run);
    election->interrupted = run->state == RL_RUNNING;
    election->seconds = progress_end(&progress);
}

static int keep_files(struct election *election)
{
    struct rl_new_file *const files[] = {&election->timeline, &election->trace, &election->end,
                                         &election->picture};
    return keep_new_files(files, sizeof files / sizeof files[0]);
}

static int hold_election(struct election *election)
{
    struct rl_run run;
    struct rl_error error = {0};
    struct rl_timeline timeline;
    struct rl_trace_writer trace;
    struct rl_timeline watch;
    struct rl_spacetime picture = {0};
    enum rl_status status = rl_run_init(&run, &election->options, &error);
    if (!status && election->picture.stream) {
        const struct rl_spacetime_options options = {.scale = RL_SCALE_STEPS};
        status = rl_spacetime_init(&picture, &run.ring, &options);
    }
    if (status) {
        rl_spacetime_free(&picture);
        rl_run_free(&run);
        return complain_status(status, &error, NULL);
    }
    if (election->picture.stream)
        rl_spacetime_watch(&picture, &run);
    if (election->watch)
        watch_election(&watch, &run);
    if (election->timeline.stream) {
        write_timeline_head(election->timeline.stream, run.ring.protocol);
        rl_timeline_watch(&timeline, &run, election->timeline.stream, write_sample);
    }
    if (election->trace.stream)
        begin_trace(&trace, election, &run);
    run_election(election, &run);
    if (election->trace.stream)
        status = rl_trace_end(&trace, run.step, run.hits, run.ring.protocol->set_count);
    if (election->end.stream)
        write_configuration(&run.ring, election->end.stream);
    int outcome =
        status ? complain(EXIT_OUTSIDE, "%s could not be written", election->trace.path) : GO_ON;
    if (outcome == GO_ON && election->picture.stream) {
        rl_spacetime_end(&picture, run.step, run.events);
        outcome = write_picture(&picture, election, &election->picture, election->picture_format);
    }
    if (outcome == GO_ON)
        outcome = keep_files(election);
    if (outcome == GO_ON) {
        (election->json ? report_election_json : report_election)(election, &run);
        const bool asked =
            election->to_schedules_end
                ? run.hits[run.until] != RL_NEVER
                : run.state == RL_REACHED ||
                      (run.state == RL_LIMIT && run.until_steps && !election->limit_first);
        outcome = asked ? EXIT_DONE : EXIT_NO;
    }
    rl_spacetime_free(&picture);
    rl_run_free(&run);
    return outcome;
}

static int run_elect(struct arguments *arguments)
{
    struct election election = {0};
    election.watch = argument(arguments, "watch");
    int outcome = read_election(&election, arguments);
    if (outcome == GO_ON && argument(arguments, "picture"))
        outcome = choose_format(argument(arguments, "picture"), &election.picture_format);
    if (outcome == GO_ON)
        outcome = open_output(&election.picture, arguments, "picture");
    if (outcome == GO_ON)
        outcome = open_output(&election.timeline, arguments, "timeline");
    if (outcome == GO_ON)
        outcome = open_output(&election.trace, arguments, "trace");
    if (outcome == GO_ON)
        outcome = open_output(&election.end, arguments, "end");
    if (outcome == GO_ON)
        outcome = hold_election(&election);
    rl_new_file_drop(&election.timeline);
    rl_new_file_drop(&election.end);
    rl_new_file_drop(&election.trace);
    rl_new_file_drop(&election.picture);
    free_election(&election);
    return outcome;
}

const struct command command_elect = {
    .name = "elect",
    .summary = "one election: run from a start until the target is hit",
    .usage = "ringleader elect -n COUNT [options]",
    .about = "Runs one election from a start until the target set is hit, and prints the hits.\n",
    .groups = {&ring_options, &election_options, &OWN},
    .status = "0 the set was hit, 1 it was not (step limit, end of schedule, Ctrl-C),\n"
              "2 the request was wrong, 3 something outside failed.",
    .examples =
        "  ringleader elect -n 1000 --seed 7\n"
        "  ringleader elect -n 50 -N 2n --start leaderless --json\n"
        "  ringleader elect -n 100 --start safe --fault 50@1e6   break half of it, watch it heal\n"
        "  ringleader elect -n 50 --until C_PB --end half ; ringleader elect -n 50 --start half\n"
        "  echo '(seqR 0 9)^3' | ringleader elect -n 10 --start leaderless --schedule -\n",
    .run = run_elect,
};
