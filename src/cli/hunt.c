/* SPDX-License-Identifier: MIT
 *
 * ringleader hunt: looks for the worst configuration to begin from.
 */
#include "cli/cli.h"
#include "ringleader/study.h"

static const struct option OPTIONS[] = {
    {"seed", "COUNT", VALUE_COUNT, "chooses the random numbers (default 1)"},
    {"work", "COUNT", VALUE_COUNT,
     "how many events to simulate (default 4e8: a minute or two on one processor)",
     .least = 1000000},
    {"max-steps", "COUNT", VALUE_TEXT, "trials give up at this step"},
    {"jobs", "COUNT", VALUE_COUNT, "threads (default: one per processor)", .letter = 'j',
     .least = 1, .most = 64},
    {"db", "FILE", VALUE_FILE,
     "a study that keeps the trials, so that an interrupted hunt can go on"},
    {"end", "FILE", VALUE_OUTPUT,
     "write the worst configuration found, in the form that --start reads"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

static void end_hunt(void *hunt)
{
    rl_hunt_free(hunt);
}

static bool show(void *user, const struct rl_hunt_progress *at)
{
    struct progress *progress = user;
    if (progress_due(progress))
        progress_show(progress, "%.0f %%, generation %u: %.6g steps or so; worst named start %.6g",
                      100 * at->done, at->generation, at->best, at->best_named);
    return interrupted();
}

static void tell_stats(struct answer *answer, const struct rl_stats *stats)
{
    tell(answer, "mean=%g low=%g high=%g trials=%ju gave_up=%ju", stats->mean, stats->low,
         stats->high, stats->count, stats->gave_up);
}

static void report(const struct rl_hunt *hunt, const struct rl_experiment *ring, bool json,
                   double seconds)
{
    struct answer answer = answer_begin(json);
    const bool unknown = hunt->stats.gave_up > 0 || hunt->named_stats.gave_up > 0;
    const bool worse = hunt->stats.low > hunt->named_stats.high;
    tell_heading(&answer, ring->protocol, &ring->params, "a");
    line(&answer, "\n");
    tell(&answer, "target=%s", ring->protocol->sets[ring->protocol->target].name);
    open_row(&answer, NULL, "worst_named");
    tell(&answer, "start=%s", hunt->named);
    tell_stats(&answer, &hunt->named_stats);
    close_row(&answer);
    open_row(&answer, NULL, "found");
    tell_stats(&answer, &hunt->stats);
    if (json || ring->params.n <= 32) /* people have --end for longer ones */
        tell(&answer, "configuration=%s", hunt->configuration);
    tell(&answer, "start=%s", hunt->origin);
    close_row(&answer);
    say(&answer, "verdict", "%s",
        unknown ? "some trials gave up: the means are lower bounds, not to be compared"
        : worse ? "worse than every named start, beyond the noise"
                : "no worse than the worst named start, beyond the noise");
    tell(&answer, "configurations=%ju trials=%ju generations=%u", hunt->configurations,
         hunt->trials, hunt->generations);
    say(&answer, "",
        "mean steps to the target, with 95 %% intervals, from fresh trials; a hunt proves nothing");
    put(&answer, "wall_seconds=%g", seconds);
    say(&answer, "speed", "%.3f s", seconds);
    answer_end(&answer);
}

static int run_hunt(struct arguments *arguments)
{
    struct rl_experiment experiment;
    struct rl_hunt *hunt = claim(sizeof *hunt, end_hunt);
    read_ring(arguments, NULL, &experiment);
    struct rl_new_file *end = new_file(argument(arguments, "end"));
    struct progress progress = progress_begin();
    const struct rl_hunt_options options = {.experiment = &experiment,
                                            .jobs = choose_jobs(arguments),
                                            .work = (double)read_count(arguments, "work", 0, 0),
                                            .path = argument(arguments, "db"),
                                            .stop = show,
                                            .user = &progress};
    const enum rl_status status = rl_hunt_run(hunt, &options, why());
    const double seconds = progress_end(&progress);
    check(status, NULL);
    if (hunt->stopped)
        die(EXIT_NO, "interrupted: %s",
            options.path ? "run the same command to go on" : "nothing was found yet");
    if (end->stream)
        fprintf(end->stream, "%s\n", hunt->configuration);
    keep_files();
    report(hunt, &experiment, argument(arguments, "json"), seconds);
    return EXIT_DONE;
}

const struct command command_hunt = {
    .name = "hunt",
    .summary = "search for the worst configuration to start from",
    .usage = "ringleader hunt -n COUNT [options]",
    .about = "Searches for configurations from which reaching the target takes long. It starts "
             "from the named starts, changes them and lets them race. The worst one is then "
             "measured by fresh trials, next to the worst named start. The answer depends on the "
             "seed and the work, not on the number of threads.",
    .groups = {&ring_options, GROUP(OPTIONS)},
    .status = "0 done, 1 interrupted, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader hunt -n 16 --end worst ; ringleader elect -n 16 --start worst\n"
                "  ringleader hunt -n 5 --seed 3 --json\n"
                "  ringleader verify -n 4          the exact worst, on small rings\n",
    .run = run_hunt,
};
