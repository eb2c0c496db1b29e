/* SPDX-License-Identifier: MIT
 *
 * The files of a report: which may be replaced, how each is written, which of an earlier one go.
 *
 * A report into a directory that holds an older one takes its place. What is there and was not
 * written by a report, or was changed since, is somebody's own, be it a study under the name
 * trials.csv: it is never replaced and never removed. So written.txt lists what was written, each
 * file with a hash. Before a file is written its name stands on the list without a hash, so that a
 * report that was killed in the middle can be made again. In the end files of the older report that
 * are not among the new one's are removed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/parts.h"
#include "study/new_file.h"

static const char LIST[] = "written.txt";
static const char FIRST_LINE[] = "# written by ringleader report: FNV-1a, name\n";
enum { PATH_ROOM = 4096, UNFINISHED = 0 };

static enum rl_status make_directory(const char *path, struct rl_error *error)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return RL_OK;
    return rl_error_set(error, RL_IO, "the directory %s cannot be made: %s", path, strerror(errno));
}

static enum rl_status write_file(const char *directory, const struct report_file *wanted,
                                 struct rl_error *error)
{
    char path[PATH_ROOM];
    struct rl_new_file file;
    snprintf(path, sizeof path, "%s/%s", directory, wanted->name);
    enum rl_status status = rl_new_file_open(&file, path, error);
    if (status)
        return status;
    if (wanted->put(file.stream, wanted->what))
        status = rl_error_set(error, RL_IO, "%s could not be written", path);
    else
        status = rl_new_file_keep(&file, error);
    rl_new_file_drop(&file);
    return status;
}

/* ---- the list ---------------------------------------------------------------------------------
 */

struct line {
    uint64_t hash;
    char name[REPORT_NAME];
};

struct list {
    struct line *lines;
    size_t count;
};

static bool is_among(const struct report_file *files, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, name) == 0)
            return true;
    return false;
}

/* A line that is there already is not needed twice: reports that fail would make the list grow. */
static enum rl_status append(struct list *list, uint64_t hash, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->lines[i].hash == hash && strcmp(list->lines[i].name, name) == 0)
            return RL_OK;
    struct line *lines = realloc(list->lines, (list->count + 1) * sizeof *lines);
    if (!lines)
        return RL_NO_MEMORY;
    list->lines = lines;
    list->lines[list->count].hash = hash;
    snprintf(list->lines[list->count++].name, REPORT_NAME, "%s", name);
    return RL_OK;
}

/* Free the list also after a failure. A list that is not there is empty. */
static enum rl_status read_list(const char *directory, struct list *list, struct rl_error *error)
{
    char path[PATH_ROOM], text[PATH_ROOM], name[REPORT_NAME];
    uint64_t hash;
    *list = (struct list){0};
    snprintf(path, sizeof path, "%s/%s", directory, LIST);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return RL_OK;
    enum rl_status status = RL_OK;
    if (!fgets(text, sizeof text, stream) || strcmp(text, FIRST_LINE) != 0)
        status = rl_error_set(error, RL_BAD_PARAMETER,
                              "%s was not written by a report: give another directory", path);
    while (!status && fgets(text, sizeof text, stream))
        if (sscanf(text, "%16" SCNx64 " %99s", &hash, name) == 2)
            status = append(list, hash, name);
    fclose(stream);
    return status;
}

static enum rl_status put_list(FILE *stream, const void *what)
{
    const struct list *list = what;
    fputs(FIRST_LINE, stream);
    for (size_t i = 0; i < list->count; i++)
        fprintf(stream, "%016" PRIx64 " %s\n", list->lines[i].hash, list->lines[i].name);
    return RL_OK;
}

static enum rl_status write_list(const char *directory, const struct list *list,
                                 struct rl_error *error)
{
    struct report_file file = {.put = put_list, .what = list};
    strcpy(file.name, LIST);
    return write_file(directory, &file, error);
}

/* ---- whose a file is --------------------------------------------------------------------------
 */

/* FNV-1a of a file's bytes; false if it cannot be read. */
static bool hash_file(const char *directory, const char *name, uint64_t *hash_out)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *stream = fopen(path, "rb");
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (!stream)
        return false;
    for (int c; (c = getc(stream)) != EOF;)
        hash = (hash ^ (unsigned char)c) * UINT64_C(0x100000001b3);
    const bool whole = !ferror(stream);
    fclose(stream);
    *hash_out = hash;
    return whole;
}

/* Whether the file is as a report has written it, or may have. */
static bool is_ours(const char *directory, const char *name, const struct list *list)
{
    uint64_t now;
    if (!hash_file(directory, name, &now))
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->lines[i].name, name) == 0 &&
            (list->lines[i].hash == UNFINISHED || list->lines[i].hash == now))
            return true;
    return false;
}

/* Nothing that is somebody's own may stand in the way. */
static enum rl_status check_all(const char *directory, const struct list *list,
                                const struct report_file *files, size_t count,
                                struct rl_error *error)
{
    struct stat status;
    char path[PATH_ROOM];
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
            !is_ours(directory, files[i].name, list))
            return rl_error_set(error, RL_BAD_PARAMETER,
                                "%s is not as a report has written it: give another directory, or "
                                "move it away",
                                path);
    }
    return RL_OK;
}

/* A name on the list that leads elsewhere was put there by somebody else. */
static bool is_inside(const char *name)
{
    return name[0] != '/' && name[0] != '.' && !strstr(name, "/.");
}

static void remove_old(const char *directory, const struct list *list,
                       const struct report_file *files, size_t count)
{
    char path[PATH_ROOM];
    uint64_t now;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->lines[i].name;
        if (!is_inside(name) || is_among(files, count, name) || !hash_file(directory, name, &now) ||
            now != list->lines[i].hash)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, name);
        remove(path);
    }
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Replaces the list by one of the files just written. */
static enum rl_status list_files(const char *directory, const struct report_file *files,
                                 size_t count, struct rl_error *error)
{
    struct list list = {0};
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        uint64_t hash = UNFINISHED;
        (void)hash_file(directory, files[i].name, &hash);
        status = append(&list, hash, files[i].name);
    }
    if (!status)
        status = write_list(directory, &list, error);
    free(list.lines);
    return status;
}

static enum rl_status write_and_list(const char *directory, struct list *list,
                                     const struct report_file *files, size_t count,
                                     struct rl_error *error)
{
    enum rl_status status = check_all(directory, list, files, count, error);
    for (size_t i = 0; i < count && !status; i++)
        status = append(list, UNFINISHED, files[i].name);
    if (!status)
        status = write_list(directory, list, error);
    for (size_t i = 0; i < count && !status; i++)
        status = write_file(directory, &files[i], error);
    if (status)
        return status;
    remove_old(directory, list, files, count);
    return list_files(directory, files, count, error);
}

enum rl_status report_write_files(const char *directory, const struct report_file *files,
                                  size_t count, struct rl_error *error)
{
    char plots[PATH_ROOM];
    struct list list = {0};
    if ((size_t)snprintf(plots, sizeof plots, "%s/plots", directory) + REPORT_NAME >= sizeof plots)
        return rl_error_set(error, RL_BAD_PARAMETER, "the path %s is too long", directory);
    enum rl_status status = make_directory(directory, error);
    if (!status)
        status = make_directory(plots, error);
    if (!status)
        status = read_list(directory, &list, error);
    if (!status)
        status = write_and_list(directory, &list, files, count, error);
    free(list.lines);
    return status;
}
