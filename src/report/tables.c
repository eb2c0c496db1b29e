/* SPDX-License-Identifier: MIT
 *
 * A study as tables: CSV, TeX, JSON.
 */
#include <math.h>
#include <string.h>

#include "report/parts.h"
#include "study/json.h"

const char *const REPORT_RATIO_NAMES[RATIOS] = {"nN", "n^2", "n^2 log n", "n^3"};

/* What the a of growth.csv stands in; of an exponential it is the base, which says more. */
static const char *const FORM_NAMES[] = {"n^a", "n^a log n", "a^n"};

double report_ratio_of(const struct rl_summary_point *point, enum ratio ratio)
{
    const struct rl_params *params = &point->point->params;
    const double n = params->n, mean = point->measure.stats.mean;
    const int bound = rl_protocol_parameter(point->point->protocol, "N");
    if (point->reached == 0 || (ratio == RATIO_NN && bound < 0))
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

/* ---- columns that depend on the protocols of the study ------------------------------------------
 */

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

/* The columns that say which point it is, each with a comma behind it. */
static void write_point_head(FILE *stream, const struct columns *columns)
{
    fputs("protocol,n,", stream);
    for (size_t i = 0; i < columns->parameter_count; i++)
        fprintf(stream, "%s,", columns->parameters[i]);
    fputs("start,engine,fault,seed,", stream);
}

static void write_point_cells(FILE *stream, const struct columns *columns,
                              const struct rl_point *point)
{
    fprintf(stream, "%s,%u,", point->protocol->name, point->params.n);
    for (size_t i = 0; i < columns->parameter_count; i++) {
        const int parameter = rl_protocol_parameter(point->protocol, columns->parameters[i]);
        char value[64] = "";
        struct rl_text cell = rl_text_into(value, sizeof value);
        if (parameter >= 0)
            rl_request_print_value(&point->protocol->parameters[parameter],
                                   point->params.value[parameter], &cell);
        fprintf(stream, "%s,", value);
    }
    fprintf(stream, "%s,%s,%s,%llu,", point->start, rl_engine_name(point->engine),
            rl_plan_faults(point).text, (unsigned long long)point->seed);
}

/* A count and a comma; nothing for RL_NEVER. */
static void write_count(FILE *stream, uint64_t count)
{
    if (count != RL_NEVER)
        fprintf(stream, "%llu", (unsigned long long)count);
    fputc(',', stream);
}

static void write_trial(FILE *stream, const struct columns *columns, const struct rl_point *point,
                        const struct rl_trial *trial)
{
    write_point_cells(stream, columns, point);
    fprintf(stream, "%llu,%s,%d,%llu,", (unsigned long long)trial->trial,
            point->protocol->sets[point->protocol->target].name, rl_trial_reached(point, trial),
            (unsigned long long)trial->steps);
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

void rl_report_trials_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    const struct columns columns = columns_of(&summary->plan);
    write_point_head(stream, &columns);
    fputs("trial,target,reached,steps,", stream);
    for (size_t i = 0; i < columns.set_count; i++)
        fprintf(stream, "hit_%s,", columns.sets[i]);
    fputs("events,leaders,leader,recovered_after\n", stream);
    for (size_t i = 0; i < summary->trial_count; i++)
        write_trial(stream, &columns, &summary->plan.points[summary->trials[i].point],
                    &summary->trials[i]);
}

/* Of a set that no trial hit the cells behind the count are empty. */
static void write_stats_cells(FILE *stream, const struct rl_summary_stats *all)
{
    const struct rl_stats *stats = &all->stats;
    if (stats->count == 0) {
        fputs("0,,,,,,,,,,,,\n", stream);
        return;
    }
    fprintf(stream, "%zu,%.10g,%.6g,%.6g,%.10g,%.10g,", stats->count, stats->mean,
            stats->standard_error, stats->deviation, stats->low, stats->high);
    fprintf(stream, "%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n", stats->least, all->p05, all->p25,
            all->median, all->p75, all->p95, stats->most);
}

void report_points_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    const struct columns columns = columns_of(&summary->plan);
    write_point_head(stream, &columns);
    fputs("trials,target,hit,count,mean_steps,standard_error,deviation,mean_low95,mean_high95,min,"
          "p05,"
          "p25,median,p75,p95,max\n",
          stream);
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *point = &summary->points[i];
        const struct rl_protocol *protocol = point->point->protocol;
        for (size_t set = 0; set < protocol->set_count; set++) {
            write_point_cells(stream, &columns, point->point);
            fprintf(stream, "%zu,%s,%s,", point->count, protocol->sets[protocol->target].name,
                    protocol->sets[set].name);
            write_stats_cells(stream, &point->hits[set]);
        }
    }
}

/* ---- growth -----------------------------------------------------------------------------------
 */

double report_exponent_or_base(enum rl_growth_form form, double exponent)
{
    return form == RL_GROWTH_EXPONENTIAL ? exp(exponent) : exponent;
}

