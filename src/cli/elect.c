/* SPDX-License-Identifier: MIT
 *
 * ringleader elect: one election.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/election.h"

static const char HELP[] =
    "usage: ringleader elect -n COUNT [options]\n"
    "\n"
    "Runs one election from a start until the target set is hit, and prints the hits.\n"
    "\n"
    "  -p, --protocol NAME   the protocol (default prl; see `ringleader protocols`)\n"
    "  -n COUNT              agents on the ring: 2 to 2^26\n"
    "  -N COUNT              the bound N that the agents of prl know (default n); 2n, n^1.5 work\n"
    "      --NAME COUNT      any other parameter of the protocol, such as --k of aaf08\n"
    "      --undirected      on an undirected ring: colouring and orientation come first;\n"
    "                        --orientation aaf|por chooses how (default por)\n"
    "      --oracle delay=COUNT  of a protocol with an oracle: how long the absence of leaders\n"
    "                        must have lasted when it reports it (default 0: at once)\n"
    "      --start NAME|FILE where to begin: random (default) or another start of the protocol\n"
    "                        (`ringleader protocols prl` lists them), or a configuration file\n"
    "      --seed COUNT      chooses the random streams (default 1)\n"
    "      --trial COUNT     which of the independent trials of that seed (default 0)\n"
    "      --engine NAME     event (default; skips what changes nothing) or step (plain)\n"
    "      --until SET       stop when this set is hit (default: the protocol's target)\n"
    "      --until steps=COUNT   go on for exactly that many steps\n"
    "      --max-steps COUNT give up at this step\n"
    "      --schedule FILE   arcs from a file instead of random ones (step engine)\n"
    "      --fault K@STEP    after STEP steps give K random agents (or K%) random states;\n"
    "                        repeatable\n"
    "      --timeline FILE   leaders, bullets, ... at chosen steps, as CSV\n"
    "      --trace FILE      record the execution for `ringleader replay`\n"
    "      --picture FILE    a space-time picture, .svg or .png (`ringleader draw` does more)\n"
    "      --watch           show the ring as the election goes on, a line a sample\n"
    "      --json            one JSON object on standard output\n"
    "\n"
    "Exit status: 0 the set was hit, 1 it was not (step limit, end of schedule, Ctrl-C),\n"
    "2 the request was wrong, 3 something outside failed.\n"
    "\n"
    "examples:\n"
    "  ringleader elect -n 1000 --seed 7\n"
    "  ringleader elect -n 50 -N 2n --start leaderless --json\n"
    "  ringleader elect -n 100 --start safe --fault 50@1e6   break half of it, watch it heal\n"
    "  echo '(seqR 0 9)^3' | ringleader elect -n 10 --start leaderless --schedule -\n";

static const struct option OPTIONS[] = {
    {"protocol", 'p', "NAME"}, {"n", 'n', "COUNT"},       {"start", 0, "NAME|FILE"},
    {"seed", 0, "COUNT"},      {"trial", 0, "COUNT"},     {"engine", 0, "event|step"},
    {"until", 0, "SET"},       {"max-steps", 0, "COUNT"}, {"schedule", 0, "random|FILE"},
    {"fault", 0, "K@STEP"},    {"timeline", 0, "FILE"},   {"trace", 0, "FILE"},
    {"json", 0, NULL},         {"picture", 0, "FILE"},    {"watch", 0, NULL},
    {NULL, 0, NULL},
};

/* ---- reading the request ----------------------------------------------------------------------
 */

static const struct rl_protocol *named_in; /* whose names the functions below list */

static const char *start_name(size_t index)
{
    if (index == 0)
        return "random";
    return index <= named_in->start_count ? named_in->starts[index - 1].name : NULL;
}

static const char *set_name(size_t index)
{
    return index < named_in->set_count ? named_in->sets[index].name : NULL;
}

static const char *engine_name(size_t index)
{
    return index <= RL_ENGINE_STEP ? rl_engine_name((enum rl_engine_kind)index) : NULL;
}

