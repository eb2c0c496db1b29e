/* SPDX-License-Identifier: MIT
 *
 * What the command line knows of protocols from files, and strangers need not.
 */
#ifndef RINGLEADER_OWN_INSIDE_H
#define RINGLEADER_OWN_INSIDE_H

#include "ringleader/own.h"

/* The directories of what a file is compiled with: beside the program or the library as installed,
 * else in the tree that it was built from. */
struct rl_own_places {
    char headers[4096]; /* has ringleader/agent.h */
    char sources[4096]; /* has simulate/own.c and the protocols */
    char page[4096];    /* has ringleader.html and ringleader.o */
};

/* The page with one protocol more. */
struct rl_own_page {
    char *html;
    size_t size;
    char *messages; /* as in struct rl_own */
};

/* Whether the rule of a protocol from a file that has one without n is the same for every n by
 * construction: it compiles in a world without n, has no writable data, and calls nothing that is
 * not in the file. RL_OK, also of any other protocol; RL_BAD_PROTOCOL and why not; RL_IO and
 * RL_NO_MEMORY as above. What is left to assume is that its C is defined: that it reads nothing but
 * what it was given. Time: the compiler's. */
RL_MUST_CHECK enum rl_status rl_own_tie(const struct rl_protocol *protocol,
                                        const struct rl_own_tools *tools, struct rl_error *error);

/* The headers and the sources. False if they are nowhere. */
bool rl_own_find(struct rl_own_places *places_out);

/* Packs the page with a protocol that was loaded from a file: compiles that with clang to
 * WebAssembly, links it by wasm-ld with the rest of the page's C, and puts the module into the
 * page. RL_BAD_PROTOCOL; RL_IO also without clang, without wasm-ld, and where the page was not
 * built. Time: some seconds. */
RL_MUST_CHECK enum rl_status rl_own_page_make(struct rl_own_page *page,
                                              const struct rl_protocol *protocol,
                                              const struct rl_own_tools *tools,
                                              struct rl_error *error);

/* Legal after a failure. */
void rl_own_page_free(struct rl_own_page *page);

#endif
