/* SPDX-License-Identifier: MIT
 *
 * Plans: text -> points.
 *
 * The text is cut into items `key = values`; items before the first `grid` are the defaults of all
 * grids. Then the product of a grid's values is walked: one value of each key is chosen, from the
 * outer key to the inner, and what was chosen is read as any other experiment is. Every complaint
 * points at the line and column of the value at fault.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/plain.h"
#include "core/inside.h"
#include "simulate/inside.h"
#include "study/inside.h"

/* One of the values of a key. Those of "key = value, value" come one behind the other. */
struct item {
    const char *key, *value;
    bool understood; /* the key is a field, or a parameter of a protocol of the grid */
};

struct builder {
    struct rl_plan *plan;
    const struct rl_plan_resolver *resolver;
    struct rl_error *error;
    enum rl_status status; /* the first failure: it sticks, and nothing more is read */
    const char *text;
    char *copy; /* of the text, cut into strings */
    /* The defaults of all grids first, then what stands in this one. */
    struct item *items;
    size_t item_count, item_room, default_count;
    /* What is chosen for the point at hand, and where that stands in the copy. */
    const struct rl_protocol *protocol;
    uint64_t n;
    const char *fault; /* NULL: none */
    char *start_text;  /* of the file that it starts from; NULL: from a named start */
    struct rl_item chosen[RL_REQUEST_ITEMS];
    const char *where[RL_REQUEST_ITEMS];
    size_t chosen_count;
};

/* ---- failures ---- */

static void keep_status(struct builder *b, const char *where, enum rl_status status)
{
    b->status = status;
    if (!status || !b->error)
        return;
    b->error->line = b->error->column = 1;
    for (const char *at = b->text; at < b->text + (where - b->copy); at++) {
        b->error->column = *at == '\n' ? 1 : b->error->column + 1;
        b->error->line += *at == '\n';
    }
}

/* Unless something has failed before, does what may fail with the text at that place. */
#define attempt(b, where, call)   ((b)->status ? (void)0 : keep_status(b, where, call))
#define fail(b, where, code, ...) attempt(b, where, rl_error_set((b)->error, code, __VA_ARGS__))

/* ---- items ---- */

static const struct rl_field *field_of(const char *key)
{
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        if (field->kind != RL_FIELD_PARAMETERS && strcmp(field->key, key) == 0)
            break;
    return field;
}

/* The first value of a key in the grid, or else in the defaults; NULL: there is none. */
static struct item *find_item(const struct builder *b, const char *key)
{
    for (size_t i = 0; i < b->item_count; i++) {
        struct item *item = &b->items[(b->default_count + i) % b->item_count];
        if (strcmp(item->key, key) == 0)
            return item;
    }
    return NULL;
}

/* The next value of the same key; NULL: there is none. */
static struct item *next_item(const struct builder *b, struct item *item)
{
    return item + 1 < b->items + b->item_count && item[1].key == item->key ? item + 1 : NULL;
}

static void refuse_key(struct builder *b, const char *key)
{
    fail(b, key, RL_BAD_TEXT,
         "there is no key '%s'; there are grid and, without dashes, what `ringleader study --help` "
         "lists for grids and points",
         key);
}

static void add_item(struct builder *b, struct item item)
{
    if (!*item.value)
        fail(b, item.key, RL_BAD_TEXT, "'%s' needs = and a value: it has no value", item.key);
    if (b->status)
        return;
    struct item *items = grown(b->items, b->item_count, &b->item_room, sizeof *items);
    if (!items) {
        b->status = RL_NO_MEMORY;
        return;
    }
    b->items = items;
    b->items[b->item_count++] = item;
}

static void read_item(struct builder *b, char *text)
{
    const char *key = rl_text_take(&text, "=");
    const struct rl_field *field = field_of(key);
    const struct item *before = find_item(b, key);
    /* It may be of a protocol that is in the list when the resolver has been asked for it. */
    if (!field && !rl_protocol_any_parameter(key) && !b->resolver)
        refuse_key(b, key);
    if (before && before >= b->items + b->default_count)
        fail(b, key, RL_BAD_TEXT, "'%s' is given twice in one grid", key);
    const char *ends = field && field->kind >= RL_FIELD_COUNT ? "" : ",";
    do {
        const char *value = rl_text_take(&text, ends);
        add_item(b, (struct item){key, value ? value : "", field});
    } while (text);
}

