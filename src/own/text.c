/* SPDX-License-Identifier: MIT
 *
 * What the user has written: the file, and behind it every file that it includes and that is
 * neither ours nor the system's, each under a line with its name. The preprocessor knows which
 * these are: it marks its output with lines such as
 *
 *     # 12 "rules.h" 1 3
 *
 * where a 3 behind the name says that it is the system's. The hash of this text is a protocol's
 * provenance: that of the file alone, if it includes nothing of the user's.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own/parts.h"
#include "base/read_file.h"
#include "core/inside.h"

enum { NAME = 4096, LINE = NAME + 40 };

enum rl_status own_read(const char *path, size_t most, char **text_out, size_t *size_out,
                        struct rl_error *error)
{
    *text_out = rl_read_file(path, most, size_out);
    return *text_out ? RL_OK
           : errno == ENOMEM
               ? RL_NO_MEMORY
               : rl_error_set(error, RL_IO, "%s cannot be read, or is too large", path);
}

static enum rl_status append(struct making *making, const char *path, const char *title)
{
    char *text;
    size_t size = 0;
    const enum rl_status status = own_read(path, MOST_TEXT, &text, &size, making->error);
    if (status)
        return status == RL_IO ? RL_BAD_PROTOCOL : status;
    assert(text && "what was read is there");
    const size_t before = making->size + strlen(title);
    char *longer = realloc(making->text, before + size + 1);
    if (longer) {
        memcpy(longer + making->size, title, strlen(title));
        memcpy(longer + before, text, size + 1);
        making->text = longer;
        making->size = before + size;
    }
    free(text);
    return longer ? RL_OK : RL_NO_MEMORY;
}

/* The name in a line of the preprocessor's own, if it is of a file of the user's. */
static bool read_mark(const char *line, const struct rl_own_places *places, char name_out[NAME])
{
    const char *begin = strncmp(line, "# ", 2) == 0 ? strchr(line, '"') : NULL;
    const char *end = begin ? strpbrk(begin + 1, "\"\n") : NULL;
    if (!end || *end == '\n' || end - begin >= NAME || begin[1] == '<')
        return false;
    snprintf(name_out, NAME, "%.*s", (int)(end - begin - 1), begin + 1);
    const size_t flags = strcspn(end, "\n");
    return !memchr(end, '3', flags) && !rl_text_after(name_out, places->headers) &&
           !rl_text_after(name_out, places->sources);
}

enum rl_status own_collect(struct making *making, const char *expanded)
{
    /* Names are told from the file's directory, wherever that is and one stands. */
    char name[NAME], title[LINE], directory[2 * PATH], main[2 * PATH];
    own_absolute(making->path, main);
    const char *slash = strrchr(main, '/');
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - main + 1) : 0, main);
    making->size = 0;
    enum rl_status status = append(making, making->path, "");
    for (const char *line = expanded; line && !status; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!read_mark(line, &making->places, name))
            continue;
        const char *inside = rl_text_after(name, directory);
        snprintf(title, LINE, "/* ---- %.4000s ---- */\n", inside ? inside : name);
        if (!rl_text_equal(name, main) && !strstr(making->text, title))
            status = append(making, name, title);
    }
    return status;
}
