/* SPDX-License-Identifier: MIT
 *
 * Plans, the reading: text -> grids -> points.
 *
 * A plan is read in two passes. The first cuts the text into items `key = values` and keeps, for
 * each grid, where the values of each key stand; items before the first `grid` are the defaults of
 * all grids. The second walks the product of the values, one function a dimension, each calling
 * the next inner one; what a value means is decided there, because 2n needs the n and a start
 * needs the protocol. Every complaint points at the line and column of the value at fault.
 */
#include "ringleader/plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of protocols are keys too: they follow these. */
enum key {
    KEY_PROTOCOL,
    KEY_N,
    KEY_START,
    KEY_ENGINE,
    KEY_FAULT,
    KEY_TRIALS,
    KEY_SEED,
    KEY_UNTIL_ERROR,
    KEY_MAX_STEPS,
    KEY_CLAIM,
    KEY_PARAMETERS,
    KEY_COUNT = KEY_PARAMETERS + 16
};

static const char *const KEYS[KEY_PARAMETERS] = {"protocol",  "n",      "start", "engine",
                                                 "fault",     "trials", "seed",  "until-error",
                                                 "max-steps", "claim"};

/* A piece of the text and where it stands. */
struct slice {
    const char *at;
    size_t length;
    uint32_t line;
    uint32_t column;
};

struct grid {
    struct slice values[KEY_COUNT]; /* at == NULL: not given */
    bool given_here[KEY_COUNT];     /* in this grid, not among the defaults */
};

struct builder {
    struct rl_plan *plan;
    enum rl_plan_strictness strictness;
    struct rl_error *error;
    struct grid grid;
    struct rl_point point; /* filled in from the outer dimension to the inner */
    bool given[RL_MAX_PARAMETERS];
};

static enum rl_status fail_at(const struct builder *b, const struct slice *where,
                              enum rl_status status)
{
    if (b->error) {
        b->error->line = where->line;
        b->error->column = where->column;
    }
    return status;
}

/* ---- slices -----------------------------------------------------------------------------------
 */

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

/* Takes the piece up to the first of `ends` off `rest`; false when nothing is left. */
static bool take(struct slice *rest, const char *ends, struct slice *piece_out)
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

/* The slice as a string of its own; long ones are cut, and then nothing matches them. */
static const char *string_of(const struct slice *s, char buffer[RL_PLAN_NAME])
{
    const size_t length = s->length < RL_PLAN_NAME ? s->length : RL_PLAN_NAME - 1;
    memcpy(buffer, s->at, length);
    buffer[length] = '\0';
    return buffer;
}

static enum rl_status read_count(const struct builder *b, const struct slice *s, uint64_t n,
                                 uint64_t *out)
{
    char buffer[RL_PLAN_NAME];
    const enum rl_status status = rl_text_parse_count(string_of(s, buffer), n, out, b->error);
    return status ? fail_at(b, s, status) : RL_OK;
}

/* A range of counts: a, a..b, a..b+STEP, a..bxFACTOR. */
struct range {
    uint64_t next, last, add;
    double factor; /* 0: add instead */
};

static bool range_next(struct range *range, uint64_t *value_out)
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
    rl_error_set(b->error, RL_BAD_TEXT, "the range '%s' %s", string_of(s, buffer), why);
    return fail_at(b, s, RL_BAD_TEXT);
}

/* The sign after the second bound and the number behind it. */
static enum rl_status read_stride(const struct builder *b, const struct slice *s,
                                  struct range *range)
{
    char buffer[RL_PLAN_NAME];
    const char *text = string_of(s, buffer);
    if (text[0] == '+') {
        struct slice number = {s->at + 1, s->length - 1, s->line, s->column + 1};
        return read_count(b, &number, 0, &range->add);
    }
    char *end;
    range->factor = strtod(text + 1, &end);
    if (*end != '\0' || !(range->factor > 1 && range->factor <= 1e6))
        return bad_range(b, s, "wants a factor above 1, as in 64..4096x2");
    return RL_OK;
}

