/* SPDX-License-Identifier: MIT
 *
 * Reports: the studies are loaded into one summary, and the files written one after the other.
 */
#include "ringleader/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/parts.h"
#include "study/plain.h"

/* ---- reading ----------------------------------------------------------------------------------
 */

static bool keep_plan(void *stream, const char *text)
{
    fprintf(stream, "%s\n", text);
    return true;
}

static enum rl_status load_file(const char *path, struct rl_summary *summary, FILE *plans,
                                struct rl_error *error)
{
    struct rl_store *store = NULL;
    enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, error);
    if (!status)
        status = rl_store_plans(store, keep_plan, plans, error);
    if (!status)
        status = rl_summary_add(summary, store, error);
    rl_store_close(store);
    return status;
}

enum rl_status rl_report_load(struct rl_report *report, const char *const *paths, size_t count,
                              struct rl_error *error)
{
    size_t size;
    report->plans = NULL;
    rl_summary_init(&report->summary);
    FILE *plans = open_memstream(&report->plans, &size);
    enum rl_status status = plans ? RL_OK : RL_NO_MEMORY;
    for (size_t i = 0; i < count && !status; i++)
        status = load_file(paths[i], &report->summary, plans, error);
    if (plans && fclose(plans) != 0 && !status)
        status = RL_NO_MEMORY;
    if (!status && report->summary.trial_count == 0)
        return rl_error_set(error, RL_BAD_STUDY, "%s holds no trial yet", paths[0]);
    return status ? status : rl_summary_finish(&report->summary);
}

void rl_report_free(struct rl_report *report)
{
    rl_summary_free(&report->summary);
    free(report->plans);
    report->plans = NULL;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static enum rl_status put_svg(FILE *stream, const void *plot)
{
    return rl_plot_draw(plot, RL_PEN_SVG, report_put_bytes, stream);
}
static enum rl_status put_pdf(FILE *stream, const void *plot)
{
    return rl_plot_draw(plot, RL_PEN_PDF, report_put_bytes, stream);
}
static enum rl_status put_trials(FILE *stream, const void *summary)
{
    report_write_trials_csv(stream, summary);
    return RL_OK;
}
static enum rl_status put_points(FILE *stream, const void *summary)
{
    report_write_points_csv(stream, summary);
    return RL_OK;
}
static enum rl_status put_growth(FILE *stream, const void *summary)
{
    report_write_growth_csv(stream, summary);
    return RL_OK;
}
static enum rl_status put_growth_tex(FILE *stream, const void *summary)
{
    report_write_growth_tex(stream, summary);
    return RL_OK;
}

struct page {
    const struct rl_report *report;
    const struct figures *figures;
    const char *title;
};

static enum rl_status put_page(FILE *stream, const void *what)
{
    const struct page *page = what;
    return report_write_page(stream, &page->report->summary, page->figures, page->title,
                             page->report->plans);
}

/* The page comes last, so that what it links to is there. */
static enum rl_status write_files(const char *directory, const struct page *page,
                                  struct rl_error *error)
{
    const struct rl_summary *summary = &page->report->summary;
    const struct report_file rest[] = {{"trials.csv", put_trials, summary},
                                       {"points.csv", put_points, summary},
                                       {"growth.csv", put_growth, summary},
                                       {"growth.tex", put_growth_tex, summary},
                                       {"index.html", put_page, page}};
    struct report_file files[2 * RL_REPORT_PLOTS + sizeof rest / sizeof rest[0]];
    size_t count = 0;
    for (size_t i = 0; i < page->figures->count; i++) {
        const struct figure *figure = &page->figures->at[i];
        files[count] = (struct report_file){.put = put_svg, .what = &figure->plot};
        snprintf(files[count++].name, REPORT_NAME, "plots/%s.svg", figure->name);
        files[count] = (struct report_file){.put = put_pdf, .what = &figure->plot};
        snprintf(files[count++].name, REPORT_NAME, "plots/%s.pdf", figure->name);
    }
    memcpy(files + count, rest, sizeof rest);
    count += sizeof rest / sizeof rest[0];
    return report_write_files(directory, files, count, error);
}

enum rl_status rl_report_write(const struct rl_report *report, const char *directory,
                               const char *title, struct rl_report_written *written_out,
                               struct rl_error *error)
{
    struct figures figures;
    const struct plain plain = plain_begin();
    enum rl_status status = report_make_figures(&figures, &report->summary);
    if (!status)
        status = write_files(directory, &(struct page){report, &figures, title}, error);
    if (written_out)
        *written_out = (struct rl_report_written){figures.count, figures.left_out};
    report_free_figures(&figures);
    plain_end(plain);
    return status;
}

void rl_report_trials_csv(const struct rl_report *report, FILE *stream)
{
    report_write_trials_csv(stream, &report->summary);
}

void rl_report_growth_json(const struct rl_report *report, FILE *stream)
{
    report_write_growth_json(stream, &report->summary);
}
