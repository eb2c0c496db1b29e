/* SPDX-License-Identifier: MIT
 *
 * A node as a process of its own, and this test as everything around it: both neighbours, and
 * whoever has no business there. Nothing waits for a time, only for answers; PATIENCE is for what
 * never comes, and an alarm ends a test that goes on for ever.
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/address.h"
#include "net/datagram.h"

enum { PATIENCE = 60000, MOST_ARGUMENTS = 32, N = 8 }; /* milliseconds */

/* A sanitizer keeps what was freed, and has functions of the system itself. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static char *program;         /* path of ringleader */
static const char *elsewhere; /* its right neighbour, if that is not this test */
static char directory[] = "/tmp/ringleader-node-XXXXXX"; /* where this test and its nodes are */

struct remote {
    pid_t pid;
    int left, right; /* our sockets, as its neighbours */
    int output;      /* its standard output */
    struct rl_address address;
    char texts[3][64]; /* the addresses, as its arguments have them */
    struct rl_rules rules;
    struct rl_seal seal; /* of both neighbours together */
    uint64_t ticket;     /* the next that it expects of us */
};

/* A socket on a free port of loopback, and its address as text. */
static inline int free_socket(char *text)
{
    struct rl_address address;
    int socket;
    assert_int_equal(rl_address_parse("127.0.0.1:0", NULL, &address, NULL), RL_OK);
    assert_int_equal(rl_address_open(&address, &socket, NULL), RL_OK);
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
        char self[16];
        snprintf(self, sizeof self, "%d", (int)getpid());
        setenv("WATCHDOG_PID", self, 1);  /* so that it does watch */
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
    int status, waited = 0;
    pid_t ended;
    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && waited++ < PATIENCE / 10)
        (void)poll(NULL, 0, 10);
    if (ended == 0)
        kill(pid, SIGKILL);
    assert_int_equal(ended, pid);
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

/* Starts a node that says where it begins, with more arguments if given. It writes its status every
 * hundredth of a second, because a watchdog asks for that. */
static inline struct remote started(const char *const *more)
{
    struct remote remote = {.ticket = 0};
    char bound[16], left[80], right[80];
    const char *arguments[MOST_ARGUMENTS] = {
        program,    "node",        "--name",    "b",           "--listen", remote.texts[0],
        "--left",   left,          "-N",        bound,         "--right",  right,
        "--status", "status.json", "--metrics", "metrics.prom"};
    const struct rl_params params = {.n = N, .value = {N}};
    size_t count = 16;
    setenv("WATCHDOG_USEC", "20000", 1);
    snprintf(bound, sizeof bound, "%d", N);
    close(free_socket(remote.texts[0]));
    remote.left = free_socket(remote.texts[1]);
    remote.right = free_socket(remote.texts[2]);
    snprintf(left, sizeof left, "a@%s", remote.texts[1]);
    snprintf(right, sizeof right, "c@%s", elsewhere ? elsewhere : remote.texts[2]);
    assert_int_equal(rl_address_parse(remote.texts[0], NULL, &remote.address, NULL), RL_OK);
    for (; more && *more; more++)
        arguments[count++] = *more;
    assert_int_equal(rl_rules_init(&remote.rules, rl_protocol_named("prl"), &params, NULL), RL_OK);
    /* Between a and c there is nobody else: this test is the other end of both links. */
    const struct rl_seal node = rl_datagram_seal(&remote.rules, NULL, "a", "b", "c");
    remote.seal = node;
    memcpy(remote.seal.left, node.right, RL_KEY_BYTES);
    memcpy(remote.seal.right, node.left, RL_KEY_BYTES);
    remote.pid = launch(arguments, &remote.output);
    expect_line(&remote, "\"protocol\":\"prl\",\"N\":8,\"name\":\"b\"");
    return remote;
}

/* It is told to end, and does. */
static inline void remote_free(struct remote *remote)
{
    kill(remote->pid, SIGTERM);
    assert_int_equal(exit_status(remote->pid), 0);
    close(remote->left);
    close(remote->right);
    close(remote->output);
}

/* ---- datagrams ---- */

static inline void send_raw(const struct remote *remote, int from, const void *bytes, size_t size)
{
    while (sendto(from, bytes, size, 0, (const void *)&remote->address.socket,
                  remote->address.size) < 0)
        continue; /* the buffer is full for a moment */
}

static inline void send_message(const struct remote *remote, int from, struct rl_message message)
{
    uint8_t bytes[RL_DATAGRAM_BYTES];
    rl_datagram_write(&remote->seal, &message, 0, bytes);
    send_raw(remote, from, bytes, sizeof bytes);
}

/* The next message that comes to a socket of ours. */
static inline struct rl_message receive(const struct remote *remote, int socket)
{
    uint8_t bytes[RL_DATAGRAM_BYTES + 1];
    struct rl_message message = {0};
    uint32_t stamp;
    assert_true(can_read(socket, PATIENCE));
    const ssize_t size = recv(socket, bytes, sizeof bytes, 0);
    assert_int_equal(rl_datagram_read(&remote->seal, bytes, (size_t)size, &message, &stamp),
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

/* ---- what it says of itself ---- */

/* What one of its files holds from now on: it is taken away, and comes again. */
static inline const char *get(const char *name)
{
    static char text[16384];
    int file, waited = 0;
    unlink(name);
    while ((file = open(name, O_RDONLY)) < 0 && waited++ < PATIENCE)
        (void)poll(NULL, 0, 1);
    assert_true(file >= 0);
    const ssize_t size = read(file, text, sizeof text - 1);
    assert_true(size > 0 && text[size - 1] == '\n');
    text[size] = '\0';
    close(file);
    return text;
}

/* A number in its JSON. */
static inline uint64_t count_of(const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(get("status.json"), key);
    assert_non_null(at);
    return strtoull(at + strlen(key), NULL, 10);
}

static inline void state_of(char state_out[64])
{
    const char *at = strstr(get("status.json"), "\"state\":\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"state\":\"%63[^\"]\"", state_out), 1);
}

static inline size_t file_size(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return (size_t)about.st_size;
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
