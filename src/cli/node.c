/* SPDX-License-Identifier: MIT
 *
 * ringleader node: one agent of a real ring.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "net/node.h"

static const struct option OPTIONS[] = {
    {"name", "NAME", VALUE_TEXT, "the node's name, unique on the ring; needed with a key"},
    {"listen", "ADDRESS", VALUE_TEXT, "where its neighbours find it",
     .missing = "node needs --listen HOST:PORT, where its neighbours find it"},
    {"left", "WHO", VALUE_TEXT, "its left neighbour; all must agree which way is right",
     .missing = "node needs --left NAME@HOST:PORT, its left neighbour"},
    {"right", "WHO", VALUE_TEXT, "its right neighbour",
     .missing = "node needs --right NAME@HOST:PORT, its right neighbour"},
    {"N", "COUNT", VALUE_COUNT, "the most nodes the ring will ever have; the same for all",
     .least = 2, .most = RL_MAX_AGENTS,
     .missing = "how large may the ring be? give -N COUNT, 2 or more"},
    {"protocol", "NAME", VALUE_PROTOCOL,
     "the protocol (default prl); it must never change whether an initiator leads", .letter = 'p'},
    {"NAME", "COUNT", VALUE_PARAMETER, "any other parameter of the protocol"},
    {"key", "FILE", VALUE_INPUT,
     "the ring's key (`ringleader key` makes one); without one a node listens on loopback only, "
     "and needs no names"},
    {"rate", "COUNT", VALUE_REAL,
     "interactions with the right neighbour per second (default 20); the same for all, below 0.02 "
     "/ round trip",
     .most_real = 1e6},
    {"start", "STATE", VALUE_TEXT, "its first state, as in configuration files (default random)"},
    {"state", "FILE", VALUE_FILE, "keep the state in this file, and start from it"},
    {"log", "FILE", VALUE_FILE, "a line for each interaction (see ring --check)"},
    {"status", "FILE", VALUE_OUTPUT,
     "its status as JSON, replaced every second and whenever its output changes, removed when it "
     "stops"},
    {"metrics", "FILE", VALUE_OUTPUT, "the same for Prometheus' textfile collector"},
    {"on-lead", "COMMAND", VALUE_TEXT,
     "run by the shell when it becomes a leader; tried again after a second if it could not be "
     "started"},
    {"on-follow", "COMMAND", VALUE_TEXT,
     "the same when it becomes a follower; one of the two also runs at the start; they never run "
     "at the same time"},
};

/* ---- reading the request ---- */

static void check_name(const char *option, const char *text, size_t length)
{
    if (!rl_datagram_is_name(text, length))
        die(EXIT_REQUEST,
            "%s %s: a name has letters, digits, dots, dashes and underscores, at most %d of them",
            dashed(option), text, RL_LONGEST_NAME);
}

/* A neighbour as it is told, NAME@HOST:PORT; the name may be left out. */
static struct rl_address read_neighbour(const struct arguments *arguments, const char *option,
                                        const struct rl_address *listen,
                                        char name_out[RL_LONGEST_NAME + 1])
{
    const char *text = argument(arguments, option), *at = strchr(text, '@');
    const char *name = argument(arguments, "name");
    const size_t length = at ? (size_t)(at - text) : 0;
    struct rl_address address;
    if (at)
        check_name(option, text, length);
    else if (argument(arguments, "key"))
        die(EXIT_REQUEST, "with a key, neighbours need names: %s NAME@HOST:PORT, not %s",
            dashed(option), text);
    memcpy(name_out, text, length);
    name_out[length] = '\0';
    if (name && strcmp(name, name_out) == 0)
        die(EXIT_REQUEST, "%s %s: this node has the same name", dashed(option), text);
    check(rl_address_parse(at ? at + 1 : text, listen, &address, why()), dashed(option));
    return address;
}

static void read_neighbours(const struct arguments *arguments, const struct rl_address *listen,
                            struct rl_node_options *options)
{
    uint8_t key[RL_KEY_BYTES];
    char left[RL_LONGEST_NAME + 1], right[RL_LONGEST_NAME + 1];
    const char *path = argument(arguments, "key");
    options->name = argument(arguments, "name");
    if (options->name)
        check_name("name", options->name, strlen(options->name));
    else if (path)
        die(EXIT_REQUEST, "with a key, a node needs a name: --name NAME");
    options->left = read_neighbour(arguments, "left", listen, left);
    options->right = read_neighbour(arguments, "right", listen, right);
    if (!path && !rl_address_is_loopback(listen))
        die(EXIT_REQUEST,
            "without --key a node listens on loopback only, not on %s "
            "(ringleader key FILE makes one)",
            argument(arguments, "listen"));
    if (path)
        check(rl_key_read(path, key, why()), NULL);
    options->seal = rl_datagram_seal(options->rules, path ? key : NULL, left,
                                     options->name ? options->name : "", right);
}

