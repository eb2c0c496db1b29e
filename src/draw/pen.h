/* SPDX-License-Identifier: MIT
 *
 * The two kinds of pens, one file each. pen.c chooses.
 */
#ifndef RINGLEADER_DRAW_PEN_H
#define RINGLEADER_DRAW_PEN_H

#include "ringleader/pen.h"

typedef bool put_bytes(void *user, const void *bytes, size_t size);

struct pen_kind {
    void (*open)(struct rl_pen *pen);
    enum rl_status (*close)(struct rl_pen *pen, put_bytes *put, void *user);
    void (*rect)(struct rl_pen *pen, double x, double y, double width, double height,
                 uint32_t fill);
    void (*circle)(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                   uint32_t line, double line_width);
    /* An open line of two points, or a closed polygon of more. */
    void (*polygon)(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                    uint32_t fill, uint32_t line, double line_width);
    void (*text)(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                 bool bold, uint32_t fill, const char *text);
};

extern const struct pen_kind pen_kind_svg, pen_kind_png;

#endif
