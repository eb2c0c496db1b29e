/* SPDX-License-Identifier: MIT
 *
 * ringleader elect: one election.
 */
#include <math.h>

#include "cli/election.h"

static const char *const ENGINES[] = {"event", "step", NULL};

static const struct option ELECTION_OPTIONS[] = {
    {"start", "NAME|FILE", VALUE_START,
     "random (default), another start of the protocol, or a file"},
    {"seed", "COUNT", VALUE_COUNT, "chooses the random numbers (default 1)"},
    {"trial", "COUNT", VALUE_COUNT, "which of the seed's independent trials (default 0)"},
    {"engine", "NAME", VALUE_CHOICE, "event (default; skips null interactions) or step (plain)",
     .choices = ENGINES},
    {"until", "SET", VALUE_SET,
     "stop when this set is hit (default: the protocol's target); steps=COUNT: after that many "
     "steps; settled=COUNT: when one agent leads and no output has changed for that many "
     "(observed)"},
#define ROW(member, place, key, from, to, otherwise, identity, argument, meaning)                  \
    {key, argument, VALUE_TEXT, meaning},
    RL_END_COUNTS(ROW)
#undef ROW
        {"schedule", "FILE", VALUE_INPUT, "arcs from a file, to its end unless --until is given"},
    {"fault", "K@STEP", VALUE_TEXT, "after STEP steps K random agents (or K%) get random states",
     .repeatable = true},
};
const struct option_group election_options = {NULL, ELECTION_OPTIONS,
                                              OPTION_COUNT(ELECTION_OPTIONS)};

