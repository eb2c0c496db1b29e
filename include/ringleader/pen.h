/* SPDX-License-Identifier: MIT
 *
 * A pen: what a picture or a plot is drawn with. One drawing code, three kinds of files.
 *
 *     struct rl_pen pen;
 *     rl_pen_open(&pen, RL_PEN_SVG, 640, 400);
 *     rl_pen_rect(&pen, 0, 0, 640, 400, 0xffffff);
 *     status = rl_pen_close(&pen, put, file);
 *
 * SVG is written by us: text stays text, files are small and the same on every machine, and classes
 * let a page colour them for light and dark. PNG and PDF are drawn by Cairo, which puts the fonts
 * into the PDF as publishers want it. Coordinates are pixels, or points of a PDF, from the top left
 * corner; colours are 0xrrggbb.
 */
#ifndef RINGLEADER_PEN_H
#define RINGLEADER_PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/status.h"

RL_BEGIN

/* Begin and end what is lowered in a text. */
#define RL_PEN_LOWER "\x0e"
#define RL_PEN_LEVEL "\x0f"

enum rl_pen_format { RL_PEN_SVG, RL_PEN_PNG, RL_PEN_PDF };
/* Where a text stands at its place; the last is in the middle of it and reads upwards. */
enum rl_pen_anchor { RL_PEN_LEFT, RL_PEN_MIDDLE, RL_PEN_RIGHT, RL_PEN_UPWARDS };

/* No fill, or no line. */
#define RL_PEN_NONE UINT32_MAX

struct rl_pen_point {
    double x, y;
};

struct rl_pen_style {
    uint32_t fill, line;
    double line_width;
    unsigned dash;    /* 0: solid; others are patterns */
    const char *role; /* the class in an SVG; NULL: none */
};

struct rl_pen {
    enum rl_pen_format format;
    double width, height;
    const char *title;     /* NULL: none */
    enum rl_status status; /* the first failure; later drawing does nothing */
    void *surface, *cairo; /* Cairo's */
    char *text;            /* what is written so far */
    size_t length, room;
};

/* Begins a picture. rl_pen_close ends it in any case. */
void rl_pen_open(struct rl_pen *pen, enum rl_pen_format format, double width, double height);
/* The same for a plot: with a title for those who cannot see it, and measured in points. */
void rl_pen_open_plot(struct rl_pen *pen, enum rl_pen_format format, double width, double height,
                      const char *title);

/* Writes the file through `put(user, bytes, size)`, which says whether it could, and frees
 * everything. RL_NO_MEMORY or RL_IO. With `put` NULL the picture is thrown away. */
RL_MUST_CHECK enum rl_status rl_pen_close(struct rl_pen *pen,
                                          bool (*put)(void *user, const void *bytes, size_t size),
                                          void *user);

void rl_pen_rect(struct rl_pen *pen, double x, double y, double width, double height,
                 uint32_t fill);
void rl_pen_line(struct rl_pen *pen, double x1, double y1, double x2, double y2, uint32_t line,
                 double line_width);
void rl_pen_circle(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                   uint32_t line, double line_width);
void rl_pen_polygon(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                    uint32_t fill, uint32_t line, double line_width);
/* An open line, or a closed shape. */
void rl_pen_path(struct rl_pen *pen, const struct rl_pen_point *points, size_t count, bool closed,
                 const struct rl_pen_style *style);
/* The text's baseline is at y. What stands between the bytes 14 and 15 is lowered and smaller. */
void rl_pen_text(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                 bool bold, uint32_t fill, const char *text);
/* A title at the top left, in letters as small as it takes for it to fit. */
void rl_pen_title(struct rl_pen *pen, uint32_t fill, const char *title);

RL_END

#endif