static enum rl_status read_range(const struct builder *b, struct slice s, uint64_t n,
                                 struct range *out)
{
    *out = (struct range){.add = 1};
    size_t dots = 0;
    while (dots + 1 < s.length && (s.at[dots] != '.' || s.at[dots + 1] != '.'))
        dots++;
    if (dots + 1 >= s.length) {
        const enum rl_status status = read_count(b, &s, n, &out->next);
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
    enum rl_status status = read_count(b, &first, n, &out->next);
    if (!status)
        status = read_count(b, &last, n, &out->last);
    if (!status && stride.length > 0)
        status = read_stride(b, &stride, out);
    if (!status && (out->next > out->last || out->add == 0))
        return bad_range(b, &s, "is empty or never ends");
    return status;
}

/* ---- points -----------------------------------------------------------------------------------
 */

bool rl_plan_same_point(const struct rl_point *a, const struct rl_point *b)
{
    char one[RL_PLAN_LINE], other[RL_PLAN_LINE];
    struct rl_text text = rl_text_into(one, sizeof one);
    rl_plan_print_point(a, &text);
    text = rl_text_into(other, sizeof other);
    rl_plan_print_point(b, &text);
    return strcmp(one, other) == 0;
}

enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point, size_t *index_out)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct rl_point *old = &plan->points[i];
        if (old->params.n != point->params.n || !rl_plan_same_point(old, point))
            continue;
        if (point->trials > old->trials)
            old->trials = point->trials;
        if (point->until_error < old->until_error)
            old->until_error = point->until_error;
        *index_out = i;
        return RL_OK;
    }
    if (plan->count == plan->room) {
        const size_t room = plan->room ? 2 * plan->room : 64;
        struct rl_point *larger = realloc(plan->points, room * sizeof *larger);
        if (!larger)
            return RL_NO_MEMORY;
        plan->points = larger;
        plan->room = room;
    }
    *index_out = plan->count;
    plan->points[plan->count++] = *point;
    return RL_OK;
}

/* ---- the product, from the inner dimension to the outer -----------------------------------------
 */

/* Runs the start once, so that an impossible one is told now and not by a trial. */
static enum rl_status try_start(const struct builder *b)
{
    const struct rl_point *point = &b->point;
    struct rl_ring ring = {.protocol = point->protocol, .params = point->params};
    struct rl_random random;
    rl_random_init(&random, point->seed, 0, RL_PURPOSE_START);
    ring.agents = malloc(rl_ring_bytes(ring.protocol, ring.params.n));
    const enum rl_status status =
        ring.agents ? rl_ring_start(&ring, point->start, &random, b->error) : RL_NO_MEMORY;
    free(ring.agents);
    return status;
}

