/* SPDX-License-Identifier: MIT
 *
 * Figures: one at a time is described, written to its files, and put on the page.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "report/parts.h"
#include "base/new_file.h"
#include "draw/inside.h"

struct figure *report_new_figure(struct writer *writer, const char *format, ...)
{
    if (writer->figures == RL_REPORT_PLOTS) {
        writer->left_out++;
        return NULL;
    }
    struct figure *figure = &writer->figure;
    *figure = (struct figure){
        .writer = writer,
        .plot = {.title = figure->caption, .width = writer->width, .series = figure->series}};
    const int length = snprintf(figure->name, sizeof figure->name, "%02zu-", ++writer->figures);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(figure->name + length, sizeof figure->name - (size_t)length, format, arguments);
    va_end(arguments);
    for (char *c = figure->name; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '.' ? *c : '-';
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
    if (!series->x) {
        figure->writer->place.status = RL_NO_MEMORY;
    } else {
        series->y = series->x + count;
        series->low = series->y + count;
        series->high = series->low + count;
        series->count = count;
    }
    return series;
}

/* The numbers behind it. */
static void write_numbers(const struct figure *figure, FILE *stream)
{
    static const char *const kinds[] = {"points", "curve", "distribution", "bars", "reference"};
    const struct sheet csv = {stream, CSV};
    fputs("series,kind,x,y,low,high\n", stream);
    for (size_t i = 0; i < figure->plot.count; i++) {
        const struct rl_plot_series *series = &figure->series[i];
        const bool bars = series->kind == RL_PLOT_POINTS || series->kind == RL_PLOT_BARS;
        for (size_t k = 0; k < series->count; k++)
            report_put(&csv, "%s,%s,%.10g,%.10g,%.10g,%.10g\n",
                       figure->series[series->label[0] ? i : series->style].label,
                       kinds[series->kind], series->x[k], series->y[k], bars ? series->low[k] : NAN,
                       bars ? series->high[k] : NAN);
    }
}

static void draw(const struct figure *figure, enum rl_pen_format format, FILE *stream)
{
    if (rl_plot_draw(&figure->plot, format, rl_new_file_put, stream) == RL_NO_MEMORY)
        figure->writer->place.status = RL_NO_MEMORY;
}

static void write_file(const struct figure *figure, const char *ending)
{
    struct report_place *place = &figure->writer->place;
    char name[sizeof figure->name + sizeof "plots/.svg"];
    snprintf(name, sizeof name, "plots/%s.%s", figure->name, ending);
    FILE *const stream = report_place_open(place, name);
    if (stream && ending[0] == 'c')
        write_numbers(figure, stream);
    else if (stream)
        draw(figure, ending[0] == 's' ? RL_PEN_SVG : RL_PEN_PDF, stream);
    report_place_close(place, stream);
}

void report_end_figure(struct figure *figure, const char *caption, ...)
{
    const struct sheet *page = &figure->writer->page;
    va_list arguments;
    va_start(arguments, caption);
    vsnprintf(figure->caption, sizeof figure->caption, caption, arguments);
    va_end(arguments);
    rl_plot_widen_all(&figure->plot);
    write_file(figure, "svg");
    write_file(figure, "pdf");
    write_file(figure, "csv");
    report_put(page, figure->writer->figures == 1 ? "<h2>Plots</h2>\n<div class=figures>\n" : "");
    report_put(page, "<figure id=\"%s\">\n", figure->name);
    draw(figure, RL_PEN_SVG, page->stream);
    report_put(page,
               "<figcaption>%-s <a href=\"plots/%s.svg\">SVG</a> <a href=\"plots/%s.pdf\">"
               "PDF</a> <a href=\"plots/%s.csv\">CSV</a></figcaption></figure>\n",
               figure->caption, figure->name, figure->name, figure->name);
    for (size_t i = 0; i < figure->plot.count; i++)
        free(figure->series[i].x);
}
