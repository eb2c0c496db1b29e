/* SPDX-License-Identifier: MIT
 *
 * Your own protocols: a file in the form that agent.h describes is compiled together with the
 * engines' loops, tried out and loaded. The result is a protocol like any other.
 *
 * The machine's C compiler runs in its own process; its messages come back as text. The compiled
 * and tested object is kept in a cache, under a hash of everything it was made from.
 */
#ifndef RINGLEADER_OWN_H
#define RINGLEADER_OWN_H

#include <stdbool.h>

#include "ringleader/protocol.h"

RL_BEGIN

/* Is this the name of a protocol file? It is if it ends in ".c". */
bool rl_own_is_file(const char *name);

/* What a file is compiled with. Every member may be NULL. */
struct rl_own_tools {
    /* A command of one or more words, such as "ccache gcc". NULL: "cc". */
    const char *compiler;
    /* The directory where objects are kept. It is created if its parent exists. Other processes may
     * use it at the same time. If it is NULL, not writable, or open to other users, every load
     * compiles again. */
    const char *cache;
    /* Where to compile without a cache. NULL: "/tmp". */
    const char *temporary;
};

struct rl_own {
    /* The protocol as the file declares it. Its `text` is the file and all of the user's files that
     * it includes; its `hash` is the SHA-256 of that text. If the file declares no sets, the target
     * is RL_SETTLED. */
    const struct rl_protocol *protocol;
    /* What the compiler said about a file that does not compile; otherwise NULL. */
    char *messages;
    /* Why the cache was not used, if somebody else could have put something there; otherwise NULL.
     */
    char *warning;
    /* Private to the library. */
    struct rl_own_inside *inside;
};

/* Compiles, tries out and loads FILE.c, or finds it in the cache. The same file may be loaded many
 * times. Free each load separately, after everything that uses its protocol. The protocol is not
 * added to the list of protocols (rl_protocol_add), but it must not have the name of another one
 * there.
 *   RL_BAD_PROTOCOL  the file is missing, is not in the form, breaks a promise of the form (the
 *                    error then has the two states that met), or does not compile (`messages`)
 *   RL_IO            there is no compiler, no place to compile, or the sources are not installed
 *   RL_NO_MEMORY
 * Time: 60 ms from the cache. The first time: the compiler's time, and up to 10 s of trying out. */
RL_MUST_CHECK enum rl_status rl_own_load(struct rl_own *own, const char *path,
                                         const struct rl_own_tools *tools, struct rl_error *error);
/* Legal after a failed load. */
void rl_own_free(struct rl_own *own);

RL_END

#endif
