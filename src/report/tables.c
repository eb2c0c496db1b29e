/* SPDX-License-Identifier: MIT
 *
 * A study as tables: CSV, TeX, JSON.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "report/parts.h"
#include "base/json.h"
#include "core/inside.h"
#include "study/inside.h"

/* ---- columns that depend on the protocols of the study ---- */

enum { MOST_COLUMNS = 64 };

/* A table that is being written. */
struct table {
    struct sheet csv;
    const struct rl_summary *summary;
    const char *parameters[MOST_COLUMNS], *sets[MOST_COLUMNS];
    size_t parameter_count, set_count;
};

static void add_column(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count < MOST_COLUMNS)
        names[(*count)++] = name;
}

/* Begins with the names of the columns that say which point it is, each with a comma behind it. */
static struct table begin_table(const struct rl_report *report, FILE *stream)
{
    struct table table = {.csv = {stream, CSV}, .summary = &report->summary};
    for (size_t p = 0; p < table.summary->plan.count; p++) {
        const struct rl_protocol *protocol = table.summary->plan.points[p].run.protocol;
        for (size_t i = 0; i < protocol->parameter_count; i++)
            add_column(table.parameters, &table.parameter_count, protocol->parameters[i].name);
        for (size_t i = 0; i < protocol->set_count; i++)
            add_column(table.sets, &table.set_count, protocol->sets[i].name);
    }
    fputs("protocol,n,", stream);
    for (size_t i = 0; i < table.parameter_count; i++)
        report_put(&table.csv, "%s,", table.parameters[i]);
    fputs("start,engine,fault,", stream);
#define HEAD(member, ...) fputs(#member ",", stream);
    RL_EXPERIMENT_COUNTS(HEAD)
#undef HEAD
    return table;
}

static void write_point(const struct table *table, const struct rl_point *point)
{
    report_put(&table->csv, "%s,", point->run.protocol->name);
    fprintf(table->csv.stream, "%u,", point->run.params.n);
    for (size_t i = 0; i < table->parameter_count; i++) {
        const int parameter = rl_protocol_parameter(point->run.protocol, table->parameters[i]);
        char value[64] = "";
        struct rl_text cell = rl_text_into(value, sizeof value);
        if (parameter >= 0)
            rl_parameter_print(&point->run.protocol->parameters[parameter],
                               point->run.params.value[parameter], &cell);
        report_put(&table->csv, "%s,", value);
    }
    struct rl_plan_line faults = {.text = ""};
    struct rl_text text = rl_text_into(faults.text, sizeof faults.text);
    plan_print_faults(point, false, &text);
    report_put(&table->csv, "%s,%s,%s,", point->run.start, rl_engine_name(point->run.engine),
               faults.text);
#define CELL(member, place, ...) report_put(&table->csv, "%ju,", (uintmax_t)point->run.place);
    RL_EXPERIMENT_COUNTS(CELL)
#undef CELL
}

static void write_trial(const struct table *table, const struct rl_trial *trial)
{
    const struct rl_summary_point *of = &table->summary->points[trial->point];
    const struct rl_point *point = of->point;
    const bool reached = rl_trial_reached(point, trial);
    write_point(table, point);
    report_put(&table->csv, "%ju,%s,%u,%ju,", (uintmax_t)trial->trial, of->target, reached,
               (uintmax_t)(reached ? trial->steps : RL_NEVER));
    for (size_t i = 0; i < table->set_count; i++) {
        const int set = rl_protocol_set(point->run.protocol, table->sets[i]);
        report_put(&table->csv, "%ju,", (uintmax_t)(set >= 0 ? trial->hits[set] : RL_NEVER));
    }
    report_put(&table->csv, "%ju,%u,%ju,", (uintmax_t)trial->events, trial->leaders,
               (uintmax_t)(trial->leaders == 1 ? trial->leader : RL_NEVER));
    for (size_t i = 0; i < trial->fault_count; i++) {
        const uint64_t after = trial->faults[i].recovered_after;
        fprintf(table->csv.stream, "%s%s", i ? "+" : "", after == RL_NEVER ? "never" : "");
        report_put(&table->csv, "%ju", (uintmax_t)after);
    }
    fputc('\n', table->csv.stream);
}

