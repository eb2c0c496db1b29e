/* SPDX-License-Identifier: MIT
 *
 * Drawing a space-time picture: cells, axes, notes, legend.
 *
 * Cells of one colour, one below the other, are drawn as one rectangle, which keeps an SVG small: a
 * leader that leads for a thousand rows is one.
 */
#include <stdlib.h>
#include <string.h>

#include "draw/colours.h"
#include "ringleader/picture.h"
#include "core/inside.h"
#include "draw/inside.h"

enum {
    LEAST_LEFT = 92,
    TOP = 62,
    RIGHT = 128,
    BOTTOM = 58,
    WIDE = 900,
    HIGH = 640,
    LARGEST_CELL = 16
};

struct frame {
    const struct rl_spacetime *picture;
    struct rl_pen *pen;
    uint32_t cell_width, cell_height;
    double left;          /* room for the longest count beside it */
    double width, height; /* of the plot */
};

/* Whole pixels, so that no cell is blurred. */
static uint32_t cell_size(uint32_t room, uint32_t cells)
{
    const uint32_t size = cells > 0 ? room / cells : LARGEST_CELL;
    return size < 1 ? 1 : size > LARGEST_CELL ? LARGEST_CELL : size;
}

static struct frame frame_of(const struct rl_spacetime *picture, struct rl_pen *pen)
{
    struct frame frame = {.picture = picture, .pen = pen};
    const uint64_t last = picture->rows > 0 ? picture->at[picture->rows - 1] : 0;
    const double label = 24 + 6.6 * (double)strlen(rl_text_grouped(last).text);
    frame.left = label > LEAST_LEFT ? label : LEAST_LEFT;
    frame.cell_width = cell_size(WIDE, picture->columns);
    frame.cell_height = cell_size(HIGH, (uint32_t)picture->rows);
    frame.width = frame.cell_width * picture->columns;
    frame.height = (double)frame.cell_height * (double)picture->rows;
    return frame;
}

static uint32_t colour_of(const struct rl_spacetime *picture, size_t index)
{
    const uint8_t marks = picture->cells[index];
    if (marks & RL_MARK_LEADER)
        return marks & RL_MARK_SHIELD ? COLOUR_SHIELD : COLOUR_LEADER;
    if (marks & RL_MARK_LIVE)
        return COLOUR_LIVE;
    if (marks & RL_MARK_DUMMY)
        return COLOUR_DUMMY;
    if (marks & RL_MARK_SHIELD)
        return COLOUR_FAINT_SHIELD;
    if (marks & RL_MARK_SIGNAL)
        return COLOUR_FAINT_SIGNAL;
    return picture->shades ? colour_shade(picture->shades[index]) : COLOUR_FOLLOWER;
}

/* ---- cells ---- */

static void draw_cells(const struct frame *frame)
{
    const struct rl_spacetime *picture = frame->picture;
    rl_pen_rect(frame->pen, frame->left, TOP, frame->width, frame->height, COLOUR_FOLLOWER);
    for (uint32_t c = 0; c < picture->columns; c++)
        for (size_t top = 0, bottom; top < picture->rows; top = bottom) {
            const uint32_t colour = colour_of(picture, top * picture->columns + c);
            bottom = top + 1;
            while (bottom < picture->rows &&
                   colour_of(picture, bottom * picture->columns + c) == colour)
                bottom++;
            if (colour != COLOUR_FOLLOWER)
                rl_pen_rect(frame->pen, frame->left + (double)c * frame->cell_width,
                            TOP + (double)top * frame->cell_height, frame->cell_width,
                            (double)(bottom - top) * frame->cell_height, colour);
        }
}

/* ---- axes and notes ---- */

/* The y of a position: that of the row which holds it. */
static double y_at(const struct frame *frame, uint64_t at)
{
    const struct rl_spacetime *picture = frame->picture;
    size_t row = 0;
    while (row + 1 < picture->rows && picture->at[row + 1] <= at)
        row++;
    return TOP + (double)row * frame->cell_height;
}

