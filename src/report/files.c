/* SPDX-License-Identifier: MIT
 *
 * The directory of a report: made beside its place, and moved there when it is complete.
 *
 * An older report in the place is replaced as a whole. A directory is a report only if it has our
 * mark, and nothing but plain files with the names that reports use. If there is anything else, it
 * belongs to somebody, and nothing is touched. No link is followed, inside it or out of it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/parts.h"

#define MARK "written.txt"
static const char MARK_TEXT[] = "This directory is a report by ringleader. The next report "
                                "replaces all of it: do not keep your own files here.\n";
static const char PLOTS[] = "plots";

/* ---- what is there ---- */

/* Whether a report has files of this name; plots are numbered. */
static bool is_report_name(const char *name)
{
    static const char *const names[] = {"index.html", "trials.csv", "points.csv", "growth.csv",
                                        "growth.tex", "curves.csv", MARK};
    const char *const end = strrchr(name, '.');
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return end && strspn(name, "0123456789") >= 2 &&
           (strcmp(end, ".svg") == 0 || strcmp(end, ".pdf") == 0 || strcmp(end, ".csv") == 0);
}

/* Goes through the directory `name` of `parent`, and with `remove` removes it. What no report has
 * is left alone, and put into `foreign`; so is it if the mark is missing. */
static void walk(int parent, const char *name, bool remove, char foreign[256])
{
    const int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const list = directory < 0 ? NULL : fdopendir(directory);
    const bool within = strcmp(name, PLOTS) == 0;
    bool marked = true;
    if (!list) {
        snprintf(foreign, 256, "%s", name);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(list));) {
        struct stat status;
        const char *const file = entry->d_name;
        if (strcmp(file, ".") == 0 || strcmp(file, "..") == 0)
            continue;
        marked = within || faccessat(directory, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        if (!within && strcmp(file, PLOTS) == 0)
            walk(directory, PLOTS, remove, foreign);
        else if (fstatat(directory, file, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
                 !S_ISREG(status.st_mode) || !is_report_name(file))
            snprintf(foreign, 256, "%s", file);
        else if (remove)
            unlinkat(directory, file, 0);
    }
    if (!marked && !foreign[0])
        snprintf(foreign, 256, "no %s", MARK);
    closedir(list);
    if (remove)
        unlinkat(parent, name, AT_REMOVEDIR);
}

/* Only a report, an empty directory, or nothing may be in the place. */
static enum rl_status check_place(const char *path, struct rl_error *error)
{
    char foreign[256] = "";
    struct stat status, here;
    if (lstat(path, &status) != 0)
        return RL_OK;
    if (stat(".", &here) == 0 && here.st_ino == status.st_ino && here.st_dev == status.st_dev)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "a report needs its own directory, not the one you are in");
    if (!S_ISDIR(status.st_mode))
        return rl_error_set(error, RL_BAD_PARAMETER, "%s exists and is not a directory", path);
    walk(AT_FDCWD, path, false, foreign);
    if (foreign[0])
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "%s holds more than a report (%s): give another directory", path,
                            foreign);
    return RL_OK;
}

/* ---- making one ---- */

static void remove_directory(const char *path)
{
    char foreign[256] = "";
    walk(AT_FDCWD, path, true, foreign);
}

static void fail(struct report_place *place)
{
    if (!place->status)
        place->status = rl_error_set(place->error, RL_IO, "%s cannot be made: %s", place->path,
                                     strerror(errno));
}

void report_place_begin(struct report_place *place, const char *directory, struct rl_error *error)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    *place = (struct report_place){.at = -1, .error = error};
    snprintf(place->path, sizeof place->path, "%.*s", (int)length, directory);
    errno = ENAMETOOLONG;
    if (length >= sizeof place->path)
        fail(place);
    else
        place->status = check_place(place->path, error);
    if (place->status)
        return;
    snprintf(place->made, sizeof place->made, "%s.new-%ld", place->path, (long)getpid());
    place->begun = mkdir(place->made, 0777) == 0;
    if (place->begun)
        place->at = open(place->made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place->at < 0 || mkdirat(place->at, PLOTS, 0777) != 0)
        fail(place);
    FILE *const mark = report_place_open(place, MARK);
    if (mark)
        fputs(MARK_TEXT, mark);
    report_place_close(place, mark);
}

FILE *report_place_open(struct report_place *place, const char *name)
{
    if (place->status)
        return NULL;
    const int file =
        openat(place->at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *const stream = file < 0 ? NULL : fdopen(file, "w");
    if (!stream)
        fail(place);
    return stream;
}

void report_place_close(struct report_place *place, FILE *stream)
{
    if (stream && (fflush(stream) != 0 || ferror(stream) || fsync(fileno(stream)) != 0))
        fail(place);
    if (stream && fclose(stream) != 0)
        fail(place);
}

enum rl_status report_place_end(struct report_place *place)
{
    char older[sizeof place->made + sizeof ".old"];
    snprintf(older, sizeof older, "%s.old", place->made);
    /* What has come there in the meantime is looked at, too. */
    if (!place->status)
        place->status = check_place(place->path, place->error);
    if (!place->status) {
        const bool moved = rename(place->path, older) == 0;
        if (rename(place->made, place->path) != 0)
            fail(place);
        if (moved && !place->status)
            remove_directory(older);
        else if (moved && rename(older, place->path) != 0)
            rl_error_set(place->error, RL_IO, "the older report is now at %s", older);
    }
    if (place->status && place->begun)
        remove_directory(place->made);
    if (place->at >= 0)
        close(place->at);
    return place->status;
}
