/* SPDX-License-Identifier: MIT
 *
 * Protocols of one's own on the command line: -p FILE.c. The library compiles and opens the file
 * (ringleader/own.h); here it is told with what and in which cache, and what it declares is put at
 * the end of the list of protocols: from there on it is one of them, to the end of the program.
 */
#include <stdlib.h>
#include <string.h>
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
    mkdir(memory, 0777);
    return strcat(memory, "/ringleader");
}

/* The first of its name is kept. The same file once more is that. */
static int add_to_list(struct rl_own *own, const char *path,
                       const struct rl_protocol **protocol_out)
{
    *protocol_out = rl_protocol_named(own->protocol->name);
    if (*protocol_out) {
        rl_own_free(own);
        return GO_ON;
    }
    if (!rl_protocol_add(own->protocol)) {
        rl_own_free(own);
        return complain(EXIT_REQUEST, "%s: there are too many protocols from files already", path);
    }
    *protocol_out = own->protocol;
    catch_crashes();
    return GO_ON;
}

struct rl_own_tools own_tools(void)
{
    static char cache[PATH];
    return (struct rl_own_tools){
        .compiler = getenv("CC"), .cache = find_cache(cache), .temporary = getenv("TMPDIR")};
}

int complain_of_file(enum rl_status status, const struct rl_error *error, const char *messages)
{
    if (messages)
        fputs(messages, stderr);
    return complain_status(status, error, NULL);
}

int load_protocol(const char *path, const struct rl_protocol **protocol_out)
{
    const struct rl_own_tools tools = own_tools();
    struct rl_error error = {0};
    struct rl_own own;
    const enum rl_status status = rl_own_load(&own, path, &tools, &error);
    if (!status)
        return add_to_list(&own, path, protocol_out);
    const int outcome = complain_of_file(status, &error, own.messages);
    rl_own_free(&own);
    return outcome;
}

int check_own_only(const struct arguments *arguments)
{
    const char *name = argument(arguments, "protocol");
    const struct rl_protocol *protocol = name ? rl_protocol_named(name) : NULL;
    if (!name || (protocol && protocol->hash))
        return GO_ON;
    return complain(EXIT_REQUEST, "a trace names its protocol; -p is for one from a file, not '%s'",
                    name);
}

/* "a.c,prl" with the names of what the files declare; unchanged if there is no file in it. */
static int resolve(const char *value, char **value_out)
{
    if (!strstr(value, ".c"))
        return GO_ON;
    char *out = calloc(strlen(value) + 1 + 64 * (strlen(value) / 3 + 1), 1);
    if (!out)
        return complain(EXIT_OUTSIDE, "out of memory");
    for (const char *at = value;; at++) {
        const size_t length = strcspn(at, ",");
        char name[PATH];
        snprintf(name, sizeof name, "%.*s", (int)(length < PATH ? length : PATH - 1), at);
        const struct rl_protocol *protocol = NULL;
        const char *path = name + strspn(name, " ");
        const int outcome = rl_own_is_file(path) ? load_protocol(path, &protocol) : GO_ON;
        if (outcome != GO_ON) {
            free(out);
            return outcome;
        }
        strcat(out, protocol ? protocol->name : name);
        at += length;
        if (!*at)
            break;
        strcat(out, ",");
    }
    *value_out = out;
    return GO_ON;
}

int load_protocols(int argc, char **argv)
{
    /* What the arguments have become: theirs to the end of the program. */
    static char *kept[MOST_OPTIONS];
    static size_t kept_count;
    int outcome = GO_ON;
    for (int i = 0; i < argc && outcome == GO_ON; i++) {
        const bool next = strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--protocol") == 0;
        const char *prefix = strncmp(argv[i], "--protocol=", 11) == 0 ? "--protocol=" : "-p";
        char *value = NULL, *whole = NULL;
        if (next && i + 1 < argc) {
            outcome = resolve(argv[++i], &whole);
        } else if (!next && strncmp(argv[i], prefix, strlen(prefix)) == 0) {
            outcome = resolve(argv[i] + strlen(prefix), &value);
            whole = value ? malloc(strlen(prefix) + strlen(value) + 1) : NULL;
            if (whole)
                strcat(strcpy(whole, prefix), value);
            free(value);
        }
        if (whole && kept_count == MOST_OPTIONS) {
            free(whole);
            return complain(EXIT_REQUEST, "more than %d options", MOST_OPTIONS);
        }
        if (whole)
            argv[i] = kept[kept_count++] = whole;
    }
    return outcome;
}

int recall_protocols(const char *const *paths, size_t count)
{
    /* A study that cannot be read is complained about by whoever reads it next. */
    for (size_t i = 0; i < count; i++)
        if (rl_store_recall_protocols(paths[i], NULL) == RL_NO_MEMORY)
            return complain_status(RL_NO_MEMORY, NULL, NULL);
    return GO_ON;
}
