/* SPDX-License-Identifier: MIT
 *
 * The page of a report: one HTML file that needs nothing else, neither network nor script.
 */
#include <math.h>
#include <string.h>

#include "draw/xml.h"
#include "report/parts.h"
#include "base/new_file.h"
#include "core/inside.h"
#include "draw/inside.h"
#include "study/inside.h"

static const char STYLE[] =
    "*{box-sizing:border-box}"
    "body{margin:0 auto;padding:1.5rem 1.25rem 4rem;max-width:84rem;background:var(--paper);"
    "color:var(--text);font:16px/1.5 system-ui,'DejaVu Sans',sans-serif;color-scheme:light dark}"
    "h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}"
    "a{color:var(--link)}p.soft,figcaption,.note{color:var(--soft)}"
    ".warning{padding:.5rem .75rem;border:1px solid var(--rule);border-left:.3rem solid #c0392b}"
    /* A shadow at the side where a table goes on. */
    ".scroll{overflow-x:auto;background:"
    "linear-gradient(to right,var(--paper) 1rem,transparent 3rem) left/3rem 100% no-repeat local,"
    "linear-gradient(to left,var(--paper) 1rem,transparent 3rem) right/3rem 100% no-repeat local,"
    "linear-gradient(to right,#0004,transparent) left/.8rem 100% no-repeat scroll,"
    "linear-gradient(to left,#0004,transparent) right/.8rem 100% no-repeat scroll}"
    "table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.25rem .4rem;text-align:right;border-bottom:1px solid var(--rule)}"
    "td{white-space:nowrap}td.left:last-child{white-space:normal;min-width:7rem}"
    "td.wrap{white-space:normal;min-width:18rem}th{vertical-align:bottom}"
    "th{text-align:right;font-weight:600;border-bottom:2px solid var(--soft)}"
    "th:first-child,td:first-child,.left{text-align:left!important}"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));"
    "gap:1.5rem}"
    "figure{margin:0;padding:1rem;border:1px solid var(--rule);border-radius:.5rem}"
    "figure svg{width:100%;height:auto;display:block}"
    "figcaption{font-size:.85rem;margin-top:.5rem}"
    "pre{padding:1rem;border:1px solid var(--rule);border-radius:.5rem;overflow-x:auto;"
    "font-size:.85rem}"
    "details summary{cursor:pointer;margin:.5rem 0}"
    "@page{size:A4 landscape;margin:11mm}"
    "@media print{body{max-width:none;padding:0;font-size:9pt}h2{margin:1rem 0 .3rem}"
    "h2,thead{break-after:avoid}.note{break-before:avoid}"
    ".scroll{overflow:visible;background:none}table{width:100%;font-size:6.8pt}"
    "th,td{padding:.1rem .25rem}td{white-space:normal}tr,figure{break-inside:avoid}"
    ".figures{display:flow-root}figure{float:left;width:32.6%;margin:0 .35% .4rem;padding:.4rem}"
    "figcaption{font-size:7.5pt;min-height:3.6em}pre{font-size:7pt}"
    "details:not([open]){display:none}a{color:inherit;text-decoration:none}}";

static void write_character(FILE *stream, char c)
{
    const char *entity = xml_entity(c);
    if (entity)
        fputs(entity, stream);
    else
        fputc(c, stream);
}

static void write_text(FILE *stream, const char *text)
{
    for (; *text; text++)
        write_character(stream, *text);
}

static void write_cell(FILE *stream, const char *text)
{
    fputs("<td class=left>", stream);
    write_text(stream, text);
}

/* Text in which "Theta", "^3" and "_RL" are typeset. */
static void write_math(FILE *stream, const char *text)
{
    while (*text) {
        const size_t raised = *text == '^' ? strspn(text + 1, "0123456789.") : 0;
        const size_t lowered = *text == '_' ? strcspn(text + 1, " ,;:()^") : 0;
        const char *const tag = raised ? "sup" : lowered ? "sub" : NULL;
        if (strncmp(text, "Theta(", 6) == 0) {
            fputs("Θ(", stream);
            text += 6;
        } else if (tag) {
            fprintf(stream, "<%s>", tag);
            for (size_t i = 0; i < raised + lowered; i++)
                write_character(stream, *++text);
            fprintf(stream, "</%s>", tag);
            text++;
        } else
            write_character(stream, *text++);
    }
}

