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

const char *const REPORT_RATIO_NAMES[RATIOS] = {"nN", "n^2", "n^2 log n", "n^3"};

/* What the a of growth.csv stands in; of an exponential it is the base, which says more. */
static const char *const FORM_NAMES[] = {"n^a", "n^a log n", "a^n"};

double report_ratio_of(const struct rl_summary_point *point, enum ratio ratio)
{
    const struct rl_params *params = &point->point->params;
    const double n = params->n, mean = point->measure.stats.mean;
    const int bound = rl_protocol_parameter(point->point->protocol, "N");
    if (point->count == 0 || (ratio == RATIO_NN && bound < 0))
        return NAN;
    switch (ratio) {
    case RATIO_NN:
        return mean / (n * params->value[bound]);
    case RATIO_N2:
        return mean / (n * n);
    case RATIO_N2LOG:
        return mean / (n * n * log2(n));
    default:
        return mean / (n * n * n);
    }
}

/* ---- columns that depend on the protocols of the study ---- */

enum { MOST_COLUMNS = 64 };

struct columns {
    const char *parameters[MOST_COLUMNS];
    const char *sets[MOST_COLUMNS];
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

static struct columns columns_of(const struct rl_plan *plan)
{
    struct columns columns = {.parameter_count = 0};
    for (size_t p = 0; p < plan->count; p++) {
        const struct rl_protocol *protocol = plan->points[p].protocol;
        for (size_t i = 0; i < protocol->parameter_count; i++)
            add_column(columns.parameters, &columns.parameter_count, protocol->parameters[i].name);
        for (size_t i = 0; i < protocol->set_count; i++)
            add_column(columns.sets, &columns.set_count, protocol->sets[i].name);
    }
    return columns;
}

/* A cell, quoted if it must be, and a comma. */
static void write_cell(FILE *stream, const char *text)
{
    const bool plain = !strpbrk(text, ",\"\r\n");
    if (plain)
        fputs(text, stream);
    else {
        fputc('"', stream);
        for (; *text; text++)
            fprintf(stream, *text == '"' ? "%c%c" : "%c", *text, *text);
        fputc('"', stream);
    }
    fputc(',', stream);
}

/* A number and a comma; nothing for NaN. */
static void write_real(FILE *stream, const char *format, double value)
{
    if (!isnan(value))
        fprintf(stream, format, value);
    fputc(',', stream);
}

/* The columns that say which point it is, each with a comma behind it. */
static void write_point_head(FILE *stream, const struct columns *columns)
{
    fputs("protocol,n,", stream);
    for (size_t i = 0; i < columns->parameter_count; i++)
        write_cell(stream, columns->parameters[i]);
    fputs("start,engine,fault,", stream);
#define HEAD(member, ...) fputs(#member ",", stream);
    RL_EXPERIMENT_COUNTS(HEAD)
#undef HEAD
}

/* A count and a comma; nothing for RL_NEVER. */
static void write_count(FILE *stream, uint64_t count)
{
    if (count != RL_NEVER)
        fprintf(stream, "%llu", (unsigned long long)count);
    fputc(',', stream);
}

static void write_point_cells(FILE *stream, const struct columns *columns,
                              const struct rl_point *point)
{
    write_cell(stream, point->protocol->name);
    fprintf(stream, "%u,", point->params.n);
    for (size_t i = 0; i < columns->parameter_count; i++) {
        const int parameter = rl_protocol_parameter(point->protocol, columns->parameters[i]);
        char value[64] = "";
        struct rl_text cell = rl_text_into(value, sizeof value);
        if (parameter >= 0)
            rl_request_print_value(&point->protocol->parameters[parameter],
                                   point->params.value[parameter], &cell);
        write_cell(stream, value);
    }
    write_cell(stream, point->start);
    write_cell(stream, rl_engine_name(point->engine));
    write_cell(stream, rl_plan_faults(point).text);
#define CELL(member, ...) write_count(stream, point->member);
    RL_EXPERIMENT_COUNTS(CELL)
#undef CELL
}

static void write_trial(FILE *stream, const struct columns *columns,
                        const struct rl_summary_point *of, const struct rl_trial *trial)
{
    const struct rl_point *point = of->point;
    write_point_cells(stream, columns, point);
    fprintf(stream, "%llu,", (unsigned long long)trial->trial);
    write_cell(stream, of->target);
    fprintf(stream, "%d,", rl_trial_reached(point, trial));
    write_count(stream, rl_trial_reached(point, trial) ? trial->steps : RL_NEVER);
    for (size_t i = 0; i < columns->set_count; i++) {
        const int set = rl_protocol_set(point->protocol, columns->sets[i]);
        write_count(stream, set >= 0 ? trial->hits[set] : RL_NEVER);
    }
    fprintf(stream, "%llu,%u,", (unsigned long long)trial->events, trial->leaders);
    write_count(stream, trial->leaders == 1 ? trial->leader : RL_NEVER);
    for (size_t i = 0; i < trial->fault_count; i++) {
        const uint64_t after = trial->faults[i].recovered_after;
        fputs(i ? "+" : "", stream);
        if (after == RL_NEVER)
            fputs("never", stream);
        else
            fprintf(stream, "%llu", (unsigned long long)after);
    }
    fputc('\n', stream);
}

static void write_hit_name(FILE *stream, const char *set)
{
    char name[RL_PLAN_LINE];
    snprintf(name, sizeof name, "hit_%s", set);
    write_cell(stream, name);
}

void rl_report_trials_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    const struct columns columns = columns_of(&summary->plan);
    write_point_head(stream, &columns);
    fputs("trial,target,reached,steps,", stream);
    for (size_t i = 0; i < columns.set_count; i++)
        write_hit_name(stream, columns.sets[i]);
    fputs("events,leaders,leader,recovered_after\n", stream);
    for (size_t i = 0; i < summary->trial_count; i++)
        write_trial(stream, &columns, &summary->points[summary->trials[i].point],
                    &summary->trials[i]);
}

