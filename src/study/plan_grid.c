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
#include "base/plain.h"
#include "core/inside.h"
#include "simulate/inside.h"
#include "study/inside.h"

/* ---- the product, from the inner dimension to the outer -----------------------------------------
 */

/* Where what is said about a key stands; where n does, if nothing is. */
static const struct slice *place_of(const struct builder *b, const char *key)
{
    const struct item *item = plan_item(b, key);
    return &(item ? item : plan_item(b, "n"))->values;
}

/* What is said about a key; `at` is NULL if nothing is. */
static struct slice values_of(const struct builder *b, const char *key)
{
    const struct item *item = plan_item(b, key);
    return item ? item->values : (struct slice){0};
}

/* Runs the start once, so that an impossible one is told now and not by a trial. Random states are
 * always possible. */
static enum rl_status try_start(const struct builder *b)
{
    const struct rl_point *point = &b->point;
    if (strcmp(point->start, RL_START_RANDOM) == 0)
        return RL_OK;
    struct rl_ring ring = {.protocol = point->protocol, .params = point->params};
    ring.agents = malloc(rl_ring_bytes(ring.protocol, ring.params.n));
    const enum rl_status status =
        ring.agents ? rl_ring_fill(&ring, point->start, point->start_text, point->seed, 0, b->error)
                    : RL_NO_MEMORY;
    free(ring.agents);
    return status;
}

static enum rl_status too_many_points(const struct builder *b)
{
    return plan_fail(b, place_of(b, "n"), RL_BAD_TEXT, "more than %u points", RL_PLAN_POINTS);
}

/* In a walk that only counts, one more; else the point as it stands. */
static enum rl_status add_point(struct builder *b)
{
    if (b->counting)
        return ++b->counted > RL_PLAN_POINTS ? too_many_points(b) : RL_OK;
    if (b->point.after > 0 && !b->point.protocol->sets[b->point.protocol->target].contains)
        return plan_fail(b, place_of(b, "after"), RL_BAD_PARAMETER,
                         "the target of %s is no set: nothing can come after its hit",
                         b->point.protocol->name);
    const enum rl_status status = try_start(b);
    if (status)
        return plan_fail_at(b, place_of(b, "start"), status);
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
    struct rl_text spelled = rl_text_into(b->point.spelled_faults, sizeof b->point.spelled_faults);
    if (plan_is(&item, "none"))
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
        rl_text_format(&spelled, "%s%s", b->point.fault_count ? "+" : "", buffer);
        b->point.fault_count++;
    }
    if (item.length >= sizeof b->point.spelled_faults)
        b->point.spelled_faults[0] = '\0'; /* too long to be kept as it is */
    return RL_OK;
}

