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

static void expand(struct builder *b, size_t dimension);

/* ---- counts and ranges ---- */

/* A range of counts: a, a..b, a..b+STEP, a..bxFACTOR. */
struct range {
    uint64_t next, last, add;
    double factor; /* 0: add instead */
};

static void parse_count(struct builder *b, const struct slice *s, uint64_t n, uint64_t *out)
{
    char buffer[RL_PLAN_NAME];
    if (!b->status)
        plan_fail_at(b, s, rl_text_parse_count(plan_string_of(s, buffer), n, out, b->error));
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

static void bad_range(struct builder *b, const struct slice *s, const char *why)
{
    char buffer[RL_PLAN_NAME];
    plan_fail(b, s, RL_BAD_TEXT, "the range '%s' %s", plan_string_of(s, buffer), why);
}

static struct slice part_of(const struct slice *s, size_t from, size_t to)
{
    return (struct slice){s->at + from, to - from, s->line, s->column + (uint32_t)from};
}

static struct range parse_range(struct builder *b, const struct slice *s, uint64_t n)
{
    struct range range = {.add = 1};
    char buffer[RL_PLAN_NAME], *end;
    const char *text = plan_string_of(s, buffer), *dots = strstr(text, "..");
    if (s->length >= sizeof buffer)
        bad_range(b, s, "is too long");
    if (!dots) {
        if (s->length > 0 && strchr(text + 1, '-'))
            bad_range(b, s, "is written with dots: 64..512, 64..512x2 or 64..512+64");
        parse_count(b, s, n, &range.next);
        range.last = range.next;
        return range;
    }
    const size_t first = (size_t)(dots - text), stride = first + 2 + strcspn(dots + 2, "x+");
    const struct slice from = part_of(s, 0, first), to = part_of(s, first + 2, stride);
    parse_count(b, &from, n, &range.next);
    parse_count(b, &to, n, &range.last);
    if (text[stride] == '+') {
        const struct slice add = part_of(s, stride + 1, s->length);
        parse_count(b, &add, 0, &range.add);
    } else if (text[stride] == 'x') {
        const struct slice factor = part_of(s, stride, s->length);
        range.factor = plain_read(text + stride + 1, &end);
        if (*end != '\0' || !(range.factor > 1 && range.factor <= 1e6))
            bad_range(b, &factor, "needs a factor above 1, as in 64..4096x2");
    }
    if (range.next > range.last || range.add == 0)
        bad_range(b, s, "is empty or endless");
    return range;
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

/* What the file of a protocol claims stays with the point: the file may be gone. */
static void keep_claim(struct rl_point *point)
{
    const struct rl_protocol *protocol = point->protocol;
    if (protocol->hash && protocol->claim && !point->claim[0] && point->fault_count == 0)
        snprintf(point->claim, sizeof point->claim, "%s", protocol->claim);
}

static void add_point(struct builder *b)
{
    const struct rl_protocol *protocol = b->point.protocol;
    size_t index = 0;
    if (b->point.after > 0 && protocol->interact && !protocol->sets[protocol->target].contains)
        plan_fail(b, place_of(b, "after"), RL_BAD_PARAMETER,
                  "the target of %s is not a set, so `after` cannot be used", protocol->name);
    if (!b->status)
        plan_fail_at(b, place_of(b, "start"), try_start(b));
    if (b->plan->count == RL_PLAN_POINTS && !rl_plan_find(b->plan, &b->point))
        plan_fail(b, place_of(b, "n"), RL_BAD_TEXT, "more than %u points", RL_PLAN_POINTS);
    if (!b->status)
        b->status = rl_plan_add(b->plan, &b->point, &index);
    if (!b->status)
        keep_claim(&b->plan->points[index]);
}

/* ---- values, from the inner dimension to the outer ---- */

static void take_fault(struct builder *b, const struct slice *item)
{
    struct slice piece, rest = *item;
    char buffer[RL_PLAN_NAME];
    struct rl_point *point = &b->point;
    point->fault_count = 0;
    struct rl_text spelled = rl_text_into(point->spelled_faults, sizeof point->spelled_faults);
    while (!b->status && !plan_is(item, "none") && plan_take(&rest, "+", &piece)) {
        struct rl_fault fault;
        if (point->fault_count == RL_PLAN_FAULTS)
            plan_fail(b, &piece, RL_BAD_TEXT, "more than %u faults in a trial", RL_PLAN_FAULTS);
        const char *words = plan_string_of(&piece, buffer);
        if (!b->status)
            plan_fail_at(b, &piece, rl_run_parse_fault(words, point->params.n, &fault, b->error));
        if (!b->status)
            plan_fail_at(b, &piece, rl_run_check_fault(&fault, point->max_steps, b->error));
        if (b->status)
            return;
        if (point->fault_count > 0 && point->faults[point->fault_count - 1].step > fault.step)
            plan_fail(b, &piece, RL_BAD_TEXT, "faults must be in the order of their steps");
        rl_text_format(&spelled, "%s%s", point->fault_count ? "+" : "", buffer);
        point->faults[point->fault_count++] = fault;
    }
    if (item->length >= sizeof point->spelled_faults)
        point->spelled_faults[0] = '\0'; /* too long to be kept as it is */
    if (!b->status)
        add_point(b);
}

static void take_engine(struct builder *b, const struct slice *item)
{
    char buffer[RL_PLAN_NAME];
    if (rl_engine_named(plan_string_of(item, buffer), &b->point.engine))
        expand(b, FAULT);
    else
        plan_fail(b, item, RL_BAD_TEXT, "there is no engine '%s'; there are event and step",
                  buffer);
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
static const struct rl_protocol *find_protocol(struct builder *b, const struct slice *item)
{
    const struct word word = word_of(item);
    const struct rl_protocol *found = NULL;
    if (!b->resolver || !b->resolver->protocol)
        return rl_protocol_named(word.text);
    if (!b->status)
        plan_fail_at(b, item,
                     b->resolver->protocol(b->resolver->user, word.text, &found, b->error));
    return found;
}

/* Whether another protocol of this grid has the start, so that leaving it out is no surprise. */
static bool others_have_start(struct builder *b, const char *name)
{
    const struct item *said = plan_item(b, "protocol");
    struct slice rest = said ? said->values : (struct slice){0}, item;
    while (plan_take(&rest, ",", &item)) {
        const struct rl_protocol *protocol = find_protocol(b, &item);
        if (protocol && rl_protocol_has_start(protocol, name))
            return true;
    }
    return false;
}

/* A configuration's file: in the study it has the file's name, without directories. */
static bool read_start_file(struct builder *b, const struct slice *item)
{
    const struct word word = word_of(item);
    char *text = NULL;
    if (b->status || !b->resolver || !b->resolver->start)
        return false;
    plan_fail_at(b, item, b->resolver->start(b->resolver->user, word.text, &text, b->error));
    if (!text)
        return false;
    const char *slash = strrchr(word.text, '/'), *name = slash ? slash + 1 : word.text;
    for (const struct rl_plan_start *kept = b->plan->starts; kept; kept = kept->next)
        if (strcmp(kept->name, name) == 0 && strcmp(kept->text, text) != 0)
            plan_fail(b, item, RL_BAD_TEXT, "two starts are called %s: rename one of the files",
                      name);
    if (!rl_text_is_name(name))
        plan_fail(b, item, RL_BAD_TEXT,
                  "the name of a start's file has at most 47 letters, digits, and _ - . + "
                  "between them");
    if (!b->status) {
        strcpy(b->point.start, name);
        b->point.start_text = plan_keep_start(b->plan, name, text);
        b->status = b->point.start_text ? RL_OK : RL_NO_MEMORY;
    }
    free(text);
    return true;
}

static void take_start(struct builder *b, const struct slice *item)
{
    plan_string_of(item, b->point.start);
    b->point.start_text = NULL;
    const bool found = rl_protocol_has_start(b->point.protocol, b->point.start);
    const bool others = !found && others_have_start(b, b->point.start);
    if (found || (!others && read_start_file(b, item))) {
        if (!b->status)
            expand(b, ENGINE);
        return;
    }
    if (!others)
        plan_fail(b, item, RL_BAD_TEXT, "%s has no start %s", b->point.protocol->name,
                  b->point.start);
}

static void take_parameter(struct builder *b, size_t index, const struct slice *item);

/* A default that is a multiple of every n is spelled so: who reads the study's file may not have
 * the protocol's own, and so not its defaults. */
static void spell_default(const struct rl_parameter *parameter, uint32_t n, char *spelled)
{
    const uint32_t factor = parameter->default_for(n) / n;
    if (parameter->choices || factor == 0 || parameter->default_for(n) != factor * n ||
        parameter->default_for(17) != factor * 17 || parameter->default_for(1000) != factor * 1000)
        return;
    if (factor > 1)
        snprintf(spelled, RL_PLAN_NAME, "%un", factor);
    else
        strcpy(spelled, "n");
}

static void expand_parameter(struct builder *b, size_t index)
{
    struct rl_point *point = &b->point;
    if (b->status)
        return;
    if (index == point->protocol->parameter_count) {
        const struct rl_params before = point->params;
        plan_fail_at(b, place_of(b, "n"),
                     rl_protocol_complete(point->protocol, &point->params, b->given, b->error));
        if (!b->status)
            expand(b, START);
        point->params = before;
        return;
    }
    struct item *said = plan_item(b, point->protocol->parameters[index].name);
    b->given[index] = said;
    point->spelled[index][0] = '\0';
    if (!said) {
        spell_default(&point->protocol->parameters[index], point->params.n, point->spelled[index]);
        expand_parameter(b, index + 1);
        return;
    }
    said->understood = true;
    struct slice rest = said->values, item;
    while (!b->status && plan_take(&rest, ",", &item))
        take_parameter(b, index, &item);
}

static void take_parameter(struct builder *b, size_t index, const struct slice *item)
{
    const struct rl_parameter *parameter = &b->point.protocol->parameters[index];
    char *spelled = b->point.spelled[index];
    struct range range = {.add = 1};
    uint64_t value;
    uint32_t choice = 0;
    if (parameter->choices) {
        plan_fail_at(b, item,
                     rl_parameter_read(parameter, plan_string_of(item, spelled), b->point.params.n,
                                       &choice, b->error));
        range.next = range.last = choice;
    } else {
        range = parse_range(b, item, b->point.params.n);
    }
    while (!b->status && next_in(&range, &value)) {
        if (value > UINT32_MAX)
            plan_fail(b, item, RL_BAD_PARAMETER, "%s must be below 2^32", parameter->name);
        b->point.params.value[index] = (uint32_t)value;
        const char *words = plan_string_of(item, spelled);
        if (strstr(words, ".."))
            snprintf(spelled, RL_PLAN_NAME, "%llu", (unsigned long long)value);
        else if (strcmp(words, "1n") == 0)
            strcpy(spelled, "n");
        expand_parameter(b, index + 1);
    }
}

/* ---- what a grid has one value of ---- */

static void read_until_error(struct builder *b, const struct slice *s)
{
    char buffer[RL_PLAN_NAME];
    char *end;
    b->point.until_error = 0;
    if (!s || plan_is(s, "none"))
        return;
    const double value = plain_read(plan_string_of(s, buffer), &end);
    const bool percent = *end == '%';
    b->point.until_error = percent ? value / 100 : value;
    if (end == buffer || end[percent] != '\0' || !(value > 0 && b->point.until_error < 1))
        plan_fail(b, s, RL_BAD_TEXT, "'%s' is not a relative error: write 1%% or 0.01", buffer);
}

static void read_claim(struct builder *b, const struct slice *s)
{
    memset(b->point.claim, 0, sizeof b->point.claim);
    if (s && s->length >= RL_PLAN_CLAIM)
        plan_fail(b, s, RL_BAD_TEXT, "a claim has at most %u characters", RL_PLAN_CLAIM - 1);
    else if (s)
        memcpy(b->point.claim, s->at, s->length);
}

static void read_curve(struct builder *b, const struct slice *s)
{
    const struct rl_protocol *protocol = b->point.protocol;
    char list[200];
    struct rl_text gauges = rl_text_into(list, sizeof list);
    b->point.curve[0] = '\0';
    if (!s || plan_is(s, "none"))
        return;
    plan_string_of(s, b->point.curve);
    if (strcmp(b->point.curve, "leaders") == 0 || !protocol->interact ||
        rl_protocol_gauge(protocol, b->point.curve) >= 0)
        return; /* (of what stands for a protocol the gauges are not known) */
    for (size_t i = 0; i < protocol->gauge_count; i++)
        rl_text_format(&gauges, ", %s", protocol->gauges[i]);
    plan_fail(b, s, RL_BAD_TEXT, "%s has no gauge '%s'; there are leaders%s", protocol->name,
              b->point.curve, list);
}

static void read_count(struct builder *b, const struct rl_field *field, const struct slice *s)
{
    uint64_t value = field->otherwise;
    if (s && !(field->most == RL_NEVER && plan_is(s, "none")))
        parse_count(b, s, b->point.params.n, &value);
    if (value < field->least || value > field->most)
        plan_fail(b, s, RL_BAD_PARAMETER, "%s is at %s %llu", field->key,
                  value < field->least ? "least" : "most",
                  (unsigned long long)(value < field->least ? field->least : field->most));
    memcpy((char *)&b->point + field->member, &value, sizeof value);
}

/* What a grid has one value of; counts may be told in n. */
static void read_scalars(struct builder *b)
{
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)) && !b->status; i++) {
        const struct item *item = plan_item(b, field->key);
        const struct slice *values = item ? &item->values : NULL;
        if (field->kind == RL_FIELD_COUNT)
            read_count(b, field, values);
        else if (field->kind == RL_FIELD_UNTIL_ERROR)
            read_until_error(b, values);
        else if (field->kind == RL_FIELD_CLAIM)
            read_claim(b, values);
        else if (field->kind == RL_FIELD_CURVE)
            read_curve(b, values);
    }
}

