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
     "index.html, plots/*.svg and *.pdf, trials.csv, points.csv, growth.csv, growth.tex",
     .letter = 'o'},
    {"csv", "FILE", VALUE_OUTPUT, "only the trials, sorted, as CSV; - is standard output",
     .not_with = "output json"},
    {"json", NULL, VALUE_NONE, "only the fits, as one JSON object", .not_with = "output"},
    {"title", "TEXT", VALUE_TEXT, "the heading of the page", .needs = "output"},
    {"width", "POINTS", VALUE_REAL,
     "figures for a column of this width, such as 240pt, with 8 pt letters", .least_real = 160,
     .most_real = 2000, .unit = "pt", .needs = "output"},
};

static void make_report(const struct arguments *arguments, const struct rl_report *report)
{
    const char *directory = argument(arguments, "output");
    const struct rl_report_looks looks = {argument(arguments, "title"),
                                          read_real(arguments, "width", 0)};
    struct rl_report_written written;
    check(rl_report_write(report, directory, &looks, &written, why()), NULL);
    if (written.left_out > 0)
        complain("%zu plots were left out: a report has at most %d", written.left_out,
                 RL_REPORT_PLOTS);
    put_in_one_line(directory, stdout);
    printf("/index.html: %s at %s, %s\n", counted(report->summary.trial_count, "trial"),
           counted(report->summary.plan.count, "point"), counted(written.plots, "plot"));
}

/* On standard error, since the report itself may go to standard output. */
static void tell_state(const struct rl_summary *summary)
{
    if (summary->trial_count < summary->wanted)
        complain("the study is not finished: %s of %s trials are done",
                 grouped(summary->trial_count), grouped(summary->wanted));
    if (summary->dropped > 0)
        complain("%s rows were impossible and are left out", grouped(summary->dropped));
}

static void end_report(void *report)
{
    rl_report_free(report);
}

static int run_report(struct arguments *arguments)
{
    struct rl_report *report = claim(sizeof *report, end_report);
    struct rl_error *error = why();
    size_t count;
    if (!argument(arguments, "csv") && !argument(arguments, "json") &&
        !argument(arguments, "output"))
        die(EXIT_REQUEST, "where to? give -o DIRECTORY, --csv FILE or --json");
    const char **paths = list_words(arguments, &count);
    struct rl_new_file *csv = new_file(argument(arguments, "csv"));
    const enum rl_status status = rl_report_load(report, paths, count, error);
    error->line = 0; /* of a spec inside the database */
    check(status, NULL);
    tell_state(&report->summary);
    if (argument(arguments, "json"))
        rl_report_growth_json(report, stdout);
    if (csv->stream)
        rl_report_trials_csv(report, csv->stream);
    keep_files();
    if (argument(arguments, "output"))
        make_report(arguments, report);
    return EXIT_DONE;
}

const struct command command_report = {
    .name = "report",
    .summary = "turn a study into a page with plots, CSV and a TeX table",
    .usage = "ringleader report FILE... -o DIRECTORY\n"
             "ringleader report FILE... --csv FILE | --json",
    .about = "Turns a study into a page with fits, plots, a table of all points, and the plan. "
             "Several files (the shares of one study, or studies to compare) make one report.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 done, 2 the request was wrong, 3 something outside failed.",
    .examples =
        "  ringleader report prl.db -o prl        then open prl/index.html\n"
        "  ringleader report part1.db part2.db -o both\n"
        "  ringleader report prl.db --csv - | head\n"
        "  ringleader report prl.db -o figures --width 240pt      for a column of a paper\n",
    .run = run_report,
};
