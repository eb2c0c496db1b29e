/* SPDX-License-Identifier: MIT
 *
 * Figures and their series: room for them, and what follows from the numbers once they are there.
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

#include "report/parts.h"
#include "draw/inside.h"
#include "study/inside.h"

struct figure *report_new_figure(struct figures *figures, const char *format, ...)
{
    if (figures->count == RL_REPORT_PLOTS) {
        figures->left_out++;
        return NULL;
    }
    struct figure *figure = &figures->at[figures->count++];
    const int length = snprintf(figure->name, sizeof figure->name, "%02zu-", figures->count);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(figure->name + length, sizeof figure->name - (size_t)length, format, arguments);
    va_end(arguments);
    for (char *c = figure->name; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '.' ? *c : '-';
    figure->all = figures;
    figure->plot = (struct rl_plot){
        .title = figure->caption, .width = figures->width, .series = figure->series};
    figure->plot.x.low = figure->plot.y.low = 1; /* above `high`: nothing is there yet */
    return figure;
}

struct rl_plot_series *report_new_series(struct figure *figure, enum rl_plot_kind kind,
                                         unsigned style, size_t count, const char *label, ...)
{
    assert(figure->plot.count < REPORT_SERIES && "a figure of more series than there is room for");
    struct rl_plot_series *const series = &figure->series[figure->plot.count++];
    va_list arguments;
    va_start(arguments, label);
    vsnprintf(series->label, sizeof series->label, label, arguments);
    va_end(arguments);
    series->kind = kind;
    series->style = style;
    series->x = calloc(4 * count + 1, sizeof *series->x);
    figure->all->failed |= !series->x;
    if (series->x) {
        series->y = series->x + count;
        series->low = series->y + count;
        series->high = series->low + count;
        series->count = count;
    }
    return series;
}

void report_describe(struct figure *figure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(figure->caption, sizeof figure->caption, format, arguments);
    va_end(arguments);
}

void report_tick_at_values(struct figure *figure)
{
    struct rl_plot_axis *axis = &figure->plot.x;
    for (size_t s = 0; s < figure->plot.count; s++) {
        const struct rl_plot_series *series = &figure->series[s];
        for (size_t i = 0; i < series->count && series->kind == RL_PLOT_POINTS; i++) {
            size_t k = 0;
            while (k < axis->tick_count && axis->ticks[k] != series->x[i])
                k++;
            if (k == RL_PLOT_TICKS) {
                axis->tick_count = 0;
                return;
            }
            axis->ticks[k] = series->x[i];
            axis->tick_count += k == axis->tick_count;
        }
    }
    rl_stats_sort(axis->ticks, axis->tick_count);
}

void report_free_figures(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        for (size_t k = 0; k < REPORT_SERIES; k++)
            free(figures->at[i].series[k].x);
    free(figures->at);
    *figures = (struct figures){0};
}
