/* SPDX-License-Identifier: MIT
 *
 * Reports: the studies are loaded into one summary, and the files written one after the other.
 */
#include "ringleader/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"
#include "study/new_file.h"
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
    assert(count > 0 && "a report is of a study");
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

struct picture {
    const struct rl_plot *plot;
    enum rl_pen_format format;
};

static enum rl_status put_picture(FILE *stream, const void *what)
{
    const struct picture *picture = what;
    return rl_plot_draw(picture->plot, picture->format, rl_new_file_put, stream);
}

struct table {
    void (*write)(const struct rl_report *report, FILE *stream);
    const struct rl_report *report;
};

static enum rl_status put_table(FILE *stream, const void *what)
{
    const struct table *table = what;
    table->write(table->report, stream);
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
    static const struct {
        const char *name;
        void (*write)(const struct rl_report *report, FILE *stream);
    } TABLES[] = {{"trials.csv", rl_report_trials_csv},
                  {"points.csv", report_points_csv},
                  {"growth.csv", report_growth_csv},
                  {"growth.tex", report_growth_tex}};
    enum { TABLE_COUNT = sizeof TABLES / sizeof TABLES[0] };
    struct report_file files[2 * RL_REPORT_PLOTS + TABLE_COUNT + 1], *file = files;
    struct picture pictures[2 * RL_REPORT_PLOTS];
    struct table tables[TABLE_COUNT];
    for (size_t i = 0; i < 2 * page->figures->count; i++) {
        const struct figure *figure = &page->figures->at[i / 2];
        pictures[i] = (struct picture){&figure->plot, i % 2 == 0 ? RL_PEN_SVG : RL_PEN_PDF};
        *file = (struct report_file){.put = put_picture, .what = &pictures[i]};
        snprintf(file++->name, REPORT_NAME, "plots/%s.%s", figure->name,
                 i % 2 == 0 ? "svg" : "pdf");
    }
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        tables[i] = (struct table){TABLES[i].write, page->report};
        *file = (struct report_file){.put = put_table, .what = &tables[i]};
        snprintf(file++->name, REPORT_NAME, "%s", TABLES[i].name);
    }
    *file++ = (struct report_file){"index.html", put_page, page};
    return report_write_files(directory, files, (size_t)(file - files), error);
}

enum rl_status rl_report_write(const struct rl_report *report, const char *directory,
                               const char *title, struct rl_report_written *written_out,
                               struct rl_error *error)
{
    assert(directory && title && "a report has a place and a title");
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
