/* SPDX-License-Identifier: MIT
 *
 * A node as a process of its own, and this test as everything around it: both neighbours, whoever
 * has no business there, and a browser. Nothing waits for a time, only for answers; PATIENCE is for
 * what never comes.
 */
#ifndef RINGLEADER_DEVICE_REMOTE_H
#define RINGLEADER_DEVICE_REMOTE_H

#define _GNU_SOURCE
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/address.h"
#include "net/datagram.h"

enum { PATIENCE = 60000, MOST_ARGUMENTS = 32, N = 8 }; /* milliseconds */

static const char *program; /* path of ringleader */
static char directory[] = "/tmp/ringleader-node-XXXXXX";

struct remote {
    pid_t pid;
    int left, right; /* our sockets, as its neighbours */
    int output;      /* its standard output */
    struct rl_address address, http;
    char texts[5][64]; /* the addresses, as its arguments have them */
    struct rl_rules rules;
    struct rl_seal seal;
    uint64_t ticket; /* the next that it expects of us */
};

static inline const char *in_directory(const char *name)
{
    static char paths[8][64];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

/* A socket on a free port of loopback, and its address as text. */
static inline int free_socket(int type, char *text)
{
    struct rl_address address;
    int socket;
    assert_int_equal(rl_address_parse("127.0.0.1:0", &address, NULL), RL_OK);
    assert_int_equal(rl_address_open(&address, type, &socket, NULL), RL_OK);
    assert_int_equal(rl_address_of(socket, &address), RL_OK);
    snprintf(text, 64, "127.0.0.1:%u", ntohs(((struct sockaddr_in *)&address.socket)->sin_port));
    return socket;
}

/* Runs the program; `output_out` may be NULL. */
static inline pid_t launch(const char *const *arguments, int *output_out)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive a test that fails */
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execv(program, (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    close(ends[1]);
    if (output_out)
        *output_out = ends[0];
    else
        close(ends[0]);
    return pid;
}

static inline int exit_status(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static inline bool can_read(int file, int milliseconds)
{
    struct pollfd watched = {file, POLLIN, 0};
    return poll(&watched, 1, milliseconds) == 1;
}

/* The next line of standard output begins with this. */
static inline void expect_line(struct remote *remote, const char *part)
{
    char line[2048];
    size_t used = 0;
    do {
        assert_true(can_read(remote->output, PATIENCE));
        assert_int_equal(read(remote->output, line + used, 1), 1);
    } while (line[used++] != '\n' && used < sizeof line);
    line[used - 1] = '\0';
    if (!strstr(line, part))
        fail_msg("'%s' is not in: %s", part, line);
}

/* Starts a node that says where it begins, with more arguments if given. */
static inline void start_remote(struct remote *remote, const char *const *more)
{
    char bound[16];
    const char *arguments[MOST_ARGUMENTS] = {
        program,   "node",           "--listen", remote->texts[0], "--left", remote->texts[1],
        "--right", remote->texts[2], "--http",   remote->texts[3], "-N",     bound};
    const struct rl_params params = {.n = N, .value = {N}};
    size_t count = 12;
    *remote = (struct remote){.ticket = 0};
    snprintf(bound, sizeof bound, "%d", N);
    close(free_socket(SOCK_DGRAM, remote->texts[0]));
    remote->left = free_socket(SOCK_DGRAM, remote->texts[1]);
    remote->right = free_socket(SOCK_DGRAM, remote->texts[2]);
    close(free_socket(SOCK_STREAM, remote->texts[3]));
    assert_int_equal(rl_address_parse(remote->texts[0], &remote->address, NULL), RL_OK);
    assert_int_equal(rl_address_parse(remote->texts[3], &remote->http, NULL), RL_OK);
    for (; more && *more; more++)
        arguments[count++] = *more;
    assert_int_equal(rl_rules_init(&remote->rules, rl_protocol_named("prl"), &params, NULL), RL_OK);
    remote->seal = rl_datagram_seal(&remote->rules, NULL);
    remote->pid = launch(arguments, &remote->output);
    expect_line(remote, "\"protocol\":\"prl\",\"N\":8");
}

static inline void stop_remote(struct remote *remote)
{
    kill(remote->pid, SIGTERM);
    assert_int_equal(exit_status(remote->pid), 0);
    close(remote->left);
    close(remote->right);
    close(remote->output);
}

/* ---- datagrams ---------------------------------------------------------------------------------
 */

static inline void send_raw(const struct remote *remote, int from, const void *bytes, size_t size)
{
    while (sendto(from, bytes, size, 0, (const void *)&remote->address.socket,
                  remote->address.size) < 0)
        continue; /* the buffer is full for a moment */
}

static inline void send_message(const struct remote *remote, int from, struct rl_message message)
{
    uint8_t bytes[RL_DATAGRAM_BYTES];
    rl_datagram_write(&remote->seal, &message, bytes);
    send_raw(remote, from, bytes, sizeof bytes);
}

/* The next message that comes to a socket of ours. */
static inline struct rl_message receive(const struct remote *remote, int socket)
{
    uint8_t bytes[RL_DATAGRAM_BYTES + 1];
    struct rl_message message = {0};
    assert_true(can_read(socket, PATIENCE));
    const ssize_t size = recv(socket, bytes, sizeof bytes, 0);
    assert_int_equal(rl_datagram_read(&remote->seal, bytes, (size_t)size, &message),
                     RL_NOT_REFUSED);
    return message;
}

/* A question with a ticket that is not due: it changes nothing and is answered, so when the answer
 * is there, everything sent before has been read. Sets the ticket that is due. */
static inline void synchronize(struct remote *remote)
{
    const uint64_t stale = remote->ticket + (UINT64_C(1) << 40) + 5;
    struct rl_message answer;
    send_message(remote, remote->left, (struct rl_message){.kind = RL_ASK, .ticket = stale});
    do
        answer = receive(remote, remote->left);
    while (answer.kind != RL_SYNC || answer.ticket != stale);
    remote->ticket = answer.value;
}

/* Asks as the left neighbour, until it is not busy; `l` becomes what it has become. */
static inline void interact(struct remote *remote, rl_state *l)
{
    struct rl_message answer;
    do {
        send_message(remote, remote->left,
                     (struct rl_message){.kind = RL_ASK, .ticket = remote->ticket, .value = *l});
        do
            answer = receive(remote, remote->left);
        while (answer.ticket != remote->ticket);
        remote->ticket++;
    } while (answer.kind == RL_BUSY);
    assert_int_equal(answer.kind, RL_DID);
    *l = answer.value;
}

/* ---- what it says of itself --------------------------------------------------------------------
 */

/* Sends text as a request and reads the whole answer. */
static inline void request(const struct remote *remote, const char *text, size_t size, char *answer,
                           size_t room)
{
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    size_t used = 0;
    ssize_t got;
    assert_int_equal(connect(client, (const void *)&remote->http.socket, remote->http.size), 0);
    (void)!send(client, text, size, MSG_NOSIGNAL);
    while (used + 1 < room && (got = recv(client, answer + used, room - used - 1, 0)) > 0)
        used += (size_t)got;
    answer[used] = '\0';
    close(client);
}

static inline const char *get(const struct remote *remote, const char *path)
{
    static char answer[16384];
    char text[128];
    const int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    request(remote, text, (size_t)size, answer, sizeof answer);
    return answer;
}

/* A number in its JSON. */
static inline uint64_t count_of(const struct remote *remote, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(get(remote, "/"), key);
    assert_non_null(at);
    return strtoull(at + strlen(key), NULL, 10);
}

static inline void state_of(const struct remote *remote, char state_out[64])
{
    const char *at = strstr(get(remote, "/"), "\"state\":\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"state\":\"%63[^\"]\"", state_out), 1);
}

static inline size_t file_size(const char *path)
{
    const int file = open(path, O_RDONLY);
    const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    if (file >= 0)
        close(file);
    return (size_t)size;
}

/* Open descriptors, and resident memory in kilobytes. */
static inline unsigned descriptors_of(pid_t pid)
{
    char path[64];
    unsigned count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *open_files = opendir(path);
    assert_non_null(open_files);
    while (readdir(open_files))
        count++;
    closedir(open_files);
    return count - 2;
}

static inline unsigned long memory_of(pid_t pid)
{
    char path[64], line[256];
    unsigned long size = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream))
        (void)sscanf(line, "VmRSS: %lu", &size);
    fclose(stream);
    return size;
}

/* How much of something: little in the usual run, all of it if NODE_TEST=full is in the
 * environment. */
static inline uint64_t amount(uint64_t usual, uint64_t full)
{
    const char *how = getenv("NODE_TEST");
    return how && strcmp(how, "full") == 0 ? full : usual;
}

#endif
