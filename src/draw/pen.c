/* SPDX-License-Identifier: MIT
 *
 * A pen writes SVG by itself, into memory as it is drawn, and has Cairo draw PNG and PDF; nothing
 * is drawn after a failure. Numbers in an SVG have two decimals at most, so that the same picture
 * is the same file on every machine.
 */
#include "draw/inside.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cairo-pdf.h>
#include <cairo.h>

#include "base/plain.h"

/* ---- formulas ---- */

/* How many bytes are raised or lowered by the sign at `at`; 0 if it is no such sign. */
static size_t script(const char *text, const char *at)
{
    const size_t minus = *at == '^' && at[1] == '-';
    size_t length = *at == '^' ? strspn(at + 1 + minus, "0123456789.") : 0;
    if (length > 0)
        return length + minus - (at[minus + length] == '.'); /* the full stop of a sentence */
    if (*at == '^' && isalpha((unsigned char)at[1]) && !isalnum((unsigned char)at[2]))
        return 1;
    if (*at == '_' && at > text && isalpha((unsigned char)at[-1]) &&
        (at == text + 1 || !isalnum((unsigned char)at[-2])))
        while (isalnum((unsigned char)at[1 + length]))
            length++;
    return length;
}

static bool is_theta(const char *at)
{
    return strncmp(at, "Theta(", strlen("Theta(")) == 0;
}

bool rl_formula_next(struct rl_formula *formula)
{
    const char *const text = formula->text, *const at = formula->next;
    size_t length = script(text, at);
    if (length > 0)
        *formula = (struct rl_formula){text, at + 1 + length, at + 1, length, *at == '^' ? 1 : -1};
    else if (is_theta(at))
        *formula = (struct rl_formula){text, at + strlen("Theta"), "Θ", strlen("Θ"), 0};
    else {
        for (length = *at != '\0'; at[length]; length++)
            if (script(text, at + length) > 0 || is_theta(at + length))
                break;
        *formula = (struct rl_formula){text, at + length, at, length, 0};
    }
    return formula->length > 0;
}

/* ---- numbers and text of an SVG ---- */

/* A number with two decimals at most, and never -0: use `.text` in the same expression. */
struct number {
    char text[64];
};

static struct number number(double value)
{
    struct number number = {""};
    plain_print(number.text, sizeof number.text, "%.10g", rint(value * 100) / 100 + 0.0);
    return number;
}

/* The text, with the next number (a double) for each % in it. */
static void put_numbers(FILE *stream, const char *text, ...)
{
    va_list values;
    va_start(values, text);
    for (; *text; text++)
        if (*text == '%')
            fputs(number(va_arg(values, double)).text, stream);
        else
            fputc(*text, stream);
    va_end(values);
}

void rl_pen_escape(FILE *stream, const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at++)
        if (strchr("&<\"", *at) && *at)
            fputs(*at == '&' ? "&amp;" : *at == '<' ? "&lt;" : "&quot;", stream);
        else if ((unsigned char)*at < ' ' && *at != '\n' && *at != '\t')
            fputs("\xef\xbf\xbd", stream);
        else
            fputc(*at, stream);
}

/* ---- the file ---- */

static bool is_svg(const struct rl_pen *pen)
{
    return pen->format == RL_PEN_SVG;
}

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned size)
{
    const struct rl_pen *pen = closure;
    return fwrite(bytes, 1, size, pen->stream) == size ? CAIRO_STATUS_SUCCESS
                                                       : CAIRO_STATUS_NO_MEMORY;
}

static void open_svg(struct rl_pen *pen)
{
    const char *const unit = pen->title ? "pt" : "";
    const struct number width = number(pen->width), height = number(pen->height);
    fprintf(pen->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\"%s width=\"%s%s\" height=\"%s%s\" "
            "viewBox=\"0 0 %s %s\" stroke-linejoin=\"round\" "
            "font-family=\"%s, Helvetica, Arial, sans-serif\">\n",
            pen->title ? " class=\"plot\" role=\"img\"" : "", width.text, unit, height.text, unit,
            width.text, height.text, pen->title ? "DejaVu Sans" : "Inter");
    if (pen->title) {
        fputs("<title>", pen->stream);
        rl_pen_escape(pen->stream, pen->title, strlen(pen->title));
        fputs("</title>\n", pen->stream);
    } else
        fputs("<style>rect{shape-rendering:crispEdges}</style>\n", pen->stream);
}

/* What is wrong with it Cairo tells at the end. */
static void open_cairo(struct rl_pen *pen)
{
    const bool pdf = pen->format == RL_PEN_PDF;
    pen->surface =
        pdf ? cairo_pdf_surface_create_for_stream(append, pen, pen->width, pen->height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)pen->width, (int)pen->height);
    /* The same picture is the same file: no date, which Cairo would make the present one. */
    if (pdf)
        cairo_pdf_surface_set_metadata(pen->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    if (pdf && pen->title)
        cairo_pdf_surface_set_metadata(pen->surface, CAIRO_PDF_METADATA_TITLE, pen->title);
    pen->cairo = cairo_create(pen->surface);
}

