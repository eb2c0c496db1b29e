/* SPDX-License-Identifier: MIT
 *
 * Where a protocol's file is compiled, and where the result is kept.
 *
 * Objects are code that runs with the user's rights. So the cache is trusted only if nobody else
 * can have written there: the directory and the one above it belong to this user or root, and
 * neither group nor others may write. Everything is made in a separate directory and moved into
 * place at the end, so other processes never see half of it. An object ends with the hash of what
 * stands before; one that was cut short or changed is made again. What a killed process left is
 * removed an hour later.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "own/parts.h"

enum { MOST_OBJECT = 64 << 20, SEAL = HASH_DIGITS - 1, HOUR = 3600 };

/* ---- whom to trust ---- */

/* Whether nobody else can write there. `above`: root may, and where everybody owns what they make,
 * as in /tmp, others may. */
static bool is_ours(const char *path, bool above)
{
    struct stat about;
    return (above ? stat(path, &about) : lstat(path, &about)) == 0 && S_ISDIR(about.st_mode) &&
           (about.st_uid == geteuid() || (above && about.st_uid == 0)) &&
           (!(about.st_mode & (S_IWGRP | S_IWOTH)) || (above && (about.st_mode & S_ISVTX)));
}

static bool may_keep(const char *cache, char **warning_out)
{
    char parent[PATH];
    const char *slash = strrchr(cache, '/');
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - cache) + 1 : 0, cache);
    const bool ours = is_ours(slash ? parent : ".", true);
    if (ours)
        mkdir(cache, 0700);
    if (ours && is_ours(cache, false))
        return true;
    if (access(slash ? parent : ".", F_OK) == 0 &&
        asprintf(warning_out,
                 "the cache %s is not used: it, or what holds it, is not this user's alone",
                 cache) < 0)
        *warning_out = NULL;
    return false;
}

/* ---- the workshop ---- */

static void name_file(char path_out[PATH + 40], const char *directory, int file)
{
    static const char *const NAMES[] = {"fresh.so", "errors", "expanded.i", "again.i",
                                        "text",     "own.o",  "module"};
    snprintf(path_out, PATH + 40, "%.4000s/%s", directory, NAMES[file]);
}

static void empty(const char *directory)
{
    char name[PATH + 40];
    for (int i = 0; i < SHOP_FILES; i++) {
        name_file(name, directory, i);
        unlink(name);
    }
    rmdir(directory);
}

/* Removes what killed processes have left. */
static void sweep(const char *inside)
{
    DIR *directory = opendir(inside);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char name[PATH + 300];
        struct stat about;
        snprintf(name, sizeof name, "%.4000s/%s", inside, entry->d_name);
        if (strncmp(entry->d_name, "work.", 5) == 0 && lstat(name, &about) == 0 &&
            about.st_mtime < time(NULL) - HOUR)
            empty(name);
    }
    if (directory)
        closedir(directory);
}

static bool make_directory(struct making *making, const char *inside)
{
    snprintf(making->directory, PATH, "%.4000s/work.XXXXXX", inside);
    if (mkdtemp(making->directory))
        return true;
    making->directory[0] = '\0';
    return false;
}

enum rl_status own_shop_open(struct making *making)
{
    const char *cache = making->tools->cache;
    const char *temporary = making->tools->temporary ? making->tools->temporary : "/tmp";
    bool made = false;
    if (cache && may_keep(cache, &making->warning)) {
        sweep(cache);
        made = make_directory(making, cache);
        if (made)
            snprintf(making->kept, sizeof making->kept, "%.4000s/", cache);
    }
    if (!made && !make_directory(making, temporary))
        return rl_error_set(
            making->error, RL_IO,
            "there is no place to compile %s: neither the cache directory nor %s can be written",
            making->path, temporary);
    for (int i = 0; i < SHOP_FILES; i++)
        name_file(making->file[i], making->directory, i);
    return RL_OK;
}

void own_shop_close(struct making *making)
{
    if (making->directory[0])
        empty(making->directory);
}

/* ---- objects ---- */

enum rl_status own_look_at_kept(const char *kept, bool *whole_out)
{
    char *bytes, seal[HASH_DIGITS];
    size_t size;
    struct stat about;
    *whole_out = false;
    if (lstat(kept, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != geteuid() ||
        (about.st_mode & (S_IWGRP | S_IWOTH)))
        return RL_OK;
    const enum rl_status status = own_read(kept, MOST_OBJECT, &bytes, &size, NULL);
    if (status)
        return status == RL_NO_MEMORY ? status : RL_OK;
    if (size > SEAL) {
        hash_of(bytes, size - SEAL, seal);
        *whole_out = memcmp(bytes + size - SEAL, seal, SEAL) == 0;
    }
    free(bytes);
    return RL_OK;
}

/* Its own pages are read-only code and data; what stands behind the sections does not disturb. */
static bool append_seal(const char *fresh)
{
    char *bytes, seal[HASH_DIGITS];
    size_t size;
    if (own_read(fresh, MOST_OBJECT, &bytes, &size, NULL))
        return false;
    hash_of(bytes, size, seal);
    free(bytes);
    const int file = open(fresh, O_WRONLY | O_APPEND | O_CLOEXEC);
    const bool written =
        file >= 0 && fchmod(file, 0700) == 0 && write(file, seal, SEAL) == SEAL && fsync(file) == 0;
    return (file < 0 || close(file) == 0) && written;
}

bool own_keep(const struct making *making)
{
    return append_seal(making->file[FRESH]) && rename(making->file[FRESH], making->kept) == 0;
}