static void write_math_cell(FILE *stream, const char *text)
{
    fputs("<td class=left>", stream);
    write_math(stream, text);
}

static struct rl_text_grouped whole(double value)
{
    return rl_text_grouped((uint64_t)(value + 0.5));
}

/* ---- claimed and measured ---- */

/* "n^1.98", "n^1.87 log n", "1.7^n" with the letter of the axis. */
static void write_form(FILE *stream, enum rl_growth_form form, double exponent, const char *x)
{
    const double a = report_exponent_or_base(form, exponent);
    if (form == RL_GROWTH_EXPONENTIAL)
        fprintf(stream, "%.2f<sup><i>%s</i></sup>", a, x);
    else
        fprintf(stream, "<i>%s</i><sup>%.2f</sup>%s%s", x, a,
                form == RL_GROWTH_POWER_LOG ? " log " : "", form == RL_GROWTH_POWER_LOG ? x : "");
}

/* The family's form as fitted, with its interval. */
static void write_curve(FILE *stream, const struct rl_family *family)
{
    const struct rl_growth_curve *curve = &family->growth.form[family->form];
    write_form(stream, family->form, curve->exponent, family->axis_name);
    if (isfinite(curve->low))
        fprintf(stream, " [%.2f, %.2f]", report_exponent_or_base(family->form, curve->low),
                report_exponent_or_base(family->form, curve->high));
}

static void write_best(FILE *stream, const struct rl_family *family)
{
    const struct rl_growth *growth = &family->growth;
    const struct rl_growth_curve *curve = &growth->form[growth->best];
    if (growth->best == RL_GROWTH_LINE)
        fprintf(stream, "%s %s %.4g <i>%s</i>", whole(fmax(0, curve->factor)).text,
                curve->exponent < 0 ? "−" : "+", fabs(curve->exponent), family->axis_name);
    else
        write_form(stream, growth->best, curve->exponent, family->axis_name);
    fprintf(stream, " (%.0f %%)", 100 * curve->weight);
}

static bool has_claim(const struct rl_family *family)
{
    return family->axis == RL_FAMILY_N && family->fitted && family->point->fault_count == 0;
}

static void write_sizes(FILE *stream, const struct rl_family *family)
{
    fprintf(stream, "<td class=left>%s&nbsp;..&nbsp;%s", whole(family->at[0].x).text,
            whole(family->at[family->count - 1].x).text);
}

static void write_claim(FILE *stream, const struct rl_family *family)
{
    const struct rl_protocol *protocol = family->point->protocol;
    fputs("<tr>", stream);
    write_cell(stream, protocol->name);
    write_cell(stream, protocol->assumption);
    write_math_cell(stream, protocol->states);
    write_math_cell(stream, family->claim);
    write_cell(stream, family->label + strlen(protocol->name) + strlen(", "));
    fputs("<td class=\"left wrap\"><b>", stream);
    write_math(stream, family->verdict);
    fputs("</b>", stream);
    write_sizes(stream, family);
    fputs("</tr>\n", stream);
}

