/* SPDX-License-Identifier: MIT
 *
 * ringleader report: a study as a page with plots, CSV and TeX.
 */
#include <stdlib.h>

#include "cli/report.h"

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

/* ---- reading ----------------------------------------------------------------------------------
 */

/* The plans of all files, one after the other. */
struct plan_texts {
    FILE *stream;
    char *text;
    size_t size;
};

static bool keep_plan(void *user, const char *text)
{
    struct plan_texts *plans = user;
    fprintf(plans->stream, "%s\n", text);
    return true;
}

static int load_file(const char *path, struct rl_summary *summary, struct plan_texts *plans)
{
    struct rl_error error = {0};
    struct rl_store *store = NULL;
    enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, &error);
    if (!status)
        status = rl_store_plans(store, keep_plan, plans, &error);
    if (!status)
        status = rl_summary_add(summary, store, &error);
    rl_store_close(store);
    if (status)
        error.line = 0;
    return status ? complain_status(status, &error, NULL) : -1;
}

static int load_all(const struct arguments *arguments, struct rl_summary *summary,
                    struct plan_texts *plans)
{
    int failed = -1;
    for (size_t i = 0; i < arguments->word_count && failed < 0; i++)
        failed = load_file(arguments->words[i], summary, plans);
    if (failed < 0 && summary->trial_count == 0)
        return complain(EXIT_REQUEST, "%s holds no trial yet", arguments->words[0]);
    const enum rl_status status = failed < 0 ? rl_summary_finish(summary) : RL_OK;
    return status ? complain_status(status, NULL, NULL) : failed;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static enum rl_status put_svg(FILE *stream, const void *plot)
{
    rl_plot_svg(plot, false, stream);
    return RL_OK;
}
static enum rl_status put_pdf(FILE *stream, const void *plot)
{
    return rl_plot_pdf(plot, stream);
}
static enum rl_status put_trials(FILE *stream, const void *summary)
{
    write_trials_csv(stream, summary);
    return RL_OK;
}
static enum rl_status put_points(FILE *stream, const void *summary)
{
    write_points_csv(stream, summary);
    return RL_OK;
}
static enum rl_status put_growth(FILE *stream, const void *summary)
{
    write_growth_csv(stream, summary);
    return RL_OK;
}
static enum rl_status put_growth_tex(FILE *stream, const void *summary)
{
    write_growth_tex(stream, summary);
    return RL_OK;
}

struct page {
    const struct rl_summary *summary;
    const struct figures *figures;
    const char *title, *plans;
};

static enum rl_status put_page(FILE *stream, const void *what)
{
    const struct page *page = what;
    write_page(stream, page->summary, page->figures, page->title, page->plans);
    return RL_OK;
}

static int write_figures(const char *directory, const struct figures *figures)
{
    char name[128], plots[4096];
    snprintf(plots, sizeof plots, "%s/plots", directory);
    int failed = make_directory(plots);
    for (size_t i = 0; i < figures->count && failed < 0; i++) {
        snprintf(name, sizeof name, "%s.svg", figures->at[i].name);
        failed = write_file(plots, name, put_svg, &figures->at[i].plot);
        snprintf(name, sizeof name, "%s.pdf", figures->at[i].name);
        if (failed < 0)
            failed = write_file(plots, name, put_pdf, &figures->at[i].plot);
    }
    return failed < 0 ? replace_plots(plots, figures) : failed;
}

/* The page comes last, so that what it links to is there. */
static int write_report(const char *directory, const struct page *page)
{
    int failed = make_directory(directory);
    if (failed < 0)
        failed = write_figures(directory, page->figures);
    if (failed < 0)
        failed = write_file(directory, "trials.csv", put_trials, page->summary);
    if (failed < 0)
        failed = write_file(directory, "points.csv", put_points, page->summary);
    if (failed < 0)
        failed = write_file(directory, "growth.csv", put_growth, page->summary);
    if (failed < 0)
        failed = write_file(directory, "growth.tex", put_growth_tex, page->summary);
    if (failed < 0)
        failed = write_file(directory, "index.html", put_page, page);
    return failed;
}

static int make_report(const struct arguments *arguments, const struct rl_summary *summary,
                       const char *plans)
{
    const char *directory = argument(arguments, "output"), *title = argument(arguments, "title");
    struct figures figures;
    struct page page = {summary, &figures, title ? title : arguments->words[0], plans};
    int failed = make_figures(&figures, summary);
    if (failed < 0)
        failed = write_report(directory, &page);
    if (failed < 0 && figures.left_out > 0)
        fprintf(stderr, "ringleader: %zu plots were left out: there are more than %d\n",
                figures.left_out, MOST_FIGURES);
    if (failed < 0)
        printf("%s/index.html: %s trials at %s points, %zu plots\n", directory,
               grouped(summary->trial_count), grouped(summary->plan.count), figures.count);
    free_figures(&figures);
    return failed < 0 ? EXIT_DONE : failed;
}

static int write_csv(const char *path, const struct rl_summary *summary)
{
    struct new_file file;
    int failed = open_new_file(&file, path);
    if (failed >= 0)
        return failed;
    write_trials_csv(file.stream, summary);
    failed = keep_new_file(&file);
    return failed < 0 ? EXIT_DONE : failed;
}

static int run_report(int argc, char **argv)
{
    struct arguments arguments;
    struct rl_summary summary;
    struct plan_texts plans = {0};
    int result = read_arguments(&arguments, &command_report, OPTIONS, argc, argv);
    if (result >= 0)
        return result;
    const char *csv = argument(&arguments, "csv");
    const bool json = argument(&arguments, "json");
    if (arguments.word_count == 0)
        return complain(EXIT_REQUEST, "which study? give its file: ringleader report FILE -o DIR");
    if (!csv && !json && !argument(&arguments, "output"))
        return complain(EXIT_REQUEST, "where to? give -o DIRECTORY, --csv FILE or --json");
    plans.stream = open_memstream(&plans.text, &plans.size);
    if (!plans.stream)
        return complain(EXIT_OUTSIDE, "out of memory");
    rl_summary_init(&summary);
    result = load_all(&arguments, &summary, &plans);
    fclose(plans.stream);
    if (result < 0 && json)
        write_growth_json(stdout, &summary);
    if (result < 0 && csv)
        result = write_csv(csv, &summary);
    else if (result < 0)
        result = argument(&arguments, "output") ? make_report(&arguments, &summary, plans.text)
                                                : EXIT_DONE;
    free(plans.text);
    rl_summary_free(&summary);
    return result;
}

const struct command command_report = {
    "report", "a study as a page with plots, CSV and a TeX table", HELP, run_report};