static enum rl_status expand_faults(struct builder *b)
{
    struct slice rest = values_of(b, "fault"), item;
    enum rl_status status = RL_OK;
    b->point.fault_count = 0;
    b->point.spelled_faults[0] = '\0';
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
    struct slice rest = values_of(b, "engine"), item;
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

/* The protocol that a plan has a word for; NULL: there is none. */
static enum rl_status find_protocol(const struct builder *b, const struct slice *item,
                                    const struct rl_protocol **out)
{
    enum { PATH = 4096 };
    char word[PATH];
    if (b->resolver && b->resolver->protocol && item->length < PATH) {
        memcpy(word, item->at, item->length);
        word[item->length] = '\0';
        const enum rl_status status = b->resolver->protocol(b->resolver->user, word, out, b->error);
        return status ? plan_fail_at(b, item, status) : RL_OK;
    }
    *out = rl_protocol_named(plan_string_of(item, word));
    return RL_OK;
}

/* Whether another protocol of this grid has the start, so that leaving it out is no surprise. */
static bool others_have_start(const struct builder *b, const char *name)
{
    struct slice rest = values_of(b, "protocol"), item;
    const struct rl_protocol *protocol;
    while (plan_take(&rest, ",", &item))
        if (!find_protocol(b, &item, &protocol) && protocol &&
            rl_protocol_has_start(protocol, name))
            return true;
    return false;
}

/* A configuration's file: in the study it has the file's name, without directories. */
static enum rl_status read_start_file(struct builder *b, const struct slice *item, bool *found_out)
{
    enum { PATH = 4096 };
    char word[PATH], *text = NULL;
    *found_out = false;
    if (!b->resolver || !b->resolver->start || item->length >= PATH)
        return RL_OK;
    memcpy(word, item->at, item->length);
    word[item->length] = '\0';
    enum rl_status status = b->resolver->start(b->resolver->user, word, &text, b->error);
    if (status || !text)
        return status ? plan_fail_at(b, item, status) : RL_OK;
    const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
    *found_out = true;
    for (const struct rl_plan_start *kept = b->plan->starts; kept && !status; kept = kept->next)
        if (strcmp(kept->name, name) == 0 && strcmp(kept->text, text) != 0)
            status = plan_fail(b, item, RL_BAD_TEXT,
                               "another start is called %s too: rename one of the files", name);
    if (!status && !rl_text_is_name(name))
        status = plan_fail(b, item, RL_BAD_TEXT,
                           "the name of a start's file has at most 47 letters, digits, and _ - . + "
                           "between them");
    if (!status) {
        strcpy(b->point.start, name);
        b->point.start_text = plan_keep_start(b->plan, name, text);
        status = b->point.start_text ? expand_engines(b) : RL_NO_MEMORY;
    }
    free(text);
    return status;
}

static enum rl_status expand_starts(struct builder *b)
{
    struct slice rest = values_of(b, "start"), item;
    enum rl_status status = RL_OK;
    strcpy(b->point.start, RL_START_RANDOM);
    b->point.start_text = NULL;
    if (!rest.at)
        return expand_engines(b);
    while (!status && plan_take(&rest, ",", &item)) {
        bool found;
        plan_string_of(&item, b->point.start);
        b->point.start_text = NULL;
        if (rl_protocol_has_start(b->point.protocol, b->point.start)) {
            status = expand_engines(b);
            continue;
        }
        const bool others = others_have_start(b, b->point.start);
        status = others ? RL_OK : read_start_file(b, &item, &found);
        if (status || (!others && found))
            continue;
        struct rl_text note = rl_text_into(b->plan->skipped, sizeof b->plan->skipped);
        rl_text_format(&note, "%s has no start %s", b->point.protocol->name,
                       plan_string_of(&item, b->point.start));
        if (b->strictness == RL_PLAN_SKIP_UNKNOWN || others)
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
        status = status ? plan_fail_at(b, place_of(b, "n"), status) : expand_starts(b);
        point->params = before;
        return status;
    }
    struct item *said = plan_item(b, point->protocol->parameters[index].name);
    enum rl_status status = RL_OK;
    b->given[index] = said;
    point->spelled[index][0] = '\0';
    if (!said)
        return expand_parameter(b, index + 1);
    said->understood = true;
    struct slice rest = said->values, item;
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
        plan_string_of(item, b->point.spelled[index]);
        if (range.last != value || strstr(b->point.spelled[index], "..")) {
            struct rl_text text = rl_text_into(b->point.spelled[index], RL_PLAN_NAME);
            rl_text_number(&text, value);
        }
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
    strcpy(b->point.spelled[index], text);
    return expand_parameter(b, index + 1);
}

/* ---- what a grid has one value of ---------------------------------------------------------------
 */

static enum rl_status read_until_error(struct builder *b, const struct slice *s)
{
    char buffer[RL_PLAN_NAME];
    char *end;
    b->point.until_error = 0;
    if (!s || plan_is(s, "none"))
        return RL_OK;
    const double value = plain_read(plan_string_of(s, buffer), &end);
    const bool percent = *end == '%';
    b->point.until_error = percent ? value / 100 : value;
    if (end == buffer || end[percent] != '\0' || !(value > 0 && b->point.until_error < 1))
        return plan_fail(b, s, RL_BAD_TEXT, "'%s' is not a relative error: write 1%% or 0.01",
                         buffer);
    return RL_OK;
}

static enum rl_status read_claim(struct builder *b, const struct slice *s)
{
    const size_t length = s ? s->length : 0;
    if (length >= RL_PLAN_CLAIM)
        return plan_fail(b, s, RL_BAD_TEXT, "a claim has at most %u characters", RL_PLAN_CLAIM - 1);
    memset(b->point.claim, 0, sizeof b->point.claim);
    memcpy(b->point.claim, s ? s->at : "", length);
    return RL_OK;
}

static enum rl_status read_count(struct builder *b, const struct rl_field *field,
                                 const struct slice *s)
{
    uint64_t value = field->otherwise;
    enum rl_status status = RL_OK;
    if (s && !(field->most == RL_NEVER && plan_is(s, "none")))
        status = plan_read_count(b, s, b->point.params.n, &value);
    if (!status && value < field->least)
        return plan_fail(b, s, RL_BAD_PARAMETER, "%s is at least %llu", field->key,
                         (unsigned long long)field->least);
    if (!status && value > field->most)
        return plan_fail(b, s, RL_BAD_PARAMETER, "%s is at most %llu", field->key,
                         (unsigned long long)field->most);
    memcpy((char *)&b->point + field->member, &value, sizeof value);
    return status;
}

/* What a grid has one value of; counts may be told in n. */
static enum rl_status read_scalars(struct builder *b)
{
    enum rl_status status = RL_OK;
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)) && !status; i++) {
        const struct item *item = plan_item(b, field->key);
        const struct slice *values = item ? &item->values : NULL;
        if (field->kind == RL_FIELD_COUNT)
            status = read_count(b, field, values);
        else if (field->kind == RL_FIELD_UNTIL_ERROR)
            status = read_until_error(b, values);
        else if (field->kind == RL_FIELD_CLAIM)
            status = read_claim(b, values);
    }
    return status;
}

