/* SPDX-License-Identifier: MIT
 *
 * Plans, the product: a grid's values -> points.
 *
 * One function a dimension, each calling the next inner one; what a value means is decided here,
 * because 2n needs the n and a start needs the protocol.
 */
#include <stdlib.h>
#include <string.h>

#include "study/plan_parts.h"
#include "study/plain.h"

/* ---- the product, from the inner dimension to the outer -----------------------------------------
 */

/* Runs the start once, so that an impossible one is told now and not by a trial. Random states are
 * always possible. */
static enum rl_status try_start(const struct builder *b)
{
    const struct rl_point *point = &b->point;
    if (strcmp(point->start, "random") == 0)
        return RL_OK;
    struct rl_ring ring = {.protocol = point->protocol, .params = point->params};
    struct rl_random random;
    rl_random_init(&random, point->seed, 0, RL_PURPOSE_START);
    ring.agents = malloc(rl_ring_bytes(ring.protocol, ring.params.n));
    const enum rl_status status =
        ring.agents ? rl_ring_start(&ring, point->start, &random, b->error) : RL_NO_MEMORY;
    free(ring.agents);
    return status;
}

static enum rl_status too_many_points(const struct builder *b)
{
    return plan_fail(b, &b->grid.values[KEY_N], RL_BAD_TEXT, "more than %u points", RL_PLAN_POINTS);
}

/* In a walk that only counts, one more; else the point as it stands. */
static enum rl_status add_point(struct builder *b)
{
    if (b->counting)
        return ++b->counted > RL_PLAN_POINTS ? too_many_points(b) : RL_OK;
    const struct slice *start = &b->grid.values[KEY_START];
    const enum rl_status status = try_start(b);
    if (status)
        return plan_fail_at(b, start->at ? start : &b->grid.values[KEY_N], status);
    if (b->plan->count == RL_PLAN_POINTS && !rl_plan_find(b->plan, &b->point))
        return too_many_points(b);
    size_t index;
    return rl_plan_add(b->plan, &b->point, &index);
}

static enum rl_status read_faults(struct builder *b, struct slice item)
{
    struct slice piece;
    char buffer[RL_PLAN_NAME];
    b->point.fault_count = 0;
    if (item.length == 4 && memcmp(item.at, "none", 4) == 0)
        return RL_OK;
    for (struct slice rest = item; plan_take(&rest, "+", &piece);) {
        if (b->point.fault_count == RL_PLAN_FAULTS)
            return plan_fail(b, &piece, RL_BAD_TEXT, "more than %u faults in a trial",
                             RL_PLAN_FAULTS);
        struct rl_fault *fault = &b->point.faults[b->point.fault_count];
        enum rl_status status =
            rl_run_parse_fault(plan_string_of(&piece, buffer), b->point.params.n, fault, b->error);
        if (!status)
            status = rl_run_check_fault(fault, b->point.max_steps, b->error);
        if (status)
            return plan_fail_at(b, &piece, status);
        if (b->point.fault_count > 0 && fault[-1].step > fault->step)
            return plan_fail(b, &piece, RL_BAD_TEXT, "faults must stand in order of their steps");
        b->point.fault_count++;
    }
    return RL_OK;
}

static enum rl_status expand_faults(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_FAULT], item;
    enum rl_status status = RL_OK;
    b->point.fault_count = 0;
    if (!rest.at)
        return add_point(b);
    while (!status && plan_take(&rest, ",", &item)) {
        status = read_faults(b, item);
        if (!status)
            status = add_point(b);
    }
    return status;
}

static enum rl_status expand_engines(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_ENGINE], item;
    char buffer[RL_PLAN_NAME];
    enum rl_status status = RL_OK;
    b->point.engine = RL_ENGINE_EVENT;
    if (!rest.at)
        return expand_faults(b);
    while (!status && plan_take(&rest, ",", &item)) {
        const char *name = plan_string_of(&item, buffer);
        if (!rl_engine_named(name, &b->point.engine))
            return plan_fail(b, &item, RL_BAD_TEXT,
                             "there is no engine '%s'; there are event and step", name);
        status = expand_faults(b);
    }
    return status;
}