static int read_configuration(struct election *election)
{
    char *text;
    size_t size;
    const int failed = read_file(election->start, &text, &size);
    if (failed >= 0)
        return failed;
    struct rl_ring ring = {.protocol = election->options.protocol,
                           .params = election->options.params};
    struct rl_error error = {0};
    ring.agents = malloc(rl_ring_bytes(ring.protocol, ring.params.n));
    enum rl_status status = ring.agents ? rl_ring_parse(&ring, text, size, &error) : RL_NO_MEMORY;
    free(text);
    election->configuration = ring.agents;
    election->options.configuration = ring.agents;
    return status ? complain_status(status, &error, election->start) : -1;
}

static int choose_start(struct election *election, const struct arguments *arguments)
{
    const char *value = argument(arguments, "start");
    election->start = election->options.start = value ? value : "random";
    named_in = election->options.protocol;
    if (rl_protocol_has_start(named_in, election->start))
        return -1;
    FILE *stream = strcmp(election->start, "-") == 0 ? stdin : fopen(election->start, "rb");
    if (!stream)
        return complain(EXIT_REQUEST,
                        "'%s' is neither a start of %s nor a file%s (see ringleader protocols %s)",
                        election->start, named_in->name,
                        did_you_mean(nearest_name(election->start, start_name)), named_in->name);
    if (stream != stdin)
        fclose(stream);
    election->start_is_file = true;
    return read_configuration(election);
}

static int choose_engine(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    const char *engine = argument(arguments, "engine");
    const char *schedule = argument(arguments, "schedule");
    const bool random = !schedule || strcmp(schedule, "random") == 0;
    if (engine && strcmp(engine, "event") != 0 && strcmp(engine, "step") != 0)
        return complain(EXIT_REQUEST, "there is no engine '%s'%s (there are event and step)",
                        engine, did_you_mean(nearest_name(engine, engine_name)));
    options->engine = engine && strcmp(engine, "step") == 0 ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
    if (random)
        return -1;
    if (engine && options->engine == RL_ENGINE_EVENT)
        return complain(EXIT_REQUEST, "a schedule from a file needs --engine step");
    options->engine = RL_ENGINE_STEP;
    char *text;
    size_t size;
    const int failed = read_file(schedule, &text, &size);
    if (failed >= 0)
        return failed;
    struct rl_error error = {0};
    const struct rl_ring ring = {.protocol = options->protocol, .params = options->params};
    const enum rl_status status =
        rl_schedule_parse(&election->schedule, rl_ring_arcs(&ring), text, size, &error);
    free(text);
    options->schedule = &election->schedule;
    return status ? complain_status(status, &error, schedule) : -1;
}

static int choose_end(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    options->max_steps = RL_NEVER;
    options->until = options->protocol->target;
    int failed = argument_count(arguments, "max-steps", options->params.n, &options->max_steps);
    const char *until = argument(arguments, "until");
    if (failed >= 0 || !until)
        return failed;
    if (strncmp(until, "steps=", 6) == 0) {
        struct rl_error error = {0};
        uint64_t steps;
        if (rl_text_parse_count(until + 6, options->params.n, &steps, &error))
            return complain(EXIT_REQUEST, "--until: %s", error.text);
        options->until_steps = steps <= options->max_steps;
        options->max_steps = steps < options->max_steps ? steps : options->max_steps;
        return -1;
    }
    const int set = rl_protocol_set(options->protocol, until);
    named_in = options->protocol;
    if (set < 0)
        return complain(EXIT_REQUEST, "protocol %s has no set '%s'%s (see ringleader protocols %s)",
                        options->protocol->name, until, did_you_mean(nearest_name(until, set_name)),
                        options->protocol->name);
    options->until = (size_t)set;
    return -1;
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
    return -1;
}

static bool is_path(const char *path, const char *other)
{
    return path && other && strcmp(path, other) == 0;
}

/* Two outputs cannot go to one place, and --json has standard output for itself. */
static int check_outputs(const struct arguments *arguments)
{
    const char *timeline = argument(arguments, "timeline"), *trace = argument(arguments, "trace");
    if (is_path(timeline, trace))
        return complain(EXIT_REQUEST, "--timeline and --trace want two files, not one: %s", trace);
    const char *picture = argument(arguments, "picture");
    if (is_path(picture, timeline) || is_path(picture, trace))
        return complain(EXIT_REQUEST, "--picture wants a file of its own, not %s", picture);
    if (argument(arguments, "json") && (is_path(timeline, "-") || is_path(trace, "-")))
        return complain(EXIT_REQUEST, "with --json nothing else can go to standard output");
    return -1;
}

