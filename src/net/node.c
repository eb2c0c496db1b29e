/* SPDX-License-Identifier: MIT
 *
 * The life of a node: timers, datagrams and signals around one link.
 *
 * The clock of the right arc is exponential, so it has no memory: after a sleep, a stop or a jump
 * of the machine's clock it is simply drawn again. Only the monotonic clock is read.
 *
 * A question without an answer is sent again after a few round trips, then at slowly growing
 * intervals, forever: with a loss of 90 % it takes a hundred copies to get one through and its
 * answer back. A node that waits turns others away. So if answers take longer than the time between
 * two rings of its clock, it slows the clock down until it is free half of the time, where most
 * interactions succeed: with T for an answer and I between questions, that is I / (T + I)^2 a
 * second (docs/decisions/175-heavy-loss.md).
 */
#define _GNU_SOURCE
#include "net/node.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/inside.h"

enum { AT_ONCE = 64 }; /* datagrams read between two looks at the clock */
enum { REPEATS_AT_ONCE = 8 };
#define SHORTEST_REPEAT 0.001
#define LONGEST_REPEAT  0.25
#define PATIENT_REPEATS 256.0 /* copies until the interval has doubled */
#define LONGEST_WAIT    1.0   /* that an answer counts for */
#define REORDER                                                                                    \
    0.02                  /* seconds that a datagram waits to be overtaken: several round trips    \
                             on one machine */
#define LONGEST_SLEEP 1.0 /* should the clock be wrong */

/* ---- trouble ---- */

static double uniform(struct rl_random *random)
{
    return (double)(rl_random_next(random) >> 11) * 0x1p-53;
}

int rl_trouble_befall(const struct rl_trouble *trouble, struct rl_random *random, bool right,
                      double now, double due_out[2])
{
    if (trouble->cut[right] || uniform(random) < trouble->loss)
        return 0;
    const int copies = uniform(random) < trouble->duplicate ? 2 : 1;
    for (int i = 0; i < copies; i++) {
        due_out[i] = now + trouble->delay * uniform(random);
        if (uniform(random) < trouble->reorder)
            due_out[i] += REORDER * uniform(random);
    }
    return copies;
}

/* ---- sending ---- */

static void send_bytes(struct rl_node *node, bool right, const uint8_t *bytes)
{
    const struct rl_address *to = right ? &node->options.right : &node->options.left;
    /* What cannot be sent now is lost, as it might be later. */
    if (sendto(node->options.socket, bytes, RL_DATAGRAM_BYTES, MSG_DONTWAIT | MSG_NOSIGNAL,
               (const void *)&to->socket, to->size) == RL_DATAGRAM_BYTES)
        node->options.counts->sent++;
    else
        node->options.counts->unsent++;
}

/* Now, later, twice, or never. */
static void send_message(struct rl_node *node, const struct rl_message *message, uint32_t stamp)
{
    static const struct rl_trouble none;
    const struct rl_trouble *trouble = node->options.trouble ? node->options.trouble : &none;
    struct rl_counts *counts = node->options.counts;
    struct rl_late late = {.right = message->kind == RL_ASK};
    double due[2];
    const int copies = rl_trouble_befall(trouble, &node->random, late.right, node->now, due);
    rl_datagram_write(&node->options.seal, message, stamp, late.bytes);
    counts->lost += copies == 0;
    counts->doubled += copies == 2;
    for (int i = 0; i < copies; i++) {
        late.due = due[i];
        if (late.due <= node->now)
            send_bytes(node, late.right, late.bytes);
        else if (node->late_count < RL_MOST_POSTPONED)
            node->late[node->late_count++] = late;
        else
            counts->lost++;
    }
}

/* ---- time ---- */

/* Microseconds, which go round; a question carries them there and back. */
static uint32_t stamp_now(const struct rl_node *node)
{
    return (uint32_t)(uint64_t)(1e6 * node->now);
}

static void wind_clock(struct rl_node *node)
{
    const double mean = 1 / node->options.rate;
    node->ring_at =
        node->now + rl_wait_exponential(&node->wait, &node->random) * fmax(mean, node->turnaround);
}

/* How long to wait for an answer to the copy that was just sent: the first for a few round trips,
 * for an answer is likely; where that was in vain it was lost, and so may the next ones be. */
static double repeat_after(const struct rl_node *node)
{
    const double trips = (node->repeats == 0 ? 4 : 1) * node->quick;
    return fmin(LONGEST_REPEAT,
                fmax(SHORTEST_REPEAT, trips) * (1 + node->repeats / PATIENT_REPEATS));
}

