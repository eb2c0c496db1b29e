/* SPDX-License-Identifier: MIT
 *
 * ringleader report: a study as a page with plots, CSV and TeX.
 */
#include "ringleader/report.h"

#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"FILE", NULL, VALUE_INPUT, NULL, .is_word = true, .repeatable = true,
     .missing = "which study? give its file: ringleader report FILE -o DIR"},
    {"output", "DIRECTORY", VALUE_DIRECTORY,
     "index.html, plots/*.svg and *.pdf, trials.csv, points.csv,\n"
     "growth.csv, growth.tex",
     .letter = 'o'},
    {"csv", "FILE", VALUE_OUTPUT, "only the trials, sorted, as CSV; - is standard output",
     .not_with = "output json"},
    {"json", NULL, VALUE_NONE, "only the fits, as one JSON object", .not_with = "output"},
    {"title", "TEXT", VALUE_TEXT, "the heading of the page", .needs = "output"},
};
static const struct option_group OWN = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

static int make_report(const struct arguments *arguments, const struct rl_report *report)
{
    const char *directory = argument(arguments, "output"), *title = argument(arguments, "title");
    struct rl_error error = {0};
    struct rl_report_written written;
    const enum rl_status status = rl_report_write(
        report, directory, title ? title : argument(arguments, "FILE"), &written, &error);
    if (status)
        return complain_status(status, &error, NULL);
    if (written.left_out > 0)
        fprintf(stderr, "ringleader: %zu plots were left out: there are more than %d\n",
                written.left_out, RL_REPORT_PLOTS);
    printf("%s/index.html: %s trials at %s points, %zu plots\n", directory,
           grouped(report->summary.trial_count), grouped(report->summary.plan.count),
           written.plots);
    return EXIT_DONE;
}

static int write_csv(const char *path, const struct rl_report *report)
{
    struct rl_new_file file;
    int outcome = open_new_file(&file, path);
    if (outcome != GO_ON)
        return outcome;
    rl_report_trials_csv(report, file.stream);
    outcome = keep_new_file(&file);
    return outcome;
}

/* On standard error, since the report itself may go to standard output. */
static void tell_state(const struct rl_summary *summary)
{
    if (summary->trial_count < summary->wanted)
        fprintf(stderr, "ringleader: the study is not finished: %s of %s trials are done\n",
                grouped(summary->trial_count), grouped(summary->wanted));
    if (summary->dropped > 0)
        fprintf(stderr, "ringleader: %s rows were impossible and are left out\n",
                grouped(summary->dropped));
}

static int tell(const struct arguments *arguments, const struct rl_report *report)
{
    tell_state(&report->summary);
    if (argument(arguments, "json"))
        rl_report_growth_json(report, stdout);
    if (argument(arguments, "csv"))
        return write_csv(argument(arguments, "csv"), report);
    return argument(arguments, "output") ? make_report(arguments, report) : EXIT_DONE;
}

static int run_report(struct arguments *arguments)
{
    struct rl_report report;
    struct rl_error error = {0};
    if (!argument(arguments, "csv") && !argument(arguments, "json") &&
        !argument(arguments, "output"))
        return complain(EXIT_REQUEST, "where to? give -o DIRECTORY, --csv FILE or --json");
    size_t count;
    const char **paths = list_words(arguments, &count);
    const enum rl_status status = rl_report_load(&report, paths, count, &error);
    error.line = 0; /* of a spec inside the database */
    const int result = status ? complain_status(status, &error, NULL) : tell(arguments, &report);
    rl_report_free(&report);
    return result;
}

const struct command command_report = {
    .name = "report",
    .summary = "a study as a page with plots, CSV and a TeX table",
    .usage = "ringleader report FILE... -o DIRECTORY\n"
             "ringleader report FILE... --csv FILE | --json",
    .about =
        "Makes a page of a study: the fits, the plots, a table of every point, the plan. Several\n"
        "files (the shares of one study, or studies to compare) make one report.\n",
    .groups = {&OWN},
    .status = "0 done, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader report prl.db -o prl        then open prl/index.html\n"
                "  ringleader report part1.db part2.db -o both\n"
                "  ringleader report prl.db --csv - | head\n",
    .run = run_report,
};
