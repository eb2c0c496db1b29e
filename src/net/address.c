/* SPDX-License-Identifier: MIT
 *
 * Addresses are resolved once. If a neighbour's address changes, the node must be restarted.
 */
#define _GNU_SOURCE
#include "net/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum rl_status rl_address_parse(const char *text, const struct rl_address *from,
                                struct rl_address *address_out, struct rl_error *error)
{
    char host[256], port[6];
    int end = 0;
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV}, *found, *one;
    if (sscanf(text, "[%255[^]]]:%5[0-9]%n", host, port, &end) != 2)
        (void)!sscanf(text, "%255[^][:]:%5[0-9]%n", host, port, &end);
    if (end == 0 || text[end] || strtoul(port, NULL, 10) > 65535)
        return rl_error_set(error, RL_BAD_TEXT,
                            "'%s' is not an address: write HOST:PORT, or [HOST]:PORT for IPv6",
                            text);
    const int problem = getaddrinfo(host, port, &hints, &found);
    if (problem)
        return rl_error_set(error, RL_IO, "'%s' does not resolve: %s", text,
                            problem == EAI_SYSTEM ? strerror(errno) : gai_strerror(problem));
    for (one = found; from && one && one->ai_family != from->socket.ss_family; one = one->ai_next)
        continue;
    *address_out = (struct rl_address){.size = one ? one->ai_addrlen : 0};
    if (one)
        memcpy(&address_out->socket, one->ai_addr, one->ai_addrlen);
    freeaddrinfo(found);
    if (from && !address_out->size)
        return rl_error_set(error, RL_BAD_TEXT, "'%s' has no %s address, but --listen has one",
                            text, from->socket.ss_family == AF_INET ? "IPv4" : "IPv6");
    if (from && strtoul(port, NULL, 10) == 0)
        return rl_error_set(error, RL_BAD_TEXT, "'%s': port 0 cannot be reached", text);
    if (from && rl_address_is_loopback(from) && !rl_address_is_loopback(address_out))
        return rl_error_set(error, RL_BAD_TEXT,
                            "'%s' is outside this machine, but --listen is loopback", text);
    return RL_OK;
}

bool rl_address_is_loopback(const struct rl_address *address)
{
    const struct sockaddr_in *v4 = (const void *)&address->socket;
    const struct sockaddr_in6 *v6 = (const void *)&address->socket;
    if (address->socket.ss_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

enum rl_status rl_address_open(struct rl_address *address, int *socket_out, struct rl_error *error)
{
    const int fd = socket(address->socket.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (const void *)&address->socket, address->size) == 0 &&
        getsockname(fd, (void *)&address->socket, &address->size) == 0) {
        *socket_out = fd;
        return RL_OK;
    }
    const enum rl_status status = rl_error_set(error, RL_IO, "%s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return status;
}
