/* SPDX-License-Identifier: MIT
 *
 * Messages on a serial line: frames of ten bytes, of which only the first has its top bit set.
 *
 * So a reader finds the beginning of a frame after any noise, within one frame. A CRC of 16 bits
 * begins from a number made of the protocol, its parameter and the version of the link: devices
 * that do not fit do not talk. For links with RL_LINK_SMALL.
 *
 *     70 bits, from the lowest of the first byte on, seven in each byte:
 *     kind 2, ticket 16, value 32, CRC 16, and four that are 0
 */
#ifndef RINGLEADER_FRAME_H
#define RINGLEADER_FRAME_H

#include "ringleader/device.h"

RL_BEGIN

enum { RL_FRAME_BYTES = 10, RL_FRAME_VERSION = 1 };

/* What both ends must agree on, as the beginning of the CRC: the protocol's name and its parameter
 * (N of prl). A constant of the firmware. */
RL_LINK_API uint16_t rl_frame_binding(const char *protocol, uint32_t parameter);

RL_LINK_API void rl_frame_write(uint16_t binding, const struct rl_message *message,
                                uint8_t bytes_out[RL_FRAME_BYTES]);

/* What arrived of a frame so far. Every content is legal. */
struct rl_frame {
    uint8_t bytes[RL_FRAME_BYTES];
    uint8_t count;
};
/* The next byte of the line. True: it completed a frame, `message_out`; of a bad frame nothing is
 * seen. */
RL_LINK_API bool rl_frame_read(struct rl_frame *frame, uint16_t binding, uint8_t byte,
                               struct rl_message *message_out);

RL_END

#endif
