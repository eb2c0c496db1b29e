/* SPDX-License-Identifier: MIT
 *
 * Reading and writing files, with a message if that fails.
 */
#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <sys/stat.h>

#include "cli/cli.h"

enum { MOST_FILES = 4 };

/* What the command writes. */
static struct rl_new_file *new_files[MOST_FILES];
static size_t new_file_count;

/* ---- one place, one thing ---- */

/* By device and inode; of files that are not there yet, by name in one directory. A terminal or
 * /dev/null may be many things. */
static bool is_same_place(const char *path, const char *other)
{
    struct stat a, b;
    const bool there = stat(path, &a) == 0, other_there = stat(other, &b) == 0;
    if (strcmp(path, "-") == 0 || strcmp(other, "-") == 0)
        return strcmp(path, other) == 0;
    if (there && other_there)
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
               (S_ISREG(a.st_mode) || S_ISDIR(a.st_mode));
    char copies[2][4096];
    snprintf(copies[0], sizeof copies[0], "%s", path);
    snprintf(copies[1], sizeof copies[1], "%s", other);
    const char *slash = strrchr(path, '/'), *slash_other = strrchr(other, '/');
    return !there && !other_there &&
           strcmp(slash ? slash + 1 : path, slash_other ? slash_other + 1 : other) == 0 &&
           stat(dirname(copies[0]), &a) == 0 && stat(dirname(copies[1]), &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool names_file(const struct given *given)
{
    return given->option->kind >= VALUE_START;
}

static bool is_read(const struct given *given)
{
    return names_file(given) && given->option->kind <= VALUE_FILE;
}

static bool is_written(const struct given *given)
{
    return given->option->kind >= VALUE_FILE;
}

void check_files(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct given *b = &arguments->given[i];
        if (is_written(b) && strcmp(b->value, "-") == 0 && argument(arguments, "json"))
            die(EXIT_REQUEST, "with --json nothing else can go to standard output");
        for (size_t k = 0; k < i; k++) {
            const struct given *a = &arguments->given[k];
            const bool output = is_written(a) || is_written(b);
            const bool both = names_file(a) && names_file(b);
            const bool stdins = both && !output && strcmp(a->value, "-") == 0;
            const bool streams = strcmp(a->value, "-") == 0 && is_read(a) != is_read(b);
            if (both && (output || stdins) && !streams && is_same_place(a->value, b->value))
                die(EXIT_REQUEST, "%s and %s need two different files, not one: %s",
                    a->option->is_word ? a->name : dashed(a->name), dashed(b->name), b->value);
        }
    }
}

bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* ---- reading and writing ---- */

static void end_text(void *text)
{
    free(*(char **)text);
}

char *file_text(const char *path, size_t *size_out)
{
    char **text = claim(sizeof *text, end_text);
    *text = strcmp(path, "-") == 0 ? rl_read_stream(stdin, SIZE_MAX, size_out)
                                   : rl_read_file(path, SIZE_MAX, size_out);
    if (!*text)
        die(errno == ENOENT ? EXIT_REQUEST : EXIT_OUTSIDE, "%s: %s", path, strerror(errno));
    return *text;
}

/* The file has standard output for itself: whatever else is printed there goes to standard error.
 */
static void take_standard_output(struct rl_new_file *file)
{
    const int own = dup(STDOUT_FILENO);
    strcpy(file->path, "-");
    file->stream = own < 0 ? NULL : fdopen(own, "wb");
    if (!file->stream || fflush(stdout) != 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        die(EXIT_OUTSIDE, "standard output could not be written: %s", strerror(errno));
}

static void end_file(void *file)
{
    new_file_count--;
    rl_new_file_drop(file);
}

struct rl_new_file *new_file(const char *path)
{
    struct rl_new_file *file = claim(sizeof *file, end_file);
    assert(new_file_count < MOST_FILES && "a command has so many outputs");
    new_files[new_file_count++] = file;
    if (path && strcmp(path, "-") == 0)
        take_standard_output(file);
    else if (path)
        check(rl_new_file_open(file, path, why()), NULL);
    return file;
}

void keep_files(void)
{
    for (size_t i = 0; i < new_file_count; i++) {
        FILE *stream = new_files[i]->stream;
        if (stream && (ferror(stream) || fflush(stream)))
            die(EXIT_OUTSIDE, "%s could not be written: %s", new_files[i]->path, strerror(errno));
    }
    for (size_t i = 0; i < new_file_count; i++)
        if (new_files[i]->stream)
            check(rl_new_file_keep(new_files[i], why()), NULL);
}
