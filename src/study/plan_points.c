/* SPDX-License-Identifier: MIT
 *
 * Plans, the points: the fields of each, its text, and that it is in a plan once.
 *
 * A point is known by what rl_plan_line writes. A plan may have 100,000 points, so those with the
 * same end of a hash form a chain; comparing each with each took 27 s for 20,000.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/plain.h"
#include "core/inside.h"
#include "study/inside.h"

/* ---- fields ---- */

static const struct rl_field FIELDS[] = {
    {"protocol", RL_FIELD_PROTOCOL, true, NULL},
    {"n", RL_FIELD_N, true, NULL},
    {"parameters", RL_FIELD_PARAMETERS, true, ""},
    {"start", RL_FIELD_START, true, NULL},
    {"engine", RL_FIELD_ENGINE, true, "event"},
    {"fault", RL_FIELD_FAULT, true, "none"},
#define COUNT(place, key, least, most, otherwise, identity, ...)                                   \
    {key, RL_FIELD_COUNT, identity, NULL, least, most, otherwise, offsetof(struct rl_point, place)},
#define OF_RUN(member, place, ...)   COUNT(run.place, __VA_ARGS__)
#define OF_STUDY(member, place, ...) COUNT(place, __VA_ARGS__)
    RL_EXPERIMENT_COUNTS(OF_RUN) RL_STUDY_COUNTS(OF_STUDY)
#undef COUNT
#undef OF_RUN
#undef OF_STUDY
        {"until-error", RL_FIELD_UNTIL_ERROR, false, "none"},
    {"claim", RL_FIELD_CLAIM, false, ""},
    {"curve", RL_FIELD_CURVE, false, ""},
};

const struct rl_field *rl_field_at(size_t index)
{
    return index < sizeof FIELDS / sizeof FIELDS[0] ? &FIELDS[index] : NULL;
}

uint64_t rl_field_count(const struct rl_field *field, const struct rl_point *point)
{
    uint64_t value;
    assert(field->kind == RL_FIELD_COUNT && "this field is no count");
    memcpy(&value, (const char *)point + field->member, sizeof value);
    return value;
}

void plan_print_faults(const struct rl_point *p, bool spelled, struct rl_text *text)
{
    spelled = spelled && p->spelled_faults[0];
    if (spelled || p->run.fault_count == 0)
        rl_text_string(text, spelled ? p->spelled_faults : "none");
    for (size_t i = 0; i < p->run.fault_count && !spelled; i++)
        rl_text_format(text, "%s%u@%llu", i ? "+" : "", p->run.faults[i].agents,
                       (unsigned long long)p->run.faults[i].step);
}

/* "N=64; k=2"; or as the plan spelled them, without the defaults of a protocol of the list that it
 * did not spell: they may change with n, and who reads this knows them. */
static void print_parameters(const struct rl_point *p, bool spelled, struct rl_text *text)
{
    const char *separator = "";
    for (size_t i = 0; i < p->run.protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &p->run.protocol->parameters[i];
        const uint32_t value = p->run.params.value[i];
        if (spelled && !p->spelled[i][0] && !p->run.protocol->hash &&
            value == parameter->default_for(p->run.params.n))
            continue;
        rl_text_format(text, "%s%s=", separator, parameter->name);
        separator = "; ";
        if (spelled && p->spelled[i][0])
            rl_text_string(text, p->spelled[i]);
        else
            rl_parameter_print(parameter, value, text);
    }
}

void rl_field_print(const struct rl_field *field, const struct rl_point *point,
                    struct rl_text *text)
{
    char number[32];
    switch (field->kind) {
    case RL_FIELD_PROTOCOL:
        rl_text_string(text, point->run.protocol->name);
        break;
    case RL_FIELD_N:
        rl_text_number(text, point->run.params.n);
        break;
    case RL_FIELD_PARAMETERS:
        print_parameters(point, false, text);
        break;
    case RL_FIELD_START:
        rl_text_string(text, point->run.start);
        break;
    case RL_FIELD_ENGINE:
        rl_text_string(text, rl_engine_name(point->run.engine));
        break;
    case RL_FIELD_FAULT:
        plan_print_faults(point, false, text);
        break;
    case RL_FIELD_COUNT:
        if (rl_field_count(field, point) == RL_NEVER)
            rl_text_string(text, "none");
        else
            rl_text_number(text, rl_field_count(field, point));
        break;
    case RL_FIELD_UNTIL_ERROR:
        plain_print(number, sizeof number, "%.15g%%", 100 * point->until_error);
        rl_text_string(text, point->until_error > 0 ? number : "none");
        break;
    case RL_FIELD_CLAIM:
        rl_text_string(text, point->claim);
        break;
    case RL_FIELD_CURVE:
        rl_text_string(text, point->curve);
        break;
    }
}

