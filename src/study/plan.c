/* SPDX-License-Identifier: MIT
 *
 * Plans, the text: text -> grids.
 *
 * A plan is read in two passes. The first, here, cuts the text into items `key = values`; items
 * before the first `grid` are the defaults of all grids. The second, in plan_grid.c, walks the
 * product of the values. Every complaint points at the line and column of the value at fault.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "core/inside.h"
#include "study/plan_parts.h"

/* ---- slices ---- */

void plan_fail_at(struct builder *b, const struct slice *where, enum rl_status status)
{
    if (b->status || !status)
        return;
    b->status = status;
    if (b->error) {
        b->error->line = where->line;
        b->error->column = where->column;
    }
}

static struct slice trimmed(struct slice s)
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
    *piece_out = trimmed((struct slice){rest->at, length, rest->line, rest->column});
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

/* ---- items ---- */

static const struct rl_field *field_of(const char *key)
{
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        if (field->kind != RL_FIELD_PARAMETERS && strcmp(field->key, key) == 0)
            break;
    return field;
}

struct item *plan_item(const struct builder *b, const char *key)
{
    for (size_t i = b->item_count; i > 0; i--)
        if (strcmp(b->items[i - 1].key, key) == 0)
            return &b->items[i - 1];
    return NULL;
}

static void unknown_key(struct builder *b, const struct slice *where, const char *key)
{
    char list[160];
    struct rl_text text = rl_text_into(list, sizeof list);
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        if (field->kind != RL_FIELD_PARAMETERS)
            rl_text_format(&text, "%s, ", field->key);
    plan_fail(b, where, RL_BAD_TEXT,
              "there is no key '%s'; there are grid, %sand the parameters of protocols", key, list);
}

static void read_item(struct builder *b, struct slice whole)
{
    struct slice key, values = whole;
    struct item item = {{0}};
    plan_take(&values, "=", &key);
    plan_string_of(&key, item.key);
    item.field = field_of(item.key);
    item.where = key;
    item.values = values.at ? trimmed(values) : values;
    /* It may be of a protocol that is in the list when the resolver has been asked for it. */
    if (!item.field && !rl_protocol_any_parameter(item.key) && !b->resolver)
        unknown_key(b, &key, item.key);
    const struct item *before = plan_item(b, item.key);
    if (!values.at)
        plan_fail(b, &key, RL_BAD_TEXT, "'%s' needs = and a value", item.key);
    else if (item.values.length == 0)
        plan_fail(b, &key, RL_BAD_TEXT, "'%s' has no value", item.key);
    else if (before && before >= b->items + b->default_count)
        plan_fail(b, &key, RL_BAD_TEXT, "'%s' is given twice in one grid", item.key);
    struct item *items = grown(b->items, b->item_count, &b->item_room, sizeof *items);
    if (!items) {
        b->status = RL_NO_MEMORY;
        return;
    }
    b->items = items;
    b->items[b->item_count++] = item;
}

/* A parameter that no protocol of the grid has (of the defaults: of no grid) is a mistake. */
static void check_parameters(struct builder *b, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct item *item = &b->items[i];
        if (item->field || item->understood)
            continue;
        if (!rl_protocol_any_parameter(item->key))
            unknown_key(b, &item->where, item->key);
        plan_fail(b, &item->values, RL_BAD_PARAMETER, "no protocol of the grid has this parameter");
    }
}

static void end_grid(struct builder *b, const struct slice *here)
{
    if (!b->status)
        plan_expand_grid(b, here);
    check_parameters(b, b->default_count, b->item_count);
}

/* Reads the items of a line; at "grid" closes the grid before it and begins from the defaults. */
static void read_line(struct builder *b, struct slice line, size_t *grids)
{
    struct slice item;
    while (!b->status && plan_take(&line, ";", &item)) {
        if (item.length == 0)
            continue;
        if (!plan_is(&item, "grid")) {
            read_item(b, item);
            continue;
        }
        if ((*grids)++ == 0)
            b->default_count = b->item_count;
        else
            end_grid(b, &item);
        b->item_count = b->default_count;
    }
}

enum rl_status rl_plan_parse(struct rl_plan *plan, const char *text, size_t length,
                             const struct rl_plan_resolver *resolver, struct rl_error *error)
{
    *plan = (struct rl_plan){0};
    struct builder b = {.plan = plan, .resolver = resolver, .error = error};
    size_t grids = 0;
    uint32_t line = 1;
    for (const char *at = text, *end = text + length; at < end && !b.status; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *comment = memchr(at, '#', (size_t)(stop - at));
        read_line(&b, (struct slice){at, (size_t)((comment ? comment : stop) - at), line, 1},
                  &grids);
        at = stop + 1;
    }
    end_grid(&b, &(struct slice){.line = line, .column = 1});
    check_parameters(&b, 0, b.default_count);
    if (!b.status && plan->count == 0)
        b.status = rl_error_set(error, RL_BAD_TEXT, "the plan is empty: no point is left to study");
    free(b.items);
    return b.status;
}
