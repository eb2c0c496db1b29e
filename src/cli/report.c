/* SPDX-License-Identifier: MIT
 *
 * ringleader report: a study as a page with plots, CSV and TeX.
 */
#include "ringleader/report.h"

#include "cli/cli.h"

static const char HELP[] =
    "usage: ringleader report FILE... -o DIRECTORY\n"
    "       ringleader report FILE... --csv FILE | --json\n"
    "\n"
    "Makes a page of a study: the fits, the plots, a table of every point, the plan. Several "
    "files\n"
    "(the shares of one study, or studies to compare) make one report.\n"
    "\n"
    "  -o, --output DIRECTORY  index.html, plots/*.svg and *.pdf, trials.csv, points.csv,\n"
    "                          growth.csv, growth.tex\n"
    "      --csv FILE          only the trials, sorted, as CSV; - is standard output\n"
    "      --json              only the fits, as one JSON object\n"
    "      --title TEXT        the heading of the page\n"
    "\n"
    "Exit status: 0 done, 2 the request was wrong, 3 something outside failed.\n"
    "\n"
    "examples:\n"
    "  ringleader report prl.db -o prl        then open prl/index.html\n"
    "  ringleader report part1.db part2.db -o both\n"
    "  ringleader report prl.db --csv - | head\n";

static const struct option OPTIONS[] = {{"output", 'o', "DIRECTORY"},
                                        {"csv", 0, "FILE"},
                                        {"json", 0, NULL},
                                        {"title", 0, "TEXT"},
                                        {NULL, 0, NULL}};

static int make_report(const struct arguments *arguments, const struct rl_report *report)
{
    const char *directory = argument(arguments, "output"), *title = argument(arguments, "title");
    struct rl_error error = {0};
    struct rl_report_written written;
    const enum rl_status status =
        rl_report_write(report, directory, title ? title : arguments->words[0], &written, &error);
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
    int failed = open_new_file(&file, path);
    if (failed >= 0)
        return failed;
    rl_report_trials_csv(report, file.stream);
    failed = keep_new_file(&file);
    return failed < 0 ? EXIT_DONE : failed;
}

static int tell(const struct arguments *arguments, const struct rl_report *report)
{
    if (argument(arguments, "json"))
        rl_report_growth_json(report, stdout);
    if (argument(arguments, "csv"))
        return write_csv(argument(arguments, "csv"), report);
    return argument(arguments, "output") ? make_report(arguments, report) : EXIT_DONE;
}

static int run_report(int argc, char **argv)
{
    struct arguments arguments;
    struct rl_report report;
    struct rl_error error = {0};
    int result = read_arguments(&arguments, &command_report, OPTIONS, argc, argv);
    if (result >= 0)
        return result;
    if (arguments.word_count == 0)
        return complain(EXIT_REQUEST, "which study? give its file: ringleader report FILE -o DIR");
    if (!argument(&arguments, "csv") && !argument(&arguments, "json") &&
        !argument(&arguments, "output"))
        return complain(EXIT_REQUEST, "where to? give -o DIRECTORY, --csv FILE or --json");
    const enum rl_status status =
        rl_report_load(&report, arguments.words, arguments.word_count, &error);
    error.line = 0; /* of a spec inside the database */
    result = status ? complain_status(status, &error, NULL) : tell(&arguments, &report);
    rl_report_free(&report);
    return result;
}

const struct command command_report = {
    "report", "a study as a page with plots, CSV and a TeX table", HELP, run_report};