void rl_report_trials_csv(const struct rl_report *report, FILE *stream)
{
    const struct table table = begin_table(report, stream);
    fputs("trial,target,reached,steps,", stream);
    for (size_t i = 0; i < table.set_count; i++) {
        char name[RL_PLAN_LINE];
        snprintf(name, sizeof name, "hit_%s", table.sets[i]);
        report_put(&table.csv, "%s,", name);
    }
    fputs("events,leaders,leader,recovered_after\n", stream);
    for (size_t i = 0; i < table.summary->trial_count; i++)
        write_trial(&table, &table.summary->trials[i]);
}

/* How many gave up, the mean (a lower bound then), its interval, quantiles; what is not known is
 * NaN, and so empty. */
static void write_stats(const struct table *table, const struct rl_summary_stats *all)
{
    const struct rl_stats *stats = &all->stats;
    const bool exact = stats->gave_up == 0, spread = exact && stats->count > 1;
    const double known = stats->count > stats->gave_up ? 0 : NAN;
    report_put(&table->csv, "%zu,%zu,%s,%.10g,%.6g,%.6g,", stats->count - stats->gave_up,
               stats->gave_up,
               !exact         ? ">="
               : stats->count ? "="
                              : "",
               stats->count ? stats->mean : NAN, spread ? stats->standard_error : NAN,
               spread ? stats->deviation : NAN);
    report_put(&table->csv, "%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n",
               stats->low + known, stats->high + known, stats->least + known, all->p05 + known,
               all->p25 + known, all->median + known, all->p75 + known, all->p95 + known,
               exact ? stats->most + known : NAN);
}

void report_points_csv(const struct rl_report *report, FILE *stream)
{
    const struct table table = begin_table(report, stream);
    fputs("trials,target,hit,count,gave_up,mean_is,mean_steps,standard_error,deviation,mean_low95,"
          "mean_high95,min,p05,p25,median,p75,p95,max\n",
          stream);
    for (size_t i = 0; i < table.summary->plan.count; i++) {
        const struct rl_summary_point *point = &table.summary->points[i];
        const struct rl_protocol *protocol = point->point->run.protocol;
        for (size_t set = 0; set < protocol->set_count; set++) {
            write_point(&table, point->point);
            report_put(&table.csv, "%zu,%s,%s,", point->count, point->target,
                       protocol->sets[set].name);
            write_stats(&table, &point->hits[set]);
        }
    }
}

void rl_report_curves_csv(const struct rl_report *report, FILE *stream)
{
    const struct table table = begin_table(report, stream);
    fputs("gauge,step,trials,mean,mean_low95,mean_high95,p05,p25,median,p75,p95\n", stream);
    for (size_t i = 0; i < table.summary->plan.count; i++) {
        const struct rl_summary_point *point = &table.summary->points[i];
        for (size_t k = 0; k < point->curve_count; k++) {
            const struct rl_summary_stats *all = &point->curve[k];
            write_point(&table, point->point);
            report_put(&table.csv, "%s,%ju,%zu,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n",
                       point->point->curve, (uintmax_t)rl_curve_step(k), all->stats.count,
                       all->stats.mean, all->stats.low, all->stats.high, all->p05, all->p25,
                       all->median, all->p75, all->p95);
        }
    }
}

/* ---- growth ---- */

/* The a of the claim's form with its interval: the exponent of a power, the base of an exponential,
 * which says more. */
struct fit {
    double a, low, high;
};

static struct fit fit_of(const struct rl_family *family)
{
    const struct rl_growth_curve *curve = &family->growth.form[family->form];
    if (family->form == RL_GROWTH_EXPONENTIAL)
        return (struct fit){exp(curve->exponent), exp(curve->low), exp(curve->high)};
    return (struct fit){curve->exponent, curve->low, curve->high};
}

static const char *correction(const struct rl_growth_test *test)
{
    return test->root ? "b/sqrt(x)" : "b/x";
}

