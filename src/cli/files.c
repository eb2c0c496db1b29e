/* SPDX-License-Identifier: MIT
 *
 * Files, read and written, with what is to be told of those that cannot be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

int open_new_file(struct rl_new_file *file, const char *path)
{
    struct rl_error error = {0};
    if (strcmp(path, "-") == 0) {
        *file = (struct rl_new_file){.stream = stdout, .borrowed = true};
        return -1;
    }
    const enum rl_status status = rl_new_file_open(file, path, &error);
    return status ? complain_status(status, &error, NULL) : -1;
}

int keep_new_file(struct rl_new_file *file)
{
    struct rl_error error = {0};
    const enum rl_status status = rl_new_file_keep(file, &error);
    return status ? complain_status(status, &error, NULL) : -1;
}
