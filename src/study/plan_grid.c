/* SPDX-License-Identifier: MIT
 *
 * Plans, the product: a grid's values -> points.
 *
 * One function a dimension, which puts a value into the point and goes on to the next inner one;
 * what a value means is decided here, because 2n needs the n and a start needs the protocol.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/plan_parts.h"
#include "base/plain.h"
#include "core/inside.h"
#include "simulate/inside.h"
#include "study/inside.h"

/* The dimensions, the outer first. The parameters of the protocol come between n and the start. */
enum { PROTOCOL, SIZE, START, ENGINE, FAULT, DIMENSIONS };

static enum rl_status expand(struct builder *b, size_t dimension);

/* ---- counts and ranges ---- */

/* A range of counts: a, a..b, a..b+STEP, a..bxFACTOR. */
struct range {
    uint64_t next, last, add;
    double factor; /* 0: add instead */
};

static enum rl_status parse_count(const struct builder *b, const struct slice *s, uint64_t n,
                                  uint64_t *out)
{
    char buffer[RL_PLAN_NAME];
    const enum rl_status status = rl_text_parse_count(plan_string_of(s, buffer), n, out, b->error);
    return status ? plan_fail_at(b, s, status) : RL_OK;
}

static bool next_in(struct range *range, uint64_t *value_out)
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
        return parse_count(b, &number, 0, &range->add);
    }
    char *end;
    range->factor = plain_read(text + 1, &end);
    if (*end != '\0' || !(range->factor > 1 && range->factor <= 1e6))
        return bad_range(b, s, "wants a factor above 1, as in 64..4096x2");
    return RL_OK;
}

static enum rl_status parse_range(const struct builder *b, struct slice s, uint64_t n,
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
        const enum rl_status status = parse_count(b, &s, n, &out->next);
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
    enum rl_status status = parse_count(b, &first, n, &out->next);
    if (!status)
        status = parse_count(b, &last, n, &out->last);
    if (!status && stride.length > 0)
        status = read_stride(b, &stride, out);
    if (!status && (out->next > out->last || out->add == 0))
        return bad_range(b, &s, "is empty or never ends");
    return status;
}

/* ---- a point ---- */

/* Where what is said about a key stands; where n does, if nothing is. */
static const struct slice *place_of(const struct builder *b, const char *key)
{
    const struct item *item = plan_item(b, key);
    return &(item ? item : plan_item(b, "n"))->values;
}

/* Runs the start once, so that an impossible one is told now and not by a trial. Random states are
 * always possible. */
static enum rl_status try_start(const struct builder *b)
{
    const struct rl_point *point = &b->point;
    if (strcmp(point->start, RL_START_RANDOM) == 0)
        return RL_OK;
    const struct rl_experiment experiment = {.protocol = point->protocol,
                                             .params = point->params,
                                             .start = point->start,
                                             .start_text = point->start_text,
                                             .seed = point->seed};
    struct rl_ring ring = {.protocol = point->protocol, .params = point->params};
    ring.agents = malloc(rl_ring_bytes(ring.protocol, ring.params.n));
    const enum rl_status status =
        ring.agents ? rl_experiment_fill(&experiment, &ring, b->error) : RL_NO_MEMORY;
    free(ring.agents);
    return status;
}

static enum rl_status too_many_points(const struct builder *b)
{
    return plan_fail(b, place_of(b, "n"), RL_BAD_TEXT, "more than %u points", RL_PLAN_POINTS);
}

/* What the file of a protocol claims stays with the point: the file may be gone. */
static void keep_claim(struct rl_point *point)
{
    const struct rl_protocol *protocol = point->protocol;
    if (protocol->hash && protocol->claim && !point->claim[0] && point->fault_count == 0)
        snprintf(point->claim, sizeof point->claim, "%s", protocol->claim);
}