static const struct option OPTIONS[] = {
    {"timeline", "FILE", VALUE_OUTPUT, "leaders, bullets, ... at chosen steps, as CSV"},
    {"trace", "FILE", VALUE_OUTPUT, "the execution, for `ringleader replay` and `draw`"},
    {"end", "FILE", VALUE_OUTPUT, "the last configuration, in the form that --start reads"},
    {"picture", "FILE", VALUE_OUTPUT,
     "a space-time picture, .svg, .png or .pdf (`draw` does more)"},
    {"watch", NULL, VALUE_NONE, "show the ring during the election, one line per sample",
     .not_with = "json"},
    {"pace", "COUNT", VALUE_COUNT, "this many lines per second (default 10 on a terminal)",
     .least = 1, .most = 1000, .needs = "watch"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

/* ---- reading the request ---- */

/* A schedule is followed to its end, unless somebody says otherwise. */
static void choose_schedule(struct election *election, const struct arguments *arguments)
{
    struct rl_experiment *experiment = &election->experiment;
    const char *schedule = argument(arguments, "schedule");
    if (!schedule || strcmp(schedule, "random") == 0)
        return;
    if (argument(arguments, "engine") && experiment->engine == RL_ENGINE_EVENT)
        die(EXIT_REQUEST, "a schedule from a file needs --engine step");
    size_t size;
    const char *text = file_text(schedule, &size);
    const struct rl_ring ring = {.protocol = experiment->protocol, .params = experiment->params};
    struct rl_execution *execution = &election->execution;
    check(rl_schedule_parse(&execution->arcs, rl_ring_arcs(&ring), text, size, why()), schedule);
    execution->schedule = text;
    experiment->schedule = &execution->arcs;
    experiment->engine = RL_ENGINE_STEP;
    if (!argument(arguments, "until"))
        experiment->end.kind = RL_UNTIL_SCHEDULE;
}

static void choose_faults(struct rl_experiment *experiment, const struct arguments *arguments)
{
    struct rl_fault *faults = claim((arguments->count + 1) * sizeof *faults, NULL);
    for (size_t i = 0; i < arguments->count; i++)
        if (strcmp(arguments->given[i].name, "fault") == 0)
            check(rl_run_parse_fault(arguments->given[i].value, experiment->params.n,
                                     &faults[experiment->fault_count++], why()),
                  "--fault");
    experiment->faults = faults;
}

static void end_election(void *thing)
{
    struct election *election = thing;
    rl_spacetime_free(&election->picture);
    rl_run_free(&election->run);
    rl_execution_free(&election->execution);
}

struct election *read_election(const struct arguments *arguments)
{
    struct election *election = claim(sizeof *election, end_election);
    struct rl_experiment *experiment = &election->experiment;
    read_ring(arguments, NULL, experiment);
    choose_schedule(election, arguments);
    if (experiment->end.after > 0 && experiment->end.kind != RL_UNTIL_SET)
        die(EXIT_REQUEST,
            "--after needs a run that ends with the hit of a set, and this one does not");
    choose_faults(experiment, arguments);
    choose_start(experiment);
    return election;
}

struct election *read_execution(const char *path, bool forced)
{
    struct election *election = claim(sizeof *election, end_election);
    struct rl_execution *execution = &election->execution;
    size_t size;
    const char *text = file_text(path, &size);
    check(rl_execution_read(execution, text, size, forced, why()), path);
    election->experiment = execution->experiment;
    return election;
}

/* ---- running ---- */

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
    fprintf(stream, "%" PRIu64 ",%" PRIu64, sample->step, sample->leaders);
    for (size_t i = 0; i < run->ring.protocol->gauge_count; i++)
        fprintf(stream, ",%" PRIu64, sample->gauges[i]);
    fputc('\n', stream);
}

static void write_execution(const struct election *election, struct rl_new_file *file)
{
    const struct rl_execution execution =
        rl_execution_of(&election->run, &election->experiment, election->execution.schedule);
    if (rl_execution_write(&execution, file->stream, rl_new_file_put))
        die(EXIT_OUTSIDE, "%s could not be written", file->path);
}

void begin_election(struct election *election)
{
    rl_run_free(&election->run);
    check(rl_run_init(&election->run, &election->experiment, why()), NULL);
}

void picture_election(struct election *election, const struct rl_spacetime_options *options)
{
    check(rl_spacetime_init(&election->picture, &election->run.ring, options), NULL);
    rl_spacetime_watch(&election->picture, &election->run);
}

/* Every halving of the leaders takes about as many events as the one before it, 4.9 n. Where it has
 * taken more than twice that, leaders become fewer by another law, and nobody can tell. */
static void show_election(struct progress *progress, const struct rl_run *run)
{
    const uint32_t leaders = rl_ring_leaders(&run->ring);
    const double n = run->ring.params.n, halvings = log2(n / (leaders ? leaders : 1));
    const bool usual = (double)run->events < 10 * halvings * n && run->fault_count == 0;
    char left[48] = "";
    if (leaders > 1 && halvings >= 3 && usual && run->end.kind == RL_UNTIL_SET)
        snprintf(left, sizeof left, ", about %.0f s left",
                 (seconds_now() - progress->began) * (1 + log2(leaders)) / halvings);
    progress_show(progress, "%s steps, %s events, %s leaders left%s", grouped(run->step),
                  grouped(run->events), grouped(leaders), left);
}

void run_election(struct election *election)
{
    struct rl_run *run = &election->run;
    struct progress progress = progress_begin();
    while (rl_run_advance(run) == RL_RUNNING && !interrupted())
        if (!election->watched && progress_due(&progress))
            show_election(&progress, run);
    election->interrupted = run->state == RL_RUNNING;
    election->seconds = progress_end(&progress);
    if (election->picture.ring)
        rl_spacetime_end(&election->picture, run->step, run->events);
}

void finish_election(struct election *election)
{
    run_election(election);
    if (election->interrupted)
        die(EXIT_NO, "interrupted");
}

/* ---- the report ---- */

void tell_hits(struct answer *answer, const struct rl_ring *ring, const uint64_t *hits)
{
    const struct rl_protocol *protocol = ring->protocol;
    /* What steps are compared with: n times the bound N if there is one, else n^2. */
    const int bound = rl_protocol_parameter(protocol, "N");
    const double n = ring->params.n, yard = n * (bound < 0 ? n : ring->params.value[bound]);
    line(answer, "\n  %-8s %22s %18s %12s\n", "hit", "steps", "parallel time",
         bound < 0 ? "n^2" : "nN");
    rl_json_hits(&answer->json, "hits", protocol, hits);
    for (size_t i = 0; i < protocol->set_count; i++)
        if (hits[i] == RL_NEVER)
            line(answer, "  %-8s %22s\n", protocol->sets[i].name, "-");
        else
            line(answer, "  %-8s %22s %18.1f %12.4f\n", protocol->sets[i].name, grouped(hits[i]),
                 (double)hits[i] / n, (double)hits[i] / yard);
    line(answer, "\n");
}

static void tell_faults(struct answer *answer, const struct rl_run *run)
{
    put_open(answer, "faults", '[');
    for (size_t i = 0; i < run->faults_done; i++) {
        const struct rl_fault *fault = &run->faults[i];
        const bool recovered = fault->recovered_after != RL_NEVER;
        rl_json_fault(&answer->json, fault->step, fault->agents, fault->recovered_after);
        say(answer, "fault",
            recovered ? "%s agents at step %s: recovered after %s steps"
                      : "%s agents at step %s: not recovered",
            grouped(fault->agents), grouped(fault->step), grouped(fault->recovered_after));
    }
    put_close(answer, ']');
}

/* What the run was to come to. */
static const char *goal_name(const struct rl_run *run)
{
    return run->settled.wanted ? "settled" : run->ring.protocol->sets[run->end.set].name;
}

/* And the step at which it did, or RL_NEVER. */
static uint64_t goal_step(const struct rl_run *run)
{
    const uint64_t settled = run->state == RL_REACHED ? run->settled.since : RL_NEVER;
    return run->settled.wanted ? settled : run->hits[run->end.set];
}

/* Whether what was asked for came about. */
static bool has_ended_well(const struct rl_run *run)
{
    return run->end.kind == RL_UNTIL_STEPS      ? run->step == run->end.steps
           : run->end.kind == RL_UNTIL_SCHEDULE ? run->hits[run->end.set] != RL_NEVER
                                                : run->state == RL_REACHED;
}

/* How it ended, where that is not with the hit. */
static void tell_end(struct answer *answer, const struct election *election)
{
    const struct rl_run *run = &election->run;
    const bool reached = goal_step(run) != RL_NEVER;
    put(answer, "interrupted=%d", election->interrupted);
    if (run->state != RL_REACHED || run->end.after > 0)
        say(answer, "ended", "at step %s%s%s%s", grouped(run->step),
            election->interrupted        ? ", interrupted"
            : run->state != RL_EXHAUSTED ? has_ended_well(run) ? "" : ", the limit"
            : election->experiment.schedule
                ? ", with the schedule"
                : ", because no interaction can change anything anymore",
            reached ? "" : ", before ", reached ? "" : goal_name(run));
}

static void report_election(const struct election *election, bool json)
{
    const struct rl_run *run = &election->run;
    const struct rl_experiment *experiment = &election->experiment;
    struct answer answer = answer_begin(json);
    tell_heading(&answer, run->ring.protocol, &run->ring.params, "a");
    line(&answer, "\nstart %s, seed %ju, trial %ju, engine %s\n", experiment->start,
         experiment->seed, experiment->trial, rl_engine_name(experiment->engine));
    put(&answer, "start=%s seed=%ju", experiment->start, experiment->seed);
    const bool by_length = run->end.kind == RL_UNTIL_STEPS; /* which no limit is told beside */
#define TELL(member, place, key, least, most, otherwise, ...)                                      \
    if (experiment->place != (otherwise) &&                                                        \
        !(by_length && &experiment->place == &experiment->end.max_steps))                          \
        rl_json_count(&answer.json, #member, experiment->place);
    RL_END_COUNTS(TELL)
#undef TELL
    const uint64_t hit = goal_step(run);
    const bool goes_on =
        run->settled.wanted || run->end.kind == RL_UNTIL_SCHEDULE || run->end.after > 0;
    put(&answer, "trial=%ju engine=%s target=%s reached=%d steps=%ju", experiment->trial,
        rl_engine_name(experiment->engine), goal_name(run),
        hit != RL_NEVER && !(by_length && run->step < run->end.steps),
        goes_on && hit != RL_NEVER ? hit : run->step);
    tell_hits(&answer, &run->ring, run->hits);
    tell_faults(&answer, run);
    const uint32_t leaders = rl_ring_leaders(&run->ring);
    const uint32_t first = rl_ring_first_leader(&run->ring);
    put(&answer, "leaders=%u leader=%jd", leaders, leaders == 1 ? first : RL_NEVER);
    if (leaders == 1)
        say(&answer, "leader", "u_%u", first);
    else
        say(&answer, "leaders", "%s", grouped(leaders));
    if (run->settled.wanted) { /* what is observed is no proof, and says so */
        open_row(&answer, NULL, "observed");
        tell(&answer, "steps=%ju since=%jd proved=%d", run->settled.wanted, hit, false);
        close_row(&answer);
    }
    tell_end(&answer, election);
    tell(&answer, "events=%ju", run->events);
    put(&answer, "stream_version=%u wall_seconds=%g", RL_STREAM_VERSION, election->seconds);
    say(&answer, "speed", "%.3f s, %.3g steps and %.3g events per second", election->seconds,
        (double)run->step / election->seconds, (double)run->events / election->seconds);
    answer_end(&answer);
}

static int run_elect(struct arguments *arguments)
{
    struct election *election = read_election(arguments);
    struct rl_timeline timeline;
    const uint64_t pace = read_count(arguments, "pace", 0, takes_escapes(STDOUT_FILENO) ? 10 : 0);
    const char *picture = argument(arguments, "picture");
    const enum rl_pen_format format = picture ? format_of(picture) : RL_PEN_SVG;
    struct rl_new_file *const samples = new_file(argument(arguments, "timeline"));
    struct rl_new_file *const trace = new_file(argument(arguments, "trace"));
    struct rl_new_file *const end = new_file(argument(arguments, "end"));
    struct rl_new_file *const drawn = new_file(picture);
    begin_election(election);
    if (drawn->stream)
        picture_election(election, &(struct rl_spacetime_options){.scale = RL_SCALE_STEPS});
    election->watched = argument(arguments, "watch");
    if (election->watched)
        watch_election(&election->run, pace);
    if (samples->stream) {
        write_timeline_head(samples->stream, election->run.ring.protocol);
        rl_timeline_watch(&timeline, &election->run, samples->stream, write_sample);
    }
    run_election(election);
    if (trace->stream)
        write_execution(election, trace);
    if (end->stream)
        write_configuration(&election->run.ring, end->stream);
    if (drawn->stream)
        write_picture(election, drawn, format);
    keep_files();
    report_election(election, argument(arguments, "json"));
    return has_ended_well(&election->run) ? EXIT_DONE : EXIT_NO;
}

const struct command command_elect = {
    .name = "elect",
    .summary = "run one election, from a start until the target is hit",
    .usage = "ringleader elect -n COUNT [options]",
    .about = "Runs one election from a start until the target set is hit, and prints the hits.",
    .groups = {&ring_options, &election_options, GROUP(OPTIONS)},
    .status = "0 the set was hit, 1 it was not (step limit, end of schedule, Ctrl-C), 2 the "
              "request was wrong, 3 something outside failed.",
    .examples = "  ringleader elect -n 1000 --seed 7\n"
                "  ringleader elect -n 50 -N 2n --start leaderless --json\n"
                "  ringleader elect -n 100 --start safe --fault 50@1e6     break half of it\n"
                "  ringleader elect -n 50 --until C_PB --end half\n"
                "  ringleader elect -n 50 --start half\n"
                "  echo '(seqR 0 9)^3' | ringleader elect -n 10 --start leaderless --schedule -\n",
    .run = run_elect,
};