/* Whether another protocol of this grid has the start, so that leaving it out is no surprise. */
static bool others_have_start(const struct builder *b, const char *name)
{
    struct slice rest = b->grid.values[KEY_PROTOCOL], item;
    char buffer[RL_PLAN_NAME];
    while (plan_take(&rest, ",", &item)) {
        const struct rl_protocol *protocol = rl_protocol_named(plan_string_of(&item, buffer));
        if (protocol && rl_protocol_has_start(protocol, name))
            return true;
    }
    return false;
}

static enum rl_status expand_starts(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_START], item;
    enum rl_status status = RL_OK;
    strcpy(b->point.start, RL_START_RANDOM);
    if (!rest.at)
        return expand_engines(b);
    while (!status && plan_take(&rest, ",", &item)) {
        plan_string_of(&item, b->point.start);
        if (rl_protocol_has_start(b->point.protocol, b->point.start)) {
            status = expand_engines(b);
            continue;
        }
        struct rl_text note = rl_text_into(b->plan->skipped, sizeof b->plan->skipped);
        rl_text_string(&note, b->point.protocol->name);
        rl_text_string(&note, " has no start ");
        rl_text_string(&note, b->point.start);
        if (b->strictness == RL_PLAN_SKIP_UNKNOWN || others_have_start(b, b->point.start))
            continue;
        return plan_fail(b, &item, RL_BAD_TEXT, "%s", b->plan->skipped);
    }
    return status;
}

static enum rl_status expand_range(struct builder *b, size_t index, const struct slice *item);
static enum rl_status expand_choice(struct builder *b, size_t index, const struct slice *item);

static enum rl_status expand_parameter(struct builder *b, size_t index)
{
    struct rl_point *point = &b->point;
    if (index == point->protocol->parameter_count) {
        const struct rl_params before = point->params;
        enum rl_status status =
            rl_protocol_complete(point->protocol, &point->params, b->given, b->error);
        status = status ? plan_fail_at(b, &b->grid.values[KEY_N], status) : expand_starts(b);
        point->params = before;
        return status;
    }
    const int key = plan_key_of(point->protocol->parameters[index].name);
    struct slice rest = b->grid.values[key], item;
    enum rl_status status = RL_OK;
    b->given[index] = rest.at != NULL;
    b->understood[key] = true;
    if (!rest.at)
        return expand_parameter(b, index + 1);
    while (!status && plan_take(&rest, ",", &item))
        status = point->protocol->parameters[index].choices ? expand_choice(b, index, &item)
                                                            : expand_range(b, index, &item);
    return status;
}

static enum rl_status expand_range(struct builder *b, size_t index, const struct slice *item)
{
    struct range range;
    uint64_t value;
    enum rl_status status = plan_read_range(b, *item, b->point.params.n, &range);
    while (!status && plan_range_next(&range, &value)) {
        if (value > UINT32_MAX)
            return plan_fail(b, item, RL_BAD_PARAMETER, "%s must be below 2^32",
                             b->point.protocol->parameters[index].name);
        b->point.params.value[index] = (uint32_t)value;
        b->given[index] = true;
        status = expand_parameter(b, index + 1);
    }
    return status;
}

static enum rl_status expand_choice(struct builder *b, size_t index, const struct slice *item)
{
    const struct rl_parameter *parameter = &b->point.protocol->parameters[index];
    uint32_t *value = &b->point.params.value[index];
    char buffer[RL_PLAN_NAME];
    const char *text = plan_string_of(item, buffer);
    const enum rl_status status =
        rl_request_read_value(parameter, text, b->point.params.n, value, b->error);
    if (status)
        return plan_fail_at(b, item, status);
    b->given[index] = true;
    return expand_parameter(b, index + 1);
}

static enum rl_status expand_sizes(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_N], item;
    enum rl_status status = RL_OK;
    while (!status && plan_take(&rest, ",", &item)) {
        struct range range;
        uint64_t n;
        status = plan_read_range(b, item, 0, &range);
        while (!status && plan_range_next(&range, &n)) {
            if (n < 2 || n > RL_MAX_AGENTS)
                return plan_fail(b, &item, RL_BAD_PARAMETER,
                                 "a ring has 2 to %u agents (2^26), not %llu", RL_MAX_AGENTS,
                                 (unsigned long long)n);
            b->point.params = (struct rl_params){.n = (uint32_t)n};
            status = expand_parameter(b, 0);
        }
    }
    return status;
}

