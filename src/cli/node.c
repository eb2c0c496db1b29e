/* SPDX-License-Identifier: MIT
 *
 * ringleader node: one agent of a real ring.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "net/key.h"
#include "net/node.h"

static const struct option OPTIONS[] = {
    {"listen", "ADDRESS", VALUE_TEXT, "where its neighbours find it",
     .missing = "node wants --listen HOST:PORT, where its neighbours find it"},
    {"left", "ADDRESS", VALUE_TEXT,
     "its left neighbour; all nodes must agree on which way is right",
     .missing = "node wants --left HOST:PORT, its left neighbour"},
    {"right", "ADDRESS", VALUE_TEXT, "its right neighbour",
     .missing = "node wants --right HOST:PORT, its right neighbour"},
    {"N", "COUNT", VALUE_PARAMETER, "a number that the ring never outgrows; the same for all nodes",
     .missing = "how large may the ring be? give -N COUNT, 2 or more"},
    {"protocol", "NAME", VALUE_PROTOCOL,
     "the protocol (default prl); one that never changes whether an\n"
     "initiator leads",
     .letter = 'p'},
    {"NAME", "COUNT", VALUE_PARAMETER, "any other parameter of the protocol"},
    {"key", "FILE", VALUE_INPUT,
     "the ring's key (`ringleader key` makes one); without one a node\n"
     "listens on loopback only"},
    {"rate", "COUNT", VALUE_REAL,
     "interactions with the right neighbour, a second (default 20); keep\n"
     "it below 0.02 / round trip",
     .most_real = 1e6},
    {"start", "random|STATE", VALUE_TEXT,
     "its first state, as in configuration files (default random)"},
    {"state", "FILE", VALUE_FILE, "keep the state there, and begin with it; it may hold anything"},
    {"log", "FILE", VALUE_FILE,
     "a line for each interaction (`ringleader ring --check` reads them)"},
    {"http", "ADDRESS", VALUE_TEXT,
     "its status at / (JSON), /metrics (Prometheus) and /healthz; a port\n"
     "alone is one of loopback"},
    {"on-lead", "COMMAND", VALUE_TEXT, "for the shell, when it becomes a leader"},
    {"on-follow", "COMMAND", VALUE_TEXT,
     "when it becomes a follower; one of the two is run at its start too,\n"
     "and never two at once"},
};
static const struct option_group OWN = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

/* ---- reading the request ----------------------------------------------------------------------
 */

/* Nobody knows n; what a protocol makes of it, it makes of N. */
static int read_rules(const struct arguments *arguments, struct rl_rules *rules)
{
    struct arguments ring = {.command = arguments->command,
                             .given = claim((arguments->count + 1) * sizeof *ring.given, NULL)};
    struct rl_request request;
    struct rl_error error = {0};
    const char *name = argument(arguments, "protocol");
    const struct rl_protocol *protocol = rl_protocol_named(name ? name : "prl");
    const bool knows_N = protocol && rl_protocol_parameter(protocol, "N") >= 0;
    for (size_t i = 0; i < arguments->count; i++) {
        const struct given *given = &arguments->given[i];
        const bool is_N = strcmp(given->name, "N") == 0;
        if ((given->option->kind == VALUE_PARAMETER && (knows_N || !is_N)) ||
            given->option->kind == VALUE_PROTOCOL)
            ring.given[ring.count++] = *given;
    }
    ring.given[ring.count] = arguments->given[0];
    ring.given[ring.count].name = "n";
    ring.given[ring.count++].value = argument(arguments, "N");
    const int outcome = read_ring(&ring, &request, NULL);
    if (outcome != GO_ON)
        return outcome;
    const enum rl_status status = rl_rules_init(rules, request.protocol, &request.params, &error);
    return status ? complain_status(status, &error, NULL) : GO_ON;
}

static int read_address(const struct arguments *arguments, const char *name,
                        struct rl_address *address_out)
{
    struct rl_error error = {0};
    const enum rl_status status = rl_address_parse(argument(arguments, name), address_out, &error);
    return status ? complain_status(status, &error, dashed(name)) : GO_ON;
}

static int open_socket(const struct rl_address *address, int type, const char *what,
                       const char *text, int *socket_out)
{
    struct rl_error error = {0};
    if (rl_address_open(address, type, socket_out, &error))
        return complain(EXIT_OUTSIDE, "%s %s: %s", what, text, error.text);
    return GO_ON;
}

static int open_listener(const struct arguments *arguments, int *socket_out)
{
    char text[64];
    const char *given = argument(arguments, "http");
    struct rl_address address;
    struct rl_error error = {0};
    if (!given)
        return GO_ON;
    snprintf(text, sizeof text, "127.0.0.1:%s", given);
    const enum rl_status status =
        rl_address_parse(strchr(given, ':') ? given : text, &address, &error);
    if (status)
        return complain_status(status, &error, "--http");
    return open_socket(&address, SOCK_STREAM, "--http", given, socket_out);
}

static int read_key(const struct arguments *arguments, const struct rl_rules *rules,
                    const struct rl_address *listen, struct rl_seal *seal_out)
{
    uint8_t key[RL_KEY_BYTES];
    const char *path = argument(arguments, "key");
    struct rl_error error = {0};
    if (!path && !rl_address_is_loopback(listen))
        return complain(EXIT_REQUEST,
                        "without --key a node listens on loopback only, not on %s "
                        "(ringleader key FILE makes one)",
                        argument(arguments, "listen"));
    const enum rl_status status = path ? rl_key_read(path, key, &error) : RL_OK;
    if (status)
        return complain_status(status, &error, NULL);
    *seal_out = rl_datagram_seal(rules, path ? key : NULL);
    return GO_ON;
}