struct rl_plan_line plan_line_of(const struct rl_point *point, bool spelled, bool all)
{
    struct rl_plan_line line = {.text = ""};
    struct rl_text text = rl_text_into(line.text, sizeof line.text);
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        const struct rl_field *field = &FIELDS[i];
        const bool parameters = field->kind == RL_FIELD_PARAMETERS;
        char words[RL_PLAN_LINE];
        struct rl_text value = rl_text_into(words, sizeof words);
        if (!field->identity && !all)
            continue;
        if (parameters)
            print_parameters(point, spelled, &value);
        else if (field->kind == RL_FIELD_FAULT)
            plan_print_faults(point, spelled, &value);
        else
            rl_field_print(field, point, &value);
        if (parameters && !words[0])
            continue;
        if (field->kind == RL_FIELD_COUNT ? rl_field_count(field, point) == field->otherwise
                                          : field->usual && strcmp(words, field->usual) == 0)
            continue;
        rl_text_format(&text, "%s%s%s%s", i ? "; " : "", parameters ? "" : field->key,
                       parameters ? "" : "=", words);
    }
    return line;
}

struct rl_plan_line rl_plan_line(const struct rl_point *point)
{
    return plan_line_of(point, false, false);
}

/* ---- each once ---- */

/* Texts that may both be missing. */
static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool rl_plan_same_point(const struct rl_point *a, const struct rl_point *b)
{
    return same_text(a->run.start_text, b->run.start_text) &&
           same_text(a->run.protocol->hash, b->run.protocol->hash) &&
           strcmp(rl_plan_line(a).text, rl_plan_line(b).text) == 0;
}

/* FNV-1a. */
static uint32_t hash_of(const struct rl_point *point)
{
    const struct rl_plan_line line = rl_plan_line(point);
    uint32_t hash = 2166136261u;
    for (const char *c = line.text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return hash;
}

enum { CHAINS = 1 << 16 };

/* Where the point is; plan->count: nowhere. */
static size_t place_of(const struct rl_plan *plan, const struct rl_point *point, uint32_t hash)
{
    uint32_t i = plan->last ? plan->last[hash % CHAINS] : 0;
    while (i &&
           !(plan->points[i - 1].hash == hash && rl_plan_same_point(&plan->points[i - 1], point)))
        i = plan->points[i - 1].next;
    return i ? i - 1 : plan->count;
}

const struct rl_point *rl_plan_find(const struct rl_plan *plan, const struct rl_point *point)
{
    const size_t i = place_of(plan, point, hash_of(point));
    return i < plan->count ? &plan->points[i] : NULL;
}

/* The plan's copy of the name and the configuration (which may be NULL) that a run starts from
 * takes the place of its own. */
static enum rl_status keep_start(struct rl_plan *plan, struct rl_experiment *experiment)
{
    const char *name = experiment->start, *text = experiment->start_text;
    struct rl_plan_start *kept = plan->starts;
    while (kept && (strcmp(kept->name, name) != 0 || !same_text(kept->text, text)))
        kept = kept->next;
    if (!kept) {
        const size_t length = strlen(name) + 1;
        kept = malloc(sizeof *kept + length + (text ? strlen(text) + 1 : 0));
        if (!kept)
            return RL_NO_MEMORY;
        strcpy(kept->name, name);
        kept->text = text ? strcpy(kept->name + length, text) : NULL;
        kept->next = plan->starts;
        plan->starts = kept;
    }
    experiment->start = kept->name;
    experiment->start_text = kept->text;
    return RL_OK;
}

/* A copy of its own. */
static enum rl_status keep_faults(struct rl_point *point)
{
    const size_t bytes = point->run.fault_count * sizeof point->run.faults[0];
    struct rl_fault *copy = bytes ? malloc(bytes) : NULL;
    if (copy)
        memcpy(copy, point->run.faults, bytes);
    point->run.faults = copy;
    return bytes && !copy ? RL_NO_MEMORY : RL_OK;
}

enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point, size_t *index_out)
{
    assert(point->run.protocol && point->run.fault_count <= RL_PLAN_FAULTS &&
           "a point has a protocol, and so many faults");
    struct rl_point *points = grown(plan->points, plan->count, &plan->room, sizeof *points);
    if (!points)
        return RL_NO_MEMORY;
    plan->points = points;
    if (!plan->last && !(plan->last = calloc(CHAINS, sizeof *plan->last)))
        return RL_NO_MEMORY;
    const uint32_t hash = hash_of(point);
    struct rl_point *held = &points[ *index_out = place_of(plan, point, hash)];
    if (*index_out == plan->count) {
        *held = *point;
        held->hash = hash;
        held->next = plan->last[hash % CHAINS];
        if (keep_start(plan, &held->run) || keep_faults(held))
            return RL_NO_MEMORY;
        plan->last[hash % CHAINS] = (uint32_t)++plan->count;
    }
    if (point->trials > held->trials)
        held->trials = point->trials;
    held->until_error = point->until_error;
    held->easy = point->easy < held->easy ? point->easy : held->easy;
    if (point->claim[0])
        memcpy(held->claim, point->claim, sizeof held->claim);
    if (point->curve[0])
        memcpy(held->curve, point->curve, sizeof held->curve);
    return RL_OK;
}

void rl_plan_free(struct rl_plan *plan)
{
    for (struct rl_plan_start *start = plan->starts, *next; start; start = next) {
        next = start->next;
        free(start);
    }
    for (size_t i = 0; i < plan->count; i++)
        free((void *)plan->points[i].run.faults);
    free(plan->points);
    free(plan->last);
    *plan = (struct rl_plan){0};
}
