/* SPDX-License-Identifier: MIT
 *
 * As much of GDB's remote protocol as it takes to stop a board, overwrite its memory, and let it
 * run on. False: the emulator does not answer as it should.
 */
#ifndef RINGLEADER_BOARDS_HOST_GDB_H
#define RINGLEADER_BOARDS_HOST_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool gdb_stop(int socket);
bool gdb_run(int socket);
/* Goes on elsewhere. */
bool gdb_run_at(int socket, uint32_t address);
/* Of a board that stands still. */
bool gdb_write(int socket, uint32_t address, const uint8_t *bytes, size_t count);

#endif
