/* SPDX-License-Identifier: MIT
 *
 * PNG and PDF, drawn by Cairo: the only file that includes its headers. Rectangles are not
 * smoothed, so that a cell of a space-time picture has exactly its colour.
 */
#include <stdio.h>
#include <string.h>
#include <cairo-pdf.h>
#include <cairo.h>

#include "draw/inside.h"

static void set_colour(cairo_t *cairo, uint32_t colour)
{
    cairo_set_source_rgb(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                         (colour & 255) / 255.0);
}

static void fill_and_stroke(cairo_t *cairo, const struct rl_pen_style *style)
{
    const double *dashes;
    const size_t dash_count = pen_dashes(style, &dashes);
    if (style->fill != RL_PEN_NONE) {
        set_colour(cairo, style->fill);
        cairo_fill_preserve(cairo);
    }
    if (style->line != RL_PEN_NONE) {
        set_colour(cairo, style->line);
        cairo_set_line_width(cairo, style->line_width);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_dash(cairo, dashes, (int)dash_count, 0);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned size)
{
    const struct rl_pen *pen = closure;
    return fwrite(bytes, 1, size, pen->stream) == size ? CAIRO_STATUS_SUCCESS
                                                       : CAIRO_STATUS_NO_MEMORY;
}

static void open_cairo(struct rl_pen *pen)
{
    pen->surface =
        pen->format == RL_PEN_PNG
            ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)pen->width, (int)pen->height)
            : cairo_pdf_surface_create_for_stream(append, pen, pen->width, pen->height);
    /* The same picture is the same file: no date, which Cairo would make the present one. */
    if (pen->format == RL_PEN_PDF)
        cairo_pdf_surface_set_metadata(pen->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    if (pen->title && pen->format == RL_PEN_PDF)
        cairo_pdf_surface_set_metadata(pen->surface, CAIRO_PDF_METADATA_TITLE, pen->title);
    pen->cairo = cairo_create(pen->surface); /* what is wrong with it is told at the end */
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

static void rect_cairo(struct rl_pen *pen, double x, double y, double width, double height,
                       uint32_t fill)
{
    cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(pen->cairo, x, y, width, height);
    fill_and_stroke(pen->cairo, &(struct rl_pen_style){fill, RL_PEN_NONE});
    cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void circle_cairo(struct rl_pen *pen, double x, double y, double radius,
                         const struct rl_pen_style *style)
{
    cairo_arc(pen->cairo, x, y, radius, 0, 6.283185307179586);
    fill_and_stroke(pen->cairo, style);
}

static void path_cairo(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                       bool closed, const struct rl_pen_style *style)
{
    for (size_t i = 0; i < count; i++)
        cairo_line_to(pen->cairo, points[i].x, points[i].y);
    if (closed)
        cairo_close_path(pen->cairo);
    fill_and_stroke(pen->cairo, style);
}

/* Shows a text piece by piece, or only says how wide it is. */
static double walk_text(cairo_t *cairo, double size, const char *text, bool show)
{
    double width = 0;
    for (struct rl_formula at = {.text = text, .next = text}; rl_formula_next(&at);) {
        char piece[256];
        cairo_text_extents_t extents;
        snprintf(piece, sizeof piece, "%.*s", (int)at.length, at.piece);
        cairo_set_font_size(cairo, pen_size(&at, size));
        cairo_text_extents(cairo, piece, &extents);
        if (show) {
            cairo_rel_move_to(cairo, 0, pen_drop(&at, size));
            cairo_show_text(cairo, piece);
            cairo_rel_move_to(cairo, 0, -pen_drop(&at, size));
        }
        width += extents.x_advance;
    }
    return width;
}

static void text_cairo(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor,
                       double size, bool bold, uint32_t fill, const char *text)
{
    cairo_select_font_face(
        pen->cairo, pen->title ? "DejaVu Sans" : "Inter, Helvetica, DejaVu Sans, sans-serif",
        CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    const double shift = anchor == RL_PEN_LEFT ? 0 : anchor == RL_PEN_RIGHT ? 1 : 0.5;
    cairo_save(pen->cairo);
    cairo_translate(pen->cairo, x, y);
    if (anchor == RL_PEN_UPWARDS)
        cairo_rotate(pen->cairo, -3.141592653589793 / 2);
    cairo_move_to(pen->cairo, -shift * walk_text(pen->cairo, size, text, false), 0);
    set_colour(pen->cairo, fill);
    walk_text(pen->cairo, size, text, true);
    cairo_restore(pen->cairo);
    cairo_new_path(pen->cairo);
}

const struct pen_kind pen_kind_cairo = {open_cairo,   finish_cairo, rect_cairo,
                                        circle_cairo, path_cairo,   text_cairo};
