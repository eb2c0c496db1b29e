/* SPDX-License-Identifier: MIT
 *
 * The version, which meson.build knows; and what every machine must have for a seed to give the
 * same result everywhere.
 */
#include "ringleader/status.h"

#include <float.h>

#include "version.h"

#if FLT_EVAL_METHOD != 0
#error                                                                                             \
    "doubles are computed wider than they are stored: compile with -msse2 -mfpmath=sse or the like"
#endif

const char *rl_version(void)
{
    return VERSION;
}