/* A file of this node's alone; -1: none. */
static int open_file(const struct arguments *arguments, const char *name, int flags)
{
    const char *path = argument(arguments, name);
    struct stat about;
    if (!path)
        return -1;
    const int file = open(path, flags | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        die(EXIT_OUTSIDE, "--%s %s: %s", name, path, strerror(errno));
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && flock(file, LOCK_EX | LOCK_NB) != 0)
        die(EXIT_OUTSIDE, "--%s %s: %s", name, path,
            errno == EWOULDBLOCK ? "another node uses this file" : strerror(errno));
    return file;
}

/* What it begins with: what its file holds, or what --start says as a configuration file does, or
 * anything. */
static rl_state choose_word(const struct arguments *arguments, const struct rl_rules *rules,
                            int state)
{
    const char *text = argument(arguments, "start");
    struct stat about;
    rl_state word;
    uint64_t memory = 0;
    struct rl_ring one = {.protocol = rules->protocol, .params = rules->params, .agents = &memory};
    one.params.n = 1;
    randombytes_buf(&word, sizeof word);
    if (text && strcmp(text, "random") != 0) {
        check(rl_ring_parse(&one, text, strlen(text), why()), "--start");
        word = rl_ring_get(&one, 0);
    }
    if (state >= 0 && fstat(state, &about) == 0 && about.st_size > 0)
        word = rl_node_read_state(rules, state);
    return word;
}

/* ---- running ---- */

/* What systemd wants to be told: whether it runs, and that it does, within so many seconds. */
static void look_for_systemd(struct rl_node_options *options)
{
    const char *process = getenv("WATCHDOG_PID"), *within = getenv("WATCHDOG_USEC");
    options->notify = getenv("NOTIFY_SOCKET");
    if (within && (!process || strtol(process, NULL, 10) == getpid()))
        options->watchdog = 1e-6 * strtod(within, NULL);
}

static int run_node(struct arguments *arguments)
{
    struct rl_experiment experiment;
    struct rl_rules rules;
    struct rl_counts counts = {0};
    struct rl_address listen;
    struct rl_node *node = claim(sizeof *node, NULL); /* some kilobytes of tables */
    const char *where = argument(arguments, "listen");
    struct rl_node_options options = {.rules = &rules,
                                      .rate = read_real(arguments, "rate", 20),
                                      .status = argument(arguments, "status"),
                                      .metrics = argument(arguments, "metrics"),
                                      .on_lead = argument(arguments, "on-lead"),
                                      .on_follow = argument(arguments, "on-follow"),
                                      .counts = &counts,
                                      .out = STDOUT_FILENO};
    if ((options.status && strcmp(options.status, "-") == 0) ||
        (options.metrics && strcmp(options.metrics, "-") == 0))
        die(EXIT_REQUEST, "--status and --metrics need a file that can be replaced, not -");
    /* Nobody knows n; what a protocol makes of it, also N, it makes of N. */
    read_ring(arguments, argument(arguments, "N"), &experiment);
    check(rl_rules_init(&rules, experiment.protocol, &experiment.params, why()), NULL);
    check(rl_address_parse(where, NULL, &listen, why()), "--listen");
    read_neighbours(arguments, &listen, &options);
    struct rl_error *error = why();
    if (rl_address_open(&listen, &options.socket, error))
        die(EXIT_OUTSIDE, "--listen %s: %s", where, error->text);
    options.log = open_file(arguments, "log", O_WRONLY | O_APPEND);
    options.state = open_file(arguments, "state", O_RDWR);
    options.word = choose_word(arguments, &rules, options.state);
    look_for_systemd(&options);
    options.signals = rl_node_signals(SIGINT, SIGCHLD);
    if (!argument(arguments, "key"))
        complain("no key: anyone on this machine can talk to this node");
    const enum rl_status status = rl_node_run(node, &options, why());
    if (counts.unwritten > 0)
        complain("%ju lines, states and status files could not be written", counts.unwritten);
    check(status, NULL);
    return EXIT_DONE;
}

const struct command command_node = {
    .name = "node",
    .summary = "run one agent of a real ring, over UDP",
    .usage = "ringleader node --name NAME --listen ADDRESS --left WHO --right WHO\n"
             "                -N COUNT --key FILE [options]",
    .about = "Runs one agent of a real ring as a process. It talks to its two neighbours over UDP, "
             "and together they elect a leader, whatever their memories hold and whatever happens "
             "to them. WHO is NAME@ADDRESS; an ADDRESS is HOST:PORT, or [HOST]:PORT for IPv6. "
             "Prints its status as one line of JSON at the start and whenever its output changes. "
             "Runs until SIGTERM or Ctrl-C; notifies systemd if asked to.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 asked to stop, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader key ring.key                  and copy it to all\n"
                "  ringleader node --name b --listen 0.0.0.0:7000 --left a@a.lan:7000 \\\n"
                "      --right c@c.lan:7000 -N 8 --key ring.key --status b.json \\\n"
                "      --on-lead './lead start' --on-follow './lead stop'\n",
    .run = run_node,
};
