/* SPDX-License-Identifier: MIT
 *
 * Deterministic schedules: parsing, and the walk that yields the arcs.
 *
 * The items form a list; the end of a bracket is an item that sends the walk back to where the
 * bracket began until its rounds are done. The walk keeps one counter for each depth.
 */
#include "ringleader/run.h"

#include <assert.h>

#include "ringleader/status.h"
#include "base/grow.h"
#include "core/inside.h"
#include "simulate/inside.h"

/* The first failure sticks: after it nothing more is read. */
struct parser {
    struct rl_schedule *schedule;
    struct rl_reader text;
    size_t open[RL_SCHEDULE_DEPTH];         /* the items with which open brackets begin ... */
    uint64_t length[RL_SCHEDULE_DEPTH + 1]; /* ... and the arcs in them so far, and outside */
    uint32_t depth;
    enum rl_status status;
    struct rl_error *error;
};

/* What is wrong here: a reason, which may have a number in it. */
static void fail(struct parser *parser, const char *reason, uint64_t number)
{
    if (!parser->status)
        parser->status = rl_error_set(rl_reader_here(&parser->text, parser->error), RL_BAD_TEXT,
                                      reason, (unsigned long long)number);
}

/* A number of at most `most`; `reason` is what to say where there is none. */
static uint64_t read_number(struct parser *parser, uint64_t most, const char *reason)
{
    uint64_t number;
    rl_reader_skip(&parser->text);
    if (rl_reader_number(&parser->text, most, &number))
        return number;
    fail(parser, reason, most);
    return 0;
}

/* Adds an item of so many arcs, each time. */
static void add(struct parser *parser, struct rl_schedule_item item, uint64_t arcs)
{
    struct rl_schedule *schedule = parser->schedule;
    uint64_t *length = &parser->length[parser->depth];
    struct rl_schedule_item *items =
        grown(schedule->items, schedule->count, &schedule->room, sizeof *items);
    if (!items) {
        parser->status = parser->status ? parser->status : RL_NO_MEMORY;
        return;
    }
    schedule->items = items;
    schedule->items[schedule->count++] = item;
    const bool fits = arcs == 0 || item.times <= (RL_NEVER - *length) / arcs;
    *length = fits ? *length + arcs * item.times : RL_NEVER;
}

static void read_arcs(struct parser *parser, bool left, bool both)
{
    static const char *const reason = "expected an arc, 0 to %llu";
    const uint32_t n = parser->schedule->n;
    const uint32_t from = (uint32_t)read_number(parser, n - 1, reason);
    const uint32_t to = both ? (uint32_t)read_number(parser, n - 1, reason) : from;
    const uint32_t on = left ? from + n - to : to + n - from;
    add(parser, (struct rl_schedule_item){left ? RL_ARCS_LEFT : RL_ARCS_RIGHT, from, 0, on % n + 1},
        1);
}

static bool take_word(struct parser *parser, const char *word)
{
    const size_t length = rl_reader_sees(&parser->text, word);
    parser->text.at += length;
    return length > 0;
}

static void close_bracket(struct parser *parser)
{
    uint64_t times = 1;
    if (parser->depth == 0) {
        fail(parser, "a closing bracket without an opening one", 0);
        return;
    }
    const uint64_t arcs = parser->length[parser->depth--];
    const size_t from = parser->open[parser->depth];
    if (from == parser->schedule->count)
        fail(parser, "empty brackets", 0);
    parser->text.at++;
    if (take_word(parser, "^")) {
        const struct rl_reader here = parser->text;
        times = read_number(parser, UINT64_C(1000000000000000),
                            "expected a number of repetitions, 1 to %llu");
        parser->text = times > 0 ? parser->text : here;
        if (times == 0)
            fail(parser, "a sequence is repeated at least once", 0);
    }
    add(parser, (struct rl_schedule_item){RL_REPEAT, (uint32_t)from, parser->depth, times}, arcs);
}

static void read_item(struct parser *parser)
{
    const char here = *parser->text.at;
    if (here == '(' && parser->depth == RL_SCHEDULE_DEPTH)
        fail(parser, "brackets nested more than %llu deep", RL_SCHEDULE_DEPTH);
    else if (take_word(parser, "(")) {
        parser->open[parser->depth++] = parser->schedule->count;
        parser->length[parser->depth] = 0;
    } else if (here == ')')
        close_bracket(parser);
    else if (take_word(parser, "seqR"))
        read_arcs(parser, false, true);
    else if (take_word(parser, "seqL"))
        read_arcs(parser, true, true);
    else if (here >= '0' && here <= '9')
        read_arcs(parser, false, false);
    else
        fail(parser, "expected an arc, seqR, seqL or a bracket", 0);
}

enum rl_status rl_schedule_parse(struct rl_schedule *schedule, uint32_t n, const char *text,
                                 size_t length, struct rl_error *error)
{
    assert(n > 0 && "a ring has arcs");
    *schedule = (struct rl_schedule){.n = n};
    struct parser parser = {
        .schedule = schedule, .text = rl_reader_of(text, length), .error = error};
    for (rl_reader_skip(&parser.text); parser.text.at < parser.text.end && !parser.status;
         rl_reader_skip(&parser.text))
        read_item(&parser);
    if (parser.depth > 0)
        fail(&parser, "a bracket is not closed", 0);
    if (schedule->count == 0)
        fail(&parser, "there are no arcs", 0);
    schedule->length = parser.length[0];
    return parser.status;
}

void rl_schedule_free(struct rl_schedule *schedule)
{
    free(schedule->items);
    *schedule = (struct rl_schedule){0};
}

bool rl_schedule_next(struct rl_cursor *cursor, uint32_t *arc_out)
{
    const struct rl_schedule *schedule = cursor->schedule;
    while (cursor->item < schedule->count) {
        const struct rl_schedule_item *item = &schedule->items[cursor->item];
        if (item->kind == RL_REPEAT) { /* back to where the bracket began, or on */
            const bool again = ++cursor->done[item->depth] < item->times;
            cursor->done[item->depth] = again ? cursor->done[item->depth] : 0;
            cursor->item = again ? item->from : cursor->item + 1;
            continue;
        }
        const uint32_t n = schedule->n, gone = cursor->gone++;
        const uint32_t arc = item->from + (item->kind == RL_ARCS_RIGHT ? gone : n - gone);
        *arc_out = arc < n ? arc : arc - n;
        if (cursor->gone == item->times) {
            cursor->gone = 0;
            cursor->item++;
        }
        return true;
    }
    return false;
}
