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
    figure->plot.x = (struct rl_plot_axis){.label = figure->x_label, .low = 1, .high = 0};
    figure->plot.y = (struct rl_plot_axis){.label = figure->y_label, .low = 1, .high = 0};
    return figure;
}

struct numbers report_new_series(struct figure *figure, enum rl_plot_kind kind, unsigned style,
                                 const char *label, size_t count)
{
    const size_t index = figure->plot.count++;
    assert(index < REPORT_SERIES && "a figure of more series than there is room for");
    double *const memory = calloc(4 * count + 1, sizeof *memory);
    struct numbers out = {.x = memory};
    if (memory) {
        out.y = memory + count;
        out.low = out.y + count;
        out.high = out.low + count;
        out.count = count;
    }
    figure->all->failed |= !memory;
    figure->numbers[index] = memory;
    if (label)
        snprintf(figure->labels[index], RL_FAMILY_LABEL, "%s", label);
    figure->series[index] = (struct rl_plot_series){.kind = kind,
                                                    .style = style,
                                                    .label = label ? figure->labels[index] : NULL,
                                                    .x = out.x,
                                                    .y = out.y,
                                                    .low = out.low,
                                                    .high = out.high,
                                                    .count = out.count};
    return out;
}

void report_widen_axes(struct figure *figure)
{
    for (size_t i = 0; i < figure->plot.count; i++) {
        const struct rl_plot_series *series = &figure->series[i];
        rl_plot_widen(&figure->plot.x, series->x, series->count);
        rl_plot_widen(&figure->plot.y, series->y, series->count);
        if (series->kind == RL_PLOT_POINTS || series->kind == RL_PLOT_BARS) {
            rl_plot_widen(&figure->plot.y, series->low, series->count);
            rl_plot_widen(&figure->plot.y, series->high, series->count);
        }
    }
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
            free(figures->at[i].numbers[k]);
    free(figures->at);
    *figures = (struct figures){0};
}
