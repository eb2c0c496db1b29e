/* SPDX-License-Identifier: MIT
 *
 * The page of a report: one HTML file that needs nothing else, neither network nor script.
 */
#include <math.h>
#include <string.h>

#include "report/parts.h"
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
    "td{white-space:nowrap}th{vertical-align:bottom}"
    "#growth :is(td:nth-child(-n+3),td:nth-child(5),td:nth-child(7)){white-space:normal;"
    "min-width:6rem}#growth td:nth-child(6){white-space:normal;min-width:16rem;font-weight:600}"
    "#growth :is(td:nth-child(4),td:nth-child(8)){white-space:nowrap}"
    "th{text-align:right;font-weight:600;border-bottom:2px solid var(--soft)}"
    "th:first-child,td:first-child,.left{text-align:left!important}"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));"
    "gap:1.5rem}"
    "figure{margin:0;padding:1rem;border:1px solid var(--rule);border-radius:.5rem}"
    "figure svg{width:100%;height:auto;display:block}"
    "figcaption{font-size:.85rem;margin-top:.5rem}"
    "pre{padding:1rem;border:1px solid var(--rule);border-radius:.5rem;overflow-x:auto;"
    "font-size:.85rem}"
    "@page{size:A4 landscape;margin:11mm}"
    "@media print{body{max-width:none;padding:0;font-size:9pt}h2{margin:1rem 0 .3rem}"
    "h2,thead,tr:nth-last-child(-n+4):not(:last-child){break-after:avoid}"
    ".note{break-before:avoid}.figures{orphans:1;widows:1}pre{orphans:5;widows:5}"
    ".scroll{overflow:visible}table{width:100%;font-size:6.8pt}"
    "th,td{padding:.1rem .25rem}td{white-space:normal}tr,figure{break-inside:avoid}"
    ".figures{display:block}figure{display:inline-block;vertical-align:top;width:32.4%;"
    "margin:0 .2% .4rem;padding:.4rem}figcaption{font-size:7.5pt}pre{font-size:7pt}"
    "a{color:inherit;text-decoration:none}}";

/* ---- claimed and measured ---- */

static void write_growth(const struct sheet *page, const struct rl_summary *summary)
{
    if (summary->family_count == 0)
        return;
    report_put(page, "<h2>Claimed and measured</h2>\n<div class=scroll><table id=growth><thead>");
    report_families(page, summary);
    report_put(
        page,
        "</tbody></table></div>\n<p class=note>A claim agrees if the mean steps over what is "
        "claimed tend to a positive number as x grows: mean over claimed is c&nbsp;+&nbsp;b/x or "
        "c&nbsp;+&nbsp;b/√x, whichever fits better, by weighted least squares at all sizes. The "
        "verdict has c with its 95&nbsp;%% interval, from %u trials at each size on; where both "
        "fit, the interval holds both. Behind chi-squared stands the probability that the noise of "
        "the trials alone scatters the means so far; below %g the curve does not fit. A claim "
        "is about the worst start; a measurement is from one. Without the claim: the exponent that "
        "these sizes look like, in the form of the claim, with its interval. The best form, of "
        "x<sup>a</sup>, x<sup>a</sup>&nbsp;log&nbsp;x and a<sup>x</sup>, has the least weighted "
        "sum of squares; behind it stands its Akaike "
        "weight. With faults, steps count from the last fault. Points with trials that gave up are "
        "left out.</p>\n",
        (unsigned)RL_GROWTH_TRIALS, RL_GROWTH_DOUBT);
}

/* ---- points ---- */

/* What it is, but for protocol and n, in the words of a plan. */
static void write_point(const struct sheet *page, const struct rl_point *point)
{
    const struct rl_plan_line line = rl_plan_line(point);
    const char *rest = strstr(strstr(line.text, "; n=") + 1, "; ");
    report_put(page, "<tr><td class=left>%s<td>%u<td class=left>%s", point->run.protocol->name,
               point->run.params.n, rest ? rest + 2 : "");
}

/* Of trials that gave up a mean says only what it is at least. */
static void write_mean(const struct sheet *page, const struct rl_stats *stats)
{
    report_put(page, "<td>");
    if (stats->count == 0)
        return;
    report_put(page, "<b>%s%.0f</b>", stats->gave_up ? "≥ " : "", stats->mean);
    if (stats->gave_up > 0)
        report_put(page, "; %zu of %zu gave up", stats->gave_up, stats->count);
    else if (isfinite(stats->low))
        report_put(page, " [%.0f, %.0f]", stats->low, stats->high);
}

static void write_quantiles(const struct sheet *page, const struct rl_summary_stats *all)
{
    const double quantiles[] = {all->p05, all->p25, all->median,
                                all->p75, all->p95, all->stats.gave_up ? NAN : all->stats.most};
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
        if (all->stats.count > 0)
            report_put(page, isfinite(quantiles[i]) ? "<td>%.0f" : "<td>unknown", quantiles[i]);
        else
            report_put(page, "<td>");
}

