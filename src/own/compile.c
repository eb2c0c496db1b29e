/* SPDX-License-Identifier: MIT
 *
 * A protocol's file, compiled, or found in the cache.
 *
 * The result is kept under the hash of everything that it was made from: the text after the
 * preprocessor (so with everything that is included, and the compiler's version, which
 * simulate/own.c mentions), the command with its flags, our version. Exactly that text is compiled,
 * so a file that is saved meanwhile cannot put one text's object under another's hash. If the files
 * have changed afterwards, everything is done again.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own/parts.h"

enum { MOST_EXPANDED = 64 << 20, MOST_SAVES = 20 };

static const char NO_COMPILER[] = "no C compiler: '%s' cannot be run; install one (on Debian: apt "
                                  "install gcc), or name yours in CC";

/* ---- commands, each in a process of its own, word by word: no shell reads them ---- */

void command_add(struct command *command, const char *prefix, const char *text)
{
    const int left = (int)(sizeof command->memory - command->used);
    if (command->count == MOST_WORDS)
        return;
    char *word = command->memory + command->used;
    const int length = snprintf(word, (size_t)left, "%s%s", prefix, text);
    command->used += (size_t)(length < left ? length + 1 : 0);
    command->word[command->count++] = word;
    command->word[command->count] = NULL;
}

void command_add_words(struct command *command, const char *words)
{
    char copy[PATH], *rest = NULL;
    snprintf(copy, sizeof copy, "%.4000s", words);
    for (char *at = strtok_r(copy, " ", &rest); at; at = strtok_r(NULL, " ", &rest))
        command_add(command, "", at);
}

bool own_await(pid_t child, int *ended_out)
{
    while (child > 0 && waitpid(child, ended_out, 0) < 0)
        if (errno != EINTR)
            return false;
    return child > 0;
}

/* With its output and its errors in two files. Its exit status; NOT_RUN: it could not be run, -1:
 * it did not end by itself. */
static int run(const struct command *command, const char *output, const char *errors)
{
    int ended;
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
            execvp(command->word[0], command->word);
        _exit(NOT_RUN);
    }
    return own_await(child, &ended) && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

/* ---- a file that is being compiled ---- */

enum rl_status own_making_init(struct making *making, const char *path,
                               const struct rl_own_tools *tools, struct rl_error *error)
{
    *making = (struct making){.path = path, .tools = tools, .error = error};
    return rl_own_find(&making->places)
               ? own_shop_open(making)
               : rl_error_set(error, RL_IO,
                              "the sources that %s is compiled with are not installed", path);
}

void own_making_free(struct making *making)
{
    own_shop_close(making);
    free(making->text);
    free(making->messages);
    free(making->warning);
}

void own_making_add(struct making *making, const char *source)
{
    struct command *command = &making->command;
    const char *path = making->path, *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char text[3 * PATH], absolute[2 * PATH];
    own_absolute(path, absolute);
    snprintf(text, sizeof text, "-DPROTOCOL_FILE=\"%s\"", absolute);
    command_add(command, "", text);
    snprintf(text, sizeof text, "-DFILE_NAME=\"%.*s\"", (int)(strlen(base) - strlen(".c")), base);
    command_add(command, "-DPROTOCOL_ID=", "own");
    command_add(command, "", text);
    if (making->with_n)
        command_add(command, "", "-DRL_WORLD_WITH_N");
    command_add(command, "-I", making->places.headers);
    command_add(command, "-I", making->places.sources);
    command_add(command, making->places.sources, source);
}

/* What the file is compiled with: the compiler and its flags. */
static void begin_command(struct making *making)
{
    const char *compiler = making->tools->compiler;
    making->command = (struct command){0};
    command_add_words(&making->command, compiler && compiler[0] ? compiler : "cc");
    command_add_words(&making->command,
                      "-std=gnu11 -O3 -ffp-contract=off -fPIC -Wall -Wno-unused-function "
                      "-Wno-unused-const-variable -Wno-unused-variable "
                      "-Werror=implicit-function-declaration -Werror=return-type");
}

static bool is_full(const char *directory)
{
    struct statvfs disk;
    return statvfs(directory, &disk) == 0 && disk.f_blocks > 0 &&
           (disk.f_bavail * disk.f_frsize < 1 << 16 || (disk.f_files > 0 && disk.f_favail == 0));
}

enum rl_status own_making_run(struct making *making, const char *output, const char *missing)
{
    size_t size;
    const char *const tool = making->command.word[0];
    const int ended = run(&making->command, output, making->file[ERRORS]);
    free(making->messages);
    making->messages = NULL;
    if (ended == 0)
        return RL_OK;
    if (ended == NOT_RUN)
        return rl_error_set(making->error, RL_IO, missing, tool);
    if (is_full(making->directory))
        return rl_error_set(making->error, RL_IO, "%s cannot be compiled: the disk of %s is full",
                            making->path, making->directory);
    /* Without memory, the next line must do. */
    (void)own_read(making->file[ERRORS], MOST_TEXT, &making->messages, &size, NULL);
    return rl_error_set(making->error, RL_BAD_PROTOCOL, "%s does not compile%s with %s",
                        making->path, making->for_page ? " to WebAssembly" : "", tool);
}