static int open_file(const struct arguments *arguments, const char *name, int flags, int *file_out)
{
    const char *path = argument(arguments, name);
    if (!path)
        return GO_ON;
    *file_out = open(path, flags | O_CREAT | O_CLOEXEC, 0644);
    if (*file_out < 0)
        return complain(EXIT_OUTSIDE, "--%s %s: %s", name, path, strerror(errno));
    return GO_ON;
}

/* --start: the state of one agent as a configuration file has it. */
static int read_state(const struct arguments *arguments, const struct rl_rules *rules,
                      rl_state *word_out)
{
    const char *text = argument(arguments, "start");
    struct rl_error error = {0};
    uint64_t memory = 0;
    struct rl_ring one = {.protocol = rules->protocol, .params = rules->params, .agents = &memory};
    one.params.n = 1;
    if (!text || strcmp(text, "random") == 0)
        return GO_ON;
    const enum rl_status status = rl_ring_parse(&one, text, strlen(text), &error);
    if (status)
        return complain_status(status, &error, "--start");
    *word_out = rl_ring_get(&one, 0);
    return GO_ON;
}

static int choose_word(const struct arguments *arguments, const struct rl_rules *rules,
                       struct rl_node_options *options)
{
    struct stat about;
    while (getrandom(&options->word, sizeof options->word, 0) != sizeof options->word)
        continue;
    const int outcome = read_state(arguments, rules, &options->word);
    if (outcome != GO_ON)
        return outcome;
    if (options->state >= 0 && fstat(options->state, &about) == 0 && about.st_size > 0)
        options->word = rl_node_read_state(rules, options->state);
    return GO_ON;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* Blocks what the node reads from its signalfd. */
static int open_signals(void)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGCHLD);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* A line on standard output; if nobody reads it, the election does not wait. */
static void print_change(void *user, const struct rl_node *node)
{
    char line[2048];
    struct rl_text text = rl_text_into(line, sizeof line);
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    (void)user;
    rl_node_json(node, &text);
    if (poll(&out, 1, 0) == 1 && out.revents & POLLOUT)
        (void)!write(STDOUT_FILENO, line, text.length);
}

static int read_node(const struct arguments *arguments, struct rl_rules *rules,
                     struct rl_node_options *options)
{
    struct rl_address listen;
    int outcome = read_rules(arguments, rules);
    options->rate = argument(arguments, "rate") ? strtod(argument(arguments, "rate"), NULL) : 20;
    if (outcome == GO_ON)
        outcome = read_address(arguments, "listen", &listen);
    if (outcome == GO_ON)
        outcome = read_address(arguments, "left", &options->left);
    if (outcome == GO_ON)
        outcome = read_address(arguments, "right", &options->right);
    if (outcome == GO_ON)
        outcome = read_key(arguments, rules, &listen, &options->seal);
    if (outcome == GO_ON)
        outcome = open_socket(&listen, SOCK_DGRAM, "--listen", argument(arguments, "listen"),
                              &options->socket);
    if (outcome == GO_ON)
        outcome = open_listener(arguments, &options->http);
    if (outcome == GO_ON)
        outcome = open_file(arguments, "log", O_WRONLY | O_APPEND, &options->log);
    if (outcome == GO_ON)
        outcome = open_file(arguments, "state", O_RDWR, &options->state);
    if (outcome == GO_ON)
        outcome = choose_word(arguments, rules, options);
    return outcome;
}

static int run_node(struct arguments *arguments)
{
    struct rl_rules rules;
    struct rl_counts counts = {0};
    struct rl_error error = {0};
    static struct rl_node node; /* some kilobytes of tables */
    struct rl_node_options options = {.rules = &rules,
                                      .log = -1,
                                      .state = -1,
                                      .http = -1,
                                      .counts = &counts,
                                      .changed = print_change};
    int outcome = read_node(arguments, &rules, &options);
    if (outcome != GO_ON)
        return outcome;
    options.on_lead = argument(arguments, "on-lead");
    options.on_follow = argument(arguments, "on-follow");
    options.signals = open_signals();
    if (!argument(arguments, "key"))
        fputs("ringleader: no key: anybody on this machine can speak to this node\n", stderr);
    const enum rl_status status = rl_node_run(&node, &options, &error);
    if (counts.unwritten > 0)
        fprintf(stderr, "ringleader: %llu lines and states could not be written\n",
                (unsigned long long)counts.unwritten);
    return status ? complain_status(status, &error, NULL) : EXIT_DONE;
}

const struct command command_node = {
    .name = "node",
    .summary = "one agent of a real ring, over UDP",
    .usage = "ringleader node --listen ADDRESS --left ADDRESS --right ADDRESS -N COUNT [options]",
    .about =
        "One agent of a real ring, as a process: it talks to its two neighbours by UDP, and\n"
        "together they elect a leader, whatever they begin with and whatever happens to them.\n"
        "An ADDRESS is HOST:PORT, or [HOST]:PORT for IPv6. Prints its status as one line of\n"
        "JSON at its start and whenever its output changes. Runs until SIGTERM or Ctrl-C.\n",
    .groups = {&OWN},
    .status = "0 it was told to leave, 2 the request was wrong, 3 something outside failed.",
    .examples =
        "  ringleader key ring.key                  and copy it to all\n"
        "  ringleader node --listen 0.0.0.0:7000 --left a.lan:7000 --right c.lan:7000 -N 8 \\\n"
        "      --key ring.key --http 7001 --on-lead './lead start' --on-follow './lead stop'\n"
        "  curl localhost:7001\n",
    .run = run_node,
};
