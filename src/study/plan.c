/* SPDX-License-Identifier: MIT
 *
 * Plans, the text: text -> grids.
 *
 * A plan is read in two passes. The first, here, cuts the text into items `key = values` and keeps,
 * for each grid, where the values of each key stand; items before the first `grid` are the defaults
 * of all grids. The second, in plan_grid.c, walks the product of the values. Every complaint points
 * at the line and column of the value at fault.
 */
#include <stdlib.h>
#include <string.h>

#include "study/plan_parts.h"

static const char *const KEYS[KEY_PARAMETERS] = {"protocol",  "n",      "start", "engine",
                                                 "fault",     "trials", "seed",  "until-error",
                                                 "max-steps", "claim"};

int plan_key_of(const char *name)
{
    for (int i = 0; i < KEY_PARAMETERS; i++)
        if (strcmp(name, KEYS[i]) == 0)
            return i;
    const char *seen[KEY_COUNT - KEY_PARAMETERS];
    int count = 0;
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t i = 0; i < protocol->parameter_count; i++) {
            bool known = false;
            for (int k = 0; k < count; k++)
                known |= strcmp(seen[k], protocol->parameters[i].name) == 0;
            if (known || count == KEY_COUNT - KEY_PARAMETERS)
                continue;
            if (strcmp(protocol->parameters[i].name, name) == 0)
                return KEY_PARAMETERS + count;
            seen[count++] = protocol->parameters[i].name;
        }
    return -1;
}

enum rl_status plan_check_parameters(const struct builder *b, const struct grid *grid,
                                     const bool *understood)
{
    for (int k = KEY_PARAMETERS; k < KEY_COUNT && b->strictness != RL_PLAN_SKIP_UNKNOWN; k++)
        if (grid->given_here[k] && !understood[k])
            return plan_fail(b, &grid->values[k], RL_BAD_PARAMETER,
                             "no protocol of the grid has this parameter");
    return RL_OK;
}

static enum rl_status unknown_key(const struct builder *b, const struct slice *key)
{
    char buffer[RL_PLAN_NAME], list[160];
    struct rl_text text = rl_text_into(list, sizeof list);
    for (int i = 0; i < KEY_PARAMETERS; i++) {
        rl_text_string(&text, KEYS[i]);
        rl_text_string(&text, ", ");
    }
    return plan_fail(b, key, RL_BAD_TEXT,
                     "there is no key '%s'; there are grid, %sand the parameters of protocols",
                     plan_string_of(key, buffer), list);
}

static enum rl_status read_item(struct builder *b, struct slice item)
{
    struct slice key;
    char buffer[RL_PLAN_NAME];
    struct slice values = item;
    plan_take(&values, "=", &key);
    const int k = plan_key_of(plan_string_of(&key, buffer));
    if (k < 0)
        return b->strictness == RL_PLAN_STRICT ? unknown_key(b, &key) : RL_OK;
    const char *why = NULL;
    if (!values.at)
        why = "has no = behind it";
    else if (plan_trimmed(values).length == 0)
        why = "has no value";
    else if (b->grid.given_here[k])
        why = "stands twice in one grid";
    if (why)
        return plan_fail(b, &key, RL_BAD_TEXT, "'%s' %s", buffer, why);
    b->grid.given_here[k] = true;
    b->grid.values[k] = plan_trimmed(values);
    return RL_OK;
}

/* Reads the items of a line; at "grid" closes the grid before it and begins from the defaults. */
static enum rl_status read_line(struct builder *b, struct slice line, struct grid *defaults,
                                size_t *grids)
{
    struct slice item;
    enum rl_status status = RL_OK;
    while (!status && plan_take(&line, ";", &item)) {
        if (item.length == 0)
            continue;
        if (item.length != 4 || memcmp(item.at, "grid", 4) != 0) {
            status = read_item(b, item);
            continue;
        }
        if ((*grids)++ == 0)
            *defaults = b->grid;
        else
            status = plan_expand_grid(b, &item);
        b->grid = *defaults;
        memset(b->grid.given_here, 0, sizeof b->grid.given_here);
    }
    return status;
}

enum rl_status rl_plan_parse(struct rl_plan *plan, const char *text, size_t length,
                             enum rl_plan_strictness strictness, struct rl_error *error)
{
    *plan = (struct rl_plan){0};
    struct builder b = {.plan = plan, .strictness = strictness, .error = error};
    struct grid defaults;
    size_t grids = 0;
    enum rl_status status = RL_OK;
    uint32_t line = 1;
    for (const char *at = text, *end = text + length; at < end && !status; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *comment = memchr(at, '#', (size_t)(stop - at));
        struct slice whole = {at, (size_t)((comment ? comment : stop) - at), line, 1};
        status = read_line(&b, whole, &defaults, &grids);
        at = stop + 1;
    }
    if (!status)
        status = plan_expand_grid(&b, &(struct slice){.line = line, .column = 1});
    if (!status && grids > 0)
        status = plan_check_parameters(&b, &defaults, b.understood_so_far);
    if (!status && plan->count == 0)
        status = rl_error_set(error, RL_BAD_TEXT, "the plan is empty: no point is left to study");
    return status;
}