/* In a walk that only counts, one more; else the point as it stands. */
static enum rl_status add_point(struct builder *b)
{
    if (b->counting)
        return ++b->counted > RL_PLAN_POINTS ? too_many_points(b) : RL_OK;
    if (b->point.after > 0 && b->point.protocol->interact &&
        !b->point.protocol->sets[b->point.protocol->target].contains)
        return plan_fail(b, place_of(b, "after"), RL_BAD_PARAMETER,
                         "the target of %s is not a set: nothing can come after its hit",
                         b->point.protocol->name);
    const enum rl_status status = try_start(b);
    if (status)
        return plan_fail_at(b, place_of(b, "start"), status);
    if (b->plan->count == RL_PLAN_POINTS && !rl_plan_find(b->plan, &b->point))
        return too_many_points(b);
    size_t index = 0;
    const enum rl_status added = rl_plan_add(b->plan, &b->point, &index);
    if (!added)
        keep_claim(&b->plan->points[index]);
    return added;
}

/* ---- values, from the inner dimension to the outer ---- */

static enum rl_status take_fault(struct builder *b, const struct slice *item)
{
    struct slice piece, rest = *item;
    char buffer[RL_PLAN_NAME];
    b->point.fault_count = 0;
    struct rl_text spelled = rl_text_into(b->point.spelled_faults, sizeof b->point.spelled_faults);
    while (!plan_is(item, "none") && plan_take(&rest, "+", &piece)) {
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
            return plan_fail(b, &piece, RL_BAD_TEXT, "faults must be in the order of their steps");
        rl_text_format(&spelled, "%s%s", b->point.fault_count ? "+" : "", buffer);
        b->point.fault_count++;
    }
    if (item->length >= sizeof b->point.spelled_faults)
        b->point.spelled_faults[0] = '\0'; /* too long to be kept as it is */
    return add_point(b);
}

static enum rl_status take_engine(struct builder *b, const struct slice *item)
{
    char buffer[RL_PLAN_NAME];
    const char *name = plan_string_of(item, buffer);
    return rl_engine_named(name, &b->point.engine)
               ? expand(b, FAULT)
               : plan_fail(b, item, RL_BAD_TEXT,
                           "there is no engine '%s'; there are event and step", name);
}

/* What a resolver is asked for; what is longer is cut, and then nothing matches it. */
struct word {
    char text[4096];
};

static struct word word_of(const struct slice *item)
{
    struct word word = {.text = ""};
    const size_t most = sizeof word.text - 1;
    memcpy(word.text, item->at, item->length < most ? item->length : most);
    return word;
}

/* The protocol that a plan has a word for; NULL: there is none. */
static enum rl_status find_protocol(const struct builder *b, const struct slice *item,
                                    const struct rl_protocol **out)
{
    const struct word word = word_of(item);
    *out = NULL;
    if (!b->resolver || !b->resolver->protocol) {
        *out = rl_protocol_named(word.text);
        return RL_OK;
    }
    const enum rl_status status =
        b->resolver->protocol(b->resolver->user, word.text, out, b->error);
    return status ? plan_fail_at(b, item, status) : RL_OK;
}

/* Whether another protocol of this grid has the start, so that leaving it out is no surprise. */
static bool others_have_start(const struct builder *b, const char *name)
{
    const struct item *said = plan_item(b, "protocol");
    struct slice rest = said ? said->values : (struct slice){0}, item;
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
    const struct word word = word_of(item);
    char *text = NULL;
    *found_out = false;
    if (!b->resolver || !b->resolver->start)
        return RL_OK;
    enum rl_status status = b->resolver->start(b->resolver->user, word.text, &text, b->error);
    if (status || !text)
        return status ? plan_fail_at(b, item, status) : RL_OK;
    const char *slash = strrchr(word.text, '/'), *name = slash ? slash + 1 : word.text;
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
        status = b->point.start_text ? RL_OK : RL_NO_MEMORY;
    }
    free(text);
    return status;
}

