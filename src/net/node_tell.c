/* SPDX-License-Identifier: MIT
 *
 * The outputs of a node: its log, its state, its status for people, for Prometheus and for systemd,
 * and the commands that follow its output.
 *
 * If the disk is full, the election goes on. The log says `gap` where lines are missing, and never
 * has half a line, because a partial one is cut off again. Status files are replaced, so nobody
 * sees half of one. At most one command runs at a time. If the output changes while it runs, the
 * command for the output at its end comes next, unless that one was started last.
 */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/node.h"
#include "base/json.h"
#include "ringleader/ring.h"
#include "base/new_file.h"
#include "base/plain.h"

#define WORRY       10.0 /* seconds without a neighbour, or ... */
#define WORRY_RINGS 20.0 /* ... what this many rings of a clock take, if that is longer */

enum { STATUS_ROOM = 8192 };

/* ---- log and state ---- */

/* Writes a whole line, or nothing. */
static bool write_line(struct rl_node *node, const char *line, size_t length)
{
    const ssize_t written = write(node->options.log, line, length);
    if (written == (ssize_t)length) {
        node->log_size += written;
        return true;
    }
    if (written > 0)
        (void)!ftruncate(node->options.log, node->log_size);
    return false;
}

void node_log(struct rl_node *node, const struct rl_entry *entry)
{
    char line[RL_JOURNAL_LINE];
    if (node->options.log < 0)
        return;
    if (node->gap)
        node->gap = !write_line(node, "gap\n", 4);
    const size_t length = rl_journal_print(entry, line);
    if (!node->gap && write_line(node, line, length))
        return;
    node->gap = true;
    node->options.counts->unwritten++;
}

/* 16 hexadecimal digits and a line end, always in the same place. */
void node_keep_state(struct rl_node *node)
{
    char text[32];
    const struct rl_rules *rules = node->options.rules;
    node->options.counts->word = rules->link.legal(rules, node->link.word);
    if (node->options.state < 0)
        return;
    const int length =
        snprintf(text, sizeof text, "%016llx\n", (unsigned long long)node->link.word);
    if (pwrite(node->options.state, text, (size_t)length, 0) != length)
        node->options.counts->unwritten++;
}

rl_state rl_node_read_state(const struct rl_rules *rules, int file)
{
    char text[17] = {0};
    (void)!pread(file, text, 16, 0);
    return rules->link.legal(rules, strtoull(text, NULL, 16));
}

/* ---- status ---- */

static bool is_heard(const struct rl_node *node, double at)
{
    return node->now - at < fmax(WORRY, WORRY_RINGS / node->options.rate);
}

static bool is_well(const struct rl_node *node)
{
    return is_heard(node, node->left_at) && is_heard(node, node->right_at);
}

/* The counters, each with its name and what it counts. */
#define COUNTERS(X)                                                                                \
    X(busy, "Questions that were turned away.")                                                    \
    X(repeats, "Questions sent again because no answer came.")                                     \
    X(resumed, "Tickets corrected.")                                                               \
    X(ignored, "Authentic messages that were not expected.")                                       \
    X(sent, "Datagrams sent.")                                                                     \
    X(unsent, "Datagrams that could not be sent.")                                                 \
    X(received, "Datagrams received.")                                                             \
    X(unwritten, "Log lines, states and status files not written.")                                \
    X(unstarted, "Commands that could not be started.")

/* The node in one JSON object and the end of a line. */
static void write_json(const struct rl_node *node, struct rl_text *text)
{
    const struct rl_counts *counts = node->options.counts;
    const struct rl_rules *rules = node->options.rules;
    const rl_state state = rules->link.legal(rules, node->link.word);
    struct rl_json json = {.text = text};
    rl_json_open(&json, NULL, '{');
    rl_json_string(&json, "protocol", rules->protocol->name);
    rl_json_parameters(&json, rules->protocol, &rules->params);
    rl_json_put(&json,
                "name=%s leads=%d state=%s well=%d left_heard_seconds_ago=%g "
                "right_heard_seconds_ago=%g interactions=%ju decided=%ju learnt=%ju",
                node->options.name, node->leads, rl_ring_state(rules->protocol, state).text,
                is_well(node), node->now - node->left_at, node->now - node->right_at,
                counts->decided + counts->learnt, counts->decided, counts->learnt);
#define FIELD(name, meaning) rl_json_count(&json, #name, counts->name);
    COUNTERS(FIELD)
#undef FIELD
    rl_json_open(&json, "refused", '{');
    for (int i = 1; i < RL_REFUSALS; i++)
        rl_json_count(&json, rl_datagram_refusal((enum rl_refusal)i), counts->refused[i]);
    rl_json_close(&json, '}');
    rl_json_put(&json, "rate=%g round_trip_seconds=%g seconds=%g", node->options.rate,
                counts->round_trip, node->now - node->began);
    rl_json_end(&json);
}

/* A value, with the node's name and another label; `help` is what it means (NULL: as above). */
static void metric(struct rl_text *text, const struct rl_node *node, const char *name,
                   const char *help, const char *label, double number)
{
    char shown[32];
    plain_print(shown, sizeof shown, "%.15g", number);
    if (help)
        rl_text_format(text, "# HELP ringleader_%s %s\n# TYPE ringleader_%s %s\n", name, help, name,
                       strstr(name, "_total") ? "counter" : "gauge");
    rl_text_format(text, "ringleader_%s{node=\"%s\"%s} %s\n", name,
                   node->options.name ? node->options.name : "", label, shown);
}

