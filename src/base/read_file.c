/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory. Nobody asks for the size beforehand: a pipe has none.
 */
#include "base/read_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OF_A_DEVICE = 1 << 20 };

/* /dev/zero and its like never end; what is typed does. */
static bool is_endless(FILE *stream, size_t size)
{
    struct stat status;
    return size >= MOST_OF_A_DEVICE && fstat(fileno(stream), &status) == 0 &&
           S_ISCHR(status.st_mode) && !isatty(fileno(stream));
}

char *rl_read_stream(FILE *stream, size_t most, size_t *size_out)
{
    size_t room = 1 << 16, size = 0;
    errno = 0;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size, stream);
        if (size < room && size <= most && !ferror(stream)) {
            text[size] = '\0';
            *size_out = size;
            return text;
        }
        if (size > most || is_endless(stream, size))
            errno = EFBIG;
        char *larger = size < room || errno == EFBIG ? NULL : realloc(text, room *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    errno = errno ? errno : ENOMEM;
    return NULL;
}

char *rl_read_file(const char *path, size_t most, size_t *size_out)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    char *text = rl_read_stream(stream, most, size_out);
    const int problem = errno;
    fclose(stream);
    errno = problem;
    return text;
}
