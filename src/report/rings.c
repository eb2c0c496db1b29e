/* SPDX-License-Identifier: MIT
 *
 * Rings of real processes beside the model, where a study has both: whether the model's clock means
 * anything in the world.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"

/* The simulated point that differs from a real one in nothing else; NULL: none, or no trial. */
static const struct rl_summary_point *model_of(const struct rl_summary *summary,
                                               const struct rl_point *real)
{
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_point *point = &summary->plan.points[i];
        if (point->engine == RL_ENGINE_EVENT && point->protocol == real->protocol &&
            memcmp(&point->params, &real->params, sizeof point->params) == 0 &&
            strcmp(point->start, real->start) == 0 && point->fault_count == 0 &&
            point->max_steps == RL_NEVER && summary->points[i].reached > 0)
            return &summary->points[i];
    }
    return NULL;
}

static double distance_of(const struct rl_summary_point *a, const struct rl_summary_point *b)
{
    double *values = malloc((a->reached + b->reached) * sizeof *values);
    if (!values)
        return NAN;
    memcpy(values, a->values, a->reached * sizeof *values);
    memcpy(values + a->reached, b->values, b->reached * sizeof *values);
    rl_stats_sort(values, a->reached);
    rl_stats_sort(values + a->reached, b->reached);
    const double distance = rl_stats_distance(values, a->reached, values + a->reached, b->reached);
    free(values);
    return distance;
}

static double mean_trip(const struct rl_summary_point *point)
{
    double sum = 0;
    for (size_t i = 0; i < point->count; i++)
        sum += point->trials[i].trip;
    return sum / (double)point->count;
}

static void write_parallel_time(FILE *stream, const struct rl_summary_point *point)
{
    const double n = point->point->params.n;
    const struct rl_stats *stats = &point->measure.stats;
    fprintf(stream, "<td><b>%.1f</b>", stats->mean / n);
    if (stats->count > 1)
        fprintf(stream, " ± %.1f", (stats->high - stats->mean) / n);
    fprintf(stream, "<td>%s", rl_text_grouped(point->reached).text);
}

static void write_ring(FILE *stream, const struct rl_summary_point *real,
                       const struct rl_summary_point *model)
{
    const double trip = mean_trip(real);
    fprintf(stream, "<tr><td>%s<td>%u<td class=left>%s", real->point->protocol->name,
            real->point->params.n, real->point->start);
    write_parallel_time(stream, real);
    write_parallel_time(stream, model);
    fprintf(stream, "<td>%.3f<td>%.3f", distance_of(real, model),
            rl_stats_distance_limit(real->reached, model->reached));
    if (trip > 0)
        fprintf(stream, "<td>%.4f</tr>\n", trip);
    else
        fputs("<td>not kept</tr>\n", stream);
}

void report_write_rings(FILE *stream, const struct rl_summary *summary)
{
    bool any = false;
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *real = &summary->points[i];
        const struct rl_summary_point *model = NULL;
        if (real->point->engine == RL_ENGINE_PROCESSES && real->reached > 0)
            model = model_of(summary, real->point);
        if (!model)
            continue;
        if (!any)
            fputs("<h2>Real rings beside the model</h2>\n<div class=scroll><table id=rings><thead>"
                  "<tr><th>protocol<th>n<th class=left>start<th>real: parallel time, 95&nbsp;%"
                  "<th>rings<th>model: parallel time, 95&nbsp;%<th>trials<th>distance"
                  "<th>below, 95&nbsp;%<th>rate × round trip</tr></thead><tbody>\n",
                  stream);
        any = true;
        write_ring(stream, real, model);
    }
    if (any)
        fputs("</tbody></table></div>\n<p class=note>Rings of real processes, one an agent, over "
              "UDP; parallel time is steps to the target over n, and a step of a real ring is one "
              "of its interactions. The distance is Kolmogorov and Smirnov's, the next column what "
              "it stays below in 95&nbsp;% of cases if both are of one distribution. Where rate "
              "times round trip is 0.02 or less the order of interactions is as good as "
              "uniform.</p>\n",
              stream);
}
