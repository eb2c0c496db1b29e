/* SPDX-License-Identifier: MIT
 *
 * Your own protocols: a file in the form of agent.h, compiled together with the engines' loops,
 * tried and opened. What comes of it is a protocol like any other.
 *
 * The machine's C compiler is run, in a process of its own; what it says comes back as text. What
 * was compiled and tried is kept in a cache, under a hash of all that it was made of.
 */
#ifndef RINGLEADER_OWN_H
#define RINGLEADER_OWN_H

#include <stdbool.h>

#include "ringleader/protocol.h"

RL_BEGIN

/* Whether a name is that of a protocol's file: it ends in ".c". */
bool rl_own_is_file(const char *name);

/* What a file is compiled with. All may be NULL. */
struct rl_own_tools {
    /* A command of one word or several, such as "ccache gcc". NULL: "cc". */
    const char *compiler;
    /* Where objects are kept: made, if only it itself is missing. Others may use it at the same
     * time. NULL, not writable, or not this user's alone: every load compiles again. */
    const char *cache;
    /* Where that happens without a cache. NULL: "/tmp". */
    const char *temporary;
};

struct rl_own {
    /* As it is declared in the file; its `text` is the file with all of the user's that it
     * includes, its `hash` the SHA-256 of that. Without sets of its own its target is RL_SETTLED.
     */
    const struct rl_protocol *protocol;
    /* What the compiler said of a file that does not compile; else NULL. */
    char *messages;
    /* Why the cache was not used, if somebody else could have put something there; else NULL. */
    char *warning;
    /* The rest is the library's. */
    struct rl_own_inside *inside;
};

/* Compiles, tries and opens FILE.c, or finds it in the cache. The same file may be loaded many
 * times; each is freed by itself, after everything that uses its protocol. It is not put into the
 * list of protocols (rl_protocol_add), but must not have the name of another one there.
 *   RL_BAD_PROTOCOL  the file is not there, or not in the form, or breaks what the form promises
 *                    (with the two states that met as text), or does not compile (`messages`)
 *   RL_IO            outside: no compiler, no place to compile in, sources that are not installed
 *   RL_NO_MEMORY
 * Time: 60 ms from the cache; the first time the compiler's, and up to 10 s of trying. */
RL_MUST_CHECK enum rl_status rl_own_load(struct rl_own *own, const char *path,
                                         const struct rl_own_tools *tools, struct rl_error *error);
/* Legal after a failed load. */
void rl_own_free(struct rl_own *own);

RL_END

#endif