static enum rl_status expand_protocols(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_PROTOCOL], item;
    char buffer[RL_PLAN_NAME];
    enum rl_status status = RL_OK;
    b->point.protocol = rl_protocol_at(0);
    if (!rest.at)
        return expand_sizes(b);
    while (!status && plan_take(&rest, ",", &item)) {
        b->point.protocol = rl_protocol_named(plan_string_of(&item, buffer));
        if (b->point.protocol) {
            status = expand_sizes(b);
        } else if (b->strictness == RL_PLAN_STRICT)
            return plan_fail(b, &item, RL_BAD_TEXT, "there is no protocol '%s'", buffer);
    }
    return status;
}

/* ---- what a grid has one value of ---------------------------------------------------------------
 */

static enum rl_status read_until_error(struct builder *b)
{
    const struct slice *s = &b->grid.values[KEY_UNTIL_ERROR];
    char buffer[RL_PLAN_NAME];
    b->point.until_error = 0;
    if (!s->at || (s->length == 4 && memcmp(s->at, "none", 4) == 0))
        return RL_OK;
    char *end;
    const double value = plain_read(plan_string_of(s, buffer), &end);
    const bool percent = *end == '%';
    b->point.until_error = percent ? value / 100 : value;
    if (end == buffer || end[percent] != '\0' || !(value > 0 && b->point.until_error < 1))
        return plan_fail(b, s, RL_BAD_TEXT, "'%s' is not a relative error: write 1%% or 0.01",
                         buffer);
    return RL_OK;
}

static enum rl_status read_claim(struct builder *b)
{
    const struct slice *s = &b->grid.values[KEY_CLAIM];
    const size_t length = s->at ? s->length : 0;
    if (length >= RL_PLAN_CLAIM)
        return plan_fail(b, s, RL_BAD_TEXT, "a claim has at most %u characters", RL_PLAN_CLAIM - 1);
    memcpy(b->point.claim, s->at ? s->at : "", length);
    b->point.claim[length] = '\0';
    return RL_OK;
}

static enum rl_status read_scalars(struct builder *b)
{
    const struct slice *values = b->grid.values;
    struct rl_point *point = &b->point;
    enum rl_status status = RL_OK;
    point->trials = 100;
    point->seed = 1;
    point->max_steps = RL_NEVER;
    if (values[KEY_TRIALS].at)
        status = plan_read_count(b, &values[KEY_TRIALS], 0, &point->trials);
    if (!status && (point->trials == 0 || point->trials > UINT32_MAX))
        return plan_fail(b, &values[KEY_TRIALS], RL_BAD_PARAMETER,
                         "a point has 1 to 2^32 - 1 trials");
    if (!status && values[KEY_SEED].at)
        status = plan_read_count(b, &values[KEY_SEED], 0, &point->seed);
    const struct slice *most = &values[KEY_MAX_STEPS];
    if (!status && most->at && (most->length != 4 || memcmp(most->at, "none", 4) != 0))
        status = plan_read_count(b, most, 0, &point->max_steps);
    if (!status && point->max_steps == 0) {
        rl_error_set(b->error, RL_BAD_PARAMETER, "max-steps wants a step to give up at, not 0");
        return plan_fail_at(b, most, RL_BAD_PARAMETER);
    }
    if (!status)
        status = read_claim(b);
    return status ? status : read_until_error(b);
}

enum rl_status plan_expand_grid(struct builder *b, const struct slice *here)
{
    if (!b->grid.values[KEY_N].at)
        return plan_fail(b, here, RL_BAD_TEXT,
                         "how many agents? a grid needs n = ..., such as "
                         "n = 64..4096x2");
    memset(b->understood, 0, sizeof b->understood);
    enum rl_status status = read_scalars(b);
    b->counting = true;
    b->counted = 0;
    if (!status)
        status = expand_protocols(b);
    b->counting = false;
    if (!status)
        status = expand_protocols(b);
    for (int k = 0; k < KEY_COUNT; k++)
        b->understood_so_far[k] |= b->understood[k];
    return status ? status : plan_check_parameters(b, &b->grid, b->understood);
}
