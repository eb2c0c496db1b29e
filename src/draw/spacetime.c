/* SPDX-License-Identifier: MIT
 *
 * Sampling an execution for a space-time picture.
 *
 * How many agents of each column have each mark is kept up to date from event to event, so a row
 * costs O(columns) however large the ring. The length of an execution is not known beforehand: when
 * all rows are taken, every second one is merged into the one before it and rows are taken half as
 * often. Merging keeps the marks of the earlier row and adds the leaders of the later one.
 */
#include "ringleader/picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/run.h"
#include "core/inside.h"
#include "draw/inside.h"

enum { MOST = 1000, STEPS_A_ROW = 8 };
/* Rows an octave of a logarithmic picture has at first: 2^(1/64). */
static const double LOG_SPACING = 1.010889286051701;

static uint64_t position(const struct rl_spacetime *picture, uint64_t step, uint64_t event)
{
    return picture->options.scale == RL_SCALE_EVENTS ? event : step;
}

static uint32_t column_of(const struct rl_spacetime *picture, uint32_t agent)
{
    return (uint32_t)((uint64_t)agent * picture->columns / picture->params.n);
}

static void count_agent(struct rl_spacetime *picture, uint32_t agent, uint32_t marks, uint32_t one)
{
    uint32_t *count = picture->count + (size_t)column_of(picture, agent) * RL_SPACETIME_MARKS;
    for (int i = 0; i < RL_SPACETIME_MARKS; i++)
        if (marks & 1u << i)
            count[i] += one;
}

static void count_all(struct rl_spacetime *picture)
{
    memset(picture->count, 0,
           (size_t)picture->columns * RL_SPACETIME_MARKS * sizeof *picture->count);
    for (uint32_t i = 0; i < picture->params.n; i++)
        count_agent(picture, i, rl_look_marks(&picture->look, rl_ring_get(picture->ring, i)), 1);
}

/* ---- rows ---- */

static uint8_t shade_of(const struct rl_spacetime *picture, uint32_t column)
{
    const uint32_t agent =
        (uint32_t)(((uint64_t)column * picture->params.n + picture->columns - 1) /
                   picture->columns);
    const struct rl_variable *dist = picture->look.dist;
    const uint64_t size = rl_variable_size(dist, &picture->params);
    const uint64_t value = rl_variable_get(dist, rl_ring_get(picture->ring, agent));
    return (uint8_t)(size > 1 ? value * 255 / (size - 1) : 0);
}

/* A leader seen at any moment of a row stays in it. */
static uint8_t with_leaders(uint8_t cell, uint8_t marks)
{
    return cell & RL_MARK_LEADER || !(marks & RL_MARK_LEADER)
               ? cell
               : cell | (marks & (RL_MARK_LEADER | RL_MARK_SHIELD));
}

static void merge_rows(struct rl_spacetime *picture)
{
    const size_t columns = picture->columns;
    for (size_t row = 0; 2 * row < picture->rows; row++) {
        uint8_t *to = picture->cells + row * columns;
        const uint8_t *even = picture->cells + 2 * row * columns;
        const bool paired = 2 * row + 1 < picture->rows;
        for (size_t c = 0; c < columns; c++)
            to[c] = paired ? with_leaders(even[c], even[c + columns]) : even[c];
        if (picture->shades)
            memmove(picture->shades + row * columns, picture->shades + 2 * row * columns, columns);
        picture->at[row] = picture->at[2 * row];
    }
    picture->rows = (picture->rows + 1) / 2;
    picture->spacing *= picture->options.scale == RL_SCALE_LOG ? picture->spacing : 2;
}

static uint64_t row_after(const struct rl_spacetime *picture, uint64_t at)
{
    if (picture->options.scale != RL_SCALE_LOG)
        return at + (uint64_t)picture->spacing;
    const double next = (double)at * picture->spacing;
    return next > (double)(at + 1) ? (uint64_t)next : at + 1;
}

static void add_row(struct rl_spacetime *picture)
{
    if (picture->rows == picture->room)
        merge_rows(picture);
    const size_t row = picture->rows++;
    uint8_t *cells = picture->cells + row * picture->columns;
    for (uint32_t c = 0; c < picture->columns; c++) {
        const uint32_t *count = picture->count + (size_t)c * RL_SPACETIME_MARKS;
        cells[c] = 0;
        for (int i = 0; i < RL_SPACETIME_MARKS; i++)
            cells[c] |= (uint8_t)(count[i] > 0 ? 1u << i : 0);
        if (picture->shades)
            picture->shades[row * picture->columns + c] = shade_of(picture, c);
    }
    picture->at[row] = picture->next;
    picture->next = row_after(picture, picture->next);
}

/* The rows that begin before `at`: the ring has not changed since the last one. */
static void add_rows_before(struct rl_spacetime *picture, uint64_t at)
{
    while (picture->next < at)
        add_row(picture);
}

/* ---- what happens ---- */

/* At the very beginning of the next row it is that row's to show. */
static void change(struct rl_spacetime *picture, uint64_t at, uint32_t agent, rl_state before,
                   rl_state after)
{
    const uint32_t old = rl_look_marks(&picture->look, before);
    const uint32_t new = rl_look_marks(&picture->look, after);
    if (old == new)
        return;
    count_agent(picture, agent, old & ~new, UINT32_MAX);
    count_agent(picture, agent, new & ~old, 1);
    if (picture->rows > 0 && at < picture->next) {
        uint8_t *cell =
            picture->cells + (picture->rows - 1) * picture->columns + column_of(picture, agent);
        *cell = with_leaders(*cell, (uint8_t) new);
    }
}

