/* SPDX-License-Identifier: MIT
 *
 * SHA-256, by libsodium, for the names of compiled protocols and the
 * provenance of studies.
 */
#ifndef RINGLEADER_BASE_HASH_H
#define RINGLEADER_BASE_HASH_H

#include <sodium.h>
#include <stddef.h>

enum { HASH_DIGITS = 2 * crypto_hash_sha256_BYTES + 1 };

/* 64 hexadecimal digits and a zero. */
static inline void hash_of(const void *bytes, size_t size, char *digits_out)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, bytes, size);
    sodium_bin2hex(digits_out, HASH_DIGITS, hash, sizeof hash);
}

#endif