static enum rl_status take_start(struct builder *b, const struct slice *item)
{
    plan_string_of(item, b->point.start);
    b->point.start_text = NULL;
    bool found = rl_protocol_has_start(b->point.protocol, b->point.start);
    const bool others = !found && others_have_start(b, b->point.start);
    const enum rl_status status = found || others ? RL_OK : read_start_file(b, item, &found);
    if (status || found)
        return status ? status : expand(b, ENGINE);
    struct rl_text note = rl_text_into(b->plan->skipped, sizeof b->plan->skipped);
    rl_text_format(&note, "%s has no start %s", b->point.protocol->name, b->point.start);
    if (b->strictness == RL_PLAN_SKIP_UNKNOWN || others)
        return RL_OK;
    return plan_fail(b, item, RL_BAD_TEXT, "%s", b->plan->skipped);
}

static enum rl_status take_parameter(struct builder *b, size_t index, const struct slice *item);

/* A default that is a multiple of every n is spelled so: who reads the study's file may not have
 * the protocol's own, and so not its defaults. */
static void spell_default(const struct rl_parameter *parameter, uint32_t n, char *spelled)
{
    struct rl_text text = rl_text_into(spelled, RL_PLAN_NAME);
    const uint32_t factor = parameter->default_for(n) / n, tried[] = {n, 17, 1000};
    if (parameter->choices || factor == 0)
        return;
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++)
        if (parameter->default_for(tried[i]) != factor * tried[i])
            return;
    if (factor > 1)
        rl_text_number(&text, factor);
    rl_text_char(&text, 'n');
}

static enum rl_status expand_parameter(struct builder *b, size_t index)
{
    struct rl_point *point = &b->point;
    enum rl_status status = RL_OK;
    if (index == point->protocol->parameter_count) {
        const struct rl_params before = point->params;
        status = rl_protocol_complete(point->protocol, &point->params, b->given, b->error);
        status = status ? plan_fail_at(b, place_of(b, "n"), status) : expand(b, START);
        point->params = before;
        return status;
    }
    struct item *said = plan_item(b, point->protocol->parameters[index].name);
    b->given[index] = said;
    point->spelled[index][0] = '\0';
    if (!said) {
        spell_default(&point->protocol->parameters[index], point->params.n, point->spelled[index]);
        return expand_parameter(b, index + 1);
    }
    said->understood = true;
    struct slice rest = said->values, item;
    while (!status && plan_take(&rest, ",", &item))
        status = take_parameter(b, index, &item);
    return status;
}

static enum rl_status take_parameter(struct builder *b, size_t index, const struct slice *item)
{
    const struct rl_parameter *parameter = &b->point.protocol->parameters[index];
    char *spelled = b->point.spelled[index];
    struct range range = {.add = 1};
    uint64_t value;
    uint32_t choice = 0;
    enum rl_status status;
    if (parameter->choices) {
        status = rl_parameter_read(parameter, plan_string_of(item, spelled), b->point.params.n,
                                   &choice, b->error);
        if (status)
            return plan_fail_at(b, item, status);
        range.next = range.last = choice;
    } else {
        status = parse_range(b, *item, b->point.params.n, &range);
    }
    while (!status && next_in(&range, &value)) {
        if (value > UINT32_MAX)
            return plan_fail(b, item, RL_BAD_PARAMETER, "%s must be below 2^32", parameter->name);
        b->point.params.value[index] = (uint32_t)value;
        if (strstr(plan_string_of(item, spelled), "..")) {
            struct rl_text text = rl_text_into(spelled, RL_PLAN_NAME);
            rl_text_number(&text, value);
        }
        status = expand_parameter(b, index + 1);
    }
    return status;
}

/* ---- what a grid has one value of ---- */

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

