/* SPDX-License-Identifier: MIT
 *
 * The smallest use of the library: one election, reported in one line.
 */
#include <stdio.h>

#include "ringleader.h"

int main(void)
{
    struct rl_experiment options;
    struct rl_run run;
    rl_experiment_init(&options, rl_protocol_named("prl"), 100);
    if (rl_run_init(&run, &options, NULL))
        return 1;
    while (rl_run_advance(&run) == RL_RUNNING)
        continue;
    printf("u_%u leads forever after %llu steps\n", rl_ring_first_leader(&run.ring),
           (unsigned long long)run.step);
    rl_run_free(&run);
    return 0;
}
