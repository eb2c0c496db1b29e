/* SPDX-License-Identifier: MIT
 *
 * Messages on a serial line: frames of ten bytes. Only the first byte has its top bit set.
 *
 * So after any noise a reader finds the start of a frame within one frame. The CRC of 16 bits
 * starts from a number that is computed from the protocol, its parameter and the version of the
 * link, so devices that do not match ignore each other. For links with RL_LINK_SMALL.
 *
 *     70 bits, seven in each byte, beginning with the lowest bit of the first byte:
 *     kind 2, ticket 16, value 32, CRC 16, and four zero bits
 */
#ifndef RINGLEADER_FRAME_H
#define RINGLEADER_FRAME_H

#include "ringleader/device.h"

RL_BEGIN

enum { RL_FRAME_BYTES = 10, RL_FRAME_VERSION = 1 };

/* The start value of the CRC, from what both ends must agree on: the protocol's name and its
 * parameter (N for prl). A constant in the firmware. */
RL_LINK_API uint16_t rl_frame_binding(const char *protocol, uint32_t parameter);

RL_LINK_API void rl_frame_write(uint16_t binding, const struct rl_message *message,
                                uint8_t bytes_out[RL_FRAME_BYTES]);

/* The part of a frame that has arrived so far. Any contents are legal. */
struct rl_frame {
    uint8_t bytes[RL_FRAME_BYTES];
    uint8_t count;
};
/* Takes the next byte from the line. Returns true if it completed a frame, which is then in
 * `message_out`. Bad frames are dropped silently. */
RL_LINK_API bool rl_frame_read(struct rl_frame *frame, uint16_t binding, uint8_t byte,
                               struct rl_message *message_out);

RL_END

#endif
