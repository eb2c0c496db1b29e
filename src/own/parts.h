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

/* How a child ended, as waitpid has it; false if there was none. */
bool own_await(pid_t child, int *ended_out);

/* ---- a file that is being compiled ---- */

enum { FRESH, ERRORS, EXPANDED, AGAIN, TEXT, OBJECT, MODULE, SHOP_FILES };

struct making {
    const char *path;
    const struct rl_own_tools *tools;
    struct rl_own_places places;
    struct command command;
    /* A directory to compile in, with these files in it; `kept` is "CACHE/", or "" if there is no
     * cache (cache.c). */
    char directory[PATH];
    char file[SHOP_FILES][PATH + 40];
    char kept[PATH + 2 * HASH_DIGITS];
    bool with_n, for_page;
    char hash[HASH_DIGITS];
    char *text; /* what the user has written: the file, and what it includes that is neither ours
                   nor the system's; to be taken, like the next two */
    size_t size;
    char *messages; /* of a tool that failed */
    char *warning;  /* why the cache was not used */
    struct rl_error *error;
};
/* Finds what it is compiled with, and a place; to be freed in any case (compile.c). */
enum rl_status own_making_init(struct making *making, const char *path,
                               const struct rl_own_tools *tools, struct rl_error *error);
void own_making_free(struct making *making);
/* What every compiler is told: which file and its name, as macros that the sources look for
 * (simulate/own.c), whether it needs n in its world (agent.h), where headers are, and `source`. */
void own_making_add(struct making *making, const char *source);
/* Runs the command; messages if it fails, and `missing` if it cannot be run at all, with the tool's
 * name in it. */
enum rl_status own_making_run(struct making *making, const char *output, const char *missing);

/* Makes the directory, and removes it; legal after a failure. */
enum rl_status own_shop_open(struct making *making);
void own_shop_close(struct making *making);
/* Whether an object in the cache is ours and all there. RL_OK or RL_NO_MEMORY. */
enum rl_status own_look_at_kept(const char *kept, bool *whole_out);
/* Moves the fresh object into the cache. False if that cannot be done. */
bool own_keep(const struct making *making);

/* Compiles and tries the file, or finds it in the cache; opens it. With an object that is to be
 * closed, and its text (compile.c). */
enum rl_status own_make(struct making *making, struct own_object *object_out);

/* The file that the library was loaded from, or else the program's, and false (places.c). */
bool own_library(char path_out[PATH]);

/* The path from the root: what the compiler is told, so that it looks nowhere else (own.c). */
void own_absolute(const char *path, char path_out[2 * PATH]);

/* RL_BAD_PROTOCOL: "PATH: what", of which the path is what is shortened. */
RL_FORMAT(3, 4)
enum rl_status own_refuse(const char *path, struct rl_error *error, const char *format, ...);

/* Opens what was compiled of the file (own.c). */
enum rl_status own_object_open(struct own_object *object, const char *file, const char *path,
                               struct rl_error *error);

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
enum rl_status own_collect(struct making *making, const char *expanded);

#endif
