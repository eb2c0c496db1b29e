/* SPDX-License-Identifier: MIT
 *
 * Which n are covered, and why an agent is the same for all of them.
 */
#include "verify/every_n/proof.h"

#include <inttypes.h>

#include "ringleader/status.h"
#include "core/inside.h"

/* The least n that `check` accepts is looked for below LOOKED_AT; from LATE on one must come. */
enum { LOOKED_AT = 128, LATE = 64, MOST_STATES = 256 };

enum rl_status rl_sizes_params(const struct rl_every_n_options *options, uint32_t n,
                               struct rl_params *params_out)
{
    struct rl_error ignored;
    *params_out = options->params;
    params_out->n = n;
    return rl_protocol_complete(options->protocol, params_out, options->given, &ignored);
}

/* The name of a parameter that has another value for another n, as far as one looks; or NULL. A
 * default that changes later does no harm: what is proved is proved of the values that are told. */
static const char *find_moving(const struct rl_every_n_options *options,
                               const struct rl_params *first)
{
    struct rl_params other;
    for (uint32_t n = first->n + 1; n < LOOKED_AT; n++) {
        (void)rl_sizes_params(options, n, &other);
        for (size_t i = 0; i < options->protocol->parameter_count; i++)
            if (first->value[i] != other.value[i])
                return options->protocol->parameters[i].name;
    }
    return NULL;
}

/* Are the protocol's parts those that are the same for every n? */
static bool is_tied(const struct rl_protocol *protocol)
{
    const struct rl_without_n *same = protocol->without_n;
    return same && protocol->interact == same->interact && protocol->leads == same->leads &&
           protocol->numbering == same->numbering &&
           (protocol->numbering || protocol->variables == same->variables);
}

/* Why nothing can be said of every n, if that is so. */
static void find_obstacle(const struct rl_sizes *sizes, const struct rl_every_n_options *options,
                          bool goes_on, struct rl_text *text)
{
    const struct rl_protocol *protocol = options->protocol;
    struct rl_params first;
    (void)rl_sizes_params(options, sizes->sample, &first);
    const uint64_t states = rl_protocol_states(protocol, &first);
    const char *moving = find_moving(options, &first);
    if (!goes_on)
        rl_text_string(text, "with these parameters it refuses large n");
    else if (protocol->undirected)
        rl_text_string(text, "its ring is undirected, and sweeps exist only on directed rings");
    else if (moving)
        rl_text_format(text,
                       "its parameter %s depends on n unless it is given, and with it the states "
                       "of an agent: no alphabet has them all",
                       moving);
    else if (states > MOST_STATES)
        rl_text_format(text,
                       "an agent has %" PRIu64 " states: too large an alphabet (%u is the limit)",
                       states, (unsigned)MOST_STATES);
    else if (!is_tied(protocol))
        rl_text_string(text,
                       "its rule, output or states may depend on n: the file does not compile "
                       "without n, or it brings its own parts");
    else if (options->untied)
        rl_text_string(text, options->untied);
    else if (sizes->period > RL_MOST_PERIOD)
        rl_text_format(text, "the n it is for depend on n modulo %u (%u is the limit)",
                       sizes->period, (unsigned)RL_MOST_PERIOD);
}

void rl_sizes_find(struct rl_sizes *sizes, const struct rl_every_n_options *options,
                   char *obstacle_out)
{
    const struct rl_promise *promise = &options->protocol->promise;
    struct rl_text text = rl_text_into(obstacle_out, sizeof((struct rl_every_n *)0)->obstacle);
    struct rl_params params;
    uint32_t largest = 0;
    *sizes = (struct rl_sizes){.sample = 2};
    for (uint32_t n = LOOKED_AT - 1; n >= 2; n--)
        if (!rl_sizes_params(options, n, &params)) {
            sizes->sample = n;
            largest = largest ? largest : n;
        }
    (void)rl_sizes_params(options, sizes->sample, &params);
    sizes->period = rl_protocol_modulus(options->protocol, &params);
    find_obstacle(sizes, options, largest >= LATE, &text);
    for (uint32_t r = 0; !*obstacle_out && r < sizes->period; r++)
        sizes->in_period[r] = sizes->period == 1 || (r == promise->remainder) != promise->other;
}
