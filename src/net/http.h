/* SPDX-License-Identifier: MIT
 *
 * Just enough HTTP to be looked at: GET of a few short pages, one answer a connection, a handful of
 * connections at a time, two seconds each. Whatever else comes is told so and closed.
 */
#ifndef RINGLEADER_NET_HTTP_H
#define RINGLEADER_NET_HTTP_H

#include <poll.h>
#include <stdbool.h>

#include "ringleader/text.h"

enum { RL_HTTP_CLIENTS = 8, RL_HTTP_REQUEST = 1024, RL_HTTP_PAGE = 8192 };

struct rl_http {
    int listener; /* -1: off */
    struct rl_http_client {
        int socket; /* -1: free */
        size_t used;
        double until;
        char request[RL_HTTP_REQUEST];
    } clients[RL_HTTP_CLIENTS];
    /* Writes the page of a path; returns its status (404: there is none) and sets its type. */
    int (*page)(void *user, const char *path, struct rl_text *text, const char **type_out);
    void *user;
};

/* `listener` is a listening, non-blocking socket, or -1. */
void rl_http_init(struct rl_http *http, int listener,
                  int (*page)(void *user, const char *path, struct rl_text *text,
                              const char **type_out),
                  void *user);
/* What to poll for: at most RL_HTTP_CLIENTS + 1 descriptors; how many. */
int rl_http_watch(const struct rl_http *http, struct pollfd *watched);
/* When somebody's time is up, at the latest `otherwise`. */
double rl_http_next(const struct rl_http *http, double otherwise);
/* Does what can be done without waiting. */
void rl_http_serve(struct rl_http *http, double now);
void rl_http_free(struct rl_http *http);

#endif
