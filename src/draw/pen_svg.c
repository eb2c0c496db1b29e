/* SPDX-License-Identifier: MIT
 *
 * SVG, written into memory as it is drawn. Numbers have two decimals at most, so that the same
 * picture is the same file on every machine.
 */
#include <stdio.h>
#include <string.h>

#include "draw/inside.h"
#include "draw/xml.h"
#include "base/plain.h"

/* A number without the zeros that say nothing: use `.text` in the same expression. */
struct number {
    char text[64];
};

static struct number number(double value)
{
    struct number number = {""};
    plain_print(number.text, sizeof number.text, "%.2f", value);
    size_t length = strlen(number.text);
    while (number.text[length - 1] == '0')
        length--;
    length -= number.text[length - 1] == '.';
    number.text[length] = '\0';
    if (strcmp(number.text, "-0") == 0)
        strcpy(number.text, "0");
    return number;
}

static void put_escaped(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *entity = xml_entity(text[i]);
        fwrite(entity ? entity : text + i, 1, entity ? strlen(entity) : 1, stream);
    }
}

static void put_style(FILE *stream, const struct rl_pen_style *style)
{
    const double *dashes;
    const size_t dash_count = pen_dashes(style, &dashes);
    if (style->role)
        fprintf(stream, " class=\"%s\"", style->role);
    if (style->fill == RL_PEN_NONE)
        fputs(" fill=\"none\"", stream);
    else
        fprintf(stream, " fill=\"#%06x\"", (unsigned)style->fill);
    if (style->line == RL_PEN_NONE)
        return;
    fprintf(stream, " stroke=\"#%06x\" stroke-width=\"%s\"", (unsigned)style->line,
            number(style->line_width).text);
    for (size_t i = 0; i < dash_count; i++)
        fprintf(stream, "%s%s", i ? " " : " stroke-dasharray=\"", number(dashes[i]).text);
    fputs(dash_count ? "\"" : "", stream);
}

static void open_svg(struct rl_pen *pen)
{
    const char *const unit = pen->title ? "pt" : "";
    const struct number width = number(pen->width), height = number(pen->height);
    fprintf(pen->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\"%s width=\"%s%s\" height=\"%s%s\" "
            "viewBox=\"0 0 %s %s\" font-family=\"%s, Helvetica, Arial, sans-serif\">\n",
            pen->title ? " class=\"plot\" role=\"img\"" : "", width.text, unit, height.text, unit,
            width.text, height.text, pen->title ? "DejaVu Sans" : "Inter");
    if (pen->title) {
        fputs("<title>", pen->stream);
        put_escaped(pen->stream, pen->title, strlen(pen->title));
        fputs("</title>\n", pen->stream);
    }
}

static void finish_svg(struct rl_pen *pen)
{
    fputs("</svg>\n", pen->stream);
}

static void rect_svg(struct rl_pen *pen, double x, double y, double width, double height,
                     uint32_t fill)
{
    fprintf(pen->stream, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", number(x).text,
            number(y).text, number(width).text, number(height).text);
    put_style(pen->stream, &(struct rl_pen_style){fill, RL_PEN_NONE});
    fputs("/>\n", pen->stream);
}

static void circle_svg(struct rl_pen *pen, double x, double y, double radius,
                       const struct rl_pen_style *style)
{
    fprintf(pen->stream, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"", number(x).text, number(y).text,
            number(radius).text);
    put_style(pen->stream, style);
    fputs("/>\n", pen->stream);
}

static void path_svg(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                     bool closed, const struct rl_pen_style *style)
{
    fputs("<path d=\"", pen->stream);
    for (size_t i = 0; i < count; i++)
        fprintf(pen->stream, "%c%s %s", i ? 'L' : 'M', number(points[i].x).text,
                number(points[i].y).text);
    fputs(closed ? "Z\"" : "\"", pen->stream);
    put_style(pen->stream, style);
    fputs(" stroke-linejoin=\"round\"/>\n", pen->stream);
}

/* A piece stands where the one before it ended: `dropped` lower than the line. */
static void put_pieces(FILE *stream, const char *text, double size)
{
    double dropped = 0;
    for (struct rl_formula at = {.text = text, .next = text}; rl_formula_next(&at);) {
        const double drop = pen_drop(&at, size);
        const bool apart = at.level || dropped != 0;
        if (apart)
            fprintf(stream, "<tspan dy=\"%s\" font-size=\"%s\">", number(drop - dropped).text,
                    number(pen_size(&at, size)).text);
        put_escaped(stream, at.piece, at.length);
        fputs(apart ? "</tspan>" : "", stream);
        dropped = drop;
    }
}

static void text_svg(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                     bool bold, uint32_t fill, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end", "middle"};
    const struct number left = number(x), base = number(y);
    fprintf(pen->stream, "<text x=\"%s\" y=\"%s\" font-size=\"%s\"", left.text, base.text,
            number(size).text);
    put_style(pen->stream, &(struct rl_pen_style){fill, RL_PEN_NONE});
    fprintf(pen->stream, " text-anchor=\"%s\"%s", anchors[anchor],
            bold ? " font-weight=\"600\"" : "");
    if (anchor == RL_PEN_UPWARDS)
        fprintf(pen->stream, " transform=\"rotate(-90 %s %s)\"", left.text, base.text);
    fputs(">", pen->stream);
    put_pieces(pen->stream, text, size);
    fputs("</text>\n", pen->stream);
}

const struct pen_kind pen_kind_svg = {open_svg,   finish_svg, rect_svg,
                                      circle_svg, path_svg,   text_svg};