int read_election(struct election *election, const struct arguments *arguments)
{
    struct rl_run_options *options = &election->options;
    election->json = argument(arguments, "json");
    options->seed = 1;
    int failed = argument_ring(arguments, &options->protocol, &options->params);
    if (failed < 0)
        failed = argument_count(arguments, "seed", 0, &options->seed);
    if (failed < 0)
        failed = argument_count(arguments, "trial", 0, &options->trial);
    if (failed < 0)
        failed = check_outputs(arguments);
    if (failed < 0)
        failed = choose_end(election, arguments);
    if (failed < 0)
        failed = choose_faults(election, arguments);
    if (failed < 0)
        failed = choose_engine(election, arguments);
    if (failed < 0)
        failed = choose_start(election, arguments);
    return failed;
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

static bool put_bytes(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static void begin_trace(struct rl_trace_writer *writer, struct election *election,
                        struct rl_run *run)
{
    struct rl_trace_info info = {.seed = election->options.seed,
                                 .trial = election->options.trial,
                                 .engine = election->options.engine};
    snprintf(info.start, sizeof info.start, "%s",
             election->start_is_file ? "file" : election->start);
    rl_trace_begin(writer, election->trace.stream, put_bytes, &info, &run->ring);
    rl_trace_watch(writer, run);
}

static void run_to_end(struct election *election, struct rl_run *run)
{
    struct progress progress = progress_begin();
    catch_interrupts();
    while (rl_run_advance(run) == RL_RUNNING && !interrupted())
        if (progress_due(&progress))
            show_election(&progress, run);
    election->interrupted = run->state == RL_RUNNING;
    election->seconds = seconds_now() - progress.began;
    progress_end(&progress);
}

/* The files asked for; they are complete, or they are not there. */
static int keep_files(struct election *election)
{
    int failed = -1;
    if (election->timeline.stream)
        failed = keep_new_file(&election->timeline);
    if (failed < 0 && election->trace.stream)
        failed = keep_new_file(&election->trace);
    return failed;
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
    run_to_end(election, &run);
    if (election->trace.stream)
        status = rl_trace_end(&trace, run.step, run.hits, run.ring.protocol->set_count);
    int failed = status ? complain(EXIT_OUTSIDE, "%s could not be written", election->trace.path)
                        : keep_files(election);
    if (failed < 0 && election->picture.stream) {
        rl_spacetime_end(&picture, run.step, run.events);
        failed = keep_picture(&picture, election, &election->picture, election->picture_format);
    }
    if (failed < 0) {
        (election->json ? report_election_json : report_election)(election, &run);
        const bool asked = run.state == RL_REACHED || (run.state == RL_LIMIT && run.until_steps);
        failed = asked ? EXIT_DONE : EXIT_NO;
    }
    rl_spacetime_free(&picture);
    rl_run_free(&run);
    return failed;
}

static int run_elect(int argc, char **argv)
{
    struct arguments arguments;
    struct election election = {0};
    int failed = read_arguments(&arguments, &command_elect, OPTIONS, argc, argv);
    if (failed >= 0)
        return failed;
    if (arguments.word_count > 0)
        return complain(EXIT_REQUEST, "elect takes options only, not '%s'", arguments.words[0]);
    election.watch = argument(&arguments, "watch");
    failed = read_election(&election, &arguments);
    if (failed < 0 && election.watch && election.json)
        failed = complain(EXIT_REQUEST, "--watch and --json both want standard output");
    if (failed < 0 && argument(&arguments, "picture"))
        failed = choose_format(argument(&arguments, "picture"), &election.picture_format);
    if (failed < 0 && argument(&arguments, "picture"))
        failed = open_new_file(&election.picture, argument(&arguments, "picture"));
    if (failed < 0 && argument(&arguments, "timeline"))
        failed = open_new_file(&election.timeline, argument(&arguments, "timeline"));
    if (failed < 0 && argument(&arguments, "trace"))
        failed = open_new_file(&election.trace, argument(&arguments, "trace"));
    if (failed < 0)
        failed = hold_election(&election);
    rl_new_file_drop(&election.timeline);
    rl_new_file_drop(&election.trace);
    rl_new_file_drop(&election.picture);
    free_election(&election);
    return failed;
}

const struct command command_elect = {
    "elect", "one election: run from a start until the target is hit", HELP, run_elect};
