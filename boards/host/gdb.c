/* SPDX-License-Identifier: MIT
 *
 * GDB's remote protocol: packets $TEXT#SUM, each answered by + and, but for "continue", by a
 * packet.
 */
#include "gdb.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum { PATIENCE = 20000, PIECE = 2000 }; /* milliseconds for an answer; bytes in a packet */

/* The next character, or -1. */
static int receive(int socket)
{
    struct pollfd poll_for = {.fd = socket, .events = POLLIN};
    unsigned char character;
    if (poll(&poll_for, 1, PATIENCE) != 1 || read(socket, &character, 1) != 1)
        return -1;
    return character;
}

/* Waits for a packet, acknowledges it, and returns its first character, or -1. */
static int receive_packet(int socket)
{
    int character = receive(socket);
    while (character != -1 && character != '$')
        character = receive(socket);
    const int first = receive(socket);
    character = first;
    while (character != -1 && character != '#')
        character = receive(socket);
    if (character == -1 || receive(socket) == -1 || receive(socket) == -1)
        return -1;
    return write(socket, "+", 1) == 1 ? first : -1;
}

static bool send_packet(int socket, const char *text, size_t length)
{
    char packet[2 * PIECE + 64];
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += (unsigned char)text[i];
    const int size = snprintf(packet, sizeof packet, "$%.*s#%02x", (int)length, text, sum & 0xff);
    return write(socket, packet, (size_t)size) == size;
}

bool gdb_stop(int socket)
{
    return write(socket, "\3", 1) == 1 && receive_packet(socket) == 'T';
}

bool gdb_run(int socket)
{
    return send_packet(socket, "c", 1);
}

bool gdb_run_at(int socket, uint32_t address)
{
    char text[16];
    const int length = snprintf(text, sizeof text, "c%x", address);
    return send_packet(socket, text, (size_t)length);
}

static bool write_piece(int socket, uint32_t address, const uint8_t *bytes, size_t count)
{
    char text[2 * PIECE + 32];
    int length = snprintf(text, sizeof text, "M%x,%zx:", address, count);
    for (size_t i = 0; i < count; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%02x", bytes[i]);
    return send_packet(socket, text, (size_t)length) && receive_packet(socket) == 'O';
}

bool gdb_write(int socket, uint32_t address, const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at < count; at += PIECE)
        if (!write_piece(socket, address + (uint32_t)at, bytes + at,
                         count - at < PIECE ? count - at : PIECE))
            return false;
    return true;
}
