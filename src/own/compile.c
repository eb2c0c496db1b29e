/* SPDX-License-Identifier: MIT
 *
 * A protocol's file, compiled, or found in the cache.
 *
 * What was compiled and tried is kept under the hash of all that it was made of: the text after the
 * preprocessor (so with everything that is included, and the compiler's version, which
 * simulate/own.c mentions), the command with its flags, our version. Everything is made in a
 * directory of its own and moved into place at the end, so that others who do the same at the same
 * time do not meet half of it. Where nothing can be kept, it is made again the next time.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "own/command.h"
#include "own/parts.h"

enum { MOST_EXPANDED = 64 << 20 };

/* What the file is compiled with, up to what is to be made of it. */
static void make_command(struct command *command, const char *path, const char *compiler,
                         const struct rl_own_places *places)
{
    command_add_words(command, compiler && compiler[0] ? compiler : "cc");
    command_add_words(command, "-std=gnu11 -O3 -ffp-contract=off -fPIC -Wall -Wno-unused-function "
                               "-Wno-unused-const-variable -Wno-unused-variable "
                               "-Werror=implicit-function-declaration -Werror=return-type");
    command_add_file(command, path);
    command_add(command, "-I", places->headers);
    command_add(command, "-I", places->sources);
    command_add(command, places->sources, "/simulate/own.c");
}

/* ---- the workshop -----------------------------------------------------------------------------
 */

/* Where a file is compiled. `command` without what is to be made. */
struct workshop {
    const char *path;
    struct rl_own_places places;
    struct command command;
    char directory[PATH]; /* with the next three in it */
    char fresh[PATH + 40], errors[PATH + 40], expanded[PATH + 40];
    char hash[HASH_DIGITS];
    char kept[PATH + 2 * HASH_DIGITS]; /* "" if there is no cache */
};

static bool make_directory(struct workshop *shop, const char *inside)
{
    snprintf(shop->directory, PATH, "%.4000s/work.XXXXXX", inside);
    return mkdtemp(shop->directory) != NULL;
}

/* In the cache, so that what is made there can be moved to its place. */
static bool find_directory(struct workshop *shop, const struct rl_own_tools *tools)
{
    shop->kept[0] = '\0';
    if (tools->cache) {
        mkdir(tools->cache, 0777);
        if (make_directory(shop, tools->cache)) {
            snprintf(shop->kept, sizeof shop->kept, "%.4000s/", tools->cache);
            return true;
        }
    }
    return make_directory(shop, tools->temporary ? tools->temporary : "/tmp");
}

static enum rl_status open_workshop(struct workshop *shop, const char *path,
                                    const struct rl_own_tools *tools, struct rl_error *error)
{
    shop->path = path;
    if (!rl_own_find(&shop->places))
        return rl_error_set(error, RL_IO, "the sources that %s is compiled with are not installed",
                            path);
    if (!find_directory(shop, tools))
        return rl_error_set(error, RL_IO,
                            "there is no place to compile %s in: neither the cache directory nor "
                            "%s can be written",
                            path, tools->temporary ? tools->temporary : "/tmp");
    snprintf(shop->fresh, sizeof shop->fresh, "%s/fresh.so", shop->directory);
    snprintf(shop->errors, sizeof shop->errors, "%s/errors", shop->directory);
    snprintf(shop->expanded, sizeof shop->expanded, "%s/expanded", shop->directory);
    make_command(&shop->command, path, tools->compiler, &shop->places);
    return RL_OK;
}

static void close_workshop(const struct workshop *shop)
{
    unlink(shop->fresh);
    unlink(shop->errors);
    unlink(shop->expanded);
    rmdir(shop->directory);
}

/* ---- compiling --------------------------------------------------------------------------------
 */

static enum rl_status say_failure(const struct workshop *shop, int ended, char **messages_out,
                                  struct rl_error *error)
{
    size_t size;
    if (ended == NOT_RUN)
        return rl_error_set(error, RL_IO,
                            "no C compiler: '%s' cannot be run; install one (on Debian: apt "
                            "install gcc), or name yours in CC",
                            shop->command.word[0]);
    (void)own_read(shop->errors, MOST_TEXT, messages_out, &size); /* or the next line must do */
    return rl_error_set(error, RL_BAD_PROTOCOL, "%s does not compile with %s", shop->path,
                        shop->command.word[0]);
}

static void hash_all(struct workshop *shop, const char *expanded, size_t size)
{
    struct hash hash = hash_begin();
    hash_add(&hash, expanded, size);
    for (size_t i = 0; i < shop->command.count; i++)
        hash_add(&hash, shop->command.word[i], strlen(shop->command.word[i]) + 1);
    hash_add(&hash, rl_version(), strlen(rl_version()));
    hash_end(&hash, shop->hash);
    if (shop->kept[0])
        snprintf(strrchr(shop->kept, '/'), HASH_DIGITS + 4, "/%s.so", shop->hash);
}

