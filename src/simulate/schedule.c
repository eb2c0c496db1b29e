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

struct parser {
    struct rl_schedule *schedule;
    const char *at, *end, *line_start;
    uint32_t line;
    size_t open[RL_SCHEDULE_DEPTH];
    size_t depth;
    struct rl_error *error;
};

static struct rl_error *here(const struct parser *parser)
{
    if (parser->error) {
        parser->error->line = parser->line;
        parser->error->column = (uint32_t)(parser->at - parser->line_start) + 1;
    }
    return parser->error;
}

static enum rl_status fail(const struct parser *parser, const char *reason)
{
    return rl_error_set(here(parser), RL_BAD_TEXT, "%s", reason);
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

/* A number of at most `most`; `what` it is, and from where on, for the error's text. */
static enum rl_status read_number(struct parser *parser, uint64_t most, const char *what,
                                  uint64_t *out)
{
    skip_space(parser);
    const char *const begin = parser->at;
    uint64_t value = digit_here(parser) ? 0 : UINT64_MAX;
    for (; digit_here(parser) && value <= most; parser->at++)
        value = value * 10 + (uint64_t)(*parser->at - '0');
    if (value > most) {
        parser->at = begin;
        return rl_error_set(here(parser), RL_BAD_TEXT, "expected %s to %llu", what,
                            (unsigned long long)most);
    }
    *out = value;
    return RL_OK;
}

static enum rl_status add(struct parser *parser, struct rl_schedule_item item)
{
    struct rl_schedule *schedule = parser->schedule;
    struct rl_schedule_item *items =
        grown(schedule->items, schedule->count, &schedule->room, sizeof *items);
    if (!items)
        return RL_NO_MEMORY;
    schedule->items = items;
    schedule->items[schedule->count++] = item;
    return RL_OK;
}

static enum rl_status read_arcs(struct parser *parser, int kind, bool both)
{
    static const char *const what = "an arc, 0";
    const uint64_t last = parser->schedule->n - 1;
    uint64_t from = 0, to;
    enum rl_status status = read_number(parser, last, what, &from);
    if (status)
        return status;
    to = from;
    if (both && (status = read_number(parser, last, what, &to)))
        return status;
    return add(parser,
               (struct rl_schedule_item){.kind = kind, .from = (uint32_t)from, .to = (uint32_t)to});
}

static enum rl_status close_bracket(struct parser *parser)
{
    if (parser->depth == 0)
        return fail(parser, "a closing bracket without an opening one");
    const size_t from = parser->open[--parser->depth];
    if (from == parser->schedule->count)
        return fail(parser, "empty brackets");
    parser->at++;
    uint64_t times = 1;
    if (parser->at < parser->end && *parser->at == '^') {
        parser->at++;
        const enum rl_status status =
            read_number(parser, UINT64_C(1000000000000000), "a number of repetitions, 1", &times);
        if (status)
            return status;
        if (times == 0) {
            parser->at--; /* back to the zero */
            return fail(parser, "a sequence is repeated at least once");
        }
    }
    return add(parser, (struct rl_schedule_item){
                           .kind = RL_REPEAT, .from = (uint32_t)from, .times = times});
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

static enum rl_status read_item(struct parser *parser)
{
    if (*parser->at == '(') {
        if (parser->depth == RL_SCHEDULE_DEPTH)
            return rl_error_set(here(parser), RL_BAD_TEXT, "brackets nested more than %u deep",
                                (unsigned)RL_SCHEDULE_DEPTH);
        parser->open[parser->depth++] = parser->schedule->count;
        parser->at++;
        return RL_OK;
    }
    if (*parser->at == ')')
        return close_bracket(parser);
    if (take_word(parser, "seqR"))
        return read_arcs(parser, RL_ARCS_RIGHT, true);
    if (take_word(parser, "seqL"))
        return read_arcs(parser, RL_ARCS_LEFT, true);
    if (digit_here(parser))
        return read_arcs(parser, RL_ARCS_RIGHT, false);
    return fail(parser, "expected an arc, seqR, seqL or a bracket");
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
    for (skip_space(&parser); parser.at < parser.end; skip_space(&parser)) {
        const enum rl_status status = read_item(&parser);
        if (status)
            return status;
    }
    if (parser.depth > 0)
        return fail(&parser, "a bracket is not closed");
    if (schedule->count == 0)
        return fail(&parser, "no arc at all");
    return RL_OK;
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