/* A parameter that no protocol of the grid has (of the defaults: of no grid) is a mistake. */
static void check_parameters(struct builder *b, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct item *item = &b->items[i];
        if (!item->understood && !rl_protocol_any_parameter(item->key))
            refuse_key(b, item->key);
        if (!item->understood)
            fail(b, item->value, RL_BAD_PARAMETER, "no protocol of the grid has this parameter");
    }
}

/* ---- the values of a point ---- */

/* Where what is said about a key stands; where n does, if nothing is. */
static const char *place_of(const struct builder *b, const char *key)
{
    for (size_t i = 0; i < b->chosen_count; i++)
        if (strcmp(b->chosen[i].key, key) == 0)
            return b->where[i];
    const struct item *item = find_item(b, key);
    return item ? item->value : place_of(b, "n");
}

/* The protocol that a plan has a word for; NULL: there is none. */
static const struct rl_protocol *find_protocol(struct builder *b, const char *word)
{
    const struct rl_protocol *found = NULL;
    if (!b->resolver || !b->resolver->protocol)
        return rl_protocol_named(word);
    attempt(b, word, b->resolver->protocol(b->resolver->user, word, &found, b->error));
    return found;
}

/* Whether another protocol of this grid has the start, so that leaving it out is no surprise. */
static bool others_have_start(struct builder *b, const char *name)
{
    for (struct item *item = find_item(b, "protocol"); item; item = next_item(b, item)) {
        const struct rl_protocol *protocol = find_protocol(b, item->value);
        if (protocol && rl_protocol_has_start(protocol, name))
            return true;
    }
    return false;
}

/* A configuration's file: in the study it has the file's name, without directories. */
static void read_start_file(struct builder *b, struct rl_experiment *experiment)
{
    const char *path = experiment->start, *where = place_of(b, "start");
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (b->resolver && b->resolver->start)
        attempt(b, where, b->resolver->start(b->resolver->user, path, &b->start_text, b->error));
    if (!b->start_text)
        fail(b, where, RL_BAD_TEXT, "%s has no start %s", b->protocol->name, path);
    for (const struct rl_plan_start *kept = b->plan->starts; !b->status && kept; kept = kept->next)
        if (kept->text && strcmp(kept->name, name) == 0 && strcmp(kept->text, b->start_text) != 0)
            fail(b, where, RL_BAD_TEXT, "two starts are called %s: rename one of the files", name);
    experiment->start = name;
    experiment->start_text = b->start_text;
}

/* Begins a run, so that an impossible start is told now and not by a trial. Random states are
 * always possible; nothing is known of the starts of a protocol whose file is gone. */
static enum rl_status try_start(const struct builder *b, const struct rl_experiment *experiment)
{
    struct rl_run run;
    if (strcmp(experiment->start, RL_START_RANDOM) == 0 || !experiment->protocol->interact)
        return RL_OK;
    const enum rl_status status = rl_run_init(&run, experiment, b->error);
    rl_run_free(&run);
    return status;
}

static void read_faults(struct builder *b, struct rl_point *point, struct rl_fault *faults)
{
    struct rl_experiment *run = &point->run;
    char words[RL_PLAN_NAME];
    const char *at = b->fault && strcmp(b->fault, "none") != 0 ? b->fault : NULL;
    while (at && !b->status) {
        const size_t length = strcspn(at, "+"), count = run->fault_count;
        struct rl_fault fault = {0};
        snprintf(words, sizeof words, "%.*s", (int)length, at);
        attempt(b, at, rl_run_parse_fault(words, run->params.n, &fault, b->error));
        attempt(b, at, rl_run_check_fault(&fault, run->end.max_steps, b->error));
        if (count == RL_PLAN_FAULTS)
            fail(b, at, RL_BAD_TEXT, "more than %u faults in a trial", RL_PLAN_FAULTS);
        else if (count > 0 && faults[count - 1].step > fault.step)
            fail(b, at, RL_BAD_TEXT, "faults must be in the order of their steps");
        else
            faults[run->fault_count++] = fault;
        at = at[length] ? at + length + 1 : NULL;
    }
    run->faults = faults;
    if (b->fault && run->fault_count > 0 && strlen(b->fault) < sizeof point->spelled_faults)
        strcpy(point->spelled_faults, b->fault);
}

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

