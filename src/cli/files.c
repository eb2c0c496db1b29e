/* SPDX-License-Identifier: MIT
 *
 * Files: read whole, or written so that nothing half-written is ever seen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

int read_file(const char *path, char **text_out, size_t *size_out)
{
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!stream)
        return complain(errno == ENOENT ? EXIT_REQUEST : EXIT_OUTSIDE, "%s: %s", path,
                        strerror(errno));
    size_t room = 1 << 16, size = 0;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size, stream);
        if (size < room)
            break;
        char *larger = realloc(text, room *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    const bool failed = ferror(stream);
    if (stream != stdin)
        fclose(stream);
    if (text && !failed) {
        *text_out = text;
        *size_out = size;
        return -1;
    }
    const char *problem = text ? strerror(errno) : "out of memory";
    free(text);
    return complain(EXIT_OUTSIDE, "%s: %s", path, problem);
}

static void forget_names(struct new_file *file)
{
    free(file->temporary);
    free(file->path);
    *file = (struct new_file){0};
}

int open_new_file(struct new_file *file, const char *path)
{
    *file = (struct new_file){0};
    struct stat status;
    const bool is_stdout = strcmp(path, "-") == 0;
    const bool direct = is_stdout || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
    const size_t size = strlen(path) + 32;
    file->path = strdup(path);
    file->temporary = direct ? NULL : malloc(size);
    if (!file->path || (!direct && !file->temporary)) {
        forget_names(file);
        return complain(EXIT_OUTSIDE, "out of memory");
    }
    if (!direct)
        snprintf(file->temporary, size, "%s.%ld.part", path, (long)getpid());
    file->stream = is_stdout ? stdout : fopen(direct ? path : file->temporary, "wb");
    if (file->stream)
        return -1;
    const int problem = errno;
    forget_names(file);
    return complain(EXIT_OUTSIDE, "%s cannot be written: %s", path, strerror(problem));
}

int keep_new_file(struct new_file *file)
{
    bool failed = ferror(file->stream) || fflush(file->stream);
    if (file->stream != stdout)
        failed |= fclose(file->stream) != 0;
    file->stream = NULL;
    failed = failed || (file->temporary && rename(file->temporary, file->path) != 0);
    if (failed) {
        const int problem = errno;
        const int status =
            complain(EXIT_OUTSIDE, "%s could not be written: %s", file->path, strerror(problem));
        drop_new_file(file);
        return status;
    }
    forget_names(file);
    return -1;
}

void drop_new_file(struct new_file *file)
{
    if (file->stream && file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        remove(file->temporary);
    forget_names(file);
}