static void write_claims(FILE *stream, const struct rl_summary *summary)
{
    bool any = false;
    for (size_t i = 0; i < summary->family_count; i++)
        any |= has_claim(&summary->families[i]);
    if (!any)
        return;
    fputs("<h2>Claimed and measured</h2>\n<div class=scroll><table id=claims><thead><tr>"
          "<th>protocol<th class=left>assumes<th class=left>states<th class=left>steps, claimed"
          "<th class=left>start<th class=left>measured: mean steps<th class=left>over n"
          "</tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < summary->family_count; i++)
        if (has_claim(&summary->families[i]))
            write_claim(stream, &summary->families[i]);
    fputs("</tbody></table></div>\n<p class=note>A claim agrees if the mean steps over what is "
          "claimed tend to a positive number as n grows, within the noise of the trials. That "
          "number stands there with its 95&nbsp;% interval. A claim is about the worst start; a "
          "measurement is from one.</p>\n",
          stream);
}

/* ---- growth ---- */

/* A probability, and what it means. */
static void write_noise(FILE *stream, double noise)
{
    fprintf(stream, noise < 0.001 ? "&lt; 0.001" : "%.3f", noise);
    fputs(noise < RL_GROWTH_DOUBT ? ", more than noise" : ", noise explains it", stream);
}

static void write_test(FILE *stream, const struct rl_growth_test *test, const char *x)
{
    if (test->verdict == RL_GROWTH_UNTESTED) {
        fputs("<td colspan=3>", stream);
        return;
    }
    fprintf(stream, "<td>%.4g", test->factor);
    if (isfinite(test->low))
        fprintf(stream, " [%.4g, %.4g]", test->low, test->high);
    fprintf(stream, " %s %.3g/%s<i>%s</i><td>%.1f of %zu<td>", test->bend < 0 ? "−" : "+",
            fabs(test->bend), test->root ? "√" : "", x, test->chi2, test->degrees);
    write_noise(stream, test->noise);
}

static void write_family(FILE *stream, const struct rl_family *family)
{
    char without[RL_FAMILY_VERDICT];
    struct rl_text left_out = rl_text_into(without, sizeof without);
    fputs("<tr>", stream);
    write_cell(stream, family->label);
    write_cell(stream, family->axis_name);
    write_sizes(stream, family);
    tell_left_out(family, &left_out);
    write_text(stream, without);
    write_math_cell(stream, family->claim);
    if (!family->fitted)
        fputs("<td colspan=6 class=left>a fit needs three sizes with two trials each, all of "
              "which reached the target",
              stream);
    else {
        write_test(stream, &family->growth.test, family->axis_name);
        fputs("<td>", stream);
        write_curve(stream, family);
        fputs("<td>", stream);
        write_noise(stream, family->growth.form[family->form].noise);
        fputs("<td class=left>", stream);
        write_best(stream, family);
    }
    fputs("</tr>\n", stream);
}

static void write_growth(FILE *stream, const struct rl_summary *summary)
{
    if (summary->family_count == 0)
        return;
    fputs("<h2>Growth</h2>\n<div class=scroll><table id=growth><thead><tr><th>family<th class=left>"
          "along<th class=left>sizes<th class=left>claimed<th>mean / claimed<th>chi-squared"
          "<th>noise<th>without the claim<th>noise<th class=left>best form</tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < summary->family_count; i++)
        if (summary->families[i].axis != RL_FAMILY_FAULT)
            write_family(stream, &summary->families[i]);
    fprintf(stream,
            "</tbody></table></div>\n<p class=note>The claim is tested first: mean over claimed is "
            "c&nbsp;+&nbsp;b/x or c&nbsp;+&nbsp;b/√x, whichever fits better, by weighted least "
            "squares at all sizes; where both fit, the interval holds both. Without the claim: the "
            "exponent that these sizes look like, in the form of the claim. <i>Noise</i> is the "
            "probability that the noise of the trials alone scatters the means so far from the "
            "curve; below %g it does not fit. The brackets are 95&nbsp;%% intervals, from %d "
            "trials at each size on. The best form, of x<sup>a</sup>, "
            "x<sup>a</sup>&nbsp;log&nbsp;x and a<sup>x</sup> (along a parameter also "
            "c&nbsp;+&nbsp;ax), has the least weighted sum of squares; behind it stands its Akaike "
            "weight. With faults, steps count from the last fault. Points with trials that gave up "
            "are left out.</p>\n",
            RL_GROWTH_DOUBT, RL_GROWTH_TRIALS);
}

/* ---- figures ---- */

static enum rl_status write_figures(FILE *stream, const struct figures *figures)
{
    enum rl_status status = RL_OK;
    if (figures->count == 0)
        return RL_OK;
    fputs("<h2>Plots</h2>\n<div class=figures>\n", stream);
    for (size_t i = 0; i < figures->count && !status; i++) {
        const struct figure *figure = &figures->at[i];
        fprintf(stream, "<figure id=\"%s\">\n", figure->name);
        status = rl_plot_draw(&figure->plot, RL_PEN_SVG, rl_new_file_put, stream);
        fputs("<figcaption>", stream);
        write_math(stream, figure->caption);
        fprintf(stream,
                " <a href=\"plots/%s.svg\">SVG</a> <a href=\"plots/%s.pdf\">PDF</a> <a "
                "href=\"plots/%s.csv\">CSV</a>",
                figure->name, figure->name, figure->name);
        fputs("</figcaption></figure>\n", stream);
    }
    fputs("</div>\n", stream);
    return status;
}

/* ---- points ---- */

static void write_point_name(FILE *stream, const struct rl_point *point)
{
    write_cell(stream, point->protocol->name);
    fprintf(stream, "<td>%s<td class=left>", rl_text_grouped(point->params.n).text);
    for (size_t i = 0; i < point->protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &point->protocol->parameters[i];
        const char *choice = rl_request_choice(parameter, point->params.value[i]);
        fputs(i ? ", " : "", stream);
        write_text(stream, parameter->name);
        fputc('=', stream);
        write_text(stream, choice ? choice : rl_text_grouped(point->params.value[i]).text);
    }
    write_cell(stream, point->start);
    if (point->engine != RL_ENGINE_EVENT)
        fprintf(stream, ", engine %s", rl_engine_name(point->engine));
    write_cell(stream, point->fault_count ? rl_plan_faults(point).text : "");
    fprintf(stream, "<td>%s",
            point->max_steps == RL_NEVER ? "" : rl_text_grouped(point->max_steps).text);
}

/* Of trials that gave up a mean says only what it is at least. */
static void write_mean(FILE *stream, const struct rl_summary_stats *all)
{
    const struct rl_stats *stats = &all->stats;
    if (stats->count == 0) {
        fputs("<td>", stream);
        return;
    }
    fprintf(stream, "<td><b>%s%s</b>", stats->gave_up ? "≥ " : "", whole(stats->mean).text);
    if (stats->gave_up > 0)
        fprintf(stream, "; %s of %s gave up", rl_text_grouped(stats->gave_up).text,
                rl_text_grouped(stats->count).text);
    else if (isfinite(stats->low))
        fprintf(stream, " [%s, %s]", whole(stats->low).text, whole(stats->high).text);
}

static void write_quantiles(FILE *stream, const struct rl_summary_stats *all)
{
    const double quantiles[] = {all->p05, all->p25, all->median,
                                all->p75, all->p95, all->stats.gave_up ? NAN : all->stats.most};
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
        if (all->stats.count > 0 && isfinite(quantiles[i]))
            fprintf(stream, "<td>%s", whole(quantiles[i]).text);
        else
            fputs(all->stats.count > 0 ? "<td>unknown" : "<td>", stream);
}

static void write_ratios(FILE *stream, const struct rl_summary_point *point)
{
    for (int r = 0; r < RATIOS; r++) {
        const double ratio = report_ratio_of(point, r);
        fputs("<td>", stream);
        if (!isnan(ratio))
            fprintf(stream, "%s%.4g", point->measure.stats.gave_up ? "≥ " : "", ratio);
    }
}

/* A table with a line for each point, or (`hits`) for each set of each. */
static void write_table(FILE *stream, const struct rl_summary *summary, bool hits)
{
    fprintf(stream,
            "<div class=scroll><table id=%s><thead><tr><th>protocol<th>n<th class=left>parameters"
            "<th class=left>start<th class=left>faults<th>at most, steps%s",
            hits ? "hits" : "points",
            hits ? "<th class=left>set<th>mean steps, 95&nbsp;%"
                 : "<th class=left>target<th>trials<th>mean steps to the target, 95&nbsp;%");
    for (int r = 0; r < RATIOS && !hits; r++) {
        fputs("<th>mean / ", stream);
        write_math(stream, REPORT_RATIO_NAMES[r]);
    }
    fputs("<th>5&nbsp;%<th>25&nbsp;%<th>median<th>75&nbsp;%<th>95&nbsp;%<th>most</tr></thead>"
          "<tbody>\n",
          stream);
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *point = &summary->points[i];
        const struct rl_protocol *protocol = point->point->protocol;
        for (size_t set = 0; set < (hits ? protocol->set_count : 1); set++) {
            const struct rl_summary_stats *stats = hits ? &point->hits[set] : &point->measure;
            fputs("<tr>", stream);
            write_point_name(stream, point->point);
            write_math_cell(stream, hits && set != protocol->target ? protocol->sets[set].name
                                                                    : point->target);
            if (!hits)
                fprintf(stream, "<td>%s", rl_text_grouped(point->count).text);
            write_mean(stream, stats);
            if (!hits)
                write_ratios(stream, point);
            write_quantiles(stream, stats);
            fputs("</tr>\n", stream);
        }
    }
    fputs("</tbody></table></div>", stream);
}

static void write_points(FILE *stream, const struct rl_summary *summary)
{
    fputs("<h2>Points</h2>\n", stream);
    write_table(stream, summary, false);
    fputs(
        "\n<p class=note>A trial that gave up has more steps than its limit, nobody knows how "
        "many: then the mean is a lower bound, and quantiles that depend on it are unknown (those "
        "that are known are Kaplan and Meier's).</p>\n"
        "<details><summary>Every hit at every point</summary>",
        stream);
    write_table(stream, summary, true);
    fputs("</details>\n", stream);
}

/* ---- protocols from files ---- */

static void write_files(FILE *stream, const struct rl_summary *summary)
{
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_protocol *protocol = summary->plan.points[i].protocol;
        if (!protocol->text || !report_is_first_of_protocol(&summary->plan, i))
            continue;
        fputs("<h2>The file of ", stream);
        write_text(stream, protocol->name);
        fputs("</h2>\n<p class=soft>SHA-256 ", stream);
        write_text(stream, protocol->hash);
        fputs("</p>\n<pre class=file>", stream);
        write_text(stream, protocol->text);
        fputs("</pre>\n", stream);
    }
}