static void spell_parameters(const struct builder *b, struct rl_point *point)
{
    for (size_t i = 0; i < b->protocol->parameter_count; i++)
        if (!find_item(b, b->protocol->parameters[i].name))
            spell_default(&b->protocol->parameters[i], point->run.params.n, point->spelled[i]);
    for (size_t i = 0; i < b->chosen_count; i++) {
        const int index = rl_protocol_parameter(b->protocol, b->chosen[i].key);
        const char *value = b->chosen[i].value;
        if (index >= 0 && strlen(value) < RL_PLAN_NAME)
            strcpy(point->spelled[index], strcmp(value, "1n") == 0 ? "n" : value);
    }
}

static void read_until_error(struct builder *b, const char *value, struct rl_point *point)
{
    char *end;
    if (strcmp(value, "none") == 0)
        return;
    const double number = plain_read(value, &end);
    const bool percent = *end == '%';
    point->until_error = percent ? number / 100 : number;
    if (end == value || end[percent] != '\0' || !(number > 0 && point->until_error < 1))
        fail(b, value, RL_BAD_TEXT, "'%s' is not a relative error: write 1%% or 0.01", value);
}

static void read_claim(struct builder *b, const char *value, struct rl_point *point)
{
    if (strlen(value) < sizeof point->claim)
        strcpy(point->claim, value);
    else
        fail(b, value, RL_BAD_TEXT, "a claim has at most %u characters", RL_PLAN_CLAIM - 1);
}

static void read_curve(struct builder *b, const char *value, struct rl_point *point)
{
    const char *name = b->protocol->name;
    if (strcmp(value, "none") == 0)
        return;
    snprintf(point->curve, sizeof point->curve, "%s", value);
    /* (Of what stands for a protocol the gauges are not known.) */
    if (strcmp(value, "leaders") != 0 && b->protocol->interact &&
        rl_protocol_gauge(b->protocol, point->curve) < 0)
        fail(b, value, RL_BAD_TEXT,
             "%s has no gauge '%s'; there are leaders and what `ringleader protocols %s` lists",
             name, value, name);
}

/* What a grid has one value of, unless it is part of the experiment. */
static void read_scalars(struct builder *b, struct rl_point *point)
{
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)); i++) {
        const struct item *item = find_item(b, field->key);
        if (field->kind == RL_FIELD_COUNT && !rl_experiment_has_key(field->key)) {
            uint64_t count = field->otherwise;
            if (item)
                attempt(b, item->value,
                        rl_count_read(&(struct rl_item){field->key, item->value},
                                      point->run.params.n, field->least, field->most, &count,
                                      b->error));
            memcpy((char *)point + field->member, &count, sizeof count);
        } else if (item && field->kind == RL_FIELD_UNTIL_ERROR)
            read_until_error(b, item->value, point);
        else if (item && field->kind == RL_FIELD_CLAIM)
            read_claim(b, item->value, point);
        else if (item && field->kind == RL_FIELD_CURVE)
            read_curve(b, item->value, point);
    }
    /* What the file of a protocol claims stays with the point: the file may be gone. */
    if (b->protocol->hash && b->protocol->claim && !point->claim[0] && point->run.fault_count == 0)
        snprintf(point->claim, sizeof point->claim, "%s", b->protocol->claim);
}

/* ---- a point ---- */

