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
    const struct rl_protocol *loaded = rl_protocol_named(path);
    struct rl_own own;
    if (loaded && loaded->path) /* not one of ours, of this name */
        return loaded;
    const enum rl_status status = rl_own_load(&own, path, &tools, why());
    if (own.warning)
        complain("%s", own.warning);
    if (status) {
        fputs(own.messages ? own.messages : "", stderr);
        rl_own_free(&own);
        check(status, NULL);
    }
    return add_to_list(&own, path);
}

void load_protocols(const char *names)
{
    char *rest = strcpy(claim(strlen(names) + 1, NULL), names), *word;
    while ((word = rl_text_take(&rest, ",")))
        if (rl_own_is_file(word))
            load_protocol(word);
}

void check_own_only(const struct arguments *arguments)
{
    const char *name = argument(arguments, "protocol");
    const struct rl_protocol *protocol = name ? rl_protocol_named(name) : NULL;
    if (name && !(protocol && protocol->hash))
        die(EXIT_REQUEST, "the file names its protocol; -p is only for a protocol file, not '%s'",
            name);
}
