/* SPDX-License-Identifier: MIT
 *
 * The version, which meson.build knows.
 */
#include "ringleader/api.h"

#include "version.h"

const char *rl_version(void)
{
    return VERSION;
}
