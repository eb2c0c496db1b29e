/* SPDX-License-Identifier: MIT
 *
 * A message of the link as a datagram of 48 bytes, which only the two ends of its link can write.
 *
 *     0   2  "RL"
 *     2   1  version, 2
 *     3   1  kind
 *     4   4  protocol: BLAKE2b of its name, the first bytes
 *     8   4  parameters: the same of their values, 4 bytes each
 *     12  8  ticket
 *     20  8  value
 *     28  4  stamp: of a question the asker's clock, of an answer the stamp of its question
 *     32  16 BLAKE2b of the bytes before, keyed with the key of the link
 *
 * Numbers are little-endian. The key of a link is made of the ring's key and the names of the
 * link's ends, the left one first. A question is written by the left end and an answer by the right
 * one, and the kind is under the MAC; so a datagram of one link, direction or kind is none of
 * another. State is no secret: nothing is encrypted. A recorded datagram stays authentic on its own
 * link; what makes it worthless is its ticket, which is 64 bits, random at boot.
 */
#ifndef RINGLEADER_NET_DATAGRAM_H
#define RINGLEADER_NET_DATAGRAM_H

#include <stddef.h>

#include "ringleader/device.h"

enum {
    RL_DATAGRAM_BYTES = 48,
    RL_DATAGRAM_VERSION = 2,
    RL_KEY_BYTES = 32,
    RL_KEY_TEXT = 2 * RL_KEY_BYTES + 2, /* hexadecimal digits, the end of the line, a zero */
    RL_LONGEST_NAME = 63
};

/* Why a datagram was refused, in the order of the questions. */
#define RL_REFUSAL_LIST(X)                                                                         \
    X(FORM, "form")             /* not 48 bytes, or not ours */                                    \
    X(VERSION, "version")       /* another version of this format */                               \
    X(KEY, "key")               /* written without the key, for another link, or damaged */        \
    X(PROTOCOL, "protocol")     /* of a ring with another protocol */                              \
    X(PARAMETERS, "parameters") /* of a ring with another N */                                     \
    X(KIND, "kind")             /* a kind of message that there is not */

enum rl_refusal {
    RL_NOT_REFUSED,
#define RL_REFUSAL_ENUM(name, text) RL_REFUSED_##name,
    RL_REFUSAL_LIST(RL_REFUSAL_ENUM)
#undef RL_REFUSAL_ENUM
        RL_REFUSALS
};

/* "key", ... */
const char *rl_datagram_refusal(enum rl_refusal refusal);

/* What a node has in common with its neighbours: the keys of its two links, and what all have. */
struct rl_seal {
    uint8_t left[RL_KEY_BYTES], right[RL_KEY_BYTES];
    uint32_t protocol;
    uint32_t parameters;
};
/* The seal of the node `name` between `left` and `right`. `key` may be NULL, for a ring on one
 * machine: then everybody has the key. */
struct rl_seal rl_datagram_seal(const struct rl_rules *rules, const uint8_t *key, const char *left,
                                const char *name, const char *right);

/* A question goes to the right, an answer to the left. */
void rl_datagram_write(const struct rl_seal *seal, const struct rl_message *message, uint32_t stamp,
                       uint8_t bytes_out[RL_DATAGRAM_BYTES]);
/* RL_NOT_REFUSED, and the message: a question of the left neighbour, or an answer of the right one;
 * or why not. Time: O(1), about a microsecond. */
enum rl_refusal rl_datagram_read(const struct rl_seal *seal, const uint8_t *bytes, size_t size,
                                 struct rl_message *message_out, uint32_t *stamp_out);

/* Whether a string begins with a name of that length: letters, digits, dots, dashes and
 * underscores, at most RL_LONGEST_NAME. */
bool rl_datagram_is_name(const char *name, size_t length);

/* ---- the key of a ring: 64 hexadecimal digits in a file that only its owner can read ---- */

/* A new one. RL_IO: there are no random numbers. */
RL_MUST_CHECK enum rl_status rl_key_text(char text_out[RL_KEY_TEXT], struct rl_error *error);
/* RL_IO if it cannot be read; RL_BAD_TEXT if it is no key, is nothing but zeros, or others may read
 * it. */
RL_MUST_CHECK enum rl_status rl_key_read(const char *path, uint8_t key_out[RL_KEY_BYTES],
                                         struct rl_error *error);

#endif