/* A cell that may hold commas, and a comma. */
static void write_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputs("\",", stream);
}

/* From which x on, how many, and the curve of the family's form. */
static void write_curve_cells(FILE *stream, const struct rl_family *family,
                              const struct rl_growth *growth)
{
    const struct rl_growth_curve *curve = &growth->form[family->form];
    fprintf(stream, "%.0f,%zu,%.6g,%.6g,%.6g,%.3g", growth->from, growth->count,
            report_exponent_or_base(family->form, curve->exponent),
            report_exponent_or_base(family->form, curve->low),
            report_exponent_or_base(family->form, curve->high), curve->noise);
}

void report_growth_csv(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    fputs("family,protocol,start,along,assumes,states,claimed,form,all_from,all_points,all_a,"
          "all_low95,all_high95,all_noise,from,points,a,low95,high95,noise\n",
          stream);
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        const struct rl_point *point = &summary->plan.points[family->points[0]];
        if (!family->fitted)
            continue;
        write_quoted(stream, family->label);
        fprintf(stream, "%s,%s,%s,", point->protocol->name, point->start, family->axis_name);
        write_quoted(stream, point->protocol->assumption);
        write_quoted(stream, point->protocol->states);
        write_quoted(stream, rl_summary_claim(summary, family));
        fprintf(stream, "%s,", FORM_NAMES[family->form]);
        write_curve_cells(stream, family, &family->growth);
        fputc(',', stream);
        write_curve_cells(stream, family, &family->large);
        fputc('\n', stream);
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
        else
            fputc(*text, stream);
    }
}

/* "$x^{2.01}$ [2.00, 2.02]" of the family's form. */
static void write_curve_tex(FILE *stream, const struct rl_family *family,
                            const struct rl_growth *growth)
{
    static const char *const forms[] = {"$x^{%.3f}$", "$x^{%.3f} \\log x$", "$%.3f^x$"};
    const struct rl_growth_curve *curve = &growth->form[family->form];
    fprintf(stream, forms[family->form], report_exponent_or_base(family->form, curve->exponent));
    fprintf(stream, " [%.3f, %.3f]", report_exponent_or_base(family->form, curve->low),
            report_exponent_or_base(family->form, curve->high));
}

void report_growth_tex(const struct rl_report *report, FILE *stream)
{
    const struct rl_summary *summary = &report->summary;
    fputs(
        "% Steps to the target: the form of the claim (a power if there is none), fitted to the\n"
        "% means by weighted least squares, with 95 % intervals, at all x and from the x on from\n"
        "% which it fits; best is the form with the least weighted sum of squares there.\n"
        "\\begin{tabular}{llrcrcll}\n\\hline\n"
        "family & along & points & all & from & large & best form & claimed \\\\\n\\hline\n",
        stream);
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        if (!family->fitted)
            continue;
        write_tex(stream, family->label);
        fprintf(stream, " & %s & %zu & ", family->axis_name, family->growth.count);
        write_curve_tex(stream, family, &family->growth);
        fprintf(stream, " & %.0f & ", family->large.from);
        write_curve_tex(stream, family, &family->large);
        static const char *const forms[] = {"$x^a$", "$x^a \\log x$", "$e^{ax}$", "$c + ax$"};
        fprintf(stream, " & %s & ", forms[family->large.best]);
        write_tex(stream, rl_summary_claim(summary, family));
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n", stream);
}

/* Opens nothing: the fields go into the object at hand. */
static void json_growth(struct rl_json *json, const struct rl_family *family,
                        const struct rl_growth *growth)
{
    const struct rl_growth_curve *curve = &growth->form[family->form];
    rl_json_real(json, "from", growth->from);
    rl_json_count(json, "points", growth->count);
    rl_json_real(json, "exponent", curve->exponent);
    rl_json_real(json, "low", curve->low);
    rl_json_real(json, "high", curve->high);
    rl_json_real(json, "noise", curve->noise);
    rl_json_real(json, "median_exponent", growth->median_exponent);
    rl_json_real(json, "median_low", growth->median_low);
    rl_json_real(json, "median_high", growth->median_high);
    rl_json_string(json, "best", rl_growth_name(growth->best));
    rl_json_real(json, "weight", growth->form[growth->best].weight);
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
        rl_json_string(&json, "claim", rl_summary_claim(summary, family));
        rl_json_bool(&json, "fitted", family->fitted);
        if (family->fitted) {
            rl_json_string(&json, "form", rl_growth_name(family->form));
            json_growth(&json, family, &family->large);
            rl_json_open(&json, "all", '{');
            json_growth(&json, family, &family->growth);
            rl_json_close(&json, '}');
        } else
            rl_json_count(&json, "points", family->count);
        rl_json_close(&json, '}');
    }
    rl_json_close(&json, ']');
    rl_json_end(&json);
}