/* ---- the outer dimensions, and the whole ---- */

static void take_size(struct builder *b, const struct slice *item)
{
    struct range range = parse_range(b, item, 0);
    uint64_t n;
    while (!b->status && next_in(&range, &n)) {
        if (n < 2 || n > RL_MAX_AGENTS)
            plan_fail(b, item, RL_BAD_PARAMETER, "a ring has 2 to %u agents (2^27 - 1), not %llu",
                      RL_MAX_AGENTS, (unsigned long long)n);
        b->point.params = (struct rl_params){.n = (uint32_t)n};
        read_scalars(b);
        expand_parameter(b, 0);
    }
}

static void take_protocol(struct builder *b, const struct slice *item)
{
    char buffer[RL_PLAN_NAME];
    b->point.protocol = find_protocol(b, item);
    if (b->point.protocol && !b->status)
        expand(b, SIZE);
    else if (!b->status)
        plan_fail_at(b, item, rl_protocol_refuse(plan_string_of(item, buffer), b->error));
}

/* The product of this dimension and of those inside it. A key that is not said leaves the point as
 * it is. */
static void expand(struct builder *b, size_t dimension)
{
    static const struct {
        const char *key;
        void (*take)(struct builder *b, const struct slice *item);
    } ALL[DIMENSIONS] = {
        {"protocol", take_protocol}, {"n", take_size},      {"start", take_start},
        {"engine", take_engine},     {"fault", take_fault},
    };
    if (dimension == DIMENSIONS) {
        add_point(b);
        return;
    }
    const struct item *said = plan_item(b, ALL[dimension].key);
    struct slice rest = said ? said->values : (struct slice){0}, item;
    if (!said)
        expand(b, dimension + 1);
    while (!b->status && plan_take(&rest, ",", &item))
        ALL[dimension].take(b, &item);
}

void plan_expand_grid(struct builder *b, const struct slice *here)
{
    if (!plan_item(b, "n"))
        plan_fail(b, here, RL_BAD_TEXT,
                  "how many agents? a grid needs n = ..., such as n = 64..4096x2");
    b->point = (struct rl_point){.protocol = rl_protocol_at(0), .start = RL_START_RANDOM};
    if (!b->status)
        expand(b, PROTOCOL);
}
