/* SPDX-License-Identifier: MIT
 *
 * A node: one agent as a process that talks to its neighbours by datagrams.
 *
 * One thread and one poll. Whoever runs it opens the sockets and files; the node owns them then.
 */
#ifndef RINGLEADER_NET_NODE_H
#define RINGLEADER_NET_NODE_H

#include <sys/types.h>

#include "net/address.h"
#include "net/journal.h"
#include "net/datagram.h"
#include "ringleader/protocol.h"

/* ---- faults on request: a network that loses, doubles, delays and reorders, and is cut in places.
 * It sits where a node sends, so that a ring on one machine has a network as bad as one likes
 * ---------
 */

enum { RL_MOST_POSTPONED = 64 };

struct rl_trouble {
    double loss, duplicate, reorder; /* probabilities, of each datagram */
    double delay;                    /* seconds: each waits between 0 and that */
    unsigned cut[2];                 /* 0: what is sent to the left, to the right arrives */
};

/* A datagram that waits for its time. */
struct rl_late {
    double due;
    bool right;
    uint8_t bytes[RL_DATAGRAM_BYTES];
};

/* How many copies of a datagram arrive (0 .. 2), and when each. */
int rl_trouble_befall(const struct rl_trouble *trouble, struct rl_random *random, bool right,
                      double now, double due_out[2]);

/* ---- the node ---- */

/* What a node counts. Another process may look on, if they are in memory that it shares. */
struct rl_counts {
    rl_state word;    /* the agent's state now */
    uint64_t decided; /* interactions with the left neighbour: this agent was the responder */
    uint64_t learnt;  /* interactions with the right neighbour */
    uint64_t busy;    /* questions to the right that were turned away */
    uint64_t repeats; /* questions sent again, because no answer came */
    uint64_t resumed; /* tickets put right: after a boot, or a fault */
    uint64_t ignored; /* authentic messages that were not due: late, doubled or replayed */
    uint64_t sent, received;
    uint64_t unsent;               /* datagrams that the system did not take */
    uint64_t lost, doubled;        /* on purpose: see trouble.h */
    uint64_t refused[RL_REFUSALS]; /* datagrams, by reason */
    uint64_t unwritten;            /* lines of the log, states and status files not written */
    uint64_t unstarted;            /* commands that could not be started */
    double round_trip;             /* seconds, smoothed; 0: none measured */
};

struct rl_node;

struct rl_node_options {
    const struct rl_rules *rules;
    const char *name; /* for its status; NULL: none */
    struct rl_seal seal;
    struct rl_address left, right;
    double rate;   /* rings of the right arc's clock, a second */
    rl_state word; /* to begin with */
    int socket;    /* datagrams */
    int signals;   /* a signalfd: SIGTERM and SIGINT end the node, SIGUSR1 overwrites its memory,
                      SIGCHLD says that a command has ended */
    int log;       /* -1: none */
    int state;     /* -1: none; the file of the state */
    const char *status, *metrics;     /* paths of files that are replaced; NULL: none */
    const char *notify;               /* systemd's $NOTIFY_SOCKET; NULL: none */
    double watchdog;                  /* seconds within which it wants to be told; 0: it does not */
    const char *on_lead, *on_follow;  /* commands for the shell; NULL: none */
    const struct rl_trouble *trouble; /* NULL: none */
    struct rl_counts *counts;
    int out; /* a line with its status at its start and when its output changes; -1: none */
};

struct rl_node {
    struct rl_node_options options;
    struct rl_link link;
    struct rl_random random;
    struct rl_wait wait;
    struct rl_late late[RL_MOST_POSTPONED];
    size_t late_count;
    double began, now;
    double ring_at;    /* when the clock of the right arc rings */
    double asked_at;   /* when the question that is out was first sent */
    double repeat_at;  /* when it is sent again */
    unsigned repeats;  /* how often it was */
    double quick;      /* seconds that a quick round trip takes */
    double turnaround; /* seconds from a question's first copy to an answer, smoothed */
    double left_at;    /* when the left neighbour last asked what was due */
    double right_at;   /* when the right neighbour last answered what was due */
    double tell_at;    /* when its status is written again */
    bool leads;
    bool running;
    bool gap;           /* the log lacks lines */
    off_t log_size;     /* of whole lines */
    pid_t command;      /* that is running; 0: none */
    bool commanded;     /* a command was begun, for ... */
    bool command_leads; /* ... this output */
};

/* Blocks SIGTERM and these two, and opens a signalfd for them. SIGPIPE is ignored. */
int rl_node_signals(int one, int other);
/* Runs until a signal ends it. RL_IO if the sockets fail for good, or its status cannot be written
 * at its start. The descriptors are closed. */
RL_MUST_CHECK enum rl_status
rl_node_run(struct rl_node *node, const struct rl_node_options *options, struct rl_error *error);

/* The state that a file holds, whatever it holds. */
rl_state rl_node_read_state(const struct rl_rules *rules, int file);

/* ---- what the files of a node share ---- */

/* node_tell.c: the log, the state, status, metrics and systemd; RL_IO if the files cannot be
 * written. `event` is a line for systemd, or "". */
void node_log(struct rl_node *node, const struct rl_entry *entry);
void node_keep_state(struct rl_node *node);
enum rl_status node_tell(struct rl_node *node, const char *event, struct rl_error *error);
void node_print(const struct rl_node *node);
/* Nobody is to believe in a node that has ended. */
void node_fall_silent(struct rl_node *node);

/* node_tell.c: --on-lead and --on-follow, never two at once. */
void node_command(struct rl_node *node);
void node_command_ended(struct rl_node *node);
void node_await_command(struct rl_node *node);

#endif