void report_growth_csv(const struct rl_report *report, FILE *stream)
{
    static const char *const forms[] = {"n^a", "n^a log n", "a^n"};
    const struct rl_summary *summary = &report->summary;
    const struct sheet csv = {stream, CSV};
    fputs("family,protocol,start,along,assumes,states,claimed,points,left_out,verdict,factor,"
          "factor_low95,factor_high95,bend,correction,chi2,degrees,noise,form,a,a_low95,a_high95,"
          "a_noise,best,best_weight\n",
          stream);
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        const struct rl_protocol *protocol = family->point->run.protocol;
        const struct rl_growth *growth = &family->growth;
        const struct rl_growth_test *test = &growth->test;
        const struct fit fit = fit_of(family);
        const double tested = report_is_tested(family) ? 0 : NAN;
        if (!family->fitted)
            continue;
        report_put(&csv, "%s,%s,%s,%s,%s,%s,%s,%zu,%zu,%s,", family->label, protocol->name,
                   family->point->run.start, family->axis_name, protocol->assumption,
                   protocol->states, family->claim, growth->count, family->left_out,
                   family->verdict);
        report_put(&csv, "%.6g,%.6g,%.6g,%.6g,%s,%.3f,%ju,%.3g,", test->factor + tested,
                   test->low + tested, test->high + tested, test->bend + tested,
                   report_is_tested(family) ? correction(test) : "", test->chi2 + tested,
                   report_is_tested(family) ? (uintmax_t)test->degrees : RL_NEVER,
                   test->noise + tested);
        report_put(&csv, "%s,%.6g,%.6g,%.6g,%.3g,%s,%.3g\n", forms[family->form], fit.a, fit.low,
                   fit.high, growth->form[family->form].noise, rl_growth_name(growth->best),
                   growth->form[growth->best].weight);
    }
}

/* ---- the table of families: on the page, and some columns of it for a paper ---- */

enum { COLUMNS = 9 };
static const struct {
    const char *heading;
    bool on_paper;
} HEADINGS[COLUMNS] = {
    {"family", true},      {"assumes", false},          {"states", false},
    {"sizes", true},       {"claimed", true},           {"measured: mean steps", true},
    {"chi-squared", true}, {"without the claim", true}, {"best form", false}};

/* NULL: the headings. */
static void write_row(const struct sheet *sheet, const char *const *cells)
{
    const bool html = sheet->markup == HTML;
    fputs(html ? "<tr>" : "", sheet->stream);
    for (int i = 0; i < COLUMNS; i++) {
        if (!html && !HEADINGS[i].on_paper)
            continue;
        fputs(!html   ? i ? " & " : ""
              : cells ? "<td class=left>"
                      : "<th class=left>",
              sheet->stream);
        report_put(sheet, i < 2 ? "%s" : "%-s", cells ? cells[i] : HEADINGS[i].heading);
    }
    fputs(html ? "</tr>\n" : " \\\\\n", sheet->stream);
}

static void write_family(const struct sheet *sheet, const struct rl_family *family)
{
    const struct rl_protocol *protocol = family->point->run.protocol;
    const struct rl_growth *growth = &family->growth;
    const struct rl_growth_test *test = &growth->test;
    const struct fit fit = fit_of(family);
    char form[RL_GROWTH_PRINTED];
    char sizes[120], chi2[120] = "", without[sizeof form + 40] = "", best[sizeof form + 40] = "";
    const char *measured = "a fit needs three sizes with two trials each that reached the target";
    snprintf(sizes, sizeof sizes, "%s = %s .. %s", family->axis_name,
             rl_text_grouped((uint64_t)family->at[0].x).text,
             rl_text_grouped((uint64_t)family->at[family->count - 1].x).text);
    if (family->fitted) {
        measured = family->verdict;
        if (report_is_tested(family))
            snprintf(chi2, sizeof chi2, "%.3g of %zu: %s (%.3f)", test->chi2, test->degrees,
                     test->noise < RL_GROWTH_DOUBT ? "more than noise" : "noise explains it",
                     test->noise);
        rl_growth_print(growth, family->form, family->axis_name, form);
        snprintf(without, sizeof without, isfinite(fit.low) ? "%s [%.2f, %.2f]" : "%s", form,
                 fit.low, fit.high);
        rl_growth_print(growth, growth->best, family->axis_name, form);
        snprintf(best, sizeof best, "%s (%.0f %%)", form, 100 * growth->form[growth->best].weight);
    }
    write_row(sheet, (const char *[]){family->label, protocol->assumption, protocol->states, sizes,
                                      family->claim, measured, chi2, without, best});
}