static void hash_all(struct making *making, const char *expanded, size_t size)
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const void *)expanded, size);
    for (size_t i = 0; i < making->command.count; i++)
        crypto_hash_sha256_update(&state, (const void *)making->command.word[i],
                                  strlen(making->command.word[i]) + 1);
    crypto_hash_sha256_update(&state, (const void *)rl_version(), strlen(rl_version()));
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(making->hash, HASH_DIGITS, hash, sizeof hash);
}

/* Through the preprocessor, into a file, and back as text (to be freed). */
static enum rl_status expand(struct making *making, const char *file, char **expanded_out,
                             size_t *size_out)
{
    begin_command(making);
    own_making_add(making, "/simulate/own.c");
    command_add(&making->command, "", "-E");
    const enum rl_status status = own_making_run(making, file, NO_COMPILER);
    return status ? status : own_read(file, MOST_EXPANDED, expanded_out, size_out, making->error);
}

/* The text after the preprocessor, and what the user has written: read until it is the same after
 * as before. */
static enum rl_status read_text(struct making *making)
{
    enum rl_status status = RL_OK;
    bool same = false;
    for (int tries = 0; !status && !same; tries++) {
        if (tries == MOST_SAVES)
            return rl_error_set(making->error, RL_IO, "%s keeps changing", making->path);
        char *before = NULL, *after = NULL;
        size_t size = 0, size_after = 0;
        status = expand(making, making->file[EXPANDED], &before, &size);
        if (!status)
            status = own_collect(making, before);
        if (!status)
            status = expand(making, making->file[AGAIN], &after, &size_after);
        same = !status && before && after && size == size_after && memcmp(before, after, size) == 0;
        if (same)
            hash_all(making, before, size);
        free(before);
        free(after);
    }
    return status;
}

/* Compiles the text that was read, with more words. */
static enum rl_status compile_text(struct making *making, const char *words)
{
    begin_command(making);
    command_add_words(&making->command, words);
    command_add(&making->command, "", "-o");
    command_add(&making->command, "", making->file[FRESH]);
    command_add(&making->command, "", making->file[EXPANDED]);
    return own_making_run(making, "/dev/null", NO_COMPILER);
}

/* Opens what was compiled, tries it, and keeps it. */
static enum rl_status open_fresh(struct making *making, struct own_object *object_out)
{
    enum rl_status status =
        own_object_open(object_out, making->file[FRESH], making->path, making->error);
    if (!status)
        status = own_check(object_out, making->path, making->error);
    /* Where it cannot be kept it is made again the next time. */
    if (!status && making->kept[0])
        (void)own_keep(making);
    return status;
}

/* One that was damaged, or is of another form, is made again. */
static enum rl_status find_kept(struct making *making, struct own_object *object_out,
                                bool *found_out)
{
    bool whole;
    *found_out = false;
    if (!making->kept[0])
        return RL_OK;
    snprintf(strrchr(making->kept, '/'), HASH_DIGITS + 4, "/%s.so", making->hash);
    const enum rl_status status = own_look_at_kept(making->kept, &whole);
    *found_out = whole && own_object_open(object_out, making->kept, making->path, NULL) == RL_OK;
    return status;
}

/* Without n in its world if that will do, else with it: what is kept is looked for first. */
enum rl_status own_make(struct making *making, struct own_object *object_out)
{
    enum rl_status status = RL_OK;
    for (int way = 0; way < 4; way++) {
        making->with_n = way % 2;
        bool found = false;
        status = read_text(making);
        if (!status)
            status = find_kept(making, object_out, &found);
        if (status || found)
            return status;
        if (way < 2)
            continue;
        status = compile_text(making, "-shared");
        if (!status)
            return open_fresh(making, object_out);
        if (status == RL_IO)
            break;
    }
    return status;
}

/* ---- the rule alone ---- */

/* Compiles it without n, and keeps what the rule, the output and the numbers of values reach. */
static enum rl_status extract_rule(struct making *making, const char *hash)
{
    char now[HASH_DIGITS];
    enum rl_status status = read_text(making);
    if (status)
        return status;
    hash_of(making->text, making->size, now);
    if (strcmp(now, hash) != 0)
        return own_refuse(making->path, making->error, "it has changed since it was loaded");
    status = compile_text(
        making, "-w -ffunction-sections -fdata-sections -fno-stack-protector -r -nostdlib "
                "-Wl,--gc-sections,-u,rl_own_leaves,-u,rl_own_leads");
    if (status == RL_BAD_PROTOCOL)
        return own_refuse(making->path, making->error,
                          "its rule cannot be compiled alone (it uses n, or this compiler's linker "
                          "lacks -r with --gc-sections)");
    return status ? status : own_look_at_rule(making->file[FRESH], making->path, making->error);
}

enum rl_status rl_own_tie(const struct rl_protocol *protocol, const struct rl_own_tools *tools,
                          struct rl_error *error)
{
    struct making making;
    if (!protocol->hash || !protocol->without_n)
        return RL_OK;
    if (!protocol->path)
        return rl_error_set(error, RL_BAD_PROTOCOL, "the file it was loaded from is not known");
    enum rl_status status = own_making_init(&making, protocol->path, tools, error);
    if (!status)
        status = extract_rule(&making, protocol->hash);
    own_making_free(&making);
    return status;
}
