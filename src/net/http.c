/* SPDX-License-Identifier: MIT
 *
 * HTTP. Nothing is allocated, nothing blocks, and an answer fits a socket's buffer, so a client
 * that is slow, silent or hostile costs one of a few places for two seconds.
 */
#define _GNU_SOURCE
#include "net/http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATIENCE 2.0 /* seconds */

void rl_http_init(struct rl_http *http, int listener,
                  int (*page)(void *user, const char *path, struct rl_text *text,
                              const char **type_out),
                  void *user)
{
    http->listener = listener;
    http->page = page;
    http->user = user;
    for (int i = 0; i < RL_HTTP_CLIENTS; i++)
        http->clients[i].socket = -1;
}

static struct rl_http_client *free_place(struct rl_http *http)
{
    for (int i = 0; i < RL_HTTP_CLIENTS; i++)
        if (http->clients[i].socket < 0)
            return &http->clients[i];
    return NULL;
}

int rl_http_watch(const struct rl_http *http, struct pollfd *watched)
{
    int count = 0;
    bool room = false;
    for (int i = 0; i < RL_HTTP_CLIENTS; i++) {
        if (http->clients[i].socket >= 0)
            watched[count++] = (struct pollfd){http->clients[i].socket, POLLIN, 0};
        else
            room = true;
    }
    if (http->listener >= 0 && room)
        watched[count++] = (struct pollfd){http->listener, POLLIN, 0};
    return count;
}

double rl_http_next(const struct rl_http *http, double otherwise)
{
    for (int i = 0; i < RL_HTTP_CLIENTS; i++)
        if (http->clients[i].socket >= 0 && http->clients[i].until < otherwise)
            otherwise = http->clients[i].until;
    return otherwise;
}

static void hang_up(struct rl_http_client *client)
{
    close(client->socket);
    client->socket = -1;
}

static const char *reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 503:
        return "Service Unavailable";
    default:
        return "Bad Request";
    }
}

static void answer(struct rl_http_client *client, int status, const char *type, const char *body,
                   size_t length, bool head_only)
{
    char head[256];
    const int size = snprintf(head, sizeof head,
                              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                              "Cache-Control: no-store\r\nConnection: close\r\n\r\n",
                              status, reason(status), type, length);
    struct iovec parts[] = {{head, (size_t)size}, {(void *)(uintptr_t)body, length}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = head_only ? 1 : 2};
    (void)!sendmsg(client->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)shutdown(client->socket, SHUT_WR);
    hang_up(client);
}

static void refuse(struct rl_http_client *client, int status)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "%s\n", reason(status));
    answer(client, status, "text/plain", text, (size_t)length, false);
}

/* A whole request is there, ended by a zero byte. */
static void respond(struct rl_http *http, struct rl_http_client *client)
{
    char page[RL_HTTP_PAGE];
    struct rl_text text = rl_text_into(page, sizeof page);
    const char *type = "text/plain";
    const bool head = strncmp(client->request, "HEAD ", 5) == 0;
    char *path = client->request + (head ? 5 : 4);
    if (!head && strncmp(client->request, "GET ", 4) != 0) {
        refuse(client, 405);
        return;
    }
    const size_t length = strcspn(path, " \r\n");
    if (path[0] != '/' || strncmp(path + length, " HTTP/1.", 8) != 0) {
        refuse(client, 400);
        return;
    }
    path[strcspn(path, " ?")] = '\0';
    const int status = http->page(http->user, path, &text, &type);
    if (status == 404)
        refuse(client, 404);
    else
        answer(client, status, type, page,
               text.length < sizeof page ? text.length : sizeof page - 1, head);
}

static void listen_to(struct rl_http *http, struct rl_http_client *client, double now)
{
    const size_t room = RL_HTTP_REQUEST - 1 - client->used;
    const ssize_t got = recv(client->socket, client->request + client->used, room, MSG_DONTWAIT);
    if (got > 0)
        client->used += (size_t)got;
    client->request[client->used] = '\0';
    const bool whole =
        strstr(client->request, "\r\n\r\n") != NULL || strstr(client->request, "\n\n") != NULL;
    if (got > 0 && whole)
        respond(http, client);
    else if (got > 0 && client->used == RL_HTTP_REQUEST - 1)
        refuse(client, 400);
    else if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR) || now > client->until)
        hang_up(client);
}

static void let_in(struct rl_http *http, double now)
{
    struct rl_http_client *client;
    while (http->listener >= 0 && (client = free_place(http))) {
        client->socket = accept4(http->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        client->used = 0;
        client->until = now + PATIENCE;
        if (client->socket < 0)
            return;
    }
}

void rl_http_serve(struct rl_http *http, double now)
{
    let_in(http, now);
    for (int i = 0; i < RL_HTTP_CLIENTS; i++)
        if (http->clients[i].socket >= 0)
            listen_to(http, &http->clients[i], now);
}

void rl_http_free(struct rl_http *http)
{
    for (int i = 0; i < RL_HTTP_CLIENTS; i++)
        if (http->clients[i].socket >= 0)
            hang_up(&http->clients[i]);
    if (http->listener >= 0)
        close(http->listener);
    http->listener = -1;
}
