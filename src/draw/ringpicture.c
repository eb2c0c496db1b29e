/* SPDX-License-Identifier: MIT
 *
 * Drawing a ring.
 */
#include "ringleader/picture.h"

#include <assert.h>
#include <math.h>

#include "draw/colours.h"
#include "core/inside.h"
#include "draw/inside.h"

enum { MARGIN = 74, TITLE = 44, LEAST_RADIUS = 190, MOST_RADIUS = 1200 };
#define PI 3.141592653589793

struct drawing {
    struct rl_pen *pen;
    const struct rl_ring *ring;
    struct rl_look look;
    double cx, cy, radius;
    double disc; /* radius of an agent */
};

/* Where an agent is: the outward direction (x, y); clockwise along the ring is (-y, x). */
struct place {
    double x, y;
};

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static struct rl_pen_point at(const struct drawing *d, struct place p, double out, double along)
{
    return (struct rl_pen_point){d->cx + p.x * (d->radius + out) - p.y * along,
                                 d->cy + p.y * (d->radius + out) + p.x * along};
}

/* A shape of seven corners, each so far along the ring and so far out. */
static void draw_shape(const struct drawing *d, struct place p, const double shape[7][2],
                       double along, double size, double out, const struct rl_pen_style *style)
{
    struct rl_pen_point points[7];
    for (int i = 0; i < 7; i++)
        points[i] = at(d, p, out + shape[i][1] * size, shape[i][0] * along * size);
    rl_pen_path(d->pen, points, 7, true, style);
}

static void draw_crown(const struct drawing *d, struct place p, double out)
{
    static const double shape[7][2] = {{-1, 0},      {-1.08, 1.25}, {-0.48, 0.65}, {0, 1.56},
                                       {0.48, 0.65}, {1.08, 1.25},  {1, 0}};
    draw_shape(d, p, shape, 1, clamp(d->disc * 1.1, 5, 10), out,
               &(struct rl_pen_style){COLOUR_LEADER, COLOUR_LEADER_EDGE, 1});
}

/* `ahead` is 1 if right is clockwise to the agent, and -1 if it is the other way round. */
static void draw_bullet(const struct drawing *d, struct place p, bool live, int ahead)
{
    static const double shape[7][2] = {{-1, -0.52}, {0.2, -0.52}, {0.8, -0.34}, {1.15, 0},
                                       {0.8, 0.34}, {0.2, 0.52},  {-1, 0.52}};
    const double size = clamp(d->disc * 0.62, 3.5, 8);
    draw_shape(d, p, shape, ahead, size, -d->disc - 6 - size,
               &(struct rl_pen_style){live ? COLOUR_LIVE : COLOUR_PAPER,
                                      live ? COLOUR_LIVE : COLOUR_DUMMY, 1.4});
}

static void draw_signal(const struct drawing *d, struct place p, int ahead)
{
    const double s = clamp(d->disc * 0.42, 2.5, 7);
    const double lane = -d->disc - 12 - 2 * clamp(d->disc * 0.62, 3.5, 8) - s;
    const struct rl_pen_point tip = at(d, p, lane, ahead * -s * 0.5);
    for (int side = -1; side <= 1; side += 2) {
        const struct rl_pen_point end = at(d, p, lane + side * s, ahead * s * 0.5);
        rl_pen_line(d->pen, tip.x, tip.y, end.x, end.y, COLOUR_SIGNAL, 1.8);
    }
}

static void draw_number(const struct drawing *d, double x, double base, double size, bool bold,
                        uint32_t colour, uint32_t number)
{
    char label[16];
    snprintf(label, sizeof label, "%u", number);
    rl_pen_text(d->pen, x, base, RL_PEN_MIDDLE, size, bold, colour, label);
}

