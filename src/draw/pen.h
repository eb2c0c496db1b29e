/* SPDX-License-Identifier: MIT
 *
 * The two kinds of pens, one file each, and what they share. pen.c chooses.
 */
#ifndef RINGLEADER_DRAW_PEN_H
#define RINGLEADER_DRAW_PEN_H

#include "ringleader/picture.h"

typedef bool put_bytes(void *user, const void *bytes, size_t size);

struct pen_kind {
    void (*open)(struct rl_pen *pen);
    /* Writes the file, or the rest of it, into pen->text. Nothing more is drawn. */
    void (*finish)(struct rl_pen *pen);
    void (*rect)(struct rl_pen *pen, double x, double y, double width, double height,
                 uint32_t fill);
    void (*circle)(struct rl_pen *pen, double x, double y, double radius,
                   const struct rl_pen_style *style);
    void (*path)(struct rl_pen *pen, const struct rl_pen_point *points, size_t count, bool closed,
                 const struct rl_pen_style *style);
    void (*text)(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                 bool bold, uint32_t fill, const char *text);
};

extern const struct pen_kind pen_kind_svg, pen_kind_cairo;

/* Appends to pen->text. */
void pen_append(struct rl_pen *pen, const void *bytes, size_t size);
/* Lengths on and off; none for a solid line. */
size_t pen_dashes(const struct rl_pen_style *style, const double **lengths_out);

#endif
