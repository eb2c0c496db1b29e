/* SPDX-License-Identifier: MIT
 *
 * Plots: layout, axes, series, legend.
 *
 * All lengths are in points (1/72 inch). All plots of a page have the same width, so that they have
 * the same scale. The legend is below, in rows.
 */
#include "ringleader/picture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"
#include "base/plain.h"
#include "draw/inside.h"

static const double LEFT = 58, TOP = 12, BOTTOM = 44, RIGHT = 12, LEGEND_LINE = 15, KEY = 24,
                    MARK = 3.2;
#define PI 3.14159265358979

/* ---- colours ---- */

/* Series have Okabe and Ito's (2008), and Tol's; in grey, too, each differs from the next. Their
 * yellow is too light for thin lines on white, so it is darker and comes last. On dark paper, blue
 * and black change most, because they are dark themselves. */
enum { INK_PAPER, INK_TEXT, INK_AXIS, INK_GRID, INK_LINK, INK_SERIES, INK_COUNT = INK_SERIES + 8 };
static const struct {
    const char *name; /* in a style sheet */
    unsigned light, dark;
} PLOT_COLOURS[INK_COUNT] = {
    [INK_PAPER] = {"paper", 0xffffff, 0x16191d},
    [INK_TEXT] = {"text", 0x1a1a1a, 0xe8e8e8},
    [INK_AXIS] = {"soft", 0x444444, 0xa8a8a8},
    [INK_GRID] = {"rule", 0xdddddd, 0x383d44},
    [INK_LINK] = {"link", 0x0072b2, 0x6cb8f0},
    [INK_SERIES] = {"s0", 0x0072b2, 0x3d9be0},
    {"s1", 0xe69f00, 0xefb02f},
    {"s2", 0x332288, 0xb0a4f2},
    {"s3", 0x56b4e9, 0x86caf2},
    {"s4", 0xd55e00, 0xf07a28},
    {"s5", 0xcc79a7, 0xdc92ba},
    {"s6", 0x009e73, 0x1fbf92},
    {"s7", 0xb8a800, 0xe5da4a},
};

static void write_variables(FILE *stream, const char *condition, bool dark)
{
    fprintf(stream, "%s:root{", condition);
    for (int i = 0; i < INK_COUNT; i++)
        fprintf(stream, "--%s:#%06x;", PLOT_COLOURS[i].name,
                dark ? PLOT_COLOURS[i].dark : PLOT_COLOURS[i].light);
    fputs(condition[0] ? "}}" : "}", stream);
}

void rl_plot_css(FILE *stream)
{
    write_variables(stream, "", false);
    write_variables(stream, "@media(prefers-color-scheme:dark){", true);
    write_variables(stream, "@media print{", false);
    for (int i = INK_AXIS; i < INK_COUNT; i++)
        fprintf(stream, ".plot .%s{stroke:var(--%s);fill:var(--%s)}", PLOT_COLOURS[i].name,
                PLOT_COLOURS[i].name, PLOT_COLOURS[i].name);
    fputs(".plot text{fill:var(--text)}.plot .line,.plot .paper{fill:none}"
          ".plot .hollow{fill:var(--paper)}",
          stream);
}

/* ---- axes ---- */

void rl_plot_widen(struct rl_plot_axis *axis, const double *values, size_t count)
{
    for (size_t i = 0; values && i < count; i++) {
        if (!isfinite(values[i]) || (axis->logarithmic && values[i] <= 0))
            continue;
        const bool empty = axis->low > axis->high;
        axis->low = empty ? values[i] : fmin(axis->low, values[i]);
        axis->high = empty ? values[i] : fmax(axis->high, values[i]);
    }
}

void rl_plot_widen_all(struct rl_plot *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        const struct rl_plot_series *series = &plot->series[i];
        const bool bars = series->kind == RL_PLOT_POINTS || series->kind == RL_PLOT_BARS;
        rl_plot_widen(&plot->x, series->x, series->count);
        rl_plot_widen(&plot->y, series->y, series->count);
        rl_plot_widen(&plot->y, bars ? series->low : NULL, series->count);
        rl_plot_widen(&plot->y, bars ? series->high : NULL, series->count);
    }
}

