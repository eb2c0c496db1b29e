/* SPDX-License-Identifier: MIT
 *
 * Deterministic schedules: parsing, and the walk that yields the arcs.
 *
 * The items form a list; the end of a bracket is an item that sends the walk back to where the
 * bracket began until its rounds are done. The walk keeps one counter for each open bracket.
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
    size_t open[RL_SCHEDULE_DEPTH];
    size_t depth;
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

static void add(struct parser *parser, struct rl_schedule_item item)
{
    struct rl_schedule *schedule = parser->schedule;
    struct rl_schedule_item *items =
        grown(schedule->items, schedule->count, &schedule->room, sizeof *items);
    if (!items) {
        parser->status = parser->status ? parser->status : RL_NO_MEMORY;
        return;
    }
    schedule->items = items;
    schedule->items[schedule->count++] = item;
}

static void read_arcs(struct parser *parser, int kind, bool both)
{
    static const char *const reason = "expected an arc, 0 to %llu";
    const uint64_t last = parser->schedule->n - 1;
    const uint32_t from = (uint32_t)read_number(parser, last, reason);
    const uint32_t to = both ? (uint32_t)read_number(parser, last, reason) : from;
    add(parser, (struct rl_schedule_item){.kind = kind, .from = from, .to = to});
}

static void close_bracket(struct parser *parser)
{
    const size_t from = parser->depth > 0 ? parser->open[--parser->depth] : SIZE_MAX;
    if (from == SIZE_MAX)
        fail(parser, "a closing bracket without an opening one", 0);
    if (from == parser->schedule->count)
        fail(parser, "empty brackets", 0);
    parser->at++;
    uint64_t times = 1;
    if (parser->at < parser->end && *parser->at == '^') {
        parser->at++;
        times = read_number(parser, UINT64_C(1000000000000000),
                            "expected a number of repetitions, 1 to %llu");
        if (times == 0) {
            parser->at--; /* back to the zero */
            fail(parser, "a sequence is repeated at least once", 0);
        }
    }
    add(parser,
        (struct rl_schedule_item){.kind = RL_REPEAT, .from = (uint32_t)from, .times = times});
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
        parser->at++;
    } else if (*parser->at == ')')
        close_bracket(parser);
    else if (take_word(parser, "seqR"))
        read_arcs(parser, RL_ARCS_RIGHT, true);
    else if (take_word(parser, "seqL"))
        read_arcs(parser, RL_ARCS_LEFT, true);
    else if (digit_here(parser))
        read_arcs(parser, RL_ARCS_RIGHT, false);
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
    return parser.status;
}

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Arcs in the items begin .. end-1. From the end, for there a bracket says where it began; brackets
 * nest RL_SCHEDULE_DEPTH deep at most, and so does this. */
static uint64_t length_of(const struct rl_schedule *schedule, size_t begin, size_t end)
{
    const uint32_t n = schedule->n;
    uint64_t total = 0;
    for (size_t i = end; i-- > begin;) {
        const struct rl_schedule_item *item = &schedule->items[i];
        if (item->kind == RL_REPEAT) {
            const uint64_t once = length_of(schedule, item->from, i);
            const bool fits = once == 0 || item->times <= UINT64_MAX / once;
            total = saturated_sum(total, fits ? once * item->times : UINT64_MAX);
            i = item->from;
        } else {
            const uint32_t from = item->kind == RL_ARCS_RIGHT ? item->from : item->to;
            const uint32_t to = item->kind == RL_ARCS_RIGHT ? item->to : item->from;
            total = saturated_sum(total, (uint64_t)to + (to < from ? n : 0) - from + 1);
        }
    }
    return total;
}

uint64_t rl_schedule_length(const struct rl_schedule *schedule)
{
    return length_of(schedule, 0, schedule->count);
}

void rl_schedule_free(struct rl_schedule *schedule)
{
    free(schedule->items);
    *schedule = (struct rl_schedule){0};
}

struct rl_cursor rl_schedule_begin(const struct rl_schedule *schedule)
{
    return (struct rl_cursor){.schedule = schedule};
}

/* At the end of a bracket: back to its beginning, or on. */
static void repeat(struct rl_cursor *cursor, const struct rl_schedule_item *item)
{
    if (cursor->depth == 0 || cursor->bracket[cursor->depth - 1] != cursor->item) {
        cursor->bracket[cursor->depth] = cursor->item;
        cursor->done[cursor->depth++] = 0;
    }
    if (++cursor->done[cursor->depth - 1] < item->times) {
        cursor->item = item->from;
    } else {
        cursor->depth--;
        cursor->item++;
    }
}

bool rl_schedule_next(struct rl_cursor *cursor, uint32_t *arc_out)
{
    const struct rl_schedule *schedule = cursor->schedule;
    for (;;) {
        if (cursor->item == schedule->count)
            return false;
        const struct rl_schedule_item *item = &schedule->items[cursor->item];
        if (item->kind == RL_REPEAT) {
            repeat(cursor, item);
            continue;
        }
        const uint32_t arc = cursor->inside ? cursor->arc : item->from;
        *arc_out = arc;
        cursor->inside = arc != item->to;
        if (!cursor->inside)
            cursor->item++;
        else if (item->kind == RL_ARCS_RIGHT)
            cursor->arc = arc + 1 == schedule->n ? 0 : arc + 1;
        else
            cursor->arc = arc == 0 ? schedule->n - 1 : arc - 1;
        return true;
    }
}
