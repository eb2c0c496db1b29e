/* SPDX-License-Identifier: MIT
 *
 * The plans shipped with the program.
 *
 * The only place outside src/protocols that names protocols. A start that only some protocols of a
 * grid have is left out for the others.
 */
#include <string.h>

#include "ringleader/study.h"

static const struct {
    const char *name;
    const char *text;
} PRESETS[] = {
    {"table1",
     "# The paper's Table 1, measured, beside what is claimed: from all named starts on small "
     "rings, and on\n"
     "# large ones from those that take at least half the steps of the worst.\n"
     "trials = 100\n"
     "grid\n"
     "protocol = prl, prl-oracle\n"
     "n = 16, 32, 64\n"
     "start = random, leaderless, leaders, shielded, bullets, opposite, paper, safe, glued\n"
     "trials = 200\n"
     "grid\n"
     "protocol = prl, prl-oracle\n"
     "n = 128..4096x2\n"
     "start = random, leaderless, leaders, shielded, bullets, opposite, paper, safe, glued\n"
     "easy = 50\n"
     "grid\n"
     "protocol = fj06, aaf08\n"
     "n = 16, 32\n"
     "start = random, leaderless, opposite, leaders, barriers, safe\n"
     "trials = 200\n"
     "grid\n"
     "protocol = fj06, aaf08\n"
     "n = 64..512x2\n"
     "start = random, leaderless, opposite, leaders, barriers, safe\n"
     "easy = 50\n"
     "grid\n"
     "protocol = fences\n"
     "n = 2..8\n"
     "patience = 6 # with the usual 4 a ring of 8 takes too long\n"
     "start = random, leaderless, leaders, clean, hard\n"
     "trials = 200\n"
     "grid\n"
     "protocol = ppl\n"
     "n = 16, 32, 64\n"
     "start = random, leaderless, disguised, leaders, safe, clean\n"
     "grid\n"
     "protocol = ppl\n"
     "n = 128..512x2\n"
     "start = random, leaderless, disguised, leaders, safe, clean\n"
     "easy = 50\n"
     "# Leaders as time passes.\n"
     "grid\n"
     "protocol = prl, fj06, aaf08, ppl, prl-oracle\n"
     "n = 256\n"
     "start = random\n"
     "curve = leaders\n"},
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