void rl_pen_open(struct rl_pen *pen, enum rl_pen_format format, double width, double height,
                 const char *title)
{
    assert(width > 0 && height > 0 && "a picture has a size");
    *pen = (struct rl_pen){.format = format, .width = width, .height = height, .title = title};
    pen->stream = open_memstream(&pen->text, &pen->length);
    pen->status = pen->stream ? RL_OK : RL_NO_MEMORY;
    if (!pen->status)
        (is_svg(pen) ? open_svg : open_cairo)(pen);
}

static void finish_cairo(struct rl_pen *pen)
{
    cairo_destroy(pen->cairo);
    if (pen->format == RL_PEN_PNG && !pen->status &&
        cairo_surface_write_to_png_stream(pen->surface, append, pen))
        pen->status = RL_NO_MEMORY;
    cairo_surface_finish(pen->surface);
    if (cairo_surface_status(pen->surface))
        pen->status = RL_NO_MEMORY;
    cairo_surface_destroy(pen->surface);
}

enum rl_status rl_pen_close(struct rl_pen *pen, rl_put put, void *user)
{
    if (pen->stream) {
        if (is_svg(pen))
            fputs("</svg>\n", pen->stream);
        else
            finish_cairo(pen);
        const bool written = !ferror(pen->stream);
        if (fclose(pen->stream) != 0 || !written)
            pen->status = RL_NO_MEMORY;
    }
    if (!pen->status && put && !put(user, pen->text, pen->length))
        pen->status = RL_IO;
    const enum rl_status status = pen->status;
    free(pen->text);
    *pen = (struct rl_pen){0};
    return status;
}

/* ---- shapes ---- */

/* Lengths on and off; none for a solid line. */
static const struct dashes {
    int count;
    double lengths[6];
} DASHES[] = {{0},          {2, {6, 3}}, {2, {2, 2}}, {4, {6, 2, 1.5, 2}},
              {2, {12, 3}}, {2, {1, 3}}, {2, {3, 1}}, {6, {6, 2, 1.5, 2, 1.5, 2}}};

static void put_style(FILE *stream, const struct rl_pen_style *style)
{
    const struct dashes *dashes = &DASHES[style->dash % 8];
    if (style->role)
        fprintf(stream, " class=\"%s\"", style->role);
    if (style->fill == RL_PEN_NONE)
        fputs(" fill=\"none\"", stream);
    else
        fprintf(stream, " fill=\"#%06x\"", (unsigned)style->fill);
    if (style->line == RL_PEN_NONE)
        return;
    fprintf(stream, " stroke=\"#%06x\"", (unsigned)style->line);
    put_numbers(stream, " stroke-width=\"%\"", style->line_width);
    for (int i = 0; i < dashes->count; i++)
        put_numbers(stream, i ? " %" : " stroke-dasharray=\"%", dashes->lengths[i]);
    fputs(dashes->count ? "\"" : "", stream);
}

static void set_colour(cairo_t *cairo, uint32_t colour)
{
    cairo_set_source_rgb(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                         (colour & 255) / 255.0);
}