/* A machine with much else to do may be late; then several copies are due. */
static void repeat_question(struct rl_node *node)
{
    struct rl_message question;
    for (int i = 0; i < REPEATS_AT_ONCE && node->now >= node->repeat_at &&
                    rl_link_repeat(&node->link, &node->options.rules->link, &question);
         i++) {
        node->options.counts->repeats++;
        node->repeats++;
        node->repeat_at += repeat_after(node);
        send_message(node, &question, stamp_now(node));
    }
    if (node->now >= node->repeat_at)
        node->repeat_at = node->now + repeat_after(node);
}

static void ask(struct rl_node *node, const struct rl_message *question)
{
    node->repeats = 0;
    node->asked_at = node->now;
    node->repeat_at = node->now + repeat_after(node);
    send_message(node, question, stamp_now(node));
}

/* It must not go back; but if it does, it does not matter. */
static void look_at_clock(struct rl_node *node)
{
    const double before = node->now;
    node->now = seconds_now();
    if (node->now >= before)
        return;
    wind_clock(node);
    node->repeat_at = node->now + repeat_after(node);
    node->asked_at = node->left_at = node->right_at = node->tell_at = node->now;
}

/* Says when something is due again. */
static double do_what_is_due(struct rl_node *node)
{
    struct rl_message question;
    if (node->now >= node->ring_at) {
        if (rl_link_ring(&node->link, &node->options.rules->link, &question))
            ask(node, &question);
        wind_clock(node);
    }
    repeat_question(node);
    if (node->now >= node->tell_at) {
        (void)!node_tell(node, "", NULL);
        node_command(node);
    }
    double due = fmin(node->ring_at, node->tell_at);
    if (node->link.flags & RL_LINK_LOCKED)
        due = fmin(due, node->repeat_at);
    for (size_t i = node->late_count; i-- > 0;) {
        const struct rl_late *late = &node->late[i];
        if (late->due <= node->now) {
            send_bytes(node, late->right, late->bytes);
            node->late[i] = node->late[--node->late_count];
        } else
            due = fmin(due, late->due);
    }
    return due;
}

/* ---- messages ---- */

/* The state may have changed; has the output? */
static void after_change(struct rl_node *node)
{
    const bool leads = node->options.rules->protocol->leads(node->link.word);
    node_keep_state(node);
    if (leads == node->leads)
        return;
    node->leads = leads;
    (void)!node_tell(node, "", NULL);
    node_print(node);
    node_command(node);
}

static void take_question(struct rl_node *node, const struct rl_message *question, uint32_t stamp)
{
    const struct rl_link_rules *rules = &node->options.rules->link;
    struct rl_entry entry = {.kind = RL_JOURNAL_DONE,
                             .ticket = question->ticket,
                             .l = rules->legal(rules->about, question->value),
                             .r = rules->legal(rules->about, node->link.word)};
    struct rl_message answer;
    const enum rl_link_event event = rl_link_asked(&node->link, rules, question, &answer);
    if (event == RL_LINK_INTERACTED || event == RL_LINK_REFUSED)
        node->left_at = node->now;
    if (event == RL_LINK_INTERACTED) {
        entry.l_after = node->link.reply;
        entry.r_after = node->link.word;
        node->options.counts->decided++;
        node_log(node, &entry);
    } else if (event == RL_LINK_REPEATED || event == RL_LINK_CORRECTED)
        node->options.counts->ignored++;
    send_message(node, &answer, stamp);
    if (event == RL_LINK_INTERACTED)
        after_change(node);
}

static void smooth(double *mean, double sample)
{
    *mean = *mean > 0 ? *mean + (sample - *mean) / 8 : sample;
}

/* An answer that was due, to the copy of the question with this stamp. */
static void note_answer(struct rl_node *node, uint32_t stamp)
{
    const double wait = node->now - node->asked_at;
    const double trip = 1e-6 * (uint32_t)(stamp_now(node) - stamp);
    smooth(&node->options.counts->round_trip, trip);
    node->quick += (trip - node->quick) / (trip < node->quick ? 2 : 16);
    smooth(&node->turnaround, fmin(wait, LONGEST_WAIT));
    node->right_at = node->now;
}

static void take_answer(struct rl_node *node, const struct rl_message *answer, uint32_t stamp)
{
    const struct rl_link_rules *rules = &node->options.rules->link;
    struct rl_entry entry = {.kind = RL_JOURNAL_HEARD,
                             .ticket = answer->ticket,
                             .l = rules->legal(rules->about, node->link.word)};
    struct rl_message question;
    switch (rl_link_answered(&node->link, rules, answer, &question)) {
    case RL_LINK_LEARNT:
        entry.l_after = node->link.word;
        node->options.counts->learnt++;
        note_answer(node, stamp);
        node_log(node, &entry);
        after_change(node);
        break;
    case RL_LINK_TURNED_AWAY:
        node->options.counts->busy++;
        note_answer(node, stamp);
        break;
    case RL_LINK_RESUMED:
        node->options.counts->resumed++;
        ask(node, &question);
        break;
    default:
        node->options.counts->ignored++;
    }
}

