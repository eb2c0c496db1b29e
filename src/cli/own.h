/* SPDX-License-Identifier: MIT
 *
 * Protocols of one's own: what the files of the command line about them share.
 */
#ifndef RINGLEADER_CLI_OWN_H
#define RINGLEADER_CLI_OWN_H

#include "cli/cli.h"

/* A file that was compiled and opened. */
struct own {
    const char *path;                   /* as it was given */
    const struct rl_protocol *protocol; /* as it is declared */
    int (*leaves)(const struct rl_params *params, bool no_leader, rl_state l, rl_state r,
                  uint32_t *value_out);
};

/* Whether the file keeps what its form promises, as far as some hundred thousand meetings and short
 * executions show; complains in its own words if not. A child does the work, so that a protocol
 * that crashes or never returns is told of like any other. GO_ON, or an exit status. */
int check_own(const struct own *own);

/* SHA-256 of bytes that come in pieces (hash.c). */
struct hash {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t length;
};
struct hash hash_begin(void);
void hash_add(struct hash *hash, const void *bytes, size_t size);
/* 64 hexadecimal digits and a zero. */
void hash_end(struct hash *hash, char *digits_out);
enum { HASH_DIGITS = 65 };

/* Where the headers and sources are that a protocol is compiled with, the program's own place
 * first; NULL if they are nowhere. In static memory. */
const char *own_sources(void);
const char *own_headers(void);

#endif