void rl_spacetime_note(struct rl_spacetime *picture, uint64_t at, bool fault, const char *label)
{
    if (picture->note_count == RL_SPACETIME_NOTES)
        return;
    struct rl_spacetime_note *note = &picture->notes[picture->note_count++];
    *note = (struct rl_spacetime_note){.at = at, .fault = fault};
    snprintf(note->label, sizeof note->label, "%s", label);
}

void rl_spacetime_end(struct rl_spacetime *picture, uint64_t step, uint64_t events)
{
    picture->end = position(picture, step, events);
    add_rows_before(picture, picture->end + 1);
}

/* ---- watching a run ---- */

/* The hits of this batch; `events` and the batch say which event each was. */
static void note_hits(struct rl_spacetime *picture, const struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    for (size_t i = 0; i < protocol->set_count; i++) {
        const uint64_t hit = run->hits[i];
        if (hit != RL_NEVER && hit != picture->hits[i]) {
            uint64_t event = picture->events;
            for (size_t k = 0; k < run->batch.count && run->batch.events[k].step <= hit; k++)
                event++;
            rl_spacetime_note(picture, position(picture, hit, event), false,
                              protocol->sets[i].name);
        }
        picture->hits[i] = hit;
    }
}

static void on_batch(void *user, struct rl_run *run)
{
    struct rl_spacetime *picture = user;
    const struct rl_ring *ring = &run->ring;
    note_hits(picture, run);
    rl_batch_seek(&run->batch, &run->ring, 0);
    for (size_t i = 0; i < run->batch.count; i++) {
        const struct rl_event *event = &run->batch.events[i];
        const uint32_t initiator = rl_ring_initiator(ring, event->arc);
        const uint32_t responder = rl_ring_responder(ring, event->arc);
        const uint64_t at = position(picture, event->step, ++picture->events);
        add_rows_before(picture, at);
        change(picture, at, initiator, rl_ring_get(ring, initiator), event->l);
        change(picture, at, responder, rl_ring_get(ring, responder), event->r);
        rl_batch_seek(&run->batch, &run->ring, i + 1);
    }
}

static void on_fault(void *user, struct rl_run *run, size_t index, const uint32_t *agents)
{
    (void)agents;
    struct rl_spacetime *picture = user;
    const uint64_t at = position(picture, run->step, picture->events);
    char label[24];
    snprintf(label, sizeof label, "fault: %u agents", run->faults[index].agents);
    add_rows_before(picture, at + 1);
    count_all(picture);
    uint8_t *cells = picture->cells + (picture->rows - 1) * picture->columns;
    for (uint32_t i = 0; i < picture->params.n; i++) {
        const uint32_t marks = rl_look_marks(&picture->look, rl_ring_get(picture->ring, i));
        uint8_t *cell = &cells[column_of(picture, i)];
        *cell = with_leaders(*cell, (uint8_t)marks);
    }
    rl_spacetime_note(picture, at, true, label);
    rl_hits_forget(picture->hits);
    note_hits(picture, run);
}

void rl_spacetime_watch(struct rl_spacetime *picture, struct rl_run *run)
{
    rl_run_observe(run,
                   (struct rl_observer){.user = picture, .batch = on_batch, .fault = on_fault});
}

/* ---- memory ---- */

enum rl_status rl_spacetime_init(struct rl_spacetime *picture, const struct rl_ring *ring,
                                 const struct rl_spacetime_options *options)
{
    assert(ring->agents && "a ring without memory");
    const uint32_t n = ring->params.n;
    const uint32_t most = options->columns ? options->columns : MOST;
    const bool is_log = options->scale == RL_SCALE_LOG;
    *picture = (struct rl_spacetime){
        .options = *options,
        .look = rl_look_of(ring->protocol),
        .params = ring->params,
        .columns = n < most ? n : most,
        .room = options->rows ? options->rows : MOST,
        .ring = ring,
        .spacing = is_log                                                ? LOG_SPACING
                   : options->scale == RL_SCALE_STEPS && n > STEPS_A_ROW ? n / STEPS_A_ROW
                                                                         : 1,
    };
    const size_t cells = picture->room * picture->columns;
    picture->at = malloc(picture->room * sizeof *picture->at);
    picture->cells = malloc(cells);
    picture->count = malloc((size_t)picture->columns * RL_SPACETIME_MARKS * sizeof *picture->count);
    const bool shaded = options->dist && picture->look.dist;
    picture->shades = shaded ? malloc(cells) : NULL;
    if (!picture->at || !picture->cells || !picture->count || (shaded && !picture->shades))
        return RL_NO_MEMORY;
    count_all(picture);
    assert(picture->rows < picture->room); /* the first row is written, none is merged */
    add_row(picture);
    rl_hits_forget(picture->hits);
    return RL_OK;
}

void rl_spacetime_free(struct rl_spacetime *picture)
{
    free(picture->at);
    free(picture->cells);
    free(picture->shades);
    free(picture->count);
    *picture = (struct rl_spacetime){0};
}
