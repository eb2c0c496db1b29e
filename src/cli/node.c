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

static const char HELP[] =
    "usage: ringleader node --listen ADDRESS --left ADDRESS --right ADDRESS -N COUNT [options]\n"
    "\n"
    "One agent of a real ring, as a process: it talks to its two neighbours by UDP, and together\n"
    "they elect a leader, whatever they begin with and whatever happens to them. Runs until it "
    "gets\n"
    "SIGTERM or Ctrl-C. An ADDRESS is HOST:PORT, or [HOST]:PORT for IPv6.\n"
    "\n"
    "      --listen ADDRESS  where its neighbours find it\n"
    "      --left ADDRESS    its left neighbour; all nodes must agree on which way is right\n"
    "      --right ADDRESS   its right neighbour\n"
    "  -N COUNT              a number that the ring never outgrows; the same for all nodes\n"
    "  -p, --protocol NAME   the protocol (default prl); it must not change an initiator's output\n"
    "      --key FILE        the ring's key (`ringleader key` makes one); without one it listens "
    "on\n"
    "                        loopback only\n"
    "      --rate COUNT      interactions with the right neighbour, a second (default 20); keep "
    "it\n"
    "                        below 0.02 / round trip\n"
    "      --start random|STATE  its first state, as in configuration files (default random)\n"
    "      --state FILE      keep the state there, and begin with it; it may hold anything\n"
    "      --log FILE        a line for each interaction (`ringleader ring --check` reads them)\n"
    "      --http ADDRESS    status at / (JSON), /metrics (Prometheus), /healthz; a PORT alone is\n"
    "                        on loopback\n"
    "      --on-lead CMD     run by the shell when it becomes the leader, and\n"
    "      --on-follow CMD   when it becomes a follower, and at its start; never two at once\n"
    "\n"
    "Prints its status as one JSON line at its start and whenever its output changes.\n"
    "Exit status: 0 it was told to leave, 2 the request was wrong, 3 something outside failed.\n"
    "\n"
    "examples:\n"
    "  ringleader key ring.key       and copy it to all\n"
    "  ringleader node --listen 0.0.0.0:7000 --left a.lan:7000 --right c.lan:7000 -N 8 \\\n"
    "      --key ring.key --http 7001 --on-lead 'systemctl start cron' --on-follow 'systemctl stop "
    "cron'\n"
    "  curl localhost:7001\n";

static const struct option OPTIONS[] = {
    {"protocol", 'p', "NAME"}, {"n", 'n', "COUNT"},     {"listen", 0, "ADDRESS"},
    {"left", 0, "ADDRESS"},    {"right", 0, "ADDRESS"}, {"key", 0, "FILE"},
    {"rate", 0, "COUNT"},      {"start", 0, "STATE"},   {"state", 0, "FILE"},
    {"log", 0, "FILE"},        {"http", 0, "ADDRESS"},  {"on-lead", 0, "CMD"},
    {"on-follow", 0, "CMD"},   {NULL, 0, NULL},
};

/* ---- reading the request ----------------------------------------------------------------------
 */

/* Nobody knows n; what a protocol makes of it, it makes of N. */
static int read_rules(struct arguments *arguments, struct rl_rules *rules)
{
    const struct rl_protocol *protocol;
    struct rl_params params;
    struct rl_error error = {0};
    const char *bound = argument(arguments, "N");
    if (!argument(arguments, "n") && !bound)
        return complain(EXIT_REQUEST, "how large may the ring be? give -N COUNT, 2 or more");
    if (!argument(arguments, "n") && arguments->count < MOST_OPTIONS) {
        arguments->given[arguments->count].name = "n";
        arguments->given[arguments->count++].value = bound;
    }
    const int failed = argument_ring(arguments, &protocol, &params);
    if (failed >= 0)
        return failed;
    const enum rl_status status = rl_rules_init(rules, protocol, &params, &error);
    return status ? complain_status(status, &error, NULL) : -1;
}

static int read_address(const struct arguments *arguments, const char *name,
                        struct rl_address *address_out)
{
    struct rl_error error = {0};
    char what[32];
    const char *text = argument(arguments, name);
    snprintf(what, sizeof what, "--%s", name);
    if (!text)
        return complain(EXIT_REQUEST, "node wants %s HOST:PORT (see ringleader node --help)", what);
    const enum rl_status status = rl_address_parse(text, address_out, &error);
    return status ? complain_status(status, &error, what) : -1;
}