/* An axis with a little air at its ends, as the line it is: place = at + slope * scaled value. */
struct scale {
    const struct rl_plot_axis *axis;
    double low, high; /* scaled */
    double from, to;  /* points */
};

static double scaled(const struct rl_plot_axis *axis, double value)
{
    return axis->logarithmic ? log10(fmax(value, 1e-300)) : value;
}

static struct scale make_scale(const struct rl_plot_axis *axis, double from, double to)
{
    struct scale scale = {axis, scaled(axis, axis->low), scaled(axis, axis->high), from, to};
    const double air = 0.04 * (scale.high - scale.low);
    if (axis->logarithmic || axis->low != 0)
        scale.low -= air;
    scale.high += air;
    if (!(scale.high > scale.low)) {
        scale.low -= 0.5;
        scale.high += 0.5;
    }
    return scale;
}

static double place(const struct scale *scale, double value)
{
    const double part = (scaled(scale->axis, value) - scale->low) / (scale->high - scale->low);
    return scale->from + fmax(-0.02, fmin(1.02, part)) * (scale->to - scale->from);
}

static bool inside(const struct scale *scale, double value)
{
    const double v = scaled(scale->axis, value);
    return v >= scale->low - 1e-9 && v <= scale->high + 1e-9;
}

/* "2·10^6" from 10^4 on and up to 10^-4, short numbers otherwise. */
static void write_number(double value, char text[32])
{
    const int power = value > 0 ? (int)floor(log10(value) + 1e-9) : 0;
    const double digits = value / pow(10, power);
    char front[16] = "";
    if (fabs(digits - 1) > 1e-6)
        plain_print(front, sizeof front, "%g·", digits);
    if (abs(power) < 4)
        plain_print(text, 32, "%g", value);
    else
        snprintf(text, 32, "%s10^%d", front, power);
}

struct ticks {
    double value[64];
    char label[64][32]; /* empty: a small tick */
    size_t count;
};

static void add_tick(struct ticks *ticks, const struct scale *scale, double value, bool labelled)
{
    if (ticks->count == 64 || !inside(scale, value))
        return;
    ticks->value[ticks->count] = value;
    ticks->label[ticks->count][0] = '\0';
    if (labelled)
        write_number(value, ticks->label[ticks->count]);
    ticks->count++;
}

/* Decades; where they are few, also 2 and 5; where they are many, every k-th. */
static void logarithmic_ticks(struct ticks *ticks, const struct scale *scale)
{
    const double decades = scale->high - scale->low;
    const int every = decades > 9 ? (int)ceil(decades / 9) : 1;
    for (int power = (int)floor(scale->low); power <= (int)ceil(scale->high); power++)
        for (int digit = 1; digit < 10; digit++) {
            const bool round = digit == 1 && power % every == 0;
            const bool half = (digit == 2 || digit == 5) && decades < 2.2;
            const bool any = decades < 0.7;
            if (every == 1 || digit == 1)
                add_tick(ticks, scale, digit * pow(10, power), round || half || any);
        }
}

static void linear_ticks(struct ticks *ticks, const struct scale *scale)
{
    const double rough = (scale->high - scale->low) / 5, unit = pow(10, floor(log10(rough)));
    const double ratio = rough / unit;
    const double step = unit * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    for (double k = ceil(scale->low / step - 1e-9); k * step <= scale->high + 1e-9 * step; k++)
        add_tick(ticks, scale, k == 0 ? 0 : k * step, true); /* never -0 */
}

