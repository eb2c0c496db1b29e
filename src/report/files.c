/* SPDX-License-Identifier: MIT
 *
 * The files of a report: how each is written, and which plots of an earlier report go.
 *
 * A report into a directory that holds an older one takes its place, and the older one's plots
 * would stay beside the new. So plots/written.txt lists what was written there, each file with a
 * hash, and the next report removes what stands on that list, is not among its own plots and is
 * still as it was written. A file that is not on the list, or that somebody has changed since, is
 * somebody's own and stays.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "report/parts.h"
#include "study/new_file.h"

static const char LIST[] = "written.txt";
static const char *const ENDINGS[] = {".svg", ".pdf"};
enum { ENDING_COUNT = 2, PATH_ROOM = 4096 };

enum rl_status report_make_directory(const char *path, struct rl_error *error)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return RL_OK;
    return rl_error_set(error, RL_IO, "the directory %s cannot be made: %s", path, strerror(errno));
}

enum rl_status report_write_file(const char *directory, const char *name,
                                 enum rl_status (*write)(FILE *stream, const void *what),
                                 const void *what, struct rl_error *error)
{
    char path[PATH_ROOM];
    struct rl_new_file file;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return rl_error_set(error, RL_BAD_PARAMETER, "the path %s is too long", directory);
    enum rl_status status = rl_new_file_open(&file, path, error);
    if (status)
        return status;
    if (write(file.stream, what))
        status = rl_error_set(error, RL_IO, "%s could not be written", path);
    else
        status = rl_new_file_keep(&file, error);
    rl_new_file_drop(&file);
    return status;
}

/* ---- the plots of an earlier report -----------------------------------------------------------
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

/* Whether `name` is the name of a plot, not a path to elsewhere. */
static bool is_plot_name(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && name[0] != '.' && !strchr(name, '/') &&
           (strcmp(name + length - 4, ENDINGS[0]) == 0 ||
            strcmp(name + length - 4, ENDINGS[1]) == 0);
}

static bool is_among(const struct figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->count; i++)
        if (strlen(figures->at[i].name) + 4 == strlen(name) &&
            strncmp(figures->at[i].name, name, strlen(figures->at[i].name)) == 0)
            return true;
    return false;
}

/* One line of the list: "HASH NAME". */
static void remove_if_ours(const char *directory, const char *line, const struct figures *figures)
{
    char path[PATH_ROOM], name[128];
    uint64_t written, now;
    if (sscanf(line, "%16" SCNx64 " %127s", &written, name) != 2 || !is_plot_name(name) ||
        is_among(figures, name) || !hash_file(directory, name, &now) || now != written)
        return;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    remove(path);
}

struct list {
    const char *directory;
    const struct figures *figures;
};

static enum rl_status put_list(FILE *stream, const void *what)
{
    const struct list *list = what;
    char name[128];
    uint64_t hash;
    for (size_t i = 0; i < list->figures->count; i++)
        for (size_t k = 0; k < ENDING_COUNT; k++) {
            snprintf(name, sizeof name, "%s%s", list->figures->at[i].name, ENDINGS[k]);
            if (hash_file(list->directory, name, &hash))
                fprintf(stream, "%016" PRIx64 " %s\n", hash, name);
        }
    return RL_OK;
}

enum rl_status report_replace_plots(const char *directory, const struct figures *figures,
                                    struct rl_error *error)
{
    char path[PATH_ROOM], line[256];
    snprintf(path, sizeof path, "%s/%s", directory, LIST);
    FILE *old = fopen(path, "r");
    while (old && fgets(line, sizeof line, old))
        remove_if_ours(directory, line, figures);
    if (old)
        fclose(old);
    return report_write_file(directory, LIST, put_list, &(struct list){directory, figures}, error);
}