static int open_socket(const struct rl_address *address, int type, const char *what,
                       const char *text, int *socket_out)
{
    struct rl_error error = {0};
    if (rl_address_open(address, type, socket_out, &error))
        return complain(EXIT_OUTSIDE, "%s %s: %s", what, text, error.text);
    return -1;
}

static int open_listener(const struct arguments *arguments, int *socket_out)
{
    char text[64];
    const char *given = argument(arguments, "http");
    struct rl_address address;
    struct rl_error error = {0};
    if (!given)
        return -1;
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
    if (!path)
        fputs("ringleader: no key: anybody on this machine can speak to this node\n", stderr);
    const enum rl_status status = path ? rl_key_read(path, key, &error) : RL_OK;
    if (status)
        return complain_status(status, &error, NULL);
    *seal_out = rl_datagram_seal(rules, path ? key : NULL);
    return -1;
}

static int open_file(const struct arguments *arguments, const char *name, int flags, int *file_out)
{
    const char *path = argument(arguments, name);
    if (!path)
        return -1;
    *file_out = open(path, flags | O_CREAT | O_CLOEXEC, 0644);
    if (*file_out < 0)
        return complain(EXIT_OUTSIDE, "--%s %s: %s", name, path, strerror(errno));
    return -1;
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
        return -1;
    const enum rl_status status = rl_ring_parse(&one, text, strlen(text), &error);
    if (status)
        return complain_status(status, &error, "--start");
    *word_out = rl_ring_get(&one, 0);
    return -1;
}

static int choose_word(const struct arguments *arguments, const struct rl_rules *rules,
                       struct rl_node_options *options)
{
    struct stat about;
    while (getrandom(&options->word, sizeof options->word, 0) != sizeof options->word)
        continue;
    const int failed = read_state(arguments, rules, &options->word);
    if (failed >= 0)
        return failed;
    if (options->state >= 0 && fstat(options->state, &about) == 0 && about.st_size > 0)
        options->word = rl_node_read_state(rules, options->state);
    return -1;
}

static int read_rate(const struct arguments *arguments, double *rate_out)
{
    const char *text = argument(arguments, "rate");
    char *end;
    *rate_out = text ? strtod(text, &end) : 20;
    if (text && (end == text || *end || !(*rate_out > 0) || *rate_out > 1e6))
        return complain(EXIT_REQUEST, "--rate %s: a number above 0, of interactions a second",
                        text);
    return -1;
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

static int read_node(struct arguments *arguments, struct rl_rules *rules,
                     struct rl_node_options *options)
{
    struct rl_address listen;
    int failed = read_rules(arguments, rules);
    if (failed < 0)
        failed = read_rate(arguments, &options->rate);
    if (failed < 0)
        failed = read_address(arguments, "listen", &listen);
    if (failed < 0)
        failed = read_address(arguments, "left", &options->left);
    if (failed < 0)
        failed = read_address(arguments, "right", &options->right);
    if (failed < 0)
        failed = read_key(arguments, rules, &listen, &options->seal);
    if (failed < 0)
        failed = open_socket(&listen, SOCK_DGRAM, "--listen", argument(arguments, "listen"),
                             &options->socket);
    if (failed < 0)
        failed = open_listener(arguments, &options->http);
    if (failed < 0)
        failed = open_file(arguments, "log", O_WRONLY | O_APPEND, &options->log);
    if (failed < 0)
        failed = open_file(arguments, "state", O_RDWR, &options->state);
    if (failed < 0)
        failed = choose_word(arguments, rules, options);
    return failed;
}

static int run_node(int argc, char **argv)
{
    struct arguments arguments;
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
    int failed = read_arguments(&arguments, &command_node, OPTIONS, argc, argv);
    if (failed < 0 && arguments.word_count > 0)
        failed =
            complain(EXIT_REQUEST, "node does not know what to do with '%s'", arguments.words[0]);
    if (failed < 0)
        failed = read_node(&arguments, &rules, &options);
    if (failed >= 0)
        return failed;
    options.on_lead = argument(&arguments, "on-lead");
    options.on_follow = argument(&arguments, "on-follow");
    options.signals = open_signals();
    const enum rl_status status = rl_node_run(&node, &options, &error);
    if (counts.unwritten > 0)
        fprintf(stderr, "ringleader: %llu lines and states could not be written\n",
                (unsigned long long)counts.unwritten);
    return status ? complain_status(status, &error, NULL) : EXIT_DONE;
}

const struct command command_node = {
    .name = "node",
    .summary = "one agent of a real ring, over UDP",
    .help = HELP,
    .run = run_node,
};