/* How many gave up, the mean (a lower bound then), its interval, quantiles; what is not known is
 * empty. */
static void write_stats_cells(FILE *stream, const struct rl_summary_stats *all)
{
    const struct rl_stats *stats = &all->stats;
    const bool known = stats->count > stats->gave_up;
    fprintf(stream, "%zu,%zu,%s,", stats->count - stats->gave_up, stats->gave_up,
            stats->gave_up ? ">="
            : stats->count ? "="
                           : "");
    write_real(stream, "%.10g", stats->count ? stats->mean : NAN);
    const bool errors = stats->count > 1 && stats->gave_up == 0;
    write_real(stream, "%.6g", errors ? stats->standard_error : NAN);
    write_real(stream, "%.6g", errors ? stats->deviation : NAN);
    const double cells[] = {stats->low, stats->high, stats->least, all->p05,
                            all->p25,   all->median, all->p75,     all->p95};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        write_real(stream, "%.10g", known ? cells[i] : NAN);
    if (known && stats->gave_up == 0)
        fprintf(stream, "%.10g", stats->most);
    fputc('\n', stream);
}

void report_points_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    const struct columns columns = columns_of(&summary->plan);
    write_point_head(stream, &columns);
    fputs("trials,target,hit,count,gave_up,mean_is,mean_steps,standard_error,deviation,mean_low95,"
          "mean_high95,min,p05,p25,median,p75,p95,max\n",
          stream);
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *point = &summary->points[i];
        const struct rl_protocol *protocol = point->point->protocol;
        for (size_t set = 0; set < protocol->set_count; set++) {
            write_point_cells(stream, &columns, point->point);
            fprintf(stream, "%zu,", point->count);
            write_cell(stream, point->target);
            write_cell(stream, protocol->sets[set].name);
            write_stats_cells(stream, &point->hits[set]);
        }
    }
}

void rl_report_curves_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    const struct columns columns = columns_of(&summary->plan);
    write_point_head(stream, &columns);
    fputs("gauge,step,trials,mean,mean_low95,mean_high95,p05,p25,median,p75,p95\n", stream);
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *point = &summary->points[i];
        for (size_t k = 0; k < point->curve_count; k++) {
            const struct rl_summary_stats *all = &point->curve[k];
            const double cells[] = {all->stats.mean, all->stats.low, all->stats.high, all->p05,
                                    all->p25,        all->median,    all->p75};
            write_point_cells(stream, &columns, point->point);
            write_cell(stream, point->point->curve);
            write_count(stream, rl_curve_step(k));
            write_count(stream, all->stats.count);
            for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++)
                write_real(stream, "%.10g", cells[c]);
            fprintf(stream, "%.10g\n", all->p95);
        }
    }
}

/* ---- figures ---- */

/* Without the marks of what is lowered. */
static void write_label(FILE *stream, const char *label)
{
    char plain[RL_FAMILY_LABEL];
    struct rl_text text = rl_text_into(plain, sizeof plain);
    for (; *label; label++)
        if (*label != RL_PEN_LEVEL[0])
            rl_text_char(&text, *label == RL_PEN_LOWER[0] ? '_' : *label);
    write_cell(stream, plain);
}

