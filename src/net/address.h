/* SPDX-License-Identifier: MIT
 *
 * Addresses as people write them, HOST:PORT or [HOST]:PORT, and sockets on them. IPv4 and IPv6.
 */
#ifndef RINGLEADER_NET_ADDRESS_H
#define RINGLEADER_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "ringleader/status.h"

struct rl_address {
    struct sockaddr_storage socket;
    socklen_t size;
};

/* Resolves `text` for somebody who listens at `from` (NULL: nobody, any address will do).
 * RL_BAD_TEXT if it is no address, or one that cannot be reached from there: of another family, or
 * beyond loopback from loopback. RL_IO if its host is not known now. */
RL_MUST_CHECK enum rl_status rl_address_parse(const char *text, const struct rl_address *from,
                                              struct rl_address *address_out,
                                              struct rl_error *error);
bool rl_address_is_loopback(const struct rl_address *address);

/* A non-blocking socket for datagrams, bound to the address, which gets its port if it has none;
 * RL_IO, with the reason, if there is none to be had. */
RL_MUST_CHECK enum rl_status rl_address_open(struct rl_address *address, int *socket_out,
                                             struct rl_error *error);

#endif