/* ---- the outer dimensions -----------------------------------------------------------------------
 */

static enum rl_status expand_sizes(struct builder *b)
{
    struct slice rest = values_of(b, "n"), item;
    enum rl_status status = RL_OK;
    while (!status && plan_take(&rest, ",", &item)) {
        struct range range;
        uint64_t n;
        status = plan_read_range(b, item, 0, &range);
        while (!status && plan_range_next(&range, &n)) {
            if (n < 2 || n > RL_MAX_AGENTS)
                return plan_fail(b, &item, RL_BAD_PARAMETER,
                                 "a ring has 2 to %u agents (2^27 - 1), not %llu", RL_MAX_AGENTS,
                                 (unsigned long long)n);
            b->point.params = (struct rl_params){.n = (uint32_t)n};
            status = read_scalars(b);
            if (!status)
                status = expand_parameter(b, 0);
        }
    }
    return status;
}

static enum rl_status expand_protocols(struct builder *b)
{
    struct slice rest = values_of(b, "protocol"), item;
    char buffer[RL_PLAN_NAME];
    enum rl_status status = RL_OK;
    b->point.protocol = rl_protocol_at(0);
    if (!rest.at)
        return expand_sizes(b);
    while (!status && plan_take(&rest, ",", &item)) {
        status = find_protocol(b, &item, &b->point.protocol);
        if (status)
            return status;
        if (b->point.protocol)
            status = expand_sizes(b);
        else if (b->strictness == RL_PLAN_STRICT)
            return plan_fail(b, &item, RL_BAD_TEXT, "there is no protocol '%s'",
                             plan_string_of(&item, buffer));
    }
    return status;
}

enum rl_status plan_expand_grid(struct builder *b, const struct slice *here)
{
    if (!plan_item(b, "n"))
        return plan_fail(b, here, RL_BAD_TEXT,
                         "how many agents? a grid needs n = ..., such as "
                         "n = 64..4096x2");
    b->counting = true;
    b->counted = 0;
    const enum rl_status status = expand_protocols(b);
    b->counting = false;
    return status ? status : expand_protocols(b);
}
