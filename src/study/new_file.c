/* SPDX-License-Identifier: MIT
 *
 * Files written so that nothing half-written is ever seen.
 */
#include "study/new_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct rl_new_file *file)
{
    free(file->temporary);
    free(file->path);
    *file = (struct rl_new_file){0};
}

enum rl_status rl_new_file_open(struct rl_new_file *file, const char *path, struct rl_error *error)
{
    struct stat status;
    const bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    const size_t size = strlen(path) + 32;
    *file = (struct rl_new_file){.path = strdup(path), .temporary = direct ? NULL : malloc(size)};
    if (!file->path || (!direct && !file->temporary)) {
        forget(file);
        return RL_NO_MEMORY;
    }
    if (!direct)
        snprintf(file->temporary, size, "%s.%ld.part", path, (long)getpid());
    file->stream = fopen(direct ? path : file->temporary, "wb");
    if (file->stream)
        return RL_OK;
    const int problem = errno;
    forget(file);
    return rl_error_set(error, RL_IO, "%s cannot be written: %s", path, strerror(problem));
}

enum rl_status rl_new_file_keep(struct rl_new_file *file, struct rl_error *error)
{
    bool failed = ferror(file->stream) || fflush(file->stream);
    if (!file->borrowed)
        failed |= fclose(file->stream) != 0;
    file->stream = NULL;
    failed = failed || (file->temporary && rename(file->temporary, file->path) != 0);
    if (!failed) {
        forget(file);
        return RL_OK;
    }
    rl_error_set(error, RL_IO, "%s could not be written: %s", file->path ? file->path : "-",
                 strerror(errno));
    rl_new_file_drop(file);
    return RL_IO;
}

void rl_new_file_drop(struct rl_new_file *file)
{
    if (file->stream && !file->borrowed)
        fclose(file->stream);
    if (file->temporary)
        remove(file->temporary);
    forget(file);
}