static void add_point(struct builder *b)
{
    const struct rl_protocol *protocol = b->protocol;
    struct rl_fault faults[RL_PLAN_FAULTS];
    struct rl_point point = {.run.protocol = protocol};
    size_t culprit, index;
    const enum rl_status status =
        rl_experiment_read(&point.run, b->chosen, b->chosen_count, &culprit, b->error);
    attempt(b, culprit < b->chosen_count ? b->where[culprit] : place_of(b, "n"), status);
    if (!b->status && !rl_protocol_has_start(protocol, point.run.start)) {
        if (others_have_start(b, point.run.start))
            return;
        read_start_file(b, &point.run);
    }
    if (!b->status && !rl_text_is_name(point.run.start))
        fail(b, place_of(b, "start"), RL_BAD_TEXT,
             "the name of a start has at most 47 letters, digits, and _ - . + between them");
    if (b->status)
        return;
    spell_parameters(b, &point);
    read_faults(b, &point, faults);
    read_scalars(b, &point);
    if (point.run.end.after > 0 && protocol->interact && !protocol->sets[protocol->target].contains)
        fail(b, place_of(b, "after"), RL_BAD_PARAMETER,
             "the target of %s is not a set, so `after` cannot be used", protocol->name);
    attempt(b, place_of(b, "start"), try_start(b, &point.run));
    if (b->plan->count == RL_PLAN_POINTS && !rl_plan_find(b->plan, &point))
        fail(b, place_of(b, "n"), RL_BAD_TEXT, "more than %u points", RL_PLAN_POINTS);
    if (!b->status)
        b->status = rl_plan_add(b->plan, &point, &index);
}

/* ---- the product ---- */

static void expand(struct builder *b, size_t dimension);

/* The key of a dimension, the outer first, which is that of a field; in the place of `parameters`
 * come those of the protocol. NULL: there are no more. */
enum { PROTOCOL, SIZE, PARAMETERS };
static const char *key_at(const struct rl_protocol *protocol, size_t dimension)
{
    if (dimension < PARAMETERS)
        return rl_field_at(dimension)->key;
    if (dimension - PARAMETERS < protocol->parameter_count)
        return protocol->parameters[dimension - PARAMETERS].name;
    const struct rl_field *field = rl_field_at(dimension + 1 - protocol->parameter_count);
    return field ? field->key : NULL;
}

static void choose_protocol(struct builder *b, const char *word)
{
    b->protocol = find_protocol(b, word);
    if (!b->protocol)
        attempt(b, word, rl_protocol_refuse(word, b->error));
    for (size_t i = 0; b->protocol && i < b->protocol->parameter_count; i++) {
        const char *name = b->protocol->parameters[i].name;
        if (field_of(name) || rl_experiment_has_key(name))
            fail(b, word, RL_BAD_PARAMETER,
                 "%s has a parameter called %s, which is something else in a study: rename it",
                 b->protocol->name, name);
    }
}

/* Takes a value and goes on to the next dimension. */
static void choose(struct builder *b, size_t dimension, const char *value, const char *where)
{
    const char *key = key_at(b->protocol, dimension);
    const size_t before = b->chosen_count;
    if (dimension == PROTOCOL) {
        choose_protocol(b, value);
    } else if (strcmp(key, "fault") == 0) {
        b->fault = value;
    } else if (rl_experiment_has_key(key) || rl_protocol_parameter(b->protocol, key) >= 0) {
        b->where[before] = where;
        b->chosen[b->chosen_count++] = (struct rl_item){key, value};
    }
    if (dimension == SIZE)
        attempt(b, where, rl_text_parse_count(value, 0, &b->n, b->error));
    if (!b->status)
        expand(b, dimension + 1);
    b->chosen_count = before;
}