void report_figure_csv(const struct figure *figure, FILE *stream)
{
    static const char *const kinds[] = {"points", "curve", "distribution", "bars", "reference"};
    fputs("series,kind,x,y,low,high\n", stream);
    for (size_t i = 0; i < figure->plot.count; i++) {
        const struct rl_plot_series *series = &figure->series[i];
        const bool bars = series->kind == RL_PLOT_POINTS || series->kind == RL_PLOT_BARS;
        for (size_t k = 0; k < series->count; k++) {
            write_label(stream, figure->labels[series->label ? i : series->style]);
            fprintf(stream, "%s,%.10g,%.10g,", kinds[series->kind], series->x[k], series->y[k]);
            write_real(stream, "%.10g", bars ? series->low[k] : NAN);
            if (bars)
                fprintf(stream, "%.10g", series->high[k]);
            fputc('\n', stream);
        }
    }
}

/* ---- growth ---- */

double report_exponent_or_base(enum rl_growth_form form, double exponent)
{
    return form == RL_GROWTH_EXPONENTIAL ? exp(exponent) : exponent;
}

void report_growth_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    fputs("family,protocol,start,along,assumes,states,claimed,points,left_out,verdict,factor,"
          "factor_low95,factor_high95,bend,correction,chi2,degrees,noise,form,a,a_low95,a_high95,"
          "a_noise,best,best_weight\n",
          stream);
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        const struct rl_point *point = family->point;
        const struct rl_growth *growth = &family->growth;
        const struct rl_growth_curve *curve = &growth->form[family->form];
        const bool tested = growth->test.verdict != RL_GROWTH_UNTESTED;
        if (!family->fitted)
            continue;
        const char *const cells[] = {
            family->label,     point->protocol->name,       point->start,
            family->axis_name, point->protocol->assumption, point->protocol->states,
            family->claim};
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++)
            write_cell(stream, cells[k]);
        fprintf(stream, "%zu,%zu,", growth->count, family->left_out);
        write_cell(stream, family->verdict);
        write_real(stream, "%.6g", tested ? growth->test.factor : NAN);
        write_real(stream, "%.6g", tested ? growth->test.low : NAN);
        write_real(stream, "%.6g", tested ? growth->test.high : NAN);
        write_real(stream, "%.6g", tested ? growth->test.bend : NAN);
        write_cell(stream, !tested ? "" : growth->test.root ? "b/sqrt(x)" : "b/x");
        write_real(stream, "%.3f", tested ? growth->test.chi2 : NAN);
        write_count(stream, tested ? growth->test.degrees : RL_NEVER);
        write_real(stream, "%.3g", tested ? growth->test.noise : NAN);
        fprintf(stream, "%s,", FORM_NAMES[family->form]);
        write_real(stream, "%.6g", report_exponent_or_base(family->form, curve->exponent));
        write_real(stream, "%.6g", report_exponent_or_base(family->form, curve->low));
        write_real(stream, "%.6g", report_exponent_or_base(family->form, curve->high));
        write_real(stream, "%.3g", curve->noise);
        fprintf(stream, "%s,%.3g\n", rl_growth_name(growth->best),
                growth->form[growth->best].weight);
    }
}

static void write_tex(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("%_#&${}", *text))
            fprintf(stream, "\\%c", *text);
        else if (*text == '^')
            fputs("\\textasciicircum{}", stream);
        else if (*text == '~')
            fputs("\\textasciitilde{}", stream);
        else if (*text == '\\')
            fputs("\\textbackslash{}", stream);
        else if (strncmp(text, "±", strlen("±")) == 0) {
            fputs("$\\pm$", stream);
            text += strlen("±") - 1;
        } else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
}

static bool is_formula(const char *text)
{
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("^(). ", *text))
            return false;
    return true;
}

/* A claim in a formula: "O(n^2 log n)". */
static void write_tex_math(FILE *stream, const char *text)
{
    fputc('$', stream);
    while (*text) {
        const size_t raised = *text == '^' ? strspn(text + 1, "0123456789.") : 0;
        if (strncmp(text, "Theta(", 6) == 0 || strncmp(text, "log", 3) == 0) {
            fprintf(stream, "\\%.*s", *text == 'T' ? 5 : 3, text);
            text += *text == 'T' ? 5 : 3;
        } else if (raised > 0) {
            fprintf(stream, "^{%.*s}", (int)raised, text + 1);
            text += 1 + raised;
        } else
            fputc(*text++, stream);
    }
    fputc('$', stream);
}

