/* SPDX-License-Identifier: MIT
 *
 * Files written so that nothing half-written is ever seen.
 *
 * Where the system allows it (Linux, most file systems), a file has no name while it is written, so
 * not even kill -9 leaves it behind. It gets a temporary name when it is complete, just before it
 * takes its place. Elsewhere it has that name from the beginning. The temporary name does not
 * depend on the file's own name, which may be as long as names can be. A symbolic link stays a
 * link: the file it points to is replaced. A replaced file keeps its permissions.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum rl_status fail(struct rl_new_file *file, const char *path, const char *how,
                           struct rl_error *error)
{
    const int problem = errno;
    rl_error_set(error, RL_IO, "%s %s be written: %s", path, how, strerror(problem));
    rl_new_file_drop(file);
    return RL_IO;
}

/* A name beside the file that no other process, and no other file of this one, has at this moment;
 * and a descriptor of what will be written there, or -1. */
static int open_beside(struct rl_new_file *file)
{
    const char *slash = strrchr(file->path, '/');
    const int length = slash ? (int)(slash - file->path) + 1 : 0;
    unsigned i = 0;
    do
        snprintf(file->temporary, sizeof file->temporary, "%.*s.ringleader.%ld.%u.part", length,
                 file->path, (long)getpid(), i++);
    while (access(file->temporary, F_OK) == 0);
    int descriptor = -1;
#ifdef O_TMPFILE
    char directory[PATH_MAX + 2];
    snprintf(directory, sizeof directory, "%.*s.", length, file->path);
    if (access("/proc/self/fd", X_OK) == 0)
        descriptor = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
    file->nameless = descriptor >= 0;
    return file->nameless ? descriptor
                          : open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

enum rl_status rl_new_file_open(struct rl_new_file *file, const char *path, struct rl_error *error)
{
    struct stat old, link;
    const bool there = stat(path, &old) == 0;
    *file = (struct rl_new_file){0};
    /* A file without a name would learn only at the end that its name cannot be. */
    if (!there && (errno != ENOENT || lstat(path, &link) == 0))
        return fail(file, path, "cannot", error);
    if (there ? !realpath(path, file->path)
              : (size_t)snprintf(file->path, sizeof file->path, "%s", path) >= sizeof file->path)
        return fail(file, path, "cannot", error);
    const int descriptor =
        there && !S_ISREG(old.st_mode) ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(file);
    if (descriptor < 0)
        return fail(file, path, "cannot", error);
    if (there && file->temporary[0]) /* or it is written all the same */
        (void)!fchmod(descriptor, old.st_mode & 07777);
    file->stream = fdopen(descriptor, "wb");
    if (file->stream)
        return RL_OK;
    close(descriptor);
    rl_new_file_drop(file);
    return RL_NO_MEMORY;
}

/* Gives a complete file its temporary name, if it has none. */
static bool give_name(const struct rl_new_file *file)
{
    char descriptor[64];
    if (!file->nameless)
        return true;
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", fileno(file->stream));
    return linkat(AT_FDCWD, descriptor, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0;
}

enum rl_status rl_new_file_keep(struct rl_new_file *file, struct rl_error *error)
{
    const bool moved = file->temporary[0];
    bool failed = ferror(file->stream) || fflush(file->stream) || (moved && !give_name(file));
    failed |= fclose(file->stream) != 0;
    file->stream = NULL;
    if (failed || (moved && rename(file->temporary, file->path) != 0))
        return fail(file, file->path, "could not", error);
    *file = (struct rl_new_file){0};
    return RL_OK;
}

bool rl_new_file_put(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size;
}

void rl_new_file_drop(struct rl_new_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary[0])
        remove(file->temporary);
    *file = (struct rl_new_file){0};
}