/* Mean steps over what they are compared with. */
static void write_ratios(const struct sheet *page, const struct rl_summary_point *point)
{
    const struct rl_params *params = &point->point->run.params;
    const struct rl_stats *stats = &point->measure.stats;
    const int bound = rl_protocol_parameter(point->point->run.protocol, "N");
    const double n = params->n, nn = bound < 0 ? NAN : n * params->value[bound];
    const double units[] = {nn, n * n, n * n * log2(n), n * n * n};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const double ratio = point->count > 0 ? stats->mean / units[i] : NAN;
        report_put(page, "<td>%s%.4g", stats->gave_up && !isnan(ratio) ? "≥ " : "", ratio);
    }
}

static void write_points(const struct sheet *page, const struct rl_summary *summary)
{
    report_put(page,
               "<h2>Points</h2>\n<div class=scroll><table id=points><thead><tr><th>protocol<th>n"
               "<th class=left>parameters, start<th class=left>target<th>trials<th>mean steps to "
               "the target, 95&nbsp;%%<th>mean / nN"
               "<th>mean / n<sup>2</sup><th>mean / n<sup>2</sup> log n<th>mean / n<sup>3</sup>"
               "<th>5&nbsp;%%<th>25&nbsp;%%<th>median<th>75&nbsp;%%<th>95&nbsp;%%<th>most"
               "</tr></thead><tbody>\n");
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *point = &summary->points[i];
        write_point(page, point->point);
        report_put(page, "<td class=left>%-s<td>%zu", point->target, point->count);
        write_mean(page, &point->measure.stats);
        write_ratios(page, point);
        write_quantiles(page, &point->measure);
        report_put(page, "</tr>\n");
    }
    report_put(page, "</tbody></table></div>\n<p class=note>A trial that gave up needs more steps "
                     "than its limit, but how many is not known. So the mean is a lower bound, and "
                     "quantiles that depend on such trials are unknown (the others are Kaplan and "
                     "Meier's).</p>\n");
}

/* ---- protocols from files ---- */

static void write_files(const struct sheet *page, const struct rl_summary *summary)
{
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_protocol *protocol = summary->plan.points[i].run.protocol;
        if (protocol->text && report_is_first_of_protocol(&summary->plan, i))
            report_put(page,
                       "<h2>The file of %s</h2>\n<p class=soft>SHA-256 %s</p>\n"
                       "<pre class=file>%s</pre>\n",
                       protocol->name, protocol->hash, protocol->text);
    }
}

/* ---- all ---- */

/* What a reader must know before anything else. */
static void write_state(const struct sheet *page, const struct rl_summary *summary)
{
    if (summary->trial_count < summary->wanted)
        report_put(page,
                   "<p class=warning id=unfinished>The study is not finished: %zu of %ju trials "
                   "are done.</p>\n",
                   summary->trial_count, (uintmax_t)summary->wanted);
    size_t gave_up = 0;
    for (size_t i = 0; i < summary->plan.count; i++)
        gave_up += summary->points[i].count - summary->points[i].reached;
    if (gave_up > 0)
        report_put(page,
                   "<p class=warning id=gave-up>%zu of %zu trials gave up before the target. The "
                   "means of their points are lower bounds, and no fit uses them.</p>\n",
                   gave_up, summary->trial_count);
    if (summary->easy[0])
        report_put(page, "<p class=warning id=easy>Easy starts were left out: %s.</p>\n",
                   summary->easy);
    if (summary->dropped > 0)
        report_put(page,
                   "<p class=warning id=dropped>%ju rows were impossible and are left out: the "
                   "file was damaged. `study --db` runs them again.</p>\n",
                   (uintmax_t)summary->dropped);
}

void report_write_page(struct writer *writer, const struct rl_report *report, const char *title)
{
    const struct rl_summary *summary = &report->summary;
    const struct sheet *page = &writer->page;
    report_put(page,
               "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
               "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
               "<link rel=icon href=\"data:,\">\n<title>%s</title>\n<style>",
               title);
    rl_plot_css(page->stream);
    fputs(STYLE, page->stream);
    report_put(page,
               "</style>\n<h1>%s</h1>\n<p class=soft>%zu trials at %zu points; ringleader %s, "
               "random streams of version %u.\nThe data: <a href=trials.csv>trials.csv</a> (every "
               "trial), <a href=points.csv>points.csv</a> (every hit at every point), <a "
               "href=growth.csv>growth.csv</a> (every fit), <a href=growth.tex>growth.tex</a> (the "
               "same for a paper)",
               title, summary->trial_count, summary->plan.count, rl_version(),
               (unsigned)RL_STREAM_VERSION);
    if (report_has_curves(summary))
        report_put(page, ", <a href=curves.csv>curves.csv</a> (gauges over time)");
    report_put(page, ".</p>\n");
    write_state(page, summary);
    write_growth(page, summary);
    report_write_figures(writer, summary);
    report_put(page, writer->figures ? "</div>\n" : "");
    write_points(page, summary);
    report_put(page, "<h2>Plan</h2>\n<pre id=plan>%s</pre>\n", report->plans);
    write_files(page, summary);
}
