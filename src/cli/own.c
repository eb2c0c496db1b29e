/* SPDX-License-Identifier: MIT
 *
 * The user's own protocols on the command line: -p FILE.c. The library compiles and opens the file
 * (ringleader/own.h). This file chooses the compiler and the cache, and adds the protocol to the
 * list of protocols for the rest of the program.
 */
#include <sys/stat.h>

#include "cli/cli.h"

enum { PATH = 4096 };

/* The user's cache directory; NULL if there is no saying. */
static const char *find_cache(char memory[PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        snprintf(memory, PATH, "%.2000s", cache);
    else if (home && home[0] == '/')
        snprintf(memory, PATH, "%.2000s/.cache", home);
    else
        return NULL;
    mkdir(memory, 0700);
    return strcat(memory, "/ringleader");
}

struct rl_own_tools own_tools(void)
{
    static char cache[PATH];
    return (struct rl_own_tools){
        .compiler = getenv("CC"), .cache = find_cache(cache), .temporary = getenv("TMPDIR")};
}

/* What was loaded from which file, to the end of the program. One that is not here is loaded again,
 * which under MPI is better not done. */
static struct {
    char path[PATH];
    const struct rl_protocol *protocol;
} loaded[16];
static size_t loaded_count;
enum { MOST_LOADED = sizeof loaded / sizeof loaded[0] };

static const struct rl_protocol *add_to_list(struct rl_own *own, const char *path)
{
    const struct rl_protocol *same = rl_protocol_named(own->protocol->name);
    if (same) { /* the same text, from another file */
        rl_own_free(own);
        return same;
    }
    if (!rl_protocol_add(own->protocol)) {
        rl_own_free(own);
        die(EXIT_REQUEST, "%s: there already are too many protocols from files", path);
    }
    catch_crashes();
    return own->protocol;
}

const struct rl_protocol *load_protocol(const char *path)
{
    const struct rl_own_tools tools = own_tools();
    struct rl_own own;
    for (size_t i = 0; i < loaded_count; i++)
        if (strcmp(loaded[i].path, path) == 0)
            return loaded[i].protocol;
    const enum rl_status status = rl_own_load(&own, path, &tools, why());
    if (own.warning)
        complain("%s", own.warning);
    if (status) {
        fputs(own.messages ? own.messages : "", stderr);
        rl_own_free(&own);
        check(status, NULL);
    }
    const struct rl_protocol *protocol = add_to_list(&own, path);
    if (loaded_count < MOST_LOADED && strlen(path) < PATH) {
        strcpy(loaded[loaded_count].path, path);
        loaded[loaded_count++].protocol = protocol;
    }
    return protocol;
}

const char *file_of(const struct rl_protocol *protocol)
{
    for (size_t i = 0; i < loaded_count; i++)
        if (loaded[i].protocol == protocol)
            return loaded[i].path;
    return NULL;
}

const char *file_option(const struct rl_protocol *protocol)
{
    static char memory[PATH + 8];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    if (file_of(protocol))
        rl_text_format(&text, "-p %s ", file_of(protocol));
    return memory;
}

void check_own_only(const struct arguments *arguments)
{
    const char *name = argument(arguments, "protocol");
    const struct rl_protocol *protocol = name ? rl_protocol_named(name) : NULL;
    if (name && !(protocol && protocol->hash))
        die(EXIT_REQUEST, "the file names its protocol; -p is only for a protocol file, not '%s'",
            name);
}

const char *protocol_names(const char *value)
{
    if (!strstr(value, ".c"))
        return value;
    const size_t room = strlen(value) + 64 * (strlen(value) / 3 + 1) + 1;
    char *names = claim(room, NULL), *rest = claim(strlen(value) + 1, NULL), *word;
    struct rl_text text = rl_text_into(names, room);
    strcpy(rest, value);
    while ((word = rl_text_take(&rest, ",")))
        rl_text_format(&text, "%s%s", rl_own_is_file(word) ? load_protocol(word)->name : word,
                       rest ? "," : "");
    return names;
}

void load_protocols(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *joined = rl_text_after(argv[i], "--protocol=");
        if (strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--protocol") == 0)
            joined = i + 1 < argc ? argv[++i] : "";
        else if (!joined && (joined = rl_text_after(argv[i], "-p")) == NULL)
            continue;
        protocol_names(joined);
    }
}
