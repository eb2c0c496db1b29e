/* SPDX-License-Identifier: MIT
 *
 * The plans shipped with the program.
 *
 * The only place outside src/protocols that names protocols. A preset is read leniently: grids of
 * protocols, and starts, that this program does not have are left out.
 */
#include <string.h>

#include "ringleader/plan.h"

static const struct {
    const char *name;
    const char *text;
} PRESETS[] = {
    {"table1", "# The paper's Table 1, measured: growth with n, beside what is claimed.\n"
               "trials = 200\n"
               "grid\n"
               "protocol = prl\n"
               "n = 64..2048x2\n"
               "N = 1n\n"
               "start = random, leaderless, shielded\n"
               "grid\n"
               "protocol = fj06\n"
               "n = 16..256x2\n"
               "start = random, opposite\n"
               "grid\n"
               "protocol = aaf08\n"
               "n = 17, 33, 65, 129, 257\n"
               "start = random, opposite, barriers\n"
               "grid\n"
               "protocol = fences\n"
               "n = 3..7\n"
               "start = random, hard\n"
               "trials = 50\n"
               "grid\n"
               "protocol = ppl\n"
               "n = 16..256x2\n"
               "start = random, leaderless\n"
               "grid\n"
               "protocol = prl-oracle\n"
               "n = 64..2048x2\n"
               "start = random, opposite\n"},
    {"bound", "# N/n from 1 to 16 at fixed n: the O(nN) claim.\n"
              "protocol = prl\n"
              "n = 256\n"
              "N = 1n, 2n, 3n, 4n, 6n, 8n, 12n, 16n\n"
              "start = random, leaderless, bullets\n"
              "trials = 400\n"},
    {"recovery", "# Faults of 1 agent, 10 %, 50 % and all agents in a safe configuration.\n"
                 "protocol = prl\n"
                 "n = 64..1024x2\n"
                 "start = safe\n"
                 "fault = 1@0, 10%@0, 50%@0, 100%@0\n"
                 "trials = 400\n"},
};

const char *rl_plan_preset_name(size_t index)
{
    return index < sizeof PRESETS / sizeof PRESETS[0] ? PRESETS[index].name : NULL;
}

const char *rl_plan_preset(const char *name)
{
    for (size_t i = 0; i < sizeof PRESETS / sizeof PRESETS[0]; i++)
        if (strcmp(PRESETS[i].name, name) == 0)
            return PRESETS[i].text;
    return NULL;
}