static void choose_ticks(struct ticks *ticks, const struct scale *scale)
{
    const struct rl_plot_axis *axis = scale->axis;
    ticks->count = 0;
    for (size_t i = 0; i < axis->tick_count; i++) {
        const size_t before = ticks->count;
        add_tick(ticks, scale, axis->ordinal ? (double)i : axis->ticks[i], true);
        if (ticks->count > before)
            plain_print(ticks->label[before], 32, "%.10g", axis->ticks[i]);
    }
    if (axis->tick_count == 0 && axis->logarithmic)
        logarithmic_ticks(ticks, scale);
    else if (axis->tick_count == 0)
        linear_ticks(ticks, scale);
}

/* ---- drawing ---- */

struct drawing {
    const struct rl_plot *plot;
    struct rl_pen *pen;
    double letters, character; /* their size, and how wide they are about */
    double right, bottom;      /* of the frame */
    struct scale x, y;
};

static struct drawing layout(const struct rl_plot *plot, struct rl_pen *pen)
{
    struct drawing d = {.plot = plot, .pen = pen, .letters = plot->width > 0 ? 8 : 9};
    d.character = 5.3 * d.letters / 9;
    d.right = (plot->width > 0 ? fmax(plot->width, 160) : 400) - RIGHT;
    d.bottom = TOP + fmax(0.7 * (d.right - LEFT), 130);
    d.x = make_scale(&plot->x, LEFT, d.right);
    d.y = make_scale(&plot->y, d.bottom, TOP);
    return d;
}

static int ink_of(unsigned style)
{
    return INK_SERIES + (int)(style % RL_PLOT_STYLES);
}

/* `role` names what it is, for those who look into an SVG. */
static void draw_line(const struct drawing *d, int ink, double width, unsigned dash,
                      const char *role, const struct rl_pen_point *points, size_t count)
{
    char roles[32];
    snprintf(roles, sizeof roles, "line %s %s", PLOT_COLOURS[ink].name, role);
    rl_pen_path(d->pen, points, count, false,
                &(struct rl_pen_style){RL_PEN_NONE, PLOT_COLOURS[ink].light, width, dash, roles});
}

static void draw_shape(const struct drawing *d, int ink, bool hollow, const char *role,
                       const struct rl_pen_point *points, size_t count)
{
    char roles[32];
    const unsigned colour = PLOT_COLOURS[ink].light;
    snprintf(roles, sizeof roles, "%s%s %s", PLOT_COLOURS[ink].name, hollow ? " hollow" : "", role);
    rl_pen_path(d->pen, points, count, true,
                &(struct rl_pen_style){hollow ? PLOT_COLOURS[INK_PAPER].light : colour, colour,
                                       hollow ? 1.2 : 0.3, 0, roles});
}

static void draw_text(const struct drawing *d, double x, double y, enum rl_pen_anchor anchor,
                      const char *text)
{
    if (text && text[0])
        rl_pen_text(d->pen, x, y, anchor, d->letters, false, PLOT_COLOURS[INK_TEXT].light, text);
}

/* A line of the axes. */
static void draw_rule(const struct drawing *d, int ink, const char *role, double x1, double y1,
                      double x2, double y2)
{
    draw_line(d, ink, 0.6, 0, role, (struct rl_pen_point[]){{x1, y1}, {x2, y2}}, 2);
}

static void draw_x_axis(const struct drawing *d)
{
    struct ticks ticks;
    choose_ticks(&ticks, &d->x);
    double free_from = -1e9;
    for (size_t i = 0; i < ticks.count; i++) {
        const double x = place(&d->x, ticks.value[i]);
        const bool large = ticks.label[i][0];
        const double half = d->character * (double)strlen(ticks.label[i]) / 2;
        draw_rule(d, INK_AXIS, "tick", x, d->bottom, x, d->bottom + (large ? 4 : 2));
        if (!large || x - half < free_from)
            continue;
        draw_text(d, x, d->bottom + 14, RL_PEN_MIDDLE, ticks.label[i]);
        free_from = x + half + 3;
    }
    draw_text(d, (LEFT + d->right) / 2, d->bottom + 32, RL_PEN_MIDDLE, d->plot->x.label);
}

