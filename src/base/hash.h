/* SPDX-License-Identifier: MIT
 *
 * SHA-256, by libsodium, of bytes that come in pieces: for the names of compiled protocols and the
 * provenance of studies.
 */
#ifndef RINGLEADER_BASE_HASH_H
#define RINGLEADER_BASE_HASH_H

#include <sodium.h>
#include <stddef.h>

enum { HASH_DIGITS = 2 * crypto_hash_sha256_BYTES + 1 };

struct hash {
    crypto_hash_sha256_state state;
};

static inline struct hash hash_begin(void)
{
    struct hash hash;
    crypto_hash_sha256_init(&hash.state);
    return hash;
}

static inline void hash_add(struct hash *hash, const void *bytes, size_t size)
{
    crypto_hash_sha256_update(&hash->state, bytes, size);
}

/* 64 hexadecimal digits and a zero. */
static inline void hash_end(struct hash *hash, char *digits_out)
{
    unsigned char bytes[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(&hash->state, bytes);
    sodium_bin2hex(digits_out, HASH_DIGITS, bytes, sizeof bytes);
}

static inline void hash_of(const void *bytes, size_t size, char *digits_out)
{
    struct hash hash = hash_begin();
    hash_add(&hash, bytes, size);
    hash_end(&hash, digits_out);
}

#endif