/* Chooses the counts of a range one by one: a..b, a..b+STEP, a..bxFACTOR. */
static void choose_range(struct builder *b, size_t dimension, const char *value)
{
    char text[RL_PLAN_NAME], number[24], *end = "";
    snprintf(text, sizeof text, "%s", value);
    char *dots = strstr(text, ".."), *last_of = dots ? dots + 2 : text;
    char *stride = last_of + strcspn(last_of, "x+"), kind = *stride;
    uint64_t next = 1, last = 0, add = 1;
    double factor = 0;
    if (dots && strlen(value) < sizeof text) {
        *dots = *stride = '\0';
        attempt(b, value, rl_text_parse_count(text, b->n, &next, b->error));
        attempt(b, value, rl_text_parse_count(last_of, b->n, &last, b->error));
        if (kind == '+')
            attempt(b, value, rl_text_parse_count(stride + 1, 0, &add, b->error));
        if (kind == 'x')
            factor = plain_read(stride + 1, &end);
    }
    if (next > last || add == 0 || *end || (kind == 'x' && !(factor > 1 && factor <= 1e6)))
        fail(b, value, RL_BAD_TEXT,
             "the range '%s' is empty, or not written with dots: 64..512, 64..512x2 or 64..512+64",
             value);
    while (next <= last && !b->status) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)next);
        choose(b, dimension, number, value);
        const uint64_t larger = factor > 0 ? (uint64_t)((double)next * factor + 0.5) : next + add;
        next = larger > next ? larger : next + 1;
    }
}

/* Whether a value is a range of counts, or somebody thought so. */
static bool is_range(const struct rl_protocol *protocol, size_t dimension, const char *value)
{
    const size_t parameter = dimension - PARAMETERS; /* or very large */
    const bool counts = dimension == SIZE || (parameter < protocol->parameter_count &&
                                              !protocol->parameters[parameter].choices);
    return counts && (strstr(value, "..") || strchr(value + 1, '-'));
}

/* The product of this dimension and of those inside it. */
static void expand(struct builder *b, size_t dimension)
{
    const char *key = key_at(b->protocol, dimension);
    struct item *item = key ? find_item(b, key) : NULL;
    if (!key) {
        add_point(b);
        free(b->start_text);
        b->start_text = NULL;
    } else if (!item) {
        expand(b, dimension + 1);
    }
    for (; item && !b->status; item = next_item(b, item)) {
        item->understood = true;
        if (is_range(b->protocol, dimension, item->value))
            choose_range(b, dimension, item->value);
        else
            choose(b, dimension, item->value, item->value);
    }
}

static void end_grid(struct builder *b, const char *here)
{
    if (!find_item(b, "n"))
        fail(b, here, RL_BAD_TEXT, "how many agents? a grid needs n = ..., such as n = 64..4096x2");
    b->protocol = rl_protocol_at(0);
    b->fault = NULL;
    if (!b->status)
        expand(b, PROTOCOL);
    check_parameters(b, b->default_count, b->item_count);
}

/* ---- the whole ---- */

/* Reads the items of a line; at "grid" closes the grid before it and begins from the defaults. */
static void read_line(struct builder *b, char *line, size_t *grids)
{
    char *item;
    while (!b->status && (item = rl_text_take(&line, ";"))) {
        if (strcmp(item, "grid") == 0) {
            if ((*grids)++ == 0)
                b->default_count = b->item_count;
            else
                end_grid(b, item);
            b->item_count = b->default_count;
        } else if (*item) {
            read_item(b, item);
        }
    }
}

enum rl_status rl_plan_parse(struct rl_plan *plan, const char *text, size_t length,
                             const struct rl_plan_resolver *resolver, struct rl_error *error)
{
    *plan = (struct rl_plan){0};
    struct builder b = {.plan = plan, .resolver = resolver, .error = error, .text = text};
    size_t grids = 0;
    b.copy = calloc(1, length + 1);
    if (!b.copy)
        return RL_NO_MEMORY;
    memcpy(b.copy, text, length);
    const char *end = b.copy + strlen(b.copy);
    for (char *rest = b.copy, *line; !b.status && (line = rl_text_take(&rest, "\n"));) {
        line[strcspn(line, "#")] = '\0';
        read_line(&b, line, &grids);
    }
    end_grid(&b, end);
    check_parameters(&b, 0, b.default_count);
    if (!b.status && plan->count == 0)
        b.status = rl_error_set(error, RL_BAD_TEXT, "the plan is empty: no point is left to study");
    free(b.items);
    free(b.copy);
    return b.status;
}
