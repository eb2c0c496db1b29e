/* SPDX-License-Identifier: MIT
 *
 * Rings, configurations and executions, as the reports of all commands print them.
 */
#include "cli/cli.h"

void tell_heading(struct answer *answer, const struct rl_protocol *protocol,
                  const struct rl_params *params, const char *which)
{
    put(answer, "protocol=%s n=%u", protocol->name, params->n);
    rl_json_parameters(&answer->json, protocol, params);
    line(answer, "%s on %s ring of n = %s agents", protocol->name, which, grouped(params->n));
    for (size_t i = 0; i < protocol->parameter_count; i++)
        line(answer, ", %s = %s", protocol->parameters[i].name,
             parameter_text(&protocol->parameters[i], params->value[i]));
}

const char *states_text(const struct rl_protocol *protocol, const rl_state *states, uint32_t n)
{
    static char text[RL_VERIFY_AGENTS * 48];
    struct rl_text into = rl_text_into(text, sizeof text);
    for (uint32_t i = 0; i < n; i++)
        rl_text_format(&into, i ? " %s" : "%s", rl_ring_state(protocol, states[i]).text);
    return text;
}

static void read_configuration(struct rl_ring *ring, const char *path)
{
    const struct rl_protocol *protocol = ring->protocol;
    struct rl_nearest nearest = {.word = path};
    size_t size;
    for (size_t i = 0; i < protocol->start_count; i++)
        rl_nearest_try(&nearest, protocol->starts[i].name);
    if (strcmp(path, "-") != 0 && access(path, F_OK) != 0)
        die(EXIT_REQUEST,
            "'%s' is neither a start of %s nor a file%s (see ringleader protocols %s)", path,
            protocol->name, nearest.hint, protocol->name);
    const char *text = file_text(path, &size);
    check(rl_ring_parse(ring, text, size, why()), path);
}

void choose_start(struct rl_experiment *experiment)
{
    struct rl_ring ring = {experiment->protocol, experiment->params};
    if (rl_protocol_has_start(ring.protocol, experiment->start))
        return;
    ring.agents = claim(rl_ring_bytes(ring.protocol, ring.params.n), NULL);
    read_configuration(&ring, experiment->start);
    experiment->configuration = ring.agents;
}

void write_configuration(const struct rl_ring *ring, FILE *stream)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        fprintf(stream, i ? " %s" : "%s", rl_ring_state(ring->protocol, rl_ring_get(ring, i)).text);
    fputc('\n', stream);
}
