/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share.
 */
#ifndef RINGLEADER_OWN_PARTS_H
#define RINGLEADER_OWN_PARTS_H

#include <sys/types.h>

#include "base/hash.h"
#include "own/inside.h"
#include "ringleader/status.h"

enum { MOST_TEXT = 1 << 20, PATH = 4096 };

/* An object that was opened. */
struct own_object {
    void *handle;
    const struct rl_protocol *protocol; /* as it is declared */
    const struct rl_without_n *without_n;
    int (*leaves)(const struct rl_params *params, bool no_leader, rl_state l, rl_state r,
                  uint32_t *value_out);
};

/* The text that the user has written: the file, and what it includes that is neither ours nor the
 * system's. */
struct own_text {
    char *text;
    size_t size;
};

/* ---- commands: a compiler, a linker (compile.c) ---- */

enum { MOST_WORDS = 64, NOT_RUN = 127 };

/* A command as its words; begins as zeroes. Not to be copied: the words point into it. */
struct command {
    char *word[MOST_WORDS + 1];
    size_t count;
    char memory[48 << 10];
    size_t used;
};

/* One more, of two parts. */
void command_add(struct command *command, const char *prefix, const char *text);
/* Several, with spaces between them. */
void command_add_words(struct command *command, const char *words);

/* Runs it with its output and its errors in two files. Its exit status; NOT_RUN: it could not be
 * run, -1: it did not end by itself. */
int command_run(const struct command *command, const char *output, const char *errors);
/* How a child ended, as waitpid has it; false if there was none. */
bool own_await(pid_t child, int *ended_out);

/* ---- a file that is being compiled ---- */

/* A directory to compile in, with these files in it; `kept` is "CACHE/", or "" if there is no cache
 * (cache.c). Begins as zeroes. */
enum { FRESH, ERRORS, EXPANDED, AGAIN, TEXT, OBJECT, MODULE, SHOP_FILES };
struct own_shop {
    char directory[PATH];
    char file[SHOP_FILES][PATH + 40];
    char kept[PATH + 2 * HASH_DIGITS];
};
enum rl_status own_shop_open(struct own_shop *shop, const char *path,
                             const struct rl_own_tools *tools, char **warning_out,
                             struct rl_error *error);
/* Removes it. Legal after a failure. */
void own_shop_close(struct own_shop *shop);
/* Whether something failed because its disk is full. */
bool own_shop_is_full(const struct own_shop *shop);
/* Whether an object in the cache is ours and all there. RL_OK or RL_NO_MEMORY. */
enum rl_status own_look_at_kept(const char *kept, bool *whole_out);
/* Moves the fresh object into the cache. False if that cannot be done. */
bool own_keep(const struct own_shop *shop);

struct making {
    const char *path;
    struct rl_own_places places;
    const struct rl_own_tools *tools;
    struct command command;
    struct own_shop shop;
    bool with_n, for_page;
    char hash[HASH_DIGITS];
};
/* Finds what it is compiled with, and a place; close its shop in any case (compile.c). */
enum rl_status own_making_init(struct making *making, const char *path,
                               const struct rl_own_tools *tools, char **warning_out,
                               struct rl_error *error);
/* What every compiler is told: which file and its name, as macros that the sources look for
 * (simulate/own.c), whether it needs n in its world (agent.h), where headers are, and `source`. */
void own_making_add(struct making *making, const char *source);

/* Runs the command; messages if it fails, and `missing` if it cannot be run at all, with the tool's
 * name in it. */
enum rl_status own_making_run(struct making *making, const char *output, const char *missing,
                              char **messages_out, struct rl_error *error);

/* Compiles and tries the file, or finds it in the cache; opens it. With an object that is to be
 * closed, and a text that is to be freed, or else with nothing but messages; and perhaps with a
 * warning (compile.c). */
enum rl_status own_make(const char *path, const struct rl_own_tools *tools,
                        struct own_object *object_out, struct own_text *text_out,
                        char **messages_out, char **warning_out, struct rl_error *error);

/* The file that the library was loaded from, or else the program's, and false (places.c). */
bool own_library(char path_out[PATH]);

/* The path from the root: what the compiler is told, so that it looks nowhere else (own.c). */
void own_absolute(const char *path, char path_out[2 * PATH]);

/* RL_BAD_PROTOCOL: "PATH: what", of which the path is what is shortened. */
enum rl_status own_refuse(const char *path, const char *what, struct rl_error *error);

/* Opens what was compiled of the file (own.c). */
enum rl_status own_object_open(struct own_object *object, const char *file, const char *path,
                               struct rl_error *error);
void own_object_close(struct own_object *object);

/* Whether the file keeps what its form promises, as far as some hundred thousand meetings and short
 * executions show. A child does the work, so that a protocol that crashes or never returns is told
 * of like any other (check.c). */
enum rl_status own_check(const struct own_object *object, const char *path, struct rl_error *error);

/* Whether an object of a file's rule has no writable data and calls nothing that is not in it:
 * RL_OK, or RL_BAD_PROTOCOL and why not (tie.c). */
enum rl_status own_look_at_rule(const char *file, const char *path, struct rl_error *error);

/* A whole file with a zero at its end, to be freed; NULL if that cannot be had, or is larger than
 * `most`, which is RL_IO, or if there is no memory (text.c). */
enum rl_status own_read(const char *path, size_t most, char **text_out, size_t *size_out,
                        struct rl_error *error);

/* Of the file after the preprocessor: what the user has written (text.c). */
enum rl_status own_collect(const char *path, const char *expanded,
                           const struct rl_own_places *places, struct own_text *out,
                           struct rl_error *error);

#endif
