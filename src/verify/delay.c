/* SPDX-License-Identifier: MIT
 *
 * Oracles that report late: refused.
 */
#include "verify/delay.h"

enum rl_status rl_delay_check(const struct rl_protocol *protocol, const struct rl_params *params,
                              struct rl_error *error)
{
    if (!protocol->oracle || params->value[protocol->delay] == 0)
        return RL_OK;
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "%s is %u, but the verifier knows only an oracle that reports at once: "
                        "how long it has waited is no part of a configuration",
                        protocol->parameters[protocol->delay].name, params->value[protocol->delay]);
}
