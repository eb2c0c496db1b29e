/* SPDX-License-Identifier: MIT
 *
 * Frames: a message and its CRC as plain bytes, of which the first has two bits, moved into sevens
 * through a register that holds fewer than fifteen. The CRC is CCITT's, bit by bit: a table would
 * be larger than all of this.
 */
#include "ringleader/frame.h"

enum { KIND = 0, TICKET = 1, VALUE = 3, CRC = 7, FIELDS = 9 }; /* places in the plain bytes */

static uint16_t crc_of(uint16_t crc, const uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        crc = (uint16_t)(crc ^ (uint16_t)(bytes[i] << 8));
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0));
    }
    return crc;
}

static void put_number(uint8_t *bytes, uint32_t number, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++, number >>= 8)
        bytes[i] = (uint8_t)number;
}

static uint32_t get_number(const uint8_t *bytes, uint8_t count)
{
    uint32_t number = 0;
    while (count > 0)
        number = number << 8 | bytes[--count];
    return number;
}

RL_LINK_API uint16_t rl_frame_binding(const char *protocol, uint32_t parameter)
{
    uint8_t bytes[4];
    uint16_t crc = 0xffff;
    const uint8_t version = RL_FRAME_VERSION;
    for (; *protocol; protocol++) {
        bytes[0] = (uint8_t)*protocol;
        crc = crc_of(crc, bytes, 1);
    }
    put_number(bytes, parameter, 4);
    crc = crc_of(crc, bytes, 4);
    return crc_of(crc, &version, 1);
}

RL_LINK_API void rl_frame_write(uint16_t binding, const struct rl_message *message,
                                uint8_t bytes_out[RL_FRAME_BYTES])
{
    uint8_t plain[FIELDS];
    plain[KIND] = message->kind & 3;
    put_number(plain + TICKET, (uint32_t)message->ticket, 2);
    put_number(plain + VALUE, (uint32_t)message->value, 4);
    put_number(plain + CRC, crc_of(binding, plain, CRC), 2);
    uint16_t bits = plain[KIND];
    uint8_t held = 2;
    for (uint8_t i = TICKET; i < FIELDS; i++) {
        bits = (uint16_t)(bits | (uint16_t)(plain[i] << held));
        for (held = (uint8_t)(held + 8); held >= 7; held = (uint8_t)(held - 7), bits >>= 7)
            *bytes_out++ = bits & 0x7f;
    }
    *bytes_out = (uint8_t)bits;
    bytes_out[1 - RL_FRAME_BYTES] |= 0x80;
}

static bool unpack_frame(const uint8_t *bytes, uint16_t binding, struct rl_message *message_out)
{
    uint8_t plain[FIELDS];
    plain[KIND] = bytes[0] & 3;
    uint16_t bits = bytes[0] >> 2 & 0x1f;
    uint8_t held = 5, next = 0, i = TICKET;
    while (i < FIELDS) {
        bits = (uint16_t)(bits | (uint16_t)(bytes[++next] << held));
        for (held = (uint8_t)(held + 7); held >= 8; held = (uint8_t)(held - 8), bits >>= 8)
            plain[i++] = (uint8_t)bits;
    }
    if (bits || get_number(plain + CRC, 2) != crc_of(binding, plain, CRC))
        return false;
    message_out->kind = plain[KIND];
    message_out->ticket = (rl_link_ticket)get_number(plain + TICKET, 2);
    message_out->value = get_number(plain + VALUE, 4);
    return true;
}

RL_LINK_API bool rl_frame_read(struct rl_frame *frame, uint16_t binding, uint8_t byte,
                               struct rl_message *message_out)
{
    if (byte & 0x80)
        frame->count = 0;
    else if (frame->count == 0 || frame->count >= RL_FRAME_BYTES) {
        frame->count = 0; /* noise before a beginning */
        return false;
    }
    frame->bytes[frame->count++] = byte;
    if (frame->count < RL_FRAME_BYTES)
        return false;
    frame->count = 0;
    return unpack_frame(frame->bytes, binding, message_out);
}