void report_growth_tex(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    fputs("% Mean steps to the target over what is claimed, as x grows: the limit, with a 95 %\n"
          "% interval, of c + b/x or c + b/sqrt(x); and the exponent without the claim.\n"
          "\\begin{tabular}{llrlllll}\n\\hline\n"
          "family & along & points & claimed & verdict & limit & $\\chi^2$ & without the claim "
          "\\\\\n\\hline\n",
          stream);
    for (size_t i = 0; i < summary->family_count; i++) {
        static const char *const forms[] = {"$x^{%.2f}$", "$x^{%.2f} \\log x$", "$%.2f^x$"};
        const struct rl_family *family = &summary->families[i];
        const struct rl_growth_test *test = &family->growth.test;
        const struct rl_growth_curve *curve = &family->growth.form[family->form];
        if (!family->fitted)
            continue;
        write_tex(stream, family->label);
        fputs(" & ", stream);
        write_tex(stream, family->axis_name);
        fprintf(stream, " & %zu & ", family->growth.count);
        /* What is nothing but letters, numbers and brackets is a formula; any other is a text. */
        (test->verdict == RL_GROWTH_UNTESTED || !is_formula(family->claim)
             ? write_tex
             : write_tex_math)(stream, family->claim);
        fputs(" & ", stream);
        write_tex(stream, family->verdict);
        fputs(" & ", stream);
        if (test->verdict != RL_GROWTH_UNTESTED)
            fprintf(stream, "%.4g [%.4g, %.4g] & %.1f/%zu & ", test->factor, test->low, test->high,
                    test->chi2, test->degrees);
        else
            fputs("& & ", stream);
        fprintf(stream, forms[family->form],
                report_exponent_or_base(family->form, curve->exponent));
        if (isfinite(curve->low))
            fprintf(stream, " [%.2f, %.2f]", report_exponent_or_base(family->form, curve->low),
                    report_exponent_or_base(family->form, curve->high));
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n", stream);
}

static void json_growth(struct rl_json *json, const struct rl_family *family)
{
    const struct rl_growth *growth = &family->growth;
    const struct rl_growth_test *test = &growth->test;
    const struct rl_growth_curve *curve = &growth->form[family->form];
    rl_json_string(json, "verdict", family->verdict);
    if (test->verdict != RL_GROWTH_UNTESTED) {
        rl_json_open(json, "test", '{');
        rl_json_bool(json, "agrees", test->verdict == RL_GROWTH_AGREES);
        rl_json_real(json, "factor", test->factor);
        rl_json_real(json, "low", test->low);
        rl_json_real(json, "high", test->high);
        rl_json_real(json, "bend", test->bend);
        rl_json_string(json, "correction", test->root ? "b/sqrt(x)" : "b/x");
        rl_json_real(json, "chi_squared", test->chi2);
        rl_json_count(json, "degrees", test->degrees);
        rl_json_real(json, "noise", test->noise);
        rl_json_close(json, '}');
    }
    rl_json_string(json, "form", rl_growth_name(family->form));
    rl_json_real(json, "exponent", curve->exponent);
    rl_json_real(json, "low", curve->low);
    rl_json_real(json, "high", curve->high);
    rl_json_real(json, "noise", curve->noise);
    rl_json_string(json, "best", rl_growth_name(growth->best));
    rl_json_real(json, "weight", growth->form[growth->best].weight);
}

/* A mean is never without the number of trials that gave up. */
static void json_point(struct rl_json *json, const struct rl_summary_point *point)
{
    const struct rl_summary_stats *all = &point->measure;
    rl_json_open(json, NULL, '{');
    rl_json_string(json, "point", rl_plan_line(point->point).text);
    rl_json_string(json, "target", point->target);
    rl_json_count(json, "trials", point->count);
    rl_json_count(json, "gave_up", point->count - point->reached);
    if (point->count > 0) {
        rl_json_real(json, "mean", all->stats.mean);
        rl_json_bool(json, "mean_is_lower_bound", all->stats.gave_up > 0);
        rl_json_real(json, "low", all->stats.low);
        rl_json_real(json, "high", all->stats.high);
        rl_json_real(json, "median", all->median);
    }
    rl_json_close(json, '}');
}

void rl_report_growth_json(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    struct rl_json json = rl_json_begin(stream);
    rl_json_count(&json, "trials", summary->trial_count);
    rl_json_count(&json, "points", summary->plan.count);
    rl_json_count(&json, "wanted", summary->wanted);
    rl_json_count(&json, "dropped", summary->dropped);
    rl_json_open(&json, "families", '[');
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        rl_json_open(&json, NULL, '{');
        rl_json_string(&json, "label", family->label);
        rl_json_string(&json, "along", family->axis_name);
        rl_json_string(&json, "claim", family->claim);
        rl_json_count(&json, "points", family->fitted ? family->growth.count : family->count);
        rl_json_count(&json, "left_out", family->left_out);
        rl_json_bool(&json, "fitted", family->fitted);
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