static void write_metrics(const struct rl_node *node, struct rl_text *text)
{
    const struct rl_counts *counts = node->options.counts;
    metric(text, node, "leader", "1 if this node leads.", "", node->leads);
    metric(text, node, "left_heard", "1 if the left neighbour was heard lately.", "",
           is_heard(node, node->left_at));
    metric(text, node, "right_heard", "1 if the right neighbour was heard lately.", "",
           is_heard(node, node->right_at));
    metric(text, node, "round_trip_seconds", "From a question to its answer, smoothed.", "",
           counts->round_trip);
    metric(text, node, "interactions_total", "Interactions, by the role in them.",
           ",role=\"responder\"", (double)counts->decided);
    metric(text, node, "interactions_total", NULL, ",role=\"initiator\"", (double)counts->learnt);
    for (int i = 1; i < RL_REFUSALS; i++) {
        char label[64];
        snprintf(label, sizeof label, ",reason=\"%s\"", rl_datagram_refusal((enum rl_refusal)i));
        metric(text, node, "refused_total", i == 1 ? "Datagrams refused, by reason." : NULL, label,
               (double)counts->refused[i]);
    }
#define FIELD(name, meaning) metric(text, node, #name "_total", meaning, "", (double)counts->name);
    COUNTERS(FIELD)
#undef FIELD
}

/* A datagram to systemd; if nobody takes it, the election does not wait. */
static void notify(const struct rl_node *node, const char *text)
{
    const char *path = node->options.notify;
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (!path || strlen(path) >= sizeof to.sun_path)
        return;
    strcpy(to.sun_path, path);
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    if (path[0] == '@')
        to.sun_path[0] = '\0'; /* a name that is no file */
    const int from = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)!sendto(from, text, strlen(text), MSG_NOSIGNAL, (const void *)&to, size);
    close(from);
}

static enum rl_status replace(struct rl_node *node, const char *path,
                              void (*print)(const struct rl_node *node, struct rl_text *text),
                              struct rl_error *error)
{
    char memory[STATUS_ROOM];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    struct rl_new_file file;
    if (!path)
        return RL_OK;
    print(node, &text);
    enum rl_status status = rl_new_file_open(&file, path, error);
    if (!status) {
        fwrite(memory, 1, text.length, file.stream);
        status = rl_new_file_keep(&file, error);
    }
    node->options.counts->unwritten += status != RL_OK;
    return status;
}

enum rl_status node_tell(struct rl_node *node, const char *event, struct rl_error *error)
{
    char text[256];
    const double half = node->options.watchdog / 2;
    node->tell_at = node->now + (half > 0 && half < 1 ? half : 1);
    if (!node->options.status && !node->options.metrics && !node->options.notify)
        node->tell_at = INFINITY;
    snprintf(text, sizeof text, "%sWATCHDOG=1\nSTATUS=%s%s\n", event,
             node->leads ? "leads" : "follows", is_well(node) ? "" : "; a neighbour is silent");
    notify(node, text);
    const enum rl_status status = replace(node, node->options.status, write_json, error);
    const enum rl_status other = replace(node, node->options.metrics, write_metrics, error);
    return status ? status : other;
}

/* If nobody reads it, the election does not wait. */
void node_print(const struct rl_node *node)
{
    char line[STATUS_ROOM];
    struct rl_text text = rl_text_into(line, sizeof line);
    struct pollfd out = {node->options.out, POLLOUT, 0};
    write_json(node, &text);
    if (poll(&out, 1, 0) == 1 && out.revents & POLLOUT)
        (void)!write(out.fd, line, text.length);
}

static void remove_file(const char *path)
{
    struct stat about;
    if (path && lstat(path, &about) == 0 && S_ISREG(about.st_mode))
        (void)unlink(path);
}

void node_fall_silent(struct rl_node *node)
{
    notify(node, "STOPPING=1\n");
    remove_file(node->options.status);
    remove_file(node->options.metrics);
}

/* ---- commands ---- */

/* A shell with the command, and with signals as a shell expects them. -1: there is none to be had.
 */
static pid_t start(const char *command)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void node_command(struct rl_node *node)
{
    const char *command = node->leads ? node->options.on_lead : node->options.on_follow;
    if (node->command || (node->commanded && node->command_leads == node->leads))
        return;
    const pid_t process = command ? start(command) : 0;
    node->options.counts->unstarted += process < 0;
    node->command = process > 0 ? process : 0;
    node->commanded = process >= 0; /* or it is tried again within a second */
    node->command_leads = node->leads;
}

void node_command_ended(struct rl_node *node)
{
    int status;
    if (!node->command || waitpid(node->command, &status, WNOHANG) != node->command)
        return;
    node->command = 0;
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)) {
        node->options.counts->unstarted++; /* the shell could not start it */
        node->commanded = false;
    } else
        node_command(node);
}

void node_await_command(struct rl_node *node)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL); /* a second SIGTERM ends the waiting */
    if (node->command)
        (void)waitpid(node->command, NULL, 0);
}
