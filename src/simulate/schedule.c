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
#include "simulate/inside.h"

/* The first failure sticks: after it nothing more is read. */
struct parser {
    struct rl_schedule *schedule;
    const char *at, *end, *line_start;
    uint32_t line;
    size_t open[RL_SCHEDULE_DEPTH];         /* the items with which open brackets begin ... */
    uint64_t length[RL_SCHEDULE_DEPTH + 1]; /* ... and the arcs in them so far, and outside */
    uint32_t depth;
    enum rl_status status;
    struct rl_error *error;
};

/* What is wrong here: a reason, which may have a number in it. */
static void fail(struct parser *parser, const char *reason, uint64_t number)
{
    if (parser->status)
        return;
    if (parser->error) {
        parser->error->line = parser->line;
        parser->error->column = (uint32_t)(parser->at - parser->line_start) + 1;
    }
    parser->status = rl_error_set(parser->error, RL_BAD_TEXT, reason, (unsigned long long)number);
}

static void skip_space(struct parser *parser)
{
    for (; parser->at < parser->end; parser->at++) {
        if (*parser->at == '#')
            while (parser->at + 1 < parser->end && parser->at[1] != '\n')
                parser->at++;
        else if (*parser->at == '\n') {
            parser->line++;
            parser->line_start = parser->at + 1;
        } else if (*parser->at != ' ' && *parser->at != '\t' && *parser->at != '\r')
            return;
    }
}

static bool digit_here(const struct parser *parser)
{
    return parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9';
}

/* A number of at most `most`; `reason` is what to say where there is none. */
static uint64_t read_number(struct parser *parser, uint64_t most, const char *reason)
{
    skip_space(parser);
    const char *const begin = parser->at;
    uint64_t value = digit_here(parser) ? 0 : UINT64_MAX;
    for (; digit_here(parser) && value <= most; parser->at++)
        value = value * 10 + (uint64_t)(*parser->at - '0');
    if (value <= most)
        return value;
    parser->at = begin;
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
    parser->at++;
    if (parser->at < parser->end && *parser->at == '^') {
        const char *const number = ++parser->at;
        times = read_number(parser, UINT64_C(1000000000000000),
                            "expected a number of repetitions, 1 to %llu");
        parser->at = times > 0 ? parser->at : number;
        if (times == 0)
            fail(parser, "a sequence is repeated at least once", 0);
    }
    add(parser, (struct rl_schedule_item){RL_REPEAT, (uint32_t)from, parser->depth, times}, arcs);
}

static bool take_word(struct parser *parser, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++)
        if (parser->at + i >= parser->end || parser->at[i] != word[i])
            return false;
    parser->at += i;
    return true;
}

static void read_item(struct parser *parser)
{
    if (*parser->at == '(' && parser->depth == RL_SCHEDULE_DEPTH)
        fail(parser, "brackets nested more than %llu deep", RL_SCHEDULE_DEPTH);
    else if (*parser->at == '(') {
        parser->open[parser->depth++] = parser->schedule->count;
        parser->length[parser->depth] = 0;
        parser->at++;
    } else if (*parser->at == ')')
        close_bracket(parser);
    else if (take_word(parser, "seqR"))
        read_arcs(parser, false, true);
    else if (take_word(parser, "seqL"))
        read_arcs(parser, true, true);
    else if (digit_here(parser))
        read_arcs(parser, false, false);
    else
        fail(parser, "expected an arc, seqR, seqL or a bracket", 0);
}

enum rl_status rl_schedule_parse(struct rl_schedule *schedule, uint32_t n, const char *text,
                                 size_t length, struct rl_error *error)
{
    assert(n > 0 && "a ring has arcs");
    *schedule = (struct rl_schedule){.n = n};
    struct parser parser = {.schedule = schedule,
                            .at = text,
                            .end = text + length,
                            .line_start = text,
                            .line = 1,
                            .error = error};
    for (skip_space(&parser); parser.at < parser.end && !parser.status; skip_space(&parser))
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
