/* SPDX-License-Identifier: MIT
 *
 * Reports: the studies are loaded into one summary, and the files written one after the other.
 */
#include "ringleader/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"
#include "base/plain.h"
#include "core/inside.h"
#include "study/inside.h"

/* ---- reading ---- */

static enum rl_status load_file(const char *path, struct rl_summary *summary, FILE *plans,
                                struct rl_error *error)
{
    struct rl_store *store = NULL;
    enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, error);
    if (!status)
        status = rl_store_plans(store, plans, error);
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
    *report = (struct rl_report){0};
    FILE *plans = open_memstream(&report->plans, &size);
    enum rl_status status = plans ? RL_OK : RL_NO_MEMORY;
    for (size_t i = 0; i < count && !status; i++)
        status = load_file(paths[i], &report->summary, plans, error);
    if (plans && fclose(plans) != 0 && !status)
        status = RL_NO_MEMORY;
    if (!status && report->summary.trial_count == 0)
        return rl_error_set(error, RL_BAD_STUDY, "%s has no trials yet", paths[0]);
    return status ? status : rl_summary_finish(&report->summary, error);
}

void rl_report_free(struct rl_report *report)
{
    rl_summary_free(&report->summary);
    free(report->plans);
    report->plans = NULL;
}

/* ---- writing ---- */

static void write_tables(struct report_place *place, const struct rl_report *report)
{
    static const struct {
        const char *name;
        void (*write)(const struct rl_report *report, FILE *stream);
    } tables[] = {{"trials.csv", rl_report_trials_csv},
                  {"points.csv", report_points_csv},
                  {"growth.csv", report_growth_csv},
                  {"growth.tex", report_growth_tex},
                  {"curves.csv", rl_report_curves_csv}};
    const size_t count = sizeof tables / sizeof tables[0] - !report_has_curves(&report->summary);
    for (size_t i = 0; i < count; i++) {
        FILE *const stream = report_place_open(place, tables[i].name);
        if (stream)
            tables[i].write(report, stream);
        report_place_close(place, stream);
    }
}

bool report_is_first_of_protocol(const struct rl_plan *plan, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (plan->points[i].run.protocol == plan->points[index].run.protocol)
            return false;
    return true;
}

/* "How fast prl and fj06 elect a leader: 900 trials on rings of 16 to 256 agents". */
static void describe_study(const struct rl_summary *summary, char *title, size_t size)
{
    struct rl_text text = rl_text_into(title, size);
    const struct rl_plan *plan = &summary->plan;
    uint32_t least = UINT32_MAX, most = 0;
    size_t protocols = 0;
    text.longest_string = 40;
    rl_text_string(&text, "How fast ");
    for (size_t i = 0; i < plan->count; i++) {
        const uint32_t n = plan->points[i].run.params.n;
        const bool first = report_is_first_of_protocol(plan, i);
        least = n < least ? n : least;
        most = n > most ? n : most;
        if (first)
            rl_text_format(&text, "%s%s", protocols++ ? ", " : "",
                           plan->points[i].run.protocol->name);
    }
    rl_text_format(&text, " elect%s a leader: %s trials on rings of %s", protocols == 1 ? "s" : "",
                   rl_text_grouped(summary->trial_count).text, rl_text_grouped(least).text);
    if (most > least)
        rl_text_format(&text, " to %s", rl_text_grouped(most).text);
    rl_text_string(&text, " agents");
}

enum rl_status rl_report_write(const struct rl_report *report, const char *directory,
                               const struct rl_report_looks *looks,
                               struct rl_report_written *written_out, struct rl_error *error)
{
    assert(directory && looks && "a report has a place and looks");
    char title[2000];
    struct writer writer = {.width = looks->width};
    describe_study(&report->summary, title, sizeof title);
    const struct plain plain = plain_begin();
    report_place_begin(&writer.place, directory, error);
    write_tables(&writer.place, report);
    writer.page = (struct sheet){report_place_open(&writer.place, "index.html"), HTML};
    if (writer.page.stream)
        report_write_page(&writer, report, looks->title ? looks->title : title);
    report_place_close(&writer.place, writer.page.stream);
    if (written_out)
        *written_out = (struct rl_report_written){writer.figures, writer.left_out};
    plain_end(plain);
    return report_place_end(&writer.place);
}
