/* SPDX-License-Identifier: MIT
 *
 * ringleader replay: checks a recorded execution, step by step.
 */
#include "cli/election.h"

static const struct option OPTIONS[] = {
    {"FILE", NULL, VALUE_INPUT, NULL, .is_word = true, .missing = "replay takes one file"},
    {"protocol", "FILE.c", VALUE_PROTOCOL, "the protocol file, if the protocol is your own",
     .letter = 'p'},
    {"events", NULL, VALUE_NONE, "print every event: step, arc, and the states of l and r after it",
     .not_with = "json"},
    {"at", "STEP", VALUE_TEXT,
     "print the configuration after that many steps, as `elect --start` reads it; if a fault "
     "strikes at that step, after the fault",
     .not_with = "events json"},
    {"force", NULL, VALUE_NONE, "also if the protocol promises nothing (see verify --force)"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

/* ---- the events, one by one ---- */

static void print_batch(void *user, struct rl_run *run)
{
    (void)user;
    rl_batch_seek(&run->batch, &run->ring, 0);
    for (size_t i = 0; i < run->batch.count; i++) {
        const struct rl_event *event = &run->batch.events[i];
        rl_batch_seek(&run->batch, &run->ring, i + 1);
        const rl_state l = rl_ring_get(&run->ring, rl_ring_initiator(&run->ring, event->arc));
        const rl_state r = rl_ring_get(&run->ring, rl_ring_responder(&run->ring, event->arc));
        printf("%" PRIu64 "\t%u\t%s\t%s\n", event->step, event->arc,
               rl_ring_state(run->ring.protocol, l).text,
               rl_ring_state(run->ring.protocol, r).text);
    }
}

static void print_fault(void *user, struct rl_run *run, size_t index, const uint32_t *agents)
{
    (void)user, (void)agents;
    printf("%" PRIu64 "\tfault of %u agents\n", run->step, run->faults[index].agents);
}

static void print_at(struct election *election, const struct arguments *arguments, const char *path)
{
    struct rl_experiment *experiment = &election->experiment;
    const uint64_t step = read_count(arguments, "at", experiment->params.n, 0);
    if (step > experiment->end.steps)
        die(EXIT_REQUEST, "%s: there is no step %ju: the execution ends at %ju", path, step,
            experiment->end.steps);
    experiment->end.steps = step;
    while (experiment->fault_count > 0 &&
           experiment->faults[experiment->fault_count - 1].step > step)
        experiment->fault_count--;
    begin_election(election);
    finish_election(election);
    write_configuration(&election->run.ring, stdout);
}

/* ---- the answer ---- */

static void report(const struct election *election, bool json)
{
    const struct rl_run *run = &election->run;
    const struct rl_experiment *experiment = &election->experiment;
    const struct rl_execution *execution = &election->execution;
    uint64_t hits[RL_MAX_SETS];
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        hits[i] = execution->hit_lines[i] ? execution->hits[i] : run->hits[i];
    struct answer answer = answer_begin(json);
    tell_heading(&answer, run->ring.protocol, &run->ring.params, "a");
    line(&answer, "\n");
    tell(&answer, "start=%s seed=%ju trial=%ju engine=%s steps=%ju events=%ju faults=%zu",
         experiment->start, experiment->seed, experiment->trial, rl_engine_name(experiment->engine),
         run->step, run->events, run->faults_done);
    tell_hits(&answer, &run->ring, hits);
    tell(&answer, "right=%d", true);
    answer_end(&answer);
}

static void end_replay(void *replay)
{
    rl_replay_free(replay);
}

static int run_replay(struct arguments *arguments)
{
    const char *path = argument(arguments, "FILE");
    check_own_only(arguments);
    struct election *election = read_execution(path, argument(arguments, "force"));
    struct rl_replay *replay = claim(sizeof *replay, end_replay);
    begin_election(election);
    check(rl_replay_watch(replay, &election->execution, &election->run), NULL);
    finish_election(election);
    check(rl_replay_end(replay, &election->run, why()), path);
    if (argument(arguments, "at"))
        print_at(election, arguments, path);
    else if (argument(arguments, "events")) {
        /* Once more from the beginning: what is wrong is refused before any of it is shown. */
        puts("step\tarc\tl\tr");
        begin_election(election);
        rl_run_observe(&election->run,
                       (struct rl_observer){.batch = print_batch, .fault = print_fault});
        finish_election(election);
    } else
        report(election, argument(arguments, "json"));
    return EXIT_DONE;
}

const struct command command_replay = {
    .name = "replay",
    .summary = "check a recorded execution, step by step",
    .usage = "ringleader replay FILE [options]",
    .about = "Replays an execution that `elect --trace` or `verify --trace` wrote, or that you "
             "wrote yourself (docs/formats.md). It computes every event again by the rules, and "
             "checks that steps, events and hits are as the file says. If the file is damaged, it "
             "names the line and the reason.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 it is right, 1 interrupted, 2 it is damaged or wrong, 3 it could not be read.",
    .examples = "  ringleader elect -n 20 --trace t.rlt && ringleader replay t.rlt\n"
                "  ringleader replay --events t.rlt | head\n"
                "  ringleader replay t.rlt --at 100 > c.txt\n",
    .run = run_replay,
};
