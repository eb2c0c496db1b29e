/* SPDX-License-Identifier: MIT
 *
 * The JSON in a study: parameters, hits and faults, whose names depend on the protocol.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/store_parts.h"

/* "name":count, with a comma before it unless it is the first; null for RL_NEVER. */
static void print_member(struct rl_text *text, bool first, const char *name, uint64_t count)
{
    rl_text_string(text, first ? "\"" : ",\"");
    rl_text_string(text, name);
    rl_text_string(text, "\":");
    if (count == RL_NEVER)
        rl_text_string(text, "null");
    else
        rl_text_number(text, count);
}

void store_print_parameters(const struct rl_point *point, bool names, struct rl_text *text)
{
    rl_text_char(text, '{');
    for (size_t i = 0; i < point->protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &point->protocol->parameters[i];
        const char *choice = rl_request_choice(parameter, point->params.value[i]);
        if (choice && names)
            rl_text_format(text, "%s\"%s\":\"%s\"", i ? "," : "", parameter->name, choice);
        else
            print_member(text, i == 0, parameter->name, point->params.value[i]);
    }
    rl_text_char(text, '}');
}

void store_print_hits(const struct rl_protocol *protocol, const struct rl_trial *trial,
                      struct rl_text *text)
{
    rl_text_char(text, '{');
    for (size_t i = 0; i < protocol->set_count; i++)
        print_member(text, i == 0, protocol->sets[i].name, trial->hits[i]);
    rl_text_char(text, '}');
}

void store_print_trial_faults(const struct rl_trial *trial, struct rl_text *text)
{
    rl_text_char(text, '[');
    for (size_t i = 0; i < trial->fault_count; i++) {
        rl_text_string(text, i ? ",{" : "{");
        print_member(text, true, "step", trial->faults[i].step);
        print_member(text, false, "agents", trial->faults[i].agents);
        print_member(text, false, "recovered_after", trial->faults[i].recovered_after);
        rl_text_char(text, '}');
    }
    rl_text_char(text, ']');
}

/* The number behind "name": from `at` on, RL_NEVER for null or absent; moves `at` behind it. */
static uint64_t read_member(const char **at, const char *name)
{
    char key[RL_PLAN_NAME + 4];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(*at, key);
    if (!found)
        return RL_NEVER;
    *at = found + strlen(key);
    return **at == 'n' ? RL_NEVER : strtoull(*at, NULL, 10);
}

void store_read_hits(const struct rl_protocol *protocol, const char *json, struct rl_trial *trial)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++) {
        const char *at = json;
        trial->hits[i] =
            i < protocol->set_count ? read_member(&at, protocol->sets[i].name) : RL_NEVER;
    }
}

void store_read_trial_faults(const char *json, struct rl_trial *trial)
{
    trial->fault_count = 0;
    while (trial->fault_count < RL_PLAN_FAULTS && (json = strchr(json, '{'))) {
        struct rl_fault *fault = &trial->faults[trial->fault_count++];
        fault->step = read_member(&json, "step");
        fault->agents = (uint32_t)read_member(&json, "agents");
        fault->recovered_after = read_member(&json, "recovered_after");
    }
}
