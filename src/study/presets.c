/* SPDX-License-Identifier: MIT
 *
 * The plans that come with the program: those of plans/, which are compiled in.
 */
#include <string.h>

#include "ringleader/study.h"

static const struct {
    const char *name, *text;
} PRESETS[] = {
#include "presets.h"
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
