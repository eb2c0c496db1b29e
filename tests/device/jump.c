/* SPDX-License-Identifier: MIT
 *
 * Trouble with the system, for LD_PRELOAD: every clock is a day ahead while $JUMP_FILE is there,
 * and no process can be started while $SPAWN_FILE is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
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

__attribute__((visibility("default"))) pid_t fork(void)
{
    const char *file = getenv("SPAWN_FILE");
    if (!file || access(file, F_OK) != 0)
        return ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
    errno = EAGAIN;
    return -1;
}