void report_families(const struct sheet *sheet, const struct rl_summary *summary)
{
    write_row(sheet, NULL);
    fputs(sheet->markup == HTML ? "</thead><tbody>\n" : "\\hline\n", sheet->stream);
    for (size_t i = 0; i < summary->family_count; i++)
        if (sheet->markup == HTML ? summary->families[i].axis != RL_FAMILY_FAULT
                                  : summary->families[i].fitted)
            write_family(sheet, &summary->families[i]);
}

void report_growth_tex(const struct rl_report *report, FILE *stream)
{
    fputs("% Mean steps over what is claimed, as x grows: the limit, with a 95 % interval, of\n"
          "% c + b/x or c + b/sqrt(x); and the exponent without the claim.\n"
          "\\begin{tabular}{llllll}\n\\hline\n",
          stream);
    report_families(&(struct sheet){stream, TEX}, &report->summary);
    fputs("\\hline\n\\end{tabular}\n", stream);
}

static void json_growth(struct rl_json *json, const struct rl_family *family)
{
    const struct rl_growth *growth = &family->growth;
    const struct rl_growth_test *test = &growth->test;
    const struct rl_growth_curve *curve = &growth->form[family->form];
    rl_json_string(json, "verdict", family->verdict);
    if (report_is_tested(family)) {
        rl_json_open(json, "test", '{');
        rl_json_put(json,
                    "agrees=%d factor=%g low=%g high=%g bend=%g correction=%s chi_squared=%g "
                    "degrees=%zu noise=%g",
                    test->verdict == RL_GROWTH_AGREES, test->factor, test->low, test->high,
                    test->bend, correction(test), test->chi2, test->degrees, test->noise);
        rl_json_close(json, '}');
    }
    rl_json_put(json, "form=%s exponent=%g low=%g high=%g noise=%g best=%s weight=%g",
                rl_growth_name(family->form), curve->exponent, curve->low, curve->high,
                curve->noise, rl_growth_name(growth->best), growth->form[growth->best].weight);
}

/* A mean is never without the number of trials that gave up. */
static void json_point(struct rl_json *json, const struct rl_summary_point *point)
{
    const struct rl_summary_stats *all = &point->measure;
    rl_json_open(json, NULL, '{');
    rl_json_put(json, "point=%s target=%s trials=%zu gave_up=%zu", rl_plan_line(point->point).text,
                point->target, point->count, point->count - point->reached);
    if (point->count > 0)
        rl_json_put(json, "mean=%g mean_is_lower_bound=%d low=%g high=%g median=%g",
                    all->stats.mean, all->stats.gave_up > 0, all->stats.low, all->stats.high,
                    all->median);
    rl_json_close(json, '}');
}

void rl_report_growth_json(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    struct rl_json json = rl_json_begin(stream);
    rl_json_put(&json, "trials=%zu points=%zu wanted=%ju dropped=%ju easy=%s", summary->trial_count,
                summary->plan.count, (uintmax_t)summary->wanted, (uintmax_t)summary->dropped,
                summary->easy);
    rl_json_open(&json, "families", '[');
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        rl_json_open(&json, NULL, '{');
        rl_json_put(&json, "label=%s along=%s claim=%s points=%zu left_out=%zu fitted=%d",
                    family->label, family->axis_name, family->claim,
                    family->fitted ? family->growth.count : family->count, family->left_out,
                    family->fitted);
        if (family->fitted)
            json_growth(&json, family);
        rl_json_close(&json, '}');
    }
    rl_json_close(&json, ']');
    rl_json_open(&json, "means", '[');
    for (size_t i = 0; i < summary->plan.count; i++)
        json_point(&json, &summary->points[i]);
    rl_json_close(&json, ']');
    rl_json_end(&json);
}
