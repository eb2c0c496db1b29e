/* SPDX-License-Identifier: MIT
 *
 * A clock that jumps, for LD_PRELOAD: every clock is a day ahead while $JUMP_FILE is there.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *file = getenv("JUMP_FILE");
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && file && access(file, F_OK) == 0)
        time->tv_sec += 86400;
    return result;
}