static void draw_agent(const struct drawing *d, uint32_t i, struct place p)
{
    const rl_state state = rl_ring_get(d->ring, i);
    const uint32_t marks = rl_look_agent(&d->look, d->ring, i);
    const int ahead = marks & RL_MARK_LEFTWARD ? -1 : 1;
    const bool leads = marks & RL_MARK_LEADER;
    const uint32_t dist = d->look.dist ? rl_variable_get(d->look.dist, state) : 0;
    const uint32_t size = d->look.dist ? rl_variable_size(d->look.dist, &d->ring->params) : 1;
    const unsigned part = size > 1 ? (unsigned)((uint64_t)dist * 255 / (size - 1)) : 0;
    const struct rl_pen_point centre = at(d, p, 0, 0);
    rl_pen_circle(d->pen, centre.x, centre.y, d->disc, leads ? COLOUR_LEADER : colour_shade(part),
                  leads ? COLOUR_LEADER_EDGE : COLOUR_PAPER, 1);
    const double shield = marks & RL_MARK_SHIELD ? clamp(d->disc / 4, 2, 4) : 0;
    if (shield > 0)
        rl_pen_circle(d->pen, centre.x, centre.y, d->disc + shield * 1.25, RL_PEN_NONE,
                      COLOUR_SHIELD, shield);
    const double letters = clamp(d->disc * (dist > 99 ? 0.7 : 0.85), 7, 14);
    if (d->disc >= 8 && d->look.dist)
        draw_number(d, centre.x, centre.y + letters * 0.36, letters, true,
                    leads || part < 150 ? COLOUR_INK : COLOUR_PAPER, dist);
    if (leads)
        draw_crown(d, p, d->disc + shield * 2 + 3);
    if (marks & (RL_MARK_LIVE | RL_MARK_DUMMY))
        draw_bullet(d, p, marks & RL_MARK_LIVE, ahead);
    if (marks & RL_MARK_SIGNAL)
        draw_signal(d, p, ahead);
}

static void draw_agents(const struct drawing *d)
{
    const uint32_t n = d->ring->params.n;
    const uint32_t every = n <= 40 ? 1 : n <= 100 ? 5 : (n / 200 + 1) * 10;
    for (uint32_t i = 0; i < n; i++) {
        const double angle = 2 * PI * i / n;
        const struct place p = {sin(angle), -cos(angle)};
        const struct rl_pen_point label = at(d, p, d->disc + 36, 0);
        draw_agent(d, i, p);
        if (i % every == 0 && (i == 0 || n - i >= every / 2))
            draw_number(d, label.x, label.y + 4, 11, false, COLOUR_MUTED, i);
    }
}

static void draw_centre(const struct drawing *d)
{
    char words[64];
    const uint32_t leaders = rl_ring_leaders(d->ring);
    snprintf(words, sizeof words, "%u leader%s", leaders, leaders == 1 ? "" : "s");
    rl_pen_text(d->pen, d->cx, d->cy + 7, RL_PEN_MIDDLE, 22, true, COLOUR_INK, words);
}

enum rl_status rl_ringpicture_draw(const struct rl_ring *ring, const char *title,
                                   enum rl_pen_format format, rl_put put, void *user)
{
    assert(title && "a picture has a title");
    struct rl_pen pen;
    const uint32_t n = ring->params.n;
    if (n > RL_RINGPICTURE_AGENTS)
        return RL_TOO_LARGE;
    struct drawing d = {.pen = &pen, .ring = ring, .look = rl_look_of(ring->protocol)};
    d.radius = clamp(n * 2.2, LEAST_RADIUS, MOST_RADIUS);
    d.disc = clamp(2 * PI * d.radius / n * 0.37, 1.2, 19);
    d.cx = d.radius + MARGIN;
    d.cy = d.radius + MARGIN + TITLE - 16;
    rl_pen_open(&pen, format, 2 * d.cx, 2 * d.radius + 2 * MARGIN + TITLE - 8, NULL);
    rl_pen_rect(&pen, 0, 0, pen.width, pen.height, COLOUR_PAPER);
    rl_pen_title(&pen, COLOUR_INK, title);
    rl_pen_circle(&pen, d.cx, d.cy, d.radius, RL_PEN_NONE, COLOUR_LINE, clamp(d.disc / 3, 1, 4));
    draw_agents(&d);
    draw_centre(&d);
    return rl_pen_close(&pen, put, user);
}
