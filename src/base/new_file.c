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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = 64, PATH_ROOM = 4096, MOST_LINKS = 40 };

static void forget(struct rl_new_file *file)
{
    free(file->temporary);
    free(file->path);
    *file = (struct rl_new_file){0};
}

/* The length of the directory in a path, with the slash; 0 if it has none. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The path in the directory of `path`; NULL without memory. */
static char *beside(const char *path, const char *name)
{
    const size_t length = name[0] == '/' ? 0 : directory_length(path);
    char *result = malloc(length + strlen(name) + 1);
    if (result) {
        memcpy(result, path, length);
        strcpy(result + length, name);
    }
    return result;
}

/* Where a path leads, through symbolic links, also if nothing is there yet; NULL without memory. */
static char *follow_links(const char *path)
{
    char *at = beside("", path);
    for (int i = 0; at && i < MOST_LINKS; i++) {
        char target[PATH_ROOM];
        const ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            break;
        target[length] = '\0';
        char *next = beside(at, target);
        free(at);
        at = next;
    }
    return at;
}

/* A name that no other process, and no other file of this one, has at this moment. */
static char *temporary_name(const char *path)
{
    char name[NAME_ROOM];
    for (unsigned i = 0;; i++) {
        snprintf(name, sizeof name, ".ringleader.%ld.%u.part", (long)getpid(), i);
        char *result = beside(path, name);
        if (!result || access(result, F_OK) != 0)
            return result;
        free(result);
    }
}

/* A descriptor of a file without a name in the directory of `path`, or -1. */
static int open_nameless(const char *path)
{
#ifdef O_TMPFILE
    char directory[PATH_ROOM];
    const size_t length = directory_length(path);
    const int printed = snprintf(directory, sizeof directory, "%.*s.", (int)length, path);
    return (size_t)printed < sizeof directory && access("/proc/self/fd", X_OK) == 0
               ? open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
               : -1;
#else
    (void)path;
    return -1;
#endif
}

/* Opens what will be written. It has the mode of the file that it replaces, if there is one
 * (`old`); where that cannot be, it is written all the same. */
static int open_new(struct rl_new_file *file, const struct stat *old)
{
    int descriptor = open_nameless(file->path);
    file->nameless = descriptor >= 0;
    if (descriptor < 0)
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 && old)
        (void)!fchmod(descriptor, old->st_mode & 07777);
    return descriptor;
}

enum rl_status rl_new_file_open(struct rl_new_file *file, const char *path, struct rl_error *error)
{
    struct stat status;
    const bool there = stat(path, &status) == 0;
    const bool direct = there && !S_ISREG(status.st_mode);
    *file = (struct rl_new_file){0};
    /* A file without a name would learn only at the end that its name cannot be. */
    if (!there && errno != ENOENT)
        return rl_error_set(error, RL_IO, "%s cannot be written: %s", path, strerror(errno));
    *file = (struct rl_new_file){.path = follow_links(path)};
    if (file->path && !direct)
        file->temporary = temporary_name(file->path);
    if (!file->path || (!direct && !file->temporary)) {
        forget(file);
        return RL_NO_MEMORY;
    }
    const int descriptor =
        direct ? open(path, O_WRONLY | O_CLOEXEC) : open_new(file, there ? &status : NULL);
    if (descriptor < 0) {
        const int problem = errno;
        forget(file);
        return rl_error_set(error, RL_IO, "%s cannot be written: %s", path, strerror(problem));
    }
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
    char descriptor[NAME_ROOM];
    if (!file->nameless)
        return true;
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", fileno(file->stream));
    return linkat(AT_FDCWD, descriptor, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0;
}

enum rl_status rl_new_file_keep(struct rl_new_file *file, struct rl_error *error)
{
    bool failed = ferror(file->stream) || fflush(file->stream);
    if (file->temporary)
        failed = failed || !give_name(file);
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

bool rl_new_file_put(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size;
}

void rl_new_file_drop(struct rl_new_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        remove(file->temporary);
    forget(file);
}
