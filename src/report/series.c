/* SPDX-License-Identifier: MIT
 *
 * Figures and their series: room for them, and what follows from the numbers once they are there.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

#include "report/parts.h"
#include "draw/inside.h"

struct figure *report_new_figure(struct figures *figures, const char *name)
{
    if (figures->count == RL_REPORT_PLOTS) {
        figures->left_out++;
        return NULL;
    }
    struct figure *figure = &figures->at[figures->count++];
    snprintf(figure->name, sizeof figure->name, "%s", name);
    for (char *c = figure->name; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '.' ? *c : '-';
    figure->plot = (struct rl_plot){
        .title = figure->caption, .width = figures->width, .series = figure->series};
    figure->plot.x = (struct rl_plot_axis){.label = figure->x_label, .low = 1, .high = 0};
    figure->plot.y = (struct rl_plot_axis){.label = figure->y_label, .low = 1, .high = 0};
    return figure;
}

bool report_new_series(struct figure *figure, enum rl_plot_kind kind, unsigned style,
                       const char *label, size_t count, struct numbers *out)
{
    const size_t index = figure->plot.count;
    double *memory = index < REPORT_SERIES ? calloc(4 * count + 1, sizeof *memory) : NULL;
    if (!memory)
        return false;
    *out = (struct numbers){memory, memory + count, memory + 2 * count, memory + 3 * count};
    figure->numbers[index] = memory;
    if (label)
        snprintf(figure->labels[index], RL_FAMILY_LABEL, "%s", label);
    figure->series[index] = (struct rl_plot_series){
        kind,      style, label ? figure->labels[index] : NULL, out->x, out->y, out->low,
        out->high, count};
    figure->plot.count++;
    return true;
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
            bool known = false;
            for (size_t k = 0; k < axis->tick_count; k++)
                known |= axis->ticks[k] == series->x[i];
            if (!known && axis->tick_count == RL_PLOT_TICKS) {
                axis->tick_count = 0;
                return;
            }
            if (known)
                continue;
            size_t at = axis->tick_count++;
            for (; at > 0 && axis->ticks[at - 1] > series->x[i]; at--)
                axis->ticks[at] = axis->ticks[at - 1];
            axis->ticks[at] = series->x[i];
        }
    }
    for (size_t k = 0; k < axis->tick_count; k++) {
        snprintf(figure->tick_labels[k], sizeof figure->tick_labels[k], "%.0f", axis->ticks[k]);
        axis->tick_labels[k] = figure->tick_labels[k];
    }
}

void report_typeset(char *text, size_t size)
{
    char plain[RL_FAMILY_LABEL];
    snprintf(plain, sizeof plain, "%s", text);
    struct rl_text out = rl_text_into(text, size);
    for (const char *c = plain; *c; c++) {
        const bool lower = *c == '_' && c > plain && isalnum((unsigned char)c[-1]);
        if (!lower) {
            rl_text_char(&out, *c);
            continue;
        }
        rl_text_string(&out, RL_PEN_LOWER);
        for (; isalnum((unsigned char)c[1]); c++)
            rl_text_char(&out, c[1]);
        rl_text_string(&out, RL_PEN_LEVEL);
    }
}

void report_free_figures(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        for (size_t k = 0; k < REPORT_SERIES; k++)
            free(figures->at[i].numbers[k]);
    free(figures->at);
    *figures = (struct figures){0};
}
