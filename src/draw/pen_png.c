/* SPDX-License-Identifier: MIT
 *
 * PNG, drawn by Cairo: the only file that includes its header. Rectangles are not smoothed, so that
 * a cell of a space-time picture has exactly its colour.
 */
#include <cairo.h>

#include "draw/pen.h"

static void set_colour(cairo_t *cairo, uint32_t colour)
{
    cairo_set_source_rgb(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                         (colour & 255) / 255.0);
}

static void fill_and_stroke(cairo_t *cairo, uint32_t fill, uint32_t line, double line_width)
{
    if (fill != RL_PEN_NONE) {
        set_colour(cairo, fill);
        cairo_fill_preserve(cairo);
    }
    if (line != RL_PEN_NONE) {
        set_colour(cairo, line);
        cairo_set_line_width(cairo, line_width);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void open_png(struct rl_pen *pen)
{
    pen->surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)pen->width, (int)pen->height);
    pen->cairo = cairo_create(pen->surface);
    if (cairo_status(pen->cairo))
        pen->status = RL_NO_MEMORY;
}

struct sink {
    put_bytes *put;
    void *user;
};

static cairo_status_t write_png(void *closure, const unsigned char *bytes, unsigned size)
{
    const struct sink *sink = closure;
    return sink->put(sink->user, bytes, size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static enum rl_status close_png(struct rl_pen *pen, put_bytes *put, void *user)
{
    enum rl_status status = pen->status;
    struct sink sink = {put, user};
    if (!status && put) {
        const cairo_status_t written =
            cairo_surface_write_to_png_stream(pen->surface, write_png, &sink);
        status = written == CAIRO_STATUS_SUCCESS       ? RL_OK
                 : written == CAIRO_STATUS_WRITE_ERROR ? RL_IO
                                                       : RL_NO_MEMORY;
    }
    cairo_destroy(pen->cairo);
    cairo_surface_destroy(pen->surface);
    *pen = (struct rl_pen){0};
    return status;
}

static void rect_png(struct rl_pen *pen, double x, double y, double width, double height,
                     uint32_t fill)
{
    cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(pen->cairo, x, y, width, height);
    fill_and_stroke(pen->cairo, fill, RL_PEN_NONE, 0);
    cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void circle_png(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                       uint32_t line, double line_width)
{
    cairo_arc(pen->cairo, x, y, radius, 0, 6.283185307179586);
    fill_and_stroke(pen->cairo, fill, line, line_width);
}

static void polygon_png(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                        uint32_t fill, uint32_t line, double line_width)
{
    for (size_t i = 0; i < count; i++)
        cairo_line_to(pen->cairo, points[i].x, points[i].y);
    if (count > 2)
        cairo_close_path(pen->cairo);
    fill_and_stroke(pen->cairo, fill, line, line_width);
}

static void text_png(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                     bool bold, uint32_t fill, const char *text)
{
    cairo_text_extents_t extents;
    cairo_select_font_face(pen->cairo, "Inter, Helvetica, DejaVu Sans, sans-serif",
                           CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen->cairo, size);
    cairo_text_extents(pen->cairo, text, &extents);
    const double shift = anchor == RL_PEN_LEFT ? 0 : anchor == RL_PEN_MIDDLE ? 0.5 : 1;
    set_colour(pen->cairo, fill);
    cairo_move_to(pen->cairo, x - shift * extents.x_advance, y);
    cairo_show_text(pen->cairo, text);
    cairo_new_path(pen->cairo);
}

const struct pen_kind pen_kind_png = {open_png,   close_png,   rect_png,
                                      circle_png, polygon_png, text_png};