static void draw_y_axis(const struct drawing *d)
{
    struct ticks ticks;
    choose_ticks(&ticks, &d->y);
    for (size_t i = 0; i < ticks.count; i++) {
        const double y = place(&d->y, ticks.value[i]);
        const bool large = ticks.label[i][0];
        if (large)
            draw_rule(d, INK_GRID, "grid", LEFT, y, d->right, y);
        draw_rule(d, INK_AXIS, "tick", LEFT - (large ? 4 : 2), y, LEFT, y);
        draw_text(d, LEFT - 7, y + 3, RL_PEN_RIGHT, ticks.label[i]);
    }
    /* A long one is not cut off at the top, but begins below the frame. */
    const double half = d->character * (double)strlen(d->plot->y.label) / 2;
    draw_text(d, 12, fmax((TOP + d->bottom) / 2, half), RL_PEN_UPWARDS, d->plot->y.label);
}

static void draw_frame(const struct drawing *d)
{
    draw_line(
        d, INK_AXIS, 0.8, 0, "frame",
        (struct rl_pen_point[]){
            {LEFT, TOP}, {LEFT, d->bottom}, {d->right, d->bottom}, {d->right, TOP}, {LEFT, TOP}},
        5);
}

/* A mark: circle, square, triangle, diamond; then the same, hollow. */
static void draw_mark(const struct drawing *d, unsigned style, const char *role, double x, double y)
{
    static const struct {
        unsigned corners;
        double turn, size;
    } shapes[] = {{16, 0, 1}, {4, PI / 4, 1.3}, {3, -PI / 2, 1.35}, {4, 0, 1.35}}, *shape;
    struct rl_pen_point points[16];
    shape = &shapes[style % 4];
    for (unsigned i = 0; i < shape->corners; i++) {
        const double angle = shape->turn + 2 * PI * i / shape->corners;
        points[i] = (struct rl_pen_point){x + MARK * shape->size * cos(angle),
                                          y + MARK * shape->size * sin(angle)};
    }
    draw_shape(d, ink_of(style), style % 8 >= 4, role, points, shape->corners);
}

static void draw_points(const struct drawing *d, const struct rl_plot_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        const double x = place(&d->x, series->x[i]), end = 2.5;
        if (series->low && series->high) {
            const double low = place(&d->y, series->low[i]), high = place(&d->y, series->high[i]);
            const struct rl_pen_point bar[] = {{x - end, low}, {x + end, low},  {x, low},
                                               {x, high},      {x + end, high}, {x - end, high}};
            draw_line(d, ink_of(series->style), 1, 0, "interval", bar, 6);
        }
        draw_mark(d, series->style, "point", x, place(&d->y, series->y[i]));
    }
}

/* A line of a series; what is only to compare with is thin and dotted. */
static void draw_series_line(const struct drawing *d, const struct rl_plot_series *series,
                             const char *role, const struct rl_pen_point *points, size_t count)
{
    const bool thin = series->kind == RL_PLOT_REFERENCE;
    draw_line(d, ink_of(series->style), thin ? 0.7 : 1.2, thin ? 2 : series->style, role, points,
              count);
}

/* Joined points; stairs have a corner before each. */
static void draw_path(const struct drawing *d, const struct rl_plot_series *series,
                      const char *role)
{
    struct rl_pen_point *points = malloc((2 * series->count + 1) * sizeof *points);
    size_t count = 0;
    if (!points)
        d->pen->status = RL_NO_MEMORY;
    for (size_t i = 0; points && i < series->count; i++) {
        const double x = place(&d->x, series->x[i]);
        if (series->kind == RL_PLOT_STAIRS) {
            const double before = count > 0 ? points[count - 1].y : place(&d->y, 0);
            points[count++] = (struct rl_pen_point){x, before};
        }
        points[count++] = (struct rl_pen_point){x, place(&d->y, series->y[i])};
    }
    if (count > 0)
        draw_series_line(d, series, role, points, count);
    free(points);
}

