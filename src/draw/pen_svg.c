/* SPDX-License-Identifier: MIT
 *
 * SVG, written into memory as it is drawn. Numbers have two decimals at most, so that the same
 * picture is the same file on every machine.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "draw/inside.h"
#include "draw/xml.h"
#include "base/plain.h"

__attribute__((format(printf, 2, 3))) static void put(struct rl_pen *pen, const char *format, ...)
{
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    const size_t length = (size_t)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    pen_append(pen, piece, length);
}

static void put_escaped(struct rl_pen *pen, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *entity = xml_entity(text[i]);
        pen_append(pen, entity ? entity : text + i, entity ? strlen(entity) : 1);
    }
}

/* " key='value'" without the zeros that say nothing. */
static void put_number(struct rl_pen *pen, const char *before, double value)
{
    char digits[64];
    plain_print(digits, sizeof digits, "%.2f", value);
    size_t length = strlen(digits);
    while (digits[length - 1] == '0')
        digits[--length] = '\0';
    if (digits[length - 1] == '.')
        digits[--length] = '\0';
    put(pen, "%s%s", before, strcmp(digits, "-0") == 0 ? "0" : digits);
}

static void put_attribute(struct rl_pen *pen, const char *name, double value)
{
    put(pen, " %s=\"", name);
    put_number(pen, "", value);
    put(pen, "\"");
}

static void put_style(struct rl_pen *pen, const struct rl_pen_style *style)
{
    const double *dashes;
    const size_t dash_count = pen_dashes(style, &dashes);
    if (style->role)
        put(pen, " class=\"%s\"", style->role);
    if (style->fill == RL_PEN_NONE)
        put(pen, " fill=\"none\"");
    else
        put(pen, " fill=\"#%06x\"", (unsigned)style->fill);
    if (style->line == RL_PEN_NONE)
        return;
    put(pen, " stroke=\"#%06x\"", (unsigned)style->line);
    put_attribute(pen, "stroke-width", style->line_width);
    for (size_t i = 0; i < dash_count; i++)
        put_number(pen, i ? " " : " stroke-dasharray=\"", dashes[i]);
    put(pen, "%s", dash_count ? "\"" : "");
}

static void put_size(struct rl_pen *pen, const char *name, double value)
{
    put(pen, " %s", name);
    put_number(pen, "=\"", value);
    put(pen, "%s\"", pen->title ? "pt" : "");
}

static void open_svg(struct rl_pen *pen)
{
    put(pen, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put(pen, "%s", pen->title ? " class=\"plot\" role=\"img\"" : "");
    put_size(pen, "width", pen->width);
    put_size(pen, "height", pen->height);
    put_number(pen, " viewBox=\"0 0 ", pen->width);
    put_number(pen, " ", pen->height);
    put(pen, "\" font-family=\"%s, Helvetica, Arial, sans-serif\">\n",
        pen->title ? "DejaVu Sans" : "Inter");
    if (pen->title) {
        put(pen, "<title>");
        put_escaped(pen, pen->title, strlen(pen->title));
        put(pen, "</title>\n");
    }
}

static void finish_svg(struct rl_pen *pen)
{
    put(pen, "</svg>\n");
}

static void rect_svg(struct rl_pen *pen, double x, double y, double width, double height,
                     uint32_t fill)
{
    put(pen, "<rect");
    put_attribute(pen, "x", x);
    put_attribute(pen, "y", y);
    put_attribute(pen, "width", width);
    put_attribute(pen, "height", height);
    put_style(pen, &(struct rl_pen_style){fill, RL_PEN_NONE});
    put(pen, "/>\n");
}

static void circle_svg(struct rl_pen *pen, double x, double y, double radius,
                       const struct rl_pen_style *style)
{
    put(pen, "<circle");
    put_attribute(pen, "cx", x);
    put_attribute(pen, "cy", y);
    put_attribute(pen, "r", radius);
    put_style(pen, style);
    put(pen, "/>\n");
}

static void path_svg(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                     bool closed, const struct rl_pen_style *style)
{
    put(pen, "<path d=\"");
    for (size_t i = 0; i < count; i++) {
        put_number(pen, i == 0 ? "M" : "L", points[i].x);
        put_number(pen, " ", points[i].y);
    }
    put(pen, "%s\"", closed ? "Z" : "");
    put_style(pen, style);
    put(pen, " stroke-linejoin=\"round\"/>\n");
}

/* A piece stands where the one before it ended: `dropped` lower than the line. */
static void put_pieces(struct rl_pen *pen, const char *text, double size)
{
    double dropped = 0;
    for (struct rl_formula at = {.text = text, .next = text}; rl_formula_next(&at);) {
        const double drop = pen_drop(&at, size);
        if (at.level || dropped != 0) {
            put(pen, "<tspan");
            put_attribute(pen, "dy", drop - dropped);
            put_attribute(pen, "font-size", pen_size(&at, size));
            put(pen, ">");
        }
        put_escaped(pen, at.piece, at.length);
        put(pen, at.level || dropped != 0 ? "</tspan>" : "");
        dropped = drop;
    }
}

static void text_svg(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                     bool bold, uint32_t fill, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end", "middle"};
    put(pen, "<text");
    put_attribute(pen, "x", x);
    put_attribute(pen, "y", y);
    put_attribute(pen, "font-size", size);
    put_style(pen, &(struct rl_pen_style){fill, RL_PEN_NONE});
    put(pen, " text-anchor=\"%s\"%s", anchors[anchor], bold ? " font-weight=\"600\"" : "");
    if (anchor == RL_PEN_UPWARDS) {
        put_number(pen, " transform=\"rotate(-90 ", x);
        put_number(pen, " ", y);
        put(pen, ")\"");
    }
    put(pen, ">");
    put_pieces(pen, text, size);
    put(pen, "</text>\n");
}

const struct pen_kind pen_kind_svg = {open_svg,   finish_svg, rect_svg,
                                      circle_svg, path_svg,   text_svg};
