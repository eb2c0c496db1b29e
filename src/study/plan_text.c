/* SPDX-License-Identifier: MIT
 *
 * Plans, the telling: points as text, and what two plans differ in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/plan.h"
#include "study/plain.h"

static void write_faults(const struct rl_point *p, struct rl_text *text)
{
    if (p->fault_count == 0)
        rl_text_string(text, "none");
    for (size_t i = 0; i < p->fault_count; i++)
        rl_text_format(text, "%s%u@%llu", i ? "+" : "", p->faults[i].agents,
                       (unsigned long long)p->faults[i].step);
}

struct rl_plan_line rl_plan_faults(const struct rl_point *point)
{
    struct rl_plan_line line = {.text = ""};
    struct rl_text text = rl_text_into(line.text, sizeof line.text);
    write_faults(point, &text);
    return line;
}

struct rl_plan_line rl_plan_line(const struct rl_point *point)
{
    struct rl_plan_line line = {.text = ""};
    struct rl_text text = rl_text_into(line.text, sizeof line.text);
    rl_request_print_ring(point->protocol, &point->params, &text);
    rl_text_format(&text, "; start=%s; engine=%s", point->start, rl_engine_name(point->engine));
    if (point->fault_count > 0)
        rl_text_format(&text, "; fault=%s", rl_plan_faults(point).text);
    rl_text_format(&text, "; seed=%llu", (unsigned long long)point->seed);
    if (point->max_steps != RL_NEVER)
        rl_text_format(&text, "; max-steps=%llu", (unsigned long long)point->max_steps);
    return line;
}

/* ---- differences ------------------------------------------------------------------------------
 */

/* A dimension of a plan: its name and how a point's place in it is written. Parameters of the
 * protocols are one dimension together. */
static void write_protocol(const struct rl_point *p, struct rl_text *text)
{
    rl_text_string(text, p->protocol->name);
}
static void write_n(const struct rl_point *p, struct rl_text *text)
{
    rl_text_number(text, p->params.n);
}
static void write_parameters(const struct rl_point *p, struct rl_text *text)
{
    for (size_t i = 0; i < p->protocol->parameter_count; i++) {
        rl_text_format(text, "%s%s=", i ? " " : "", p->protocol->parameters[i].name);
        rl_request_print_value(&p->protocol->parameters[i], p->params.value[i], text);
    }
}
static void write_start(const struct rl_point *p, struct rl_text *text)
{
    rl_text_string(text, p->start);
}
static void write_engine(const struct rl_point *p, struct rl_text *text)
{
    rl_text_string(text, rl_engine_name(p->engine));
}
static void write_trials(const struct rl_point *p, struct rl_text *text)
{
    rl_text_number(text, p->trials);
}
static void write_seed(const struct rl_point *p, struct rl_text *text)
{
    rl_text_number(text, p->seed);
}
static void write_until_error(const struct rl_point *p, struct rl_text *text)
{
    char number[32];
    plain_print(number, sizeof number, "%.6g%%", 100 * p->until_error);
    rl_text_string(text, p->until_error > 0 ? number : "none");
}
static void write_max_steps(const struct rl_point *p, struct rl_text *text)
{
    if (p->max_steps == RL_NEVER)
        rl_text_string(text, "none");
    else
        rl_text_number(text, p->max_steps);
}

static const struct dimension {
    const char *name;
    void (*write)(const struct rl_point *point, struct rl_text *text);
} DIMENSIONS[] = {
    {"protocol", write_protocol},   {"n", write_n},           {"parameters", write_parameters},
    {"start", write_start},         {"engine", write_engine}, {"fault", write_faults},
    {"trials", write_trials},       {"seed", write_seed},     {"until-error", write_until_error},
    {"max-steps", write_max_steps},
};

/* The distinct values of a dimension, in order, as "64, 128, 256". */
static void write_values(const struct rl_plan *plan, const struct dimension *dimension,
                         struct rl_text *text)
{
    char last[RL_PLAN_LINE] = "", value[RL_PLAN_LINE], padded[RL_PLAN_LINE + 8];
    for (size_t i = 0; i < plan->count; i++) {
        struct rl_text one = rl_text_into(value, sizeof value);
        dimension->write(&plan->points[i], &one);
        snprintf(padded, sizeof padded, ", %s,", value);
        if (strcmp(value, last) == 0 || (text->length > 0 && strstr(text->at, padded)))
            continue;
        rl_text_format(text, "%s%s,", text->length ? " " : ", ", value);
        strcpy(last, value);
    }
}

enum { VALUES_ROOM = 1 << 16, VALUES_SHOWN = 60 };

/* ", 1, 2, 3," as "1, 2, 3", cut if long; an empty plan has no values. */
static void tell_values(char *values, struct rl_text *text)
{
    if (!values[0]) {
        rl_text_string(text, "nothing");
        return;
    }
    char *shown = values + 2;
    shown[strlen(shown) - 1] = '\0';
    if (strlen(shown) > VALUES_SHOWN)
        strcpy(shown + VALUES_SHOWN - 3, "...");
    rl_text_string(text, shown);
}

static bool dimension_differs(const struct rl_plan *in_file, const struct rl_plan *here,
                              const struct dimension *dimension, char *memory, struct rl_text *text)
{
    char *theirs = memory, *ours = memory + VALUES_ROOM;
    struct rl_text a = rl_text_into(theirs, VALUES_ROOM), b = rl_text_into(ours, VALUES_ROOM);
    write_values(in_file, dimension, &a);
    write_values(here, dimension, &b);
    if (strcmp(theirs, ours) == 0)
        return false;
    rl_text_format(text, "%s is ", dimension->name);
    tell_values(theirs, text);
    rl_text_string(text, " in the file and ");
    tell_values(ours, text);
    rl_text_string(text, " here");
    return true;
}

static bool has_point(const struct rl_plan *plan, const struct rl_point *point)
{
    const struct rl_point *held = rl_plan_find(plan, point);
    return held && held->trials == point->trials && held->until_error == point->until_error;
}

bool rl_plan_same(const struct rl_plan *in_file, const struct rl_plan *here, struct rl_text *text)
{
    bool same = in_file->count == here->count;
    for (size_t i = 0; i < here->count && same; i++)
        same = has_point(in_file, &here->points[i]);
    if (same || !text)
        return same;
    char *memory = malloc(2 * VALUES_ROOM);
    bool told = false;
    for (size_t i = 0; i < sizeof DIMENSIONS / sizeof DIMENSIONS[0] && memory && !told; i++)
        told = dimension_differs(in_file, here, &DIMENSIONS[i], memory, text);
    if (!told)
        rl_text_string(text, "the points combine the same values differently");
    free(memory);
    return false;
}