static enum rl_status read_curve(struct builder *b, const struct slice *s)
{
    const struct rl_protocol *protocol = b->point.protocol;
    char list[200];
    struct rl_text gauges = rl_text_into(list, sizeof list);
    b->point.curve[0] = '\0';
    if (!s || plan_is(s, "none"))
        return RL_OK;
    plan_string_of(s, b->point.curve);
    if (strcmp(b->point.curve, "leaders") == 0 || !protocol->interact ||
        rl_protocol_gauge(protocol, b->point.curve) >= 0)
        return RL_OK; /* (of what stands for a protocol the gauges are not known) */
    for (size_t i = 0; i < protocol->gauge_count; i++)
        rl_text_format(&gauges, ", %s", protocol->gauges[i]);
    return plan_fail(b, s, RL_BAD_TEXT, "%s has no gauge '%s'; there are leaders%s", protocol->name,
                     b->point.curve, list);
}

static enum rl_status read_count(struct builder *b, const struct rl_field *field,
                                 const struct slice *s)
{
    uint64_t value = field->otherwise;
    enum rl_status status = RL_OK;
    if (s && !(field->most == RL_NEVER && plan_is(s, "none")))
        status = parse_count(b, s, b->point.params.n, &value);
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
        else if (field->kind == RL_FIELD_CURVE)
            status = read_curve(b, values);
    }
    return status;
}

/* ---- the outer dimensions, and the whole ---- */

static enum rl_status take_size(struct builder *b, const struct slice *item)
{
    struct range range;
    uint64_t n;
    enum rl_status status = parse_range(b, *item, 0, &range);
    while (!status && next_in(&range, &n)) {
        if (n < 2 || n > RL_MAX_AGENTS)
            return plan_fail(b, item, RL_BAD_PARAMETER,
                             "a ring has 2 to %u agents (2^27 - 1), not %llu", RL_MAX_AGENTS,
                             (unsigned long long)n);
        b->point.params = (struct rl_params){.n = (uint32_t)n};
        status = read_scalars(b);
        if (!status)
            status = expand_parameter(b, 0);
    }
    return status;
}

static enum rl_status take_protocol(struct builder *b, const struct slice *item)
{
    char buffer[RL_PLAN_NAME];
    const enum rl_status status = find_protocol(b, item, &b->point.protocol);
    if (status || b->point.protocol)
        return status ? status : expand(b, SIZE);
    return b->strictness == RL_PLAN_STRICT
               ? plan_fail_at(b, item, rl_protocol_refuse(plan_string_of(item, buffer), b->error))
               : RL_OK;
}

/* The product of this dimension and of those inside it. A key that is not said leaves the point as
 * it is. */
static enum rl_status expand(struct builder *b, size_t dimension)
{
    static const struct {
        const char *key;
        enum rl_status (*take)(struct builder *b, const struct slice *item);
    } ALL[DIMENSIONS] = {
        {"protocol", take_protocol}, {"n", take_size},      {"start", take_start},
        {"engine", take_engine},     {"fault", take_fault},
    };
    if (dimension == DIMENSIONS)
        return add_point(b);
    const struct item *said = plan_item(b, ALL[dimension].key);
    if (!said)
        return expand(b, dimension + 1);
    struct slice rest = said->values, item;
    enum rl_status status = RL_OK;
    while (!status && plan_take(&rest, ",", &item))
        status = ALL[dimension].take(b, &item);
    return status;
}

enum rl_status plan_expand_grid(struct builder *b, const struct slice *here)
{
    enum rl_status status = RL_OK;
    if (!plan_item(b, "n"))
        return plan_fail(b, here, RL_BAD_TEXT,
                         "how many agents? a grid needs n = ..., such as "
                         "n = 64..4096x2");
    b->counted = 0;
    for (int walk = 0; walk < 2 && !status; walk++) {
        b->counting = walk == 0;
        b->point = (struct rl_point){.protocol = rl_protocol_at(0), .start = RL_START_RANDOM};
        status = expand(b, PROTOCOL);
    }
    return status;
}
