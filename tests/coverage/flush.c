/* SPDX-License-Identifier: MIT
 *
 * For `make coverage`, preloaded: what a process has counted is written when it ends without saying
 * goodbye, by _exit or by a signal it sends itself. The nodes of a ring and the trials of
 * somebody's protocol end so, and libgcov only writes at exit.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Programs that do not count have none. */
static void write_counts(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "__gcov_dump");
    void (*dump)(void);
    memcpy(&dump, &symbol, sizeof dump);
    if (dump)
        dump();
}

void _exit(int status)
{
    void *symbol = dlsym(RTLD_NEXT, "_exit");
    void (*leave)(int) __attribute__((noreturn));
    memcpy(&leave, &symbol, sizeof leave);
    write_counts();
    leave(status);
}

int raise(int number)
{
    write_counts();
    return kill(getpid(), number);
}
