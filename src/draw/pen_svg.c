/* SPDX-License-Identifier: MIT
 *
 * SVG, written into memory as it is drawn. Numbers have two decimals at most, so that the same
 * picture is the same file on every machine.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/pen.h"

__attribute__((format(printf, 2, 3))) static void put(struct rl_pen *pen, const char *format, ...)
{
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    const size_t length = (size_t)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (pen->length + length >= pen->room) {
        char *larger = realloc(pen->text, pen->room = 2 * pen->room + length + 4096);
        if (!larger) {
            pen->status = RL_NO_MEMORY;
            return;
        }
        pen->text = larger;
    }
    memcpy(pen->text + pen->length, piece, length);
    pen->length += length;
}

/* " key='value'" without the zeros that say nothing. */
static void put_number(struct rl_pen *pen, const char *before, double value)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.2f", value);
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

static void put_colours(struct rl_pen *pen, uint32_t fill, uint32_t line, double line_width)
{
    if (fill == RL_PEN_NONE)
        put(pen, " fill=\"none\"");
    else
        put(pen, " fill=\"#%06x\"", (unsigned)fill);
    if (line == RL_PEN_NONE)
        return;
    put(pen, " stroke=\"#%06x\"", (unsigned)line);
    put_attribute(pen, "stroke-width", line_width);
}

static void open_svg(struct rl_pen *pen)
{
    put(pen, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(pen, "width", pen->width);
    put_attribute(pen, "height", pen->height);
    put_number(pen, " viewBox=\"0 0 ", pen->width);
    put_number(pen, " ", pen->height);
    put(pen, "\" font-family=\"Inter, Helvetica, Arial, sans-serif\">\n");
}

static enum rl_status close_svg(struct rl_pen *pen, put_bytes *write, void *user)
{
    put(pen, "</svg>\n");
    enum rl_status status = pen->status;
    if (!status && write && !write(user, pen->text, pen->length))
        status = RL_IO;
    free(pen->text);
    *pen = (struct rl_pen){0};
    return status;
}

static void rect_svg(struct rl_pen *pen, double x, double y, double width, double height,
                     uint32_t fill)
{
    put(pen, "<rect");
    put_attribute(pen, "x", x);
    put_attribute(pen, "y", y);
    put_attribute(pen, "width", width);
    put_attribute(pen, "height", height);
    put_colours(pen, fill, RL_PEN_NONE, 0);
    put(pen, "/>\n");
}

static void circle_svg(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                       uint32_t line, double line_width)
{
    put(pen, "<circle");
    put_attribute(pen, "cx", x);
    put_attribute(pen, "cy", y);
    put_attribute(pen, "r", radius);
    put_colours(pen, fill, line, line_width);
    put(pen, "/>\n");
}

static void polygon_svg(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                        uint32_t fill, uint32_t line, double line_width)
{
    put(pen, "<path d=\"");
    for (size_t i = 0; i < count; i++) {
        put_number(pen, i == 0 ? "M" : "L", points[i].x);
        put_number(pen, " ", points[i].y);
    }
    put(pen, "%s\"", count > 2 ? "Z" : "");
    put_colours(pen, fill, line, line_width);
    put(pen, " stroke-linejoin=\"round\"/>\n");
}

static void text_svg(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                     bool bold, uint32_t fill, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    put(pen, "<text");
    put_attribute(pen, "x", x);
    put_attribute(pen, "y", y);
    put_attribute(pen, "font-size", size);
    put_colours(pen, fill, RL_PEN_NONE, 0);
    put(pen, " text-anchor=\"%s\"%s>", anchors[anchor], bold ? " font-weight=\"600\"" : "");
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            put(pen, "%s", *text == '<' ? "&lt;" : "&amp;");
        else
            put(pen, "%c", *text);
    put(pen, "</text>\n");
}

const struct pen_kind pen_kind_svg = {open_svg,   close_svg,   rect_svg,
                                      circle_svg, polygon_svg, text_svg};