static enum rl_status add_point(struct builder *b)
{
    if (b->plan->count == RL_PLAN_POINTS) {
        rl_error_set(b->error, RL_BAD_TEXT, "more than %u points", (uint64_t)RL_PLAN_POINTS);
        return fail_at(b, &b->grid.values[KEY_N], RL_BAD_TEXT);
    }
    const struct slice *start = &b->grid.values[KEY_START];
    const enum rl_status status = try_start(b);
    if (status)
        return fail_at(b, start->at ? start : &b->grid.values[KEY_N], status);
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
    for (struct slice rest = item; take(&rest, "+", &piece);) {
        if (b->point.fault_count == RL_PLAN_FAULTS) {
            rl_error_set(b->error, RL_BAD_TEXT, "more than %u faults in a trial",
                         (uint64_t)RL_PLAN_FAULTS);
            return fail_at(b, &piece, RL_BAD_TEXT);
        }
        struct rl_fault *fault = &b->point.faults[b->point.fault_count];
        const enum rl_status status =
            rl_run_parse_fault(string_of(&piece, buffer), b->point.params.n, fault, b->error);
        if (status)
            return fail_at(b, &piece, status);
        if (b->point.fault_count > 0 && fault[-1].step > fault->step) {
            rl_error_set(b->error, RL_BAD_TEXT, "faults must stand in order of their steps");
            return fail_at(b, &piece, RL_BAD_TEXT);
        }
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
    while (!status && take(&rest, ",", &item)) {
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
    while (!status && take(&rest, ",", &item)) {
        const char *name = string_of(&item, buffer);
        b->point.engine = strcmp(name, "step") == 0 ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
        if (strcmp(name, rl_engine_name(b->point.engine)) != 0) {
            rl_error_set(b->error, RL_BAD_TEXT, "there is no engine '%s'; there are event and step",
                         name);
            return fail_at(b, &item, RL_BAD_TEXT);
        }
        status = expand_faults(b);
    }
    return status;
}

static bool has_start(const struct rl_protocol *protocol, const char *name)
{
    bool found = strcmp(name, "random") == 0;
    for (size_t i = 0; i < protocol->start_count; i++)
        found |= strcmp(name, protocol->starts[i].name) == 0;
    return found;
}

/* Whether another protocol of this grid has the start, so that leaving it out is no surprise. */
static bool others_have_start(const struct builder *b, const char *name)
{
    struct slice rest = b->grid.values[KEY_PROTOCOL], item;
    char buffer[RL_PLAN_NAME];
    while (take(&rest, ",", &item)) {
        const struct rl_protocol *protocol = rl_protocol_named(string_of(&item, buffer));
        if (protocol && has_start(protocol, name))
            return true;
    }
    return false;
}

static enum rl_status expand_starts(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_START], item;
    enum rl_status status = RL_OK;
    strcpy(b->point.start, "random");
    if (!rest.at)
        return expand_engines(b);
    while (!status && take(&rest, ",", &item)) {
        string_of(&item, b->point.start);
        if (has_start(b->point.protocol, b->point.start)) {
            status = expand_engines(b);
            continue;
        }
        struct rl_text note = rl_text_into(b->plan->skipped, sizeof b->plan->skipped);
        rl_text_string(&note, b->point.protocol->name);
        rl_text_string(&note, " has no start ");
        rl_text_string(&note, b->point.start);
        if (b->strictness == RL_PLAN_SKIP_UNKNOWN || others_have_start(b, b->point.start))
            continue;
        rl_error_set(b->error, RL_BAD_TEXT, "%s", b->plan->skipped);
        return fail_at(b, &item, RL_BAD_TEXT);
    }
    return status;
}

static int key_of(const char *name);

static enum rl_status expand_parameter(struct builder *b, size_t index)
{
    struct rl_point *point = &b->point;
    if (index == point->protocol->parameter_count) {
        const struct rl_params before = point->params;
        enum rl_status status =
            rl_protocol_complete(point->protocol, &point->params, b->given, b->error);
        status = status ? fail_at(b, &b->grid.values[KEY_N], status) : expand_starts(b);
        point->params = before;
        return status;
    }
    struct slice rest = b->grid.values[key_of(point->protocol->parameters[index].name)], item;
    enum rl_status status = RL_OK;
    b->given[index] = rest.at != NULL;
    if (!rest.at)
        return expand_parameter(b, index + 1);
    while (!status && take(&rest, ",", &item)) {
        struct range range;
        uint64_t value;
        status = read_range(b, item, point->params.n, &range);
        while (!status && range_next(&range, &value)) {
            point->params.value[index] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
            b->given[index] = true;
            status = expand_parameter(b, index + 1);
        }
    }
    return status;
}

static enum rl_status expand_sizes(struct builder *b)
{
    struct slice rest = b->grid.values[KEY_N], item;
    enum rl_status status = RL_OK;
    while (!status && take(&rest, ",", &item)) {
        struct range range;
        uint64_t n;
        status = read_range(b, item, 0, &range);
        while (!status && range_next(&range, &n)) {
            if (n < 2 || n > RL_MAX_AGENTS) {
                rl_error_set(b->error, RL_BAD_PARAMETER, "a ring has 2 to %u agents (2^26), not %u",
                             (uint64_t)RL_MAX_AGENTS, n);
                return fail_at(b, &item, RL_BAD_PARAMETER);
            }
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
    while (!status && take(&rest, ",", &item)) {
        b->point.protocol = rl_protocol_named(string_of(&item, buffer));
        if (b->point.protocol) {
            status = expand_sizes(b);
        } else if (b->strictness == RL_PLAN_STRICT) {
            rl_error_set(b->error, RL_BAD_TEXT, "there is no protocol '%s'", buffer);
            return fail_at(b, &item, RL_BAD_TEXT);
        }
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
    const double value = strtod(string_of(s, buffer), &end);
    const bool percent = *end == '%';
    b->point.until_error = percent ? value / 100 : value;
    if (end == buffer || end[percent] != '\0' || !(value > 0 && b->point.until_error < 1)) {
        rl_error_set(b->error, RL_BAD_TEXT, "'%s' is not a relative error: write 1%% or 0.01",
                     buffer);
        return fail_at(b, s, RL_BAD_TEXT);
    }
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
    point->claim[0] = '\0';
    if (values[KEY_TRIALS].at)
        status = read_count(b, &values[KEY_TRIALS], 0, &point->trials);
    if (!status && (point->trials == 0 || point->trials > UINT32_MAX)) {
        rl_error_set(b->error, RL_BAD_PARAMETER, "a point has 1 to 2^32 - 1 trials");
        return fail_at(b, &values[KEY_TRIALS], RL_BAD_PARAMETER);
    }
    if (!status && values[KEY_SEED].at)
        status = read_count(b, &values[KEY_SEED], 0, &point->seed);
    const struct slice *most = &values[KEY_MAX_STEPS];
    if (!status && most->at && (most->length != 4 || memcmp(most->at, "none", 4) != 0))
        status = read_count(b, most, 0, &point->max_steps);
    if (!status && values[KEY_CLAIM].at)
        string_of(&values[KEY_CLAIM], point->claim);
    return status ? status : read_until_error(b);
}

static enum rl_status expand_grid(struct builder *b, const struct slice *here)
{
    if (!b->grid.values[KEY_N].at) {
        rl_error_set(b->error, RL_BAD_TEXT,
                     "how many agents? a grid needs n = ..., such as "
                     "n = 64..4096x2");
        return fail_at(b, here, RL_BAD_TEXT);
    }
    const enum rl_status status = read_scalars(b);
    return status ? status : expand_protocols(b);
}

/* ---- the text ---------------------------------------------------------------------------------
 */

/* The key of a name; parameters of all protocols are numbered in order of first appearance. */
static int key_of(const char *name)
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

static enum rl_status unknown_key(const struct builder *b, const struct slice *key)
{
    char buffer[RL_PLAN_NAME], list[160];
    struct rl_text text = rl_text_into(list, sizeof list);
    for (int i = 0; i < KEY_PARAMETERS; i++) {
        rl_text_string(&text, KEYS[i]);
        rl_text_string(&text, ", ");
    }
    rl_error_set(b->error, RL_BAD_TEXT,
                 "there is no key '%s'; there are grid, %sand the parameters of protocols",
                 string_of(key, buffer), list);
    return fail_at(b, key, RL_BAD_TEXT);
}

static enum rl_status read_item(struct builder *b, struct slice item)
{
    struct slice key;
    char buffer[RL_PLAN_NAME];
    struct slice values = item;
    take(&values, "=", &key);
    const int k = key_of(string_of(&key, buffer));
    if (k < 0)
        return b->strictness == RL_PLAN_STRICT ? unknown_key(b, &key) : RL_OK;
    const char *why = NULL;
    if (!values.at)
        why = "has no = behind it";
    else if (trimmed(values).length == 0)
        why = "has no value";
    else if (b->grid.given_here[k])
        why = "stands twice in one grid";
    if (why) {
        rl_error_set(b->error, RL_BAD_TEXT, "'%s' %s", buffer, why);
        return fail_at(b, &key, RL_BAD_TEXT);
    }
    b->grid.given_here[k] = true;
    b->grid.values[k] = trimmed(values);
    return RL_OK;
}

/* Reads the items of a line; at "grid" closes the grid before it and begins from the defaults. */
static enum rl_status read_line(struct builder *b, struct slice line, struct grid *defaults,
                                size_t *grids)
{
    struct slice item;
    enum rl_status status = RL_OK;
    while (!status && take(&line, ";", &item)) {
        if (item.length == 0)
            continue;
        if (item.length != 4 || memcmp(item.at, "grid", 4) != 0) {
            status = read_item(b, item);
            continue;
        }
        if ((*grids)++ == 0)
            *defaults = b->grid;
        else
            status = expand_grid(b, &item);
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
        status = expand_grid(&b, &(struct slice){.line = line, .column = 1});
    if (!status && plan->count == 0)
        status = rl_error_set(error, RL_BAD_TEXT, "the plan is empty: no point is left to study");
    return status;
}

void rl_plan_free(struct rl_plan *plan)
{
    free(plan->points);
    *plan = (struct rl_plan){0};
}
