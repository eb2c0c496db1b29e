/* SPDX-License-Identifier: MIT
 *
 * What the writer and the reader of traces must agree on.
 */
#ifndef RINGLEADER_SIMULATE_TRACE_FORMAT_H
#define RINGLEADER_SIMULATE_TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* Of the hash of a protocol that came from a file. */
enum { TRACE_HASH_DIGITS = 16 };

/* The last byte is the version of the format. */
#define TRACE_MAGIC "RLTRACE1"
enum { TRACE_MAGIC_LENGTH = 8, TRACE_CHECKSUM_LENGTH = 8 };
enum { TRACE_FAULT = 1, TRACE_END = 2 };

#define TRACE_CHECKSUM_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t trace_checksum(uint64_t checksum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        checksum = (checksum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return checksum;
}

#endif
