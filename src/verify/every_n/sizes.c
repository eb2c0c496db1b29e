/* SPDX-License-Identifier: MIT
 *
 * Which n, and whether the table of two agents is the same for all of them.
 */
#include "verify/every_n/sizes.h"

#include <string.h>

#include "ringleader/text.h"

enum { LOOKED_AT = 128, LATE = 64, MOST_PERIOD = 32, TABLES = 12, MOST_STATES = 256 };

enum rl_status rl_sizes_params(const struct rl_every_n_options *options, uint32_t n,
                               struct rl_params *params_out)
{
    struct rl_error ignored;
    *params_out = options->params;
    params_out->n = n;
    return rl_protocol_complete(options->protocol, params_out, options->given, &ignored);
}

static bool repeats(const bool *accepted, uint32_t period)
{
    for (uint32_t n = LATE; n + period < LOOKED_AT; n++)
        if (accepted[n] != accepted[n + period])
            return false;
    return true;
}

static void find_period(struct rl_sizes *sizes, const bool *accepted)
{
    sizes->period = 1;
    while (sizes->period < MOST_PERIOD && !repeats(accepted, sizes->period))
        sizes->period++;
    for (uint32_t n = LATE; n < LATE + sizes->period; n++)
        sizes->in_period[n % sizes->period] = accepted[n];
}

RL_FORMAT(2, 3) static void say(char *obstacle_out, const char *format, ...)
{
    va_list arguments;
    struct rl_text text = rl_text_into(obstacle_out, sizeof((struct rl_every_n *)0)->obstacle);
    va_start(arguments, format);
    rl_text_formatv(&text, format, arguments);
    va_end(arguments);
}

/* Do two states become the same in rings of both sizes? */
static bool same_table(const struct rl_protocol *protocol, const struct rl_params *a,
                       const struct rl_params *b)
{
    const uint64_t states = rl_protocol_states(protocol, a);
    for (uint64_t i = 0; i < states * states; i++)
        for (int report = 0; report <= protocol->oracle; report++) {
            rl_state l[2], r[2];
            for (int k = 0; k < 2; k++) {
                const struct rl_params *params = k ? b : a;
                l[k] = rl_protocol_state(protocol, params, i / states);
                r[k] = rl_protocol_state(protocol, params, i % states);
                protocol->interact(params, report, &l[k], &r[k]);
            }
            if (l[0] != l[1] || r[0] != r[1])
                return false;
        }
    return true;
}

/* Says how a ring of n agents differs from the one of the sample, if it does. */
static bool tell_difference(const struct rl_every_n_options *options, const struct rl_params *first,
                            const struct rl_params *other, char *obstacle_out)
{
    const struct rl_protocol *protocol = options->protocol;
    const uint64_t states = rl_protocol_states(protocol, first);
    const uint64_t then = rl_protocol_states(protocol, other);
    for (size_t i = 0; i < protocol->parameter_count; i++)
        if (first->value[i] != other->value[i]) {
            say(obstacle_out,
                "its parameter %s depends on n unless it is given, and with it the states of an "
                "agent (%lu for n = %u, %lu for n = %u): no alphabet has them all",
                protocol->parameters[i].name, states, first->n, then, other->n);
            return true;
        }
    const bool differs =
        then != states || (states <= MOST_STATES && !same_table(protocol, first, other));
    if (differs)
        say(obstacle_out, "an agent is not the same thing for n = %u and for n = %u", first->n,
            other->n);
    return differs;
}

static void compare_states(const struct rl_sizes *sizes, const struct rl_every_n_options *options,
                           char *obstacle_out)
{
    struct rl_params first, other;
    rl_sizes_params(options, sizes->sample, &first);
    for (uint32_t n = sizes->sample + 1; n < sizes->sample + TABLES; n++)
        if (!rl_sizes_params(options, n, &other) &&
            tell_difference(options, &first, &other, obstacle_out))
            return;
    const uint64_t states = rl_protocol_states(options->protocol, &first);
    if (states > MOST_STATES)
        say(obstacle_out,
            "an agent has %lu states, too large an alphabet: not even all rings of three agents "
            "could be compared with an automaton (%u is the limit)",
            states, (unsigned)MOST_STATES);
}

void rl_sizes_find(struct rl_sizes *sizes, const struct rl_every_n_options *options,
                   char *obstacle_out)
{
    bool accepted[LOOKED_AT] = {false};
    *sizes = (struct rl_sizes){0};
    *obstacle_out = '\0';
    for (uint32_t n = LOOKED_AT - 1; n >= 2; n--) {
        struct rl_params params;
        accepted[n] = !rl_sizes_params(options, n, &params);
        sizes->sample = accepted[n] ? n : sizes->sample;
    }
    find_period(sizes, accepted);
    if (!memchr(sizes->in_period, 1, sizes->period))
        say(obstacle_out, "with these parameters it refuses large n");
    else if (options->protocol->undirected)
        say(obstacle_out, "its ring is undirected, and sweeps are taken on directed rings only");
    else
        compare_states(sizes, options, obstacle_out);
}
