/* SPDX-License-Identifier: MIT
 *
 * Drawing an automaton. Its states stand on a circle, the start at the left; what is accepted has a
 * second ring. Arrows bend to their left, so that the two between a pair of states part. A state
 * from which nothing is accepted any more is not drawn, nor the arrows that lead there. An arrow
 * that more than half of the letters take is labelled by those that do not take it.
 */
#include "ringleader/automatonpicture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/colours.h"
#include "ringleader/text.h"

enum { DISC = 20, TITLE = 40, STEPS = 60, LEAST_RADIUS = 170, A_STATE = 40, LABEL_SIZE = 12 };

struct drawing {
    struct rl_pen *pen;
    const struct rl_every_n *answer;
    const struct rl_protocol *protocol;
    struct rl_every_n_automaton automaton;
    double cx, cy, radius;
    uint32_t shown;  /* states that are drawn */
    uint32_t *place; /* [state] on the circle; UINT32_MAX: not drawn */
};

static bool takes(const struct drawing *d, uint32_t from, uint32_t to, uint32_t letter)
{
    return d->automaton.next[(size_t)from * d->automaton.letters + letter] == to;
}

static bool is_dead(const struct drawing *d, uint32_t state)
{
    for (uint32_t a = 0; a < d->automaton.letters; a++)
        if (!takes(d, state, state, a))
            return false;
    return !d->automaton.accepts[state];
}

/* Directions from the middle, clockwise from the left. */
static struct rl_pen_point direction(const struct drawing *d, uint32_t state)
{
    const double angle = 3.14159265358979 * (1 + 2.0 * d->place[state] / d->shown);
    return (struct rl_pen_point){cos(angle), sin(angle)};
}

static struct rl_pen_point centre(const struct drawing *d, uint32_t state)
{
    const struct rl_pen_point to = direction(d, state);
    return (struct rl_pen_point){d->cx + d->radius * to.x, d->cy + d->radius * to.y};
}

/* ---- labels -----------------------------------------------------------------------------------
 */

/* The letters of an arrow; "" if there is none. */
static void list_letters(const struct drawing *d, uint32_t from, uint32_t to, char *memory,
                         size_t size)
{
    const uint32_t letters = d->automaton.letters;
    struct rl_text text = rl_text_into(memory, size);
    uint32_t count = 0;
    for (uint32_t a = 0; a < letters; a++)
        count += takes(d, from, to, a);
    const bool but = 2 * count > letters && count < letters;
    if (count == letters)
        rl_text_string(&text, "any");
    if (but)
        rl_text_string(&text, "not ");
    for (uint32_t a = 0, told = 0; a < letters && count < letters; a++)
        if (takes(d, from, to, a) != but) {
            rl_text_string(&text, told++ ? ", " : "");
            rl_ring_print_state(d->protocol, rl_every_n_letter(d->answer, a), &text);
        }
    if (count == 0)
        memory[0] = '\0';
}

static void draw_label(const struct drawing *d, struct rl_pen_point at, const char *text)
{
    const double width = 0.56 * LABEL_SIZE * (double)strlen(text) + 6;
    rl_pen_rect(d->pen, at.x - width / 2, at.y - LABEL_SIZE * 0.75, width, LABEL_SIZE * 1.4,
                COLOUR_PAPER);
    rl_pen_text(d->pen, at.x, at.y + LABEL_SIZE * 0.35, RL_PEN_MIDDLE, LABEL_SIZE, false,
                COLOUR_INK, text);
}

/* ---- arrows -----------------------------------------------------------------------------------
 */

