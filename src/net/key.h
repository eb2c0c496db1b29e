/* SPDX-License-Identifier: MIT
 *
 * The key of a ring: a file of 64 hexadecimal digits that only its owner can read.
 */
#ifndef RINGLEADER_NET_KEY_H
#define RINGLEADER_NET_KEY_H

#include "net/datagram.h"

/* Makes a key in a new file with mode 0600. RL_IO if there is a file already, or none to be had. */
RL_MUST_CHECK enum rl_status rl_key_make(const char *path, struct rl_error *error);
/* RL_IO if it cannot be read; RL_BAD_TEXT if it is no key, or others may read it. */
RL_MUST_CHECK enum rl_status rl_key_read(const char *path, uint8_t key_out[RL_KEY_BYTES],
                                         struct rl_error *error);

#endif
