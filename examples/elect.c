/* SPDX-License-Identifier: MIT
 *
 * The smallest use of the library: one election, told in one line.
 */
#include <stdio.h>

#include "ringleader.h"

int main(void)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    const struct rl_run_options options = {
        .protocol = prl,
        .params = {.n = 100, .value = {100}}, /* N = 100 */
        .seed = 1,
        .start = "random",
        .until = prl->target,
        .max_steps = RL_NEVER,
    };
    struct rl_run run;
    struct rl_error error = {0};
    if (rl_run_init(&run, &options, &error)) {
        fprintf(stderr, "%s\n", error.text);
        rl_run_free(&run);
        return 1;
    }
    while (rl_run_advance(&run) == RL_RUNNING)
        continue;
    printf("u_%u leads for ever after %llu steps\n", rl_ring_first_leader(&run.ring),
           (unsigned long long)run.step);
    rl_run_free(&run);
    return 0;
}
