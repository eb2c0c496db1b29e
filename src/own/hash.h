/* SPDX-License-Identifier: MIT
 *
 * SHA-256 of bytes that come in pieces.
 */
#ifndef RINGLEADER_OWN_HASH_H
#define RINGLEADER_OWN_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_DIGITS = 65 };

struct hash {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t length;
};
struct hash hash_begin(void);
void hash_add(struct hash *hash, const void *bytes, size_t size);
/* 64 hexadecimal digits and a zero. */
void hash_end(struct hash *hash, char *digits_out);

#endif