/* The smallest of 1, 2, 5, 10, ... that cuts `length` into at most `most` parts. */
static uint64_t nice_step(uint64_t length, uint64_t most)
{
    uint64_t step = 1;
    for (int i = 0; length / step > most; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* `free_from` is where the last label ended; a tick that would touch it is left out. */
static void draw_tick(const struct frame *frame, uint64_t at, double *free_from)
{
    const double y = y_at(frame, at);
    if (y < *free_from)
        return;
    *free_from = y + 14;
    rl_pen_line(frame->pen, frame->left - 5, y + 0.5, frame->left, y + 0.5, COLOUR_MUTED, 1);
    rl_pen_text(frame->pen, frame->left - 9, y + 4, RL_PEN_RIGHT, 11, false, COLOUR_MUTED,
                rl_text_grouped(at).text);
}

static void draw_axes(const struct frame *frame)
{
    const struct rl_spacetime *picture = frame->picture;
    const bool is_log = picture->options.scale == RL_SCALE_LOG;
    const uint64_t tick = is_log ? 10 : nice_step(picture->end, 8);
    double free_from = 0;
    draw_tick(frame, 0, &free_from);
    for (uint64_t at = tick; at <= picture->end && at < UINT64_MAX / 10;
         at = is_log ? at * 10 : at + tick)
        draw_tick(frame, at, &free_from);
    const uint64_t step = nice_step(picture->params.n, 8);
    for (uint64_t agent = 0; agent < picture->params.n; agent += step) {
        char label[48];
        snprintf(label, sizeof label, "u_%s", rl_text_grouped(agent).text);
        const double x = frame->left + ((double)agent + 0.5) / picture->params.n * frame->width;
        rl_pen_line(frame->pen, x, TOP - 5, x, TOP, COLOUR_MUTED, 1);
        rl_pen_text(frame->pen, x, TOP - 9, RL_PEN_MIDDLE, 11, false, COLOUR_MUTED, label);
    }
    rl_pen_text(frame->pen, 14, TOP - 9, RL_PEN_LEFT, 11, false, COLOUR_MUTED,
                picture->options.scale == RL_SCALE_EVENTS ? "events" : "steps");
}

static void draw_notes(const struct frame *frame)
{
    const struct rl_spacetime *picture = frame->picture;
    const double right = frame->left + frame->width;
    double free_from = 0;
    for (size_t i = 0; i < picture->note_count; i++) {
        const struct rl_spacetime_note *note = &picture->notes[i];
        const uint32_t colour = note->fault ? COLOUR_LIVE : COLOUR_ACCENT;
        const double y = y_at(frame, note->at);
        const double text_y = y + 4 > free_from ? y + 4 : free_from;
        rl_pen_line(frame->pen, frame->left, y + 0.5, right, y + 0.5, colour, 1);
        rl_pen_line(frame->pen, right, y + 0.5, right + 8, text_y - 3.5, colour, 1);
        rl_pen_text(frame->pen, right + 11, text_y, RL_PEN_LEFT, 11, true, colour, note->label);
        rl_pen_text(frame->pen, right + 11, text_y + 13, RL_PEN_LEFT, 10, false, COLOUR_MUTED,
                    rl_text_grouped(note->at).text);
        free_from = text_y + 28;
    }
}

/* What cells can show, with the width of its name. By default only leaders show shields; a protocol
 * with marks of its own may let them travel. */
static void draw_legend(const struct frame *frame)
{
    const struct rl_look *look = &frame->picture->look;
    const uint32_t possible = rl_look_possible(look);
    const bool dummies = possible & RL_MARK_DUMMY;
    const struct {
        bool shown;
        uint32_t colour;
        const char *name;
        double width;
    } keys[] = {
        {true, COLOUR_LEADER, "leader", 74},
        {possible & RL_MARK_SHIELD, COLOUR_SHIELD, "shielded leader", 122},
        {possible & RL_MARK_SHIELD && look->protocol->marks, COLOUR_FAINT_SHIELD, "shield", 72},
        {possible & RL_MARK_LIVE, COLOUR_LIVE, dummies ? "live bullet" : "bullet",
         dummies ? 96 : 72},
        {dummies, COLOUR_DUMMY, "dummy bullet", 110},
        {possible & RL_MARK_SIGNAL, COLOUR_FAINT_SIGNAL, look->signal ? look->signal->name : "",
         74},
        {frame->picture->shades, COLOUR_NEAR, "", 12},
        {frame->picture->shades, COLOUR_FAR, "dist", 0},
    };
    const double y = TOP + frame->height + 24;
    double x = frame->left;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].shown) {
            rl_pen_rect(frame->pen, x, y, 12, 12, keys[i].colour);
            if (keys[i].name[0])
                rl_pen_text(frame->pen, x + 17, y + 10, RL_PEN_LEFT, 11, false, COLOUR_INK,
                            keys[i].name);
            x += keys[i].width;
        }
}

/* ---- the whole ---- */

enum rl_status rl_spacetime_draw(const struct rl_spacetime *picture, const char *title,
                                 enum rl_pen_format format, rl_put put, void *user)
{
    struct rl_pen pen;
    const struct frame frame = frame_of(picture, &pen);
    const double width = frame.left + frame.width + RIGHT;
    rl_pen_open(&pen, format, width < 640 ? 640 : width, TOP + frame.height + BOTTOM, NULL);
    rl_pen_rect(&pen, 0, 0, pen.width, pen.height, COLOUR_PAPER);
    rl_pen_title(&pen, COLOUR_INK, title);
    draw_cells(&frame);
    draw_axes(&frame);
    draw_notes(&frame);
    draw_legend(&frame);
    return rl_pen_close(&pen, put, user);
}