static void draw_box(const struct drawing *d, unsigned style, const char *role, double left,
                     double low, double right, double high)
{
    draw_shape(d, ink_of(style), false, role,
               (struct rl_pen_point[]){{left, low}, {right, low}, {right, high}, {left, high}}, 4);
}

static void draw_series(const struct drawing *d, const struct rl_plot_series *series)
{
    static const char *const roles[] = {
        [RL_PLOT_LINE] = "curve", [RL_PLOT_STAIRS] = "stairs", [RL_PLOT_REFERENCE] = "reference"};
    if (series->kind == RL_PLOT_POINTS)
        draw_points(d, series);
    else if (series->kind != RL_PLOT_BARS)
        draw_path(d, series, roles[series->kind]);
    else
        for (size_t i = 0; i < series->count; i++)
            draw_box(d, series->style, "bar", place(&d->x, series->x[i] - 0.32),
                     place(&d->y, series->low[i]), place(&d->x, series->x[i] + 0.32),
                     place(&d->y, series->y[i]));
}

static void draw_key(const struct drawing *d, const struct rl_plot_series *series, double x,
                     double y)
{
    if (series->kind == RL_PLOT_POINTS)
        draw_mark(d, series->style, "key", x + 9, y);
    else if (series->kind == RL_PLOT_BARS)
        draw_box(d, series->style, "key", x + 4, y - 4, x + 14, y + 4);
    else
        draw_series_line(d, series, "key", (struct rl_pen_point[]){{x, y}, {x + 18, y}}, 2);
}

enum { LEGEND_LABEL = 66 }; /* at most; of what does not fit the middle is left out */

/* The legend's entries, in rows as wide as the plot; says how many rows. Without `shown` it only
 * counts. */
static size_t draw_legend(const struct drawing *d, bool shown)
{
    const double left = LEFT - 30, right = d->right + RIGHT;
    double x = left;
    size_t rows = 0;
    for (size_t i = 0; i < d->plot->count; i++) {
        const struct rl_plot_series *series = &d->plot->series[i];
        if (!series->label[0])
            continue;
        char label[LEGEND_LABEL];
        struct rl_text text = rl_text_into(label, sizeof label);
        const size_t fits = (size_t)fmin(sizeof label - 1, (right - left - KEY) / d->character);
        text.longest_string = strlen(series->label) > fits ? fits - strlen(" ... ") : fits;
        rl_text_format(&text, "%s", series->label);
        const double width = KEY + d->character * (double)strlen(label) + 10;
        if (rows == 0 || x + width > right) {
            x = left;
            rows++;
        }
        const double y = d->bottom + BOTTOM + LEGEND_LINE * ((double)rows - 0.5);
        if (shown) {
            draw_key(d, series, x, y);
            draw_text(d, x + KEY, y + 3, RL_PEN_LEFT, label);
        }
        x += width;
    }
    return rows;
}

enum rl_status rl_plot_draw(const struct rl_plot *plot, enum rl_pen_format format, rl_put put,
                            void *user)
{
    struct rl_pen pen;
    const struct drawing d = layout(plot, &pen);
    const double width = d.right + RIGHT,
                 height = d.bottom + BOTTOM + 4 + LEGEND_LINE * (double)draw_legend(&d, false);
    rl_pen_open(&pen, format, width, height, plot->title);
    rl_pen_path(&pen, (struct rl_pen_point[]){{0, 0}, {width, 0}, {width, height}, {0, height}}, 4,
                true,
                &(struct rl_pen_style){PLOT_COLOURS[INK_PAPER].light, RL_PEN_NONE, 0, 0, "paper"});
    draw_y_axis(&d);
    draw_x_axis(&d);
    draw_frame(&d);
    for (size_t i = 0; i < plot->count; i++)
        draw_series(&d, &plot->series[i]);
    draw_legend(&d, true);
    return rl_pen_close(&pen, put, user);
}