/* Through the preprocessor: from what comes out follow the hash and the user's text. */
static enum rl_status expand(struct workshop *shop, struct own_text *text_out, char **messages_out,
                             struct rl_error *error)
{
    char *expanded;
    size_t size;
    command_add(&shop->command, "", "-E");
    const int ended = command_run(&shop->command, shop->expanded, shop->errors);
    shop->command.word[--shop->command.count] = NULL;
    if (ended != 0)
        return say_failure(shop, ended, messages_out, error);
    enum rl_status status = own_read(shop->expanded, MOST_EXPANDED, &expanded, &size);
    if (status == RL_IO)
        return rl_error_set(error, RL_IO, "%s cannot be read, or is too large", shop->expanded);
    if (status)
        return status;
    hash_all(shop, expanded, size);
    status = own_collect(shop->path, expanded, &shop->places, text_out, error);
    free(expanded);
    return status;
}

static enum rl_status compile(struct workshop *shop, struct own_object *object_out,
                              char **messages_out, struct rl_error *error)
{
    command_add(&shop->command, "", "-shared");
    command_add(&shop->command, "", "-o");
    command_add(&shop->command, "", shop->fresh);
    int ended = command_run(&shop->command, "/dev/null", shop->errors);
    if (ended != 0 && ended != NOT_RUN) { /* its world may need n */
        command_add(&shop->command, "", WITH_N);
        ended = command_run(&shop->command, "/dev/null", shop->errors);
    }
    if (ended != 0)
        return say_failure(shop, ended, messages_out, error);
    enum rl_status status = own_object_open(object_out, shop->fresh, shop->path, error);
    if (!status)
        status = own_check(object_out, shop->path, error);
    if (!status && shop->kept[0] && rename(shop->fresh, shop->kept) != 0)
        status =
            rl_error_set(error, RL_IO, "%s cannot be written: %s", shop->kept, strerror(errno));
    return status;
}

/* ---- the rule alone ---------------------------------------------------------------------------
 */

/* Compiles it without n, and keeps what the rule, the output and the numbers of values reach. */
static enum rl_status extract_rule(struct workshop *shop, struct rl_error *error)
{
    char *bytes;
    size_t size;
    command_add_words(&shop->command,
                      "-w -ffunction-sections -fdata-sections -fno-stack-protector -r -nostdlib "
                      "-Wl,--gc-sections,-u,rl_own_leaves,-u,rl_own_leads -o");
    command_add(&shop->command, "", shop->fresh);
    const int ended = command_run(&shop->command, "/dev/null", shop->errors);
    if (ended == NOT_RUN)
        return say_failure(shop, ended, NULL, error);
    if (ended != 0)
        return own_refuse(shop->path,
                          "its rule cannot be had alone (it does not compile without n in its "
                          "world, or this compiler's linker lacks -r with --gc-sections)",
                          error);
    enum rl_status status = own_read(shop->fresh, MOST_EXPANDED, &bytes, &size);
    if (status)
        return status == RL_IO ? rl_error_set(error, RL_IO, "%s cannot be read", shop->fresh)
                               : status;
    status = own_look_at_rule(bytes, size, shop->path, error);
    free(bytes);
    return status;
}

enum rl_status rl_own_tie(const char *path, const struct rl_own_tools *tools,
                          struct rl_error *error)
{
    struct workshop *shop = calloc(1, sizeof *shop);
    if (!shop)
        return RL_NO_MEMORY;
    enum rl_status status = open_workshop(shop, path, tools, error);
    if (!status) {
        status = extract_rule(shop, error);
        close_workshop(shop);
    }
    free(shop);
    return status;
}

enum rl_status own_make(const char *path, const struct rl_own_tools *tools,
                        struct own_object *object_out, struct own_text *text_out,
                        char **messages_out, struct rl_error *error)
{
    struct workshop *shop = calloc(1, sizeof *shop);
    if (!shop)
        return RL_NO_MEMORY;
    enum rl_status status = open_workshop(shop, path, tools, error);
    if (!status) {
        status = expand(shop, text_out, messages_out, error);
        /* One that was damaged, or is of another form, is made again. */
        if (!status && !(shop->kept[0] && access(shop->kept, R_OK) == 0 &&
                         own_object_open(object_out, shop->kept, path, error) == RL_OK))
            status = compile(shop, object_out, messages_out, error);
        close_workshop(shop);
    }
    free(shop);
    return status;
}
