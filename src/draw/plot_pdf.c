/* SPDX-License-Identifier: MIT
 *
 * Plots as PDF, by Cairo, which puts the fonts into the file as publishers want it.
 */
#include <cairo-pdf.h>
#include <cairo.h>

#include "draw/plot_canvas.h"

static void use_ink(cairo_t *cairo, int ink)
{
    const unsigned colour = plot_colour(ink);
    cairo_set_source_rgb(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                         (colour & 255) / 255.0);
}

static void make_path(cairo_t *cairo, const double *xy, size_t count)
{
    cairo_new_path(cairo);
    for (size_t i = 0; i < count; i++)
        cairo_line_to(cairo, xy[2 * i], xy[2 * i + 1]);
}

static void pdf_line(void *self, int ink, double width, unsigned dash, const char *role,
                     const double *xy, size_t count)
{
    cairo_t *cairo = self;
    const double *lengths;
    const size_t dashes = plot_dash(dash, &lengths);
    (void)role;
    use_ink(cairo, ink);
    cairo_set_line_width(cairo, width);
    cairo_set_dash(cairo, lengths, (int)dashes, 0);
    make_path(cairo, xy, count);
    cairo_stroke(cairo);
}

static void pdf_shape(void *self, int ink, bool open, const char *role, const double *xy,
                      size_t count)
{
    cairo_t *cairo = self;
    (void)role;
    make_path(cairo, xy, count);
    cairo_close_path(cairo);
    if (open)
        cairo_set_source_rgb(cairo, 1, 1, 1);
    else
        use_ink(cairo, ink);
    cairo_fill_preserve(cairo);
    use_ink(cairo, ink);
    cairo_set_dash(cairo, NULL, 0, 0);
    cairo_set_line_width(cairo, open ? 1.2 : 0.3);
    cairo_stroke(cairo);
}

static void pdf_text(void *self, double x, double y, enum plot_anchor anchor, bool upright,
                     const char *text)
{
    cairo_t *cairo = self;
    cairo_text_extents_t extents;
    if (!text || !text[0])
        return;
    use_ink(cairo, INK_TEXT);
    cairo_text_extents(cairo, text, &extents);
    const double shift = anchor == ANCHOR_START    ? 0
                         : anchor == ANCHOR_MIDDLE ? extents.x_advance / 2
                                                   : extents.x_advance;
    cairo_save(cairo);
    cairo_translate(cairo, x, y);
    if (upright)
        cairo_rotate(cairo, -3.14159265358979 / 2);
    cairo_move_to(cairo, -shift, 0);
    cairo_show_text(cairo, text);
    cairo_restore(cairo);
}

static cairo_status_t put(void *stream, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                      : CAIRO_STATUS_WRITE_ERROR;
}

enum rl_status rl_plot_pdf(const struct rl_plot *plot, FILE *stream)
{
    const struct plot_size size = plot_layout(plot);
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(put, stream, size.width, size.height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, plot->title);
    cairo_t *cairo = cairo_create(surface);
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 9);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    const struct plot_canvas canvas = {cairo, pdf_line, pdf_shape, pdf_text};
    plot_draw(plot, &canvas);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? RL_OK : RL_IO;
}