static void take_datagrams(struct rl_node *node)
{
    uint8_t bytes[RL_DATAGRAM_BYTES + 1]; /* one more, to see that one is too long */
    struct rl_message message;
    uint32_t stamp;
    for (int i = 0; i < AT_ONCE; i++) {
        const ssize_t size = recv(node->options.socket, bytes, sizeof bytes, MSG_DONTWAIT);
        if (size < 0)
            return; /* there is none, or an error, which does not stay */
        node->options.counts->received++;
        const enum rl_refusal refusal =
            rl_datagram_read(&node->options.seal, bytes, (size_t)size, &message, &stamp);
        node->options.counts->refused[refusal] += refusal != RL_NOT_REFUSED;
        if (refusal == RL_NOT_REFUSED)
            (message.kind == RL_ASK ? take_question : take_answer)(node, &message, stamp);
    }
}

/* ---- signals ---- */

int rl_node_signals(int one, int other)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, one);
    sigaddset(&wanted, other);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void begin_journal(struct rl_node *node, enum rl_journal_kind kind)
{
    const struct rl_rules *rules = node->options.rules;
    const struct rl_entry entry = {.kind = kind, .r = rules->link.legal(rules, node->link.word)};
    node_log(node, &entry);
}

/* A fault: anything at all is in the agent's memory. */
static void strike(struct rl_node *node)
{
    randombytes_buf(&node->link, sizeof node->link);
    begin_journal(node, RL_JOURNAL_STRUCK);
    after_change(node);
}

static void take_signals(struct rl_node *node)
{
    struct signalfd_siginfo signal;
    while (read(node->options.signals, &signal, sizeof signal) == sizeof signal) {
        if (signal.ssi_signo == SIGTERM || signal.ssi_signo == SIGINT)
            node->running = false;
        else if (signal.ssi_signo == SIGUSR1)
            strike(node);
        else if (signal.ssi_signo == SIGCHLD)
            node_command_ended(node);
    }
}

/* ---- the loop ---- */

static enum rl_status wait_until(struct rl_node *node, double due, struct rl_error *error)
{
    struct pollfd watched[2] = {{node->options.socket, POLLIN, 0},
                                {node->options.signals, POLLIN, 0}};
    const double seconds = fmax(0, fmin(due - seconds_now(), LONGEST_SLEEP));
    const struct timespec timeout = {.tv_sec = (time_t)seconds,
                                     .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    const int ready = ppoll(watched, 2, &timeout, NULL);
    if (ready < 0 && errno != EINTR)
        return rl_error_set(error, RL_IO, "cannot wait for datagrams: %s", strerror(errno));
    look_at_clock(node);
    if (ready > 0 && watched[0].revents)
        take_datagrams(node);
    if (ready > 0 && watched[1].revents)
        take_signals(node);
    return RL_OK;
}

static enum rl_status begin(struct rl_node *node, const struct rl_node_options *options,
                            struct rl_error *error)
{
    memset(node, 0, sizeof *node);
    node->options = *options;
    randombytes_buf(&node->random, sizeof node->random);
    randombytes_buf(&node->link, sizeof node->link); /* tickets that nobody can guess */
    node->link.word = options->rules->link.legal(options->rules, options->word);
    node->link.flags = 0;
    rl_wait_init(&node->wait, 2);
    node->began = node->now = node->left_at = node->right_at = seconds_now();
    node->running = true;
    node->log_size = options->log >= 0 ? lseek(options->log, 0, SEEK_END) : 0;
    wind_clock(node);
    begin_journal(node, RL_JOURNAL_BOOT);
    node->leads = options->rules->protocol->leads(node->link.word);
    node_keep_state(node);
    const enum rl_status status = node_tell(node, "READY=1\n", error);
    if (!status) {
        node_print(node);
        node_command(node);
    }
    return status;
}

enum rl_status rl_node_run(struct rl_node *node, const struct rl_node_options *options,
                           struct rl_error *error)
{
    enum rl_status status = begin(node, options, error);
    while (node->running && !status)
        status = wait_until(node, do_what_is_due(node), error);
    const int files[] = {options->socket, options->log, options->state};
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    node_await_command(node);
    node_fall_silent(node);
    return status;
}
