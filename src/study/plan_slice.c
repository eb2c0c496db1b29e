/* SPDX-License-Identifier: MIT
 *
 * Plans, the pieces: slices of the text that know where they stand, counts and ranges.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "study/plan_parts.h"
#include "base/plain.h"
#include "core/inside.h"

enum rl_status plan_fail_at(const struct builder *b, const struct slice *where,
                            enum rl_status status)
{
    if (b->error) {
        b->error->line = where->line;
        b->error->column = where->column;
    }
    return status;
}

struct slice plan_trimmed(struct slice s)
{
    while (s.length > 0 && isspace((unsigned char)*s.at)) {
        s.at++;
        s.length--;
        s.column++;
    }
    while (s.length > 0 && isspace((unsigned char)s.at[s.length - 1]))
        s.length--;
    return s;
}

bool plan_take(struct slice *rest, const char *ends, struct slice *piece_out)
{
    if (!rest->at)
        return false;
    size_t length = 0;
    while (length < rest->length && !strchr(ends, rest->at[length]))
        length++;
    *piece_out = plan_trimmed((struct slice){rest->at, length, rest->line, rest->column});
    if (length == rest->length) {
        rest->at = NULL;
        return true;
    }
    rest->at += length + 1;
    rest->length -= length + 1;
    rest->column += (uint32_t)length + 1;
    return true;
}

bool plan_is(const struct slice *s, const char *word)
{
    return s->length == strlen(word) && memcmp(s->at, word, s->length) == 0;
}

const char *plan_string_of(const struct slice *s, char buffer[RL_PLAN_NAME])
{
    const size_t length = s->length < RL_PLAN_NAME ? s->length : RL_PLAN_NAME - 1;
    memcpy(buffer, s->at, length);
    buffer[length] = '\0';
    return buffer;
}

enum rl_status plan_read_count(const struct builder *b, const struct slice *s, uint64_t n,
                               uint64_t *out)
{
    char buffer[RL_PLAN_NAME];
    const enum rl_status status = rl_text_parse_count(plan_string_of(s, buffer), n, out, b->error);
    return status ? plan_fail_at(b, s, status) : RL_OK;
}

bool plan_range_next(struct range *range, uint64_t *value_out)
{
    if (range->next > range->last)
        return false;
    *value_out = range->next;
    uint64_t next = range->next + range->add;
    if (range->factor > 0)
        next = (uint64_t)((double)range->next * range->factor + 0.5);
    range->next = next > range->next ? next : range->next + 1;
    return true;
}

static enum rl_status bad_range(const struct builder *b, const struct slice *s, const char *why)
{
    char buffer[RL_PLAN_NAME];
    return plan_fail(b, s, RL_BAD_TEXT, "the range '%s' %s", plan_string_of(s, buffer), why);
}

/* The sign after the second bound and the number behind it. */
static enum rl_status read_stride(const struct builder *b, const struct slice *s,
                                  struct range *range)
{
    char buffer[RL_PLAN_NAME];
    const char *text = plan_string_of(s, buffer);
    if (text[0] == '+') {
        struct slice number = {s->at + 1, s->length - 1, s->line, s->column + 1};
        return plan_read_count(b, &number, 0, &range->add);
    }
    char *end;
    range->factor = plain_read(text + 1, &end);
    if (*end != '\0' || !(range->factor > 1 && range->factor <= 1e6))
        return bad_range(b, s, "wants a factor above 1, as in 64..4096x2");
    return RL_OK;
}

enum rl_status plan_read_range(const struct builder *b, struct slice s, uint64_t n,
                               struct range *out)
{
    *out = (struct range){.add = 1};
    size_t dots = 0;
    while (dots + 1 < s.length && (s.at[dots] != '.' || s.at[dots + 1] != '.'))
        dots++;
    const char *const dash = s.length > 0 ? memchr(s.at, '-', s.length) : NULL;
    if (dots + 1 >= s.length && dash && dash > s.at)
        return bad_range(b, &s, "is written with dots: 64..512, 64..512x2 or 64..512+64");
    if (dots + 1 >= s.length) {
        const enum rl_status status = plan_read_count(b, &s, n, &out->next);
        out->last = out->next;
        return status;
    }
    struct slice first = {s.at, dots, s.line, s.column};
    struct slice rest = {s.at + dots + 2, s.length - dots - 2, s.line,
                         s.column + (uint32_t)dots + 2};
    size_t length = 0;
    while (length < rest.length && !strchr("x+", rest.at[length]))
        length++;
    struct slice last = {rest.at, length, rest.line, rest.column};
    struct slice stride = {rest.at + length, rest.length - length, rest.line,
                           rest.column + (uint32_t)length};
    enum rl_status status = plan_read_count(b, &first, n, &out->next);
    if (!status)
        status = plan_read_count(b, &last, n, &out->last);
    if (!status && stride.length > 0)
        status = read_stride(b, &stride, out);
    if (!status && (out->next > out->last || out->add == 0))
        return bad_range(b, &s, "is empty or never ends");
    return status;
}
