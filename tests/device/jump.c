/* SPDX-License-Identifier: MIT
 *
 * Trouble with the system, for LD_PRELOAD: every clock is a day ahead while $JUMP_FILE is there,
 * and no process can be started while $SPAWN_FILE is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
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

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
                           const posix_spawnattr_t *, char *const *, char *const *);

__attribute__((visibility("default"))) int posix_spawn(pid_t *child, const char *path,
                                                       const posix_spawn_file_actions_t *actions,
                                                       const posix_spawnattr_t *how,
                                                       char *const *arguments, char *const *names)
{
    const char *file = getenv("SPAWN_FILE");
    spawn_function *real = (spawn_function *)dlsym(RTLD_NEXT, "posix_spawn");
    if (file && access(file, F_OK) == 0)
        return EAGAIN;
    return real(child, path, actions, how, arguments, names);
}