static double distance(struct rl_pen_point a, struct rl_pen_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/* A point of the curve from a to b that is drawn towards c1 and c2. */
static struct rl_pen_point along(struct rl_pen_point a, struct rl_pen_point c1,
                                 struct rl_pen_point c2, struct rl_pen_point b, double t)
{
    const double s = 1 - t, k0 = s * s * s, k1 = 3 * s * s * t, k2 = 3 * s * t * t, k3 = t * t * t;
    return (struct rl_pen_point){k0 * a.x + k1 * c1.x + k2 * c2.x + k3 * b.x,
                                 k0 * a.y + k1 * c1.y + k2 * c2.y + k3 * b.y};
}

static void draw_head(const struct drawing *d, struct rl_pen_point from, struct rl_pen_point tip)
{
    const double length = distance(from, tip);
    const double x = (tip.x - from.x) / length, y = (tip.y - from.y) / length;
    const struct rl_pen_point points[] = {tip,
                                          {tip.x - 9 * x - 4 * y, tip.y - 9 * y + 4 * x},
                                          {tip.x - 9 * x + 4 * y, tip.y - 9 * y - 4 * x}};
    rl_pen_polygon(d->pen, points, 3, COLOUR_MUTED, COLOUR_MUTED, 1);
}

/* The curve between two discs, from rim to rim, with its head. */
static void draw_curve(const struct drawing *d, struct rl_pen_point a, struct rl_pen_point c1,
                       struct rl_pen_point c2, struct rl_pen_point b)
{
    const struct rl_pen_style style = {
        .fill = RL_PEN_NONE, .line = COLOUR_MUTED, .line_width = 1.4};
    struct rl_pen_point points[STEPS + 1];
    size_t count = 0;
    for (int i = 0; i <= STEPS; i++) {
        const struct rl_pen_point point = along(a, c1, c2, b, (double)i / STEPS);
        if (distance(point, a) > DISC && distance(point, b) > DISC + 3)
            points[count++] = point;
    }
    assert(count >= 3 && "states stand far apart");
    rl_pen_path(d->pen, points, count, false, &style);
    draw_head(d, points[count - 3], points[count - 1]);
}

/* A loop, outside the circle. */
static void draw_loop(const struct drawing *d, uint32_t state, const char *label)
{
    const struct rl_pen_point at = centre(d, state), out = direction(d, state);
    const double far = 80, wide = 40;
    const struct rl_pen_point c1 = {at.x + far * out.x - wide * out.y,
                                    at.y + far * out.y + wide * out.x};
    const struct rl_pen_point c2 = {at.x + far * out.x + wide * out.y,
                                    at.y + far * out.y - wide * out.x};
    draw_curve(d, at, c1, c2, at);
    const struct rl_pen_point apex = along(at, c1, c2, at, 0.5);
    draw_label(d, (struct rl_pen_point){apex.x + 20 * out.x, apex.y + 10 * out.y}, label);
}

static void draw_arrow(const struct drawing *d, uint32_t from, uint32_t to)
{
    char label[200];
    list_letters(d, from, to, label, sizeof label);
    if (!label[0] || d->place[from] == UINT32_MAX || d->place[to] == UINT32_MAX)
        return;
    if (from == to) {
        draw_loop(d, from, label);
        return;
    }
    const struct rl_pen_point a = centre(d, from), b = centre(d, to);
    const double bend = 0.18;
    const struct rl_pen_point middle = {(a.x + b.x) / 2 + bend * (b.y - a.y),
                                        (a.y + b.y) / 2 - bend * (b.x - a.x)};
    draw_curve(d, a, middle, middle, b);
    draw_label(d, along(a, middle, middle, b, 0.4), label);
}

/* ---- the picture ------------------------------------------------------------------------------
 */

static void draw_state(const struct drawing *d, uint32_t state)
{
    const struct rl_pen_point at = centre(d, state);
    char name[16];
    struct rl_text text = rl_text_into(name, sizeof name);
    rl_text_number(&text, state);
    rl_pen_circle(d->pen, at.x, at.y, DISC, COLOUR_FOLLOWER, COLOUR_INK, 1.6);
    if (d->automaton.accepts[state])
        rl_pen_circle(d->pen, at.x, at.y, DISC - 4, COLOUR_LEADER, COLOUR_INK, 1.2);
    rl_pen_text(d->pen, at.x, at.y + 5, RL_PEN_MIDDLE, 14, true, COLOUR_INK, name);
}

static void draw(const struct drawing *d, const char *title)
{
    const uint32_t states = d->automaton.states;
    rl_pen_rect(d->pen, 0, 0, d->pen->width, d->pen->height, COLOUR_PAPER);
    rl_pen_title(d->pen, COLOUR_INK, title);
    for (uint32_t from = 0; from < states; from++)
        for (uint32_t to = 0; to < states; to++)
            draw_arrow(d, from, to);
    for (uint32_t state = 0; state < states; state++)
        if (d->place[state] != UINT32_MAX)
            draw_state(d, state);
    const struct rl_pen_point start = centre(d, 0);
    rl_pen_line(d->pen, start.x - DISC, start.y - DISC - 30, start.x - 14, start.y - 14,
                COLOUR_MUTED, 1.4);
    draw_head(d, (struct rl_pen_point){start.x - DISC, start.y - DISC - 30},
              (struct rl_pen_point){start.x - 14, start.y - 16});
}

enum rl_status rl_automatonpicture_draw(const struct rl_every_n *answer,
                                        const struct rl_protocol *protocol, size_t set,
                                        const char *title, enum rl_pen_format format,
                                        bool (*put)(void *user, const void *bytes, size_t size),
                                        void *user)
{
    struct rl_pen pen;
    struct drawing d = {.pen = &pen,
                        .answer = answer,
                        .protocol = protocol,
                        .automaton = rl_every_n_automaton(answer, set)};
    d.place = malloc(d.automaton.states * sizeof *d.place);
    if (!d.place)
        return RL_NO_MEMORY;
    for (uint32_t s = 0; s < d.automaton.states; s++)
        d.place[s] = s > 0 && is_dead(&d, s) ? UINT32_MAX : d.shown++;
    d.radius = fmax(LEAST_RADIUS, (double)A_STATE * d.shown);
    const double size = 2 * (d.radius + 110);
    d.cx = size / 2;
    d.cy = TITLE + size / 2;
    rl_pen_open(&pen, format, size, size + TITLE);
    draw(&d, title);
    free(d.place);
    return rl_pen_close(&pen, put, user);
}