/* Ends a shape that has been begun. */
static void finish_shape(struct rl_pen *pen, const struct rl_pen_style *style)
{
    const struct dashes *dashes = &DASHES[style->dash % 8];
    if (is_svg(pen)) {
        put_style(pen->stream, style);
        fputs("/>\n", pen->stream);
        return;
    }
    if (style->fill != RL_PEN_NONE) {
        set_colour(pen->cairo, style->fill);
        cairo_fill_preserve(pen->cairo);
    }
    if (style->line != RL_PEN_NONE) {
        set_colour(pen->cairo, style->line);
        cairo_set_line_width(pen->cairo, style->line_width);
        cairo_set_line_join(pen->cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_dash(pen->cairo, dashes->lengths, dashes->count, 0);
        cairo_stroke_preserve(pen->cairo);
    }
    cairo_new_path(pen->cairo);
}

/* Not smoothed, so that a cell of a space-time picture has exactly its colour. */
void rl_pen_rect(struct rl_pen *pen, double x, double y, double width, double height, uint32_t fill)
{
    if (pen->status)
        return;
    if (is_svg(pen))
        put_numbers(pen->stream, "<rect x=\"%\" y=\"%\" width=\"%\" height=\"%\"", x, y, width,
                    height);
    else {
        cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_NONE);
        cairo_rectangle(pen->cairo, x, y, width, height);
    }
    finish_shape(pen, &(struct rl_pen_style){fill, RL_PEN_NONE});
    if (!is_svg(pen))
        cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

void rl_pen_circle(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                   uint32_t line, double line_width)
{
    if (pen->status)
        return;
    if (is_svg(pen))
        put_numbers(pen->stream, "<circle cx=\"%\" cy=\"%\" r=\"%\"", x, y, radius);
    else
        cairo_arc(pen->cairo, x, y, radius, 0, 6.283185307179586);
    finish_shape(pen, &(struct rl_pen_style){fill, line, line_width});
}

void rl_pen_path(struct rl_pen *pen, const struct rl_pen_point *points, size_t count, bool closed,
                 const struct rl_pen_style *style)
{
    if (pen->status)
        return;
    for (size_t i = 0; i < count; i++)
        if (is_svg(pen))
            put_numbers(pen->stream, i ? "L% %" : "<path d=\"M% %", points[i].x, points[i].y);
        else
            cairo_line_to(pen->cairo, points[i].x, points[i].y);
    if (is_svg(pen))
        fputs(closed ? "Z\"" : "\"", pen->stream);
    else if (closed)
        cairo_close_path(pen->cairo);
    finish_shape(pen, style);
}

void rl_pen_line(struct rl_pen *pen, double x1, double y1, double x2, double y2, uint32_t line,
                 double line_width)
{
    const struct rl_pen_point points[] = {{x1, y1}, {x2, y2}};
    rl_pen_path(pen, points, 2, false, &(struct rl_pen_style){RL_PEN_NONE, line, line_width});
}

/* ---- text ---- */

/* Writes a text piece by piece; Cairo may also only measure it (`show` false). Its width, as far as
 * Cairo knows. A piece stands where the one before it ended, `dropped` lower than the line. */
static double walk_text(struct rl_pen *pen, double size, const char *text, bool show)
{
    double width = 0, dropped = 0;
    for (struct rl_formula at = {.text = text, .next = text}; rl_formula_next(&at);) {
        const double letters = at.level ? size * 0.72 : size;
        const double drop = at.level < 0 ? size / 4 : at.level > 0 ? -size * 0.36 : 0;
        const bool apart = at.level || dropped != 0;
        if (is_svg(pen)) {
            if (apart)
                put_numbers(pen->stream, "<tspan dy=\"%\" font-size=\"%\">", drop - dropped,
                            letters);
            rl_pen_escape(pen->stream, at.piece, at.length);
            fputs(apart ? "</tspan>" : "", pen->stream);
        } else {
            char piece[256];
            cairo_text_extents_t extents;
            snprintf(piece, sizeof piece, "%.*s", (int)at.length, at.piece);
            cairo_set_font_size(pen->cairo, letters);
            cairo_text_extents(pen->cairo, piece, &extents);
            width += extents.x_advance;
            if (show) {
                cairo_rel_move_to(pen->cairo, 0, drop - dropped);
                cairo_show_text(pen->cairo, piece);
            }
        }
        dropped = drop;
    }
    return width;
}

static void text_svg(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                     bool bold, uint32_t fill, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end", "middle"};
    put_numbers(pen->stream, "<text x=\"%\" y=\"%\" font-size=\"%\"", x, y, size);
    put_style(pen->stream, &(struct rl_pen_style){fill, RL_PEN_NONE});
    fprintf(pen->stream, " text-anchor=\"%s\"%s", anchors[anchor],
            bold ? " font-weight=\"600\"" : "");
    if (anchor == RL_PEN_UPWARDS)
        put_numbers(pen->stream, " transform=\"rotate(-90 % %)\"", x, y);
    fputs(">", pen->stream);
    walk_text(pen, size, text, true);
    fputs("</text>\n", pen->stream);
}

void rl_pen_text(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                 bool bold, uint32_t fill, const char *text)
{
    const double shift = anchor == RL_PEN_LEFT ? 0 : anchor == RL_PEN_RIGHT ? 1 : 0.5;
    if (pen->status)
        return;
    if (is_svg(pen)) {
        text_svg(pen, x, y, anchor, size, bold, fill, text);
        return;
    }
    cairo_select_font_face(
        pen->cairo, pen->title ? "DejaVu Sans" : "Inter, Helvetica, DejaVu Sans, sans-serif",
        CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_save(pen->cairo);
    cairo_translate(pen->cairo, x, y);
    if (anchor == RL_PEN_UPWARDS)
        cairo_rotate(pen->cairo, -3.141592653589793 / 2);
    cairo_move_to(pen->cairo, -shift * walk_text(pen, size, text, false), 0);
    set_colour(pen->cairo, fill);
    walk_text(pen, size, text, true);
    cairo_restore(pen->cairo);
    cairo_new_path(pen->cairo);
}

void rl_pen_title(struct rl_pen *pen, uint32_t fill, const char *title)
{
    /* A pen cannot measure what it writes (an SVG has no font); bold letters and figures are 0.58
     * of their size wide on average, or less. */
    const double left = 14, most = 15;
    const double fits = (pen->width - 2 * left) / (0.58 * (double)(strlen(title) + 1));
    rl_pen_text(pen, left, 27, RL_PEN_LEFT, fits < most ? fits : most, true, fill, title);
}
