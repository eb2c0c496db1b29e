/* SPDX-License-Identifier: MIT
 *
 * The label of a point, with the thing left out that varies in a family.
 *
 * Parameters and faults are written as the plan spelled them (N=2n, 50% struck), so that n may vary
 * while N = 2n does not.
 */
#include "ringleader/study.h"
#include "core/inside.h"
#include "study/inside.h"

#include <string.h>

/* As the plan spelled it, so that N = 2n is the same for all n; a default that has no spelling goes
 * without saying. */
static void say_parameter(struct rl_text *label, const struct rl_point *point, size_t i,
                          const char *format)
{
    const struct rl_parameter *parameter = &point->run.protocol->parameters[i];
    const uint32_t value = point->run.params.value[i];
    if (!point->spelled[i][0] && value == parameter->default_for(point->run.params.n))
        return;
    rl_text_format(label, format, parameter->name);
    if (point->spelled[i][0])
        rl_text_string(label, point->spelled[i]);
    else
        rl_parameter_print(parameter, value, label);
}

/* ", fault 1@0+50%@20n^2", or without how many the last one strikes. */
static void say_faults(struct rl_text *label, const struct rl_point *point, bool last_agents)
{
    struct rl_plan_line line = {.text = ""};
    struct rl_text faults = rl_text_into(line.text, sizeof line.text);
    plan_print_faults(point, true, &faults);
    const char *words = line.text;
    const char *plus = strrchr(words, '+'), *last = plus ? plus + 1 : words;
    if (point->run.fault_count == 0)
        return;
    rl_text_string(label, ", fault ");
    while (words < last)
        rl_text_char(label, *words++);
    rl_text_string(label, last_agents ? last : last + strcspn(last, "@"));
}

void rl_family_label(const struct rl_point *point, enum rl_family_axis axis, size_t parameter,
                     bool many_seeds, char *text)
{
    const struct rl_experiment *run = &point->run;
    struct rl_text label = rl_text_into(text, RL_FAMILY_LABEL);
    const bool observed = !run->protocol->sets[run->protocol->target].contains;
    const int settled = observed ? rl_protocol_parameter(run->protocol, "settled") : -1;
    const bool along_settled = axis == RL_FAMILY_PARAMETER && (int)parameter == settled;
    rl_text_format(&label, "%s", run->protocol->name);
    if (axis != RL_FAMILY_N)
        rl_text_format(&label, ", n=%u", run->params.n);
    for (size_t i = 0; i < run->protocol->parameter_count; i++)
        if ((int)i != settled && (axis != RL_FAMILY_PARAMETER || i != parameter))
            say_parameter(&label, point, i, ", %s=");
    rl_text_format(&label, ", %s", run->start);
    if (settled >= 0 && !along_settled)
        say_parameter(&label, point, (size_t)settled, ", until %s=");
    else if (observed)
        rl_text_string(&label, ", until settled");
    rl_text_string(&label, observed ? " (observed, not proved)" : "");
    if (run->engine != RL_ENGINE_EVENT)
        rl_text_format(&label, ", engine %s", rl_engine_name(run->engine));
    say_faults(&label, point, axis != RL_FAMILY_FAULT);
    if (many_seeds)
        rl_text_format(&label, ", seed %llu", (unsigned long long)run->seed);
#define SAY(member, place, key, least, most, otherwise, ...)                                       \
    if (run->place != (otherwise) && &run->place != &run->seed &&                                  \
        &run->place != &run->end.max_steps)                                                        \
        rl_text_format(&label, ", %s %llu", key, (unsigned long long)run->place);
    RL_EXPERIMENT_COUNTS(SAY)
#undef SAY
    if (run->end.max_steps != RL_NEVER)
        rl_text_format(&label, ", at most %s steps", rl_text_grouped(run->end.max_steps).text);
}

void rl_family_of_starts(const struct rl_point *point, char text[RL_FAMILY_LABEL])
{
    struct rl_point any = *point;
    any.run.start = "";
    rl_family_label(&any, RL_FAMILY_N, 0, true, text);
}
