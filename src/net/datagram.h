/* SPDX-License-Identifier: MIT
 *
 * A message of the link as a datagram of 44 bytes, which only those who have the ring's key can
 * write.
 *
 *     0   2  "RL"
 *     2   1  version, 1
 *     3   1  kind
 *     4   4  protocol: FNV-1a of its name
 *     8   4  parameters: FNV-1a of their values, 4 bytes each
 *     12  8  ticket
 *     20  8  value
 *     28  16 keyed BLAKE2b of the bytes before
 *
 * Numbers are little-endian. State is no secret, so nothing is encrypted. A recorded datagram stays
 * authentic; what makes it worthless is its ticket, which is 64 bits, random at boot.
 */
#ifndef RINGLEADER_NET_DATAGRAM_H
#define RINGLEADER_NET_DATAGRAM_H

#include <stddef.h>

#include "ringleader/device.h"

enum { RL_DATAGRAM_BYTES = 44, RL_DATAGRAM_VERSION = 1, RL_KEY_BYTES = 32 };

/* Why a datagram was refused, in the order of the questions. */
#define RL_REFUSAL_LIST(X)                                                                         \
    X(FORM, "form")             /* not 44 bytes, or not ours */                                    \
    X(VERSION, "version")       /* another version of this format */                               \
    X(KEY, "key")               /* written without the key, or damaged */                          \
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

/* What the nodes of a ring have in common. */
struct rl_seal {
    uint8_t key[RL_KEY_BYTES];
    uint32_t protocol;
    uint32_t parameters;
};
/* `key` may be NULL, for a ring on one machine: then everybody has the key. */
struct rl_seal rl_datagram_seal(const struct rl_rules *rules, const uint8_t *key);

void rl_datagram_write(const struct rl_seal *seal, const struct rl_message *message,
                       uint8_t bytes_out[RL_DATAGRAM_BYTES]);
/* RL_NOT_REFUSED, and the message; or why not. Time: O(1), under a microsecond. */
enum rl_refusal rl_datagram_read(const struct rl_seal *seal, const uint8_t *bytes, size_t size,
                                 struct rl_message *message_out);

#endif