/* ---- all ---- */

/* What a reader must know before anything else. */
static void write_state(FILE *stream, const struct rl_summary *summary)
{
    if (summary->trial_count < summary->wanted)
        fprintf(stream,
                "<p class=warning id=unfinished>The study is not finished: %s of %s trials are "
                "done.</p>\n",
                rl_text_grouped(summary->trial_count).text, rl_text_grouped(summary->wanted).text);
    uint64_t gave_up = 0;
    for (size_t i = 0; i < summary->plan.count; i++)
        gave_up += summary->points[i].count - summary->points[i].reached;
    if (gave_up > 0)
        fprintf(stream,
                "<p class=warning id=gave-up>%s of %s trials gave up before the target. Means of "
                "their points are lower bounds, and no fit has them in it.</p>\n",
                rl_text_grouped(gave_up).text, rl_text_grouped(summary->trial_count).text);
    if (summary->dropped > 0)
        fprintf(stream,
                "<p class=warning id=dropped>%s rows were impossible and are left out: the file "
                "was damaged. `study --db` does them again.</p>\n",
                rl_text_grouped(summary->dropped).text);
}

enum rl_status report_write_page(FILE *stream, const struct rl_summary *summary,
                                 const struct figures *figures, const char *title,
                                 const char *plans)
{
    fputs("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
          "<link rel=icon href=\"data:,\">\n<title>",
          stream);
    write_text(stream, title);
    fputs("</title>\n<style>", stream);
    rl_plot_css(stream);
    fprintf(stream, "%s</style>\n<h1>", STYLE);
    write_text(stream, title);
    fprintf(
        stream,
        "</h1>\n<p class=soft>%s trials at %s points; ringleader %s, random streams of version "
        "%d.\nThe data: <a href=trials.csv>trials.csv</a> (every trial), <a href=points.csv>"
        "points.csv</a> (every hit at every point), <a href=growth.csv>growth.csv</a> (every fit), "
        "<a href=growth.tex>growth.tex</a> (the same for a paper)%s.</p>\n",
        rl_text_grouped(summary->trial_count).text, rl_text_grouped(summary->plan.count).text,
        rl_version(), RL_STREAM_VERSION,
        report_has_curves(summary) ? ", <a href=curves.csv>curves.csv</a> (gauges as time passes)"
                                   : "");
    write_state(stream, summary);
    write_claims(stream, summary);
    write_growth(stream, summary);
    const enum rl_status status = write_figures(stream, figures);
    write_points(stream, summary);
    fputs("<h2>Plan</h2>\n<pre id=plan>", stream);
    write_text(stream, plans);
    fputs("</pre>\n", stream);
    write_files(stream, summary);
    return status;
}
