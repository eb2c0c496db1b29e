/* SPDX-License-Identifier: MIT
 *
 * ringleader ring: a whole ring of real processes on this machine.
 *
 * Nodes are forked from the ring's process, which has bound all sockets beforehand; they end with
 * it, however it ends. Their logs are files in memory, read at the end; a node writes a decision
 * there before anybody hears of it, so it may be killed at any moment. Then it loses its own
 * memory; its socket stays open, so what was under way to it may reach its successor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cli/election.h"
#include "net/account.h"
#include "net/node.h"

#define BACK_AFTER 1.0 /* seconds: when a killed node comes back */

static const struct option OPTIONS[] = {
    {"start", "START", VALUE_START, "the start (default random): a name or a file"},
    {"rate", "COUNT", VALUE_REAL, "interactions per second and arc (default 50)", .most_real = 1e5},
    {"loss", "SHARE", VALUE_SHARE, "lose this share of all datagrams: 20%, or 0.2"},
    {"duplicate", "SHARE", VALUE_SHARE, "send this share twice"},
    {"reorder", "SHARE", VALUE_SHARE, "let others overtake this share"},
    {"delay", "MS", VALUE_REAL, "delay each by up to this many milliseconds", .most_real = 10000},
    {"kill", "I@SECONDS", VALUE_TEXT,
     "kill node I at that second; it comes back one second later with random memory",
     .repeatable = true},
    {"corrupt", "I@WHEN", VALUE_TEXT, "overwrite node I's memory with garbage at that second",
     .repeatable = true},
    {"partition", "I@A-B", VALUE_TEXT,
     "cut the link to the right of I from second A to B; you may repeat these three",
     .repeatable = true},
    {"hold", "SECONDS", VALUE_REAL, "how long one leader must lead (default 5)", .most_real = 1e6},
    {"limit", "SECONDS", VALUE_REAL, "give up after this time (default 120)", .most_real = 1e6},
    {"start-out", "FILE", VALUE_OUTPUT,
     "write the start, or the ring after the last kill or corruption, for elect --start"},
    {"schedule-out", "FILE", VALUE_OUTPUT, "write the arcs from there on, for elect --schedule"},
    {"check", NULL, VALUE_NONE,
     "run nothing: check the logs of nodes that ran elsewhere (`node --log`), in the order of the "
     "ring",
     .needs = "LOG",
     .not_with = "rate loss duplicate reorder delay kill corrupt partition hold limit"},
    {"LOG", NULL, VALUE_INPUT, NULL, .is_word = true, .repeatable = true, .needs = "check"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

enum { MOST_NODES = 512 };

/* Something that happens to a node, or to the link to its right, and is over again. */
struct strike {
    enum { STRIKE_KILL, STRIKE_CORRUPT, STRIKE_CUT } kind;
    uint32_t node;
    double at[2];  /* seconds after the start: when it happens, when it is over */
    unsigned done; /* so many of these */
};

/* A node, in memory that its process shares with the ring's. */
struct child {
    pid_t pid;  /* 0: dead */
    int socket; /* bound before anybody is started, so that all know each other's address */
    int log;    /* a file in memory */
    struct rl_address address;
    struct rl_counts counts;
    struct rl_trouble trouble;
};

struct moment {
    double at;      /* seconds after the start */
    uint64_t after; /* so many interactions */
};

/* A ring on this machine, or only the logs of one. */
struct real_ring {
    struct rl_experiment experiment;
    struct rl_rules rules;
    uint32_t n;
    double rate, hold, limit;
    struct rl_trouble trouble;
    struct strike *strikes;
    size_t strike_count;
    struct rl_journal *journals; /* n of them */
    struct rl_account account;

    struct child *children; /* NULL: only logs */
    uint8_t key[RL_KEY_BYTES];
    double began;
    struct moment calm; /* the end of the last trouble so far */
    uint32_t leaders;   /* now */
    uint32_t leader;    /* the sole one */
    struct moment sole; /* since when */
    bool elected;
};

static uint32_t right_of(const struct real_ring *ring, uint32_t i)
{
    return i + 1 < ring->n ? i + 1 : 0;
}

static double ring_seconds(const struct real_ring *ring)
{
    return seconds_now() - ring->began;
}

/* What all nodes together have counted so far. */
#define SUM(ring, member) sum_counts(ring, offsetof(struct rl_counts, member))
static uint64_t sum_counts(const struct real_ring *ring, size_t offset)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        sum += *(const uint64_t *)((const char *)&ring->children[i].counts + offset);
    return sum;
}

static struct moment moment_now(const struct real_ring *ring)
{
    return (struct moment){ring_seconds(ring), SUM(ring, decided)};
}

static void show_ring(struct progress *progress, const struct real_ring *ring)
{
    char nodes[65];
    const uint32_t shown = ring->n < 64 ? ring->n : 64;
    for (uint32_t i = 0; i < shown; i++) {
        const bool leads = ring->rules.protocol->leads(ring->children[i].counts.word);
        nodes[i] = !ring->children[i].pid ? 'x' : leads ? 'L' : '.';
    }
    nodes[shown] = '\0';
    progress_show(progress, "%s%s  %.1f s  %s  %s interactions  %s lost  %s repeated", nodes,
                  shown < ring->n ? "+" : "", ring_seconds(ring), counted(ring->leaders, "leader"),
                  grouped(SUM(ring, decided)), grouped(SUM(ring, lost)),
                  grouped(SUM(ring, repeats)));
}

/* ---- starting ---- */

static _Noreturn void be_node(struct real_ring *ring, uint32_t i, pid_t parent)
{
    static struct rl_node node;
    struct child *child = &ring->children[i];
    const uint32_t who[] = {(i > 0 ? i : ring->n) - 1, i, right_of(ring, i)};
    char names[3][16];
    for (int k = 0; k < 3; k++)
        snprintf(names[k], sizeof names[k], "%u", who[k]);
    const struct rl_node_options options = {
        .rules = &ring->rules,
        .seal = rl_datagram_seal(&ring->rules, ring->key, names[0], names[1], names[2]),
        .left = ring->children[who[0]].address,
        .right = ring->children[who[2]].address,
        .rate = ring->rate,
        .word = child->counts.word,
        .socket = child->socket,
        .signals = rl_node_signals(SIGUSR1, SIGUSR1),
        .log = child->log,
        .state = -1,
        .out = -1,
        .trouble = &child->trouble,
        .counts = &child->counts,
    };
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the ring's process, which ends the nodes */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(getppid() != parent || rl_node_run(&node, &options, NULL) ? EXIT_OUTSIDE : EXIT_DONE);
}

static void start_child(struct real_ring *ring, uint32_t i, rl_state word)
{
    const pid_t parent = getpid();
    struct child *child = &ring->children[i];
    child->counts.word = ring->rules.link.legal(&ring->rules, word);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        be_node(ring, i, parent);
    if (pid < 0)
        die(EXIT_OUTSIDE, "node %u could not be started: %s", i, strerror(errno));
    child->pid = pid;
}

static void open_child(struct real_ring *ring, uint32_t i)
{
    struct rl_error *error = why();
    struct child *child = &ring->children[i];
    if (rl_address_parse("127.0.0.1:0", NULL, &child->address, error) ||
        rl_address_open(&child->address, &child->socket, error))
        die(EXIT_OUTSIDE, "node %u has no socket: %s", i, error->text);
    child->log = memfd_create("log", MFD_CLOEXEC);
    if (child->log < 0)
        die(EXIT_OUTSIDE, "node %u has no log: %s", i, strerror(errno));
    child->trouble = ring->trouble;
}

static void start_ring(struct real_ring *ring, const struct rl_ring *first)
{
    ring->began = seconds_now();
    void *shared = mmap(NULL, ring->n * sizeof *ring->children, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        die(EXIT_OUTSIDE, "out of memory");
    ring->children = shared;
    randombytes_buf(ring->key, sizeof ring->key);
    for (uint32_t i = 0; i < ring->n; i++)
        ring->children[i].socket = ring->children[i].log = -1;
    for (uint32_t i = 0; i < ring->n; i++)
        open_child(ring, i);
    for (uint32_t i = 0; i < ring->n; i++)
        start_child(ring, i, rl_ring_get(first, i));
}

/* ---- strikes ---- */

static void end_child(struct child *child)
{
    if (child->pid) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    child->pid = 0;
}

static void do_strike(struct real_ring *ring, const struct strike *strike, bool over)
{
    struct child *child = &ring->children[strike->node];
    rl_state word;
    randombytes_buf(&word, sizeof word);
    if (strike->kind == STRIKE_CUT) {
        child->trouble.cut[true] += over ? UINT32_MAX : 1;
        ring->children[right_of(ring, strike->node)].trouble.cut[false] += over ? UINT32_MAX : 1;
    } else if (strike->kind == STRIKE_KILL && !over)
        end_child(child);
    else if (strike->kind == STRIKE_KILL && !child->pid)
        start_child(ring, strike->node, word);
    else if (strike->kind == STRIKE_CORRUPT && !over && child->pid)
        kill(child->pid, SIGUSR1);
    /* The account begins after that. */
    for (uint32_t i = 0; i < ring->n && strike->kind != STRIKE_CUT; i++)
        (void)!write(ring->children[i].log, "gap\n", 4);
    ring->calm = moment_now(ring);
}

/* What is due; says whether anything is still to come. */
static bool do_strikes(struct real_ring *ring)
{
    bool more = false;
    for (size_t k = 0; k < ring->strike_count; k++) {
        struct strike *strike = &ring->strikes[k];
        for (; strike->done < 2 && ring_seconds(ring) >= strike->at[strike->done]; strike->done++)
            do_strike(ring, strike, strike->done == 1);
        more |= strike->done < 2;
    }
    return more;
}

/* ---- watching ---- */

/* Who leads: a decision changes the output of the one who decides, if anybody's. */
static void count_leaders(struct real_ring *ring)
{
    uint32_t leaders = 0, leader = 0;
    for (uint32_t i = 0; i < ring->n; i++) {
        struct child *child = &ring->children[i];
        if (child->pid && waitpid(child->pid, NULL, WNOHANG) == child->pid) {
            child->pid = 0;
            die(EXIT_OUTSIDE, "a node stopped by itself");
        }
        if (child->pid && ring->rules.protocol->leads(child->counts.word)) {
            leaders++;
            leader = i;
        }
    }
    if (leaders == 1 && (ring->leaders != 1 || ring->leader != leader))
        ring->sole = moment_now(ring);
    ring->leaders = leaders;
    ring->leader = leader;
}

/* Until one has led long enough, the limit, or Ctrl-C. */
static void hold_ring(struct real_ring *ring, const struct rl_ring *first)
{
    start_ring(ring, first);
    struct progress progress = progress_begin();
    while (!ring->elected && !interrupted() && ring_seconds(ring) < ring->limit) {
        const bool more = do_strikes(ring);
        count_leaders(ring);
        const double last = fmax(ring->calm.at, ring->sole.at);
        ring->elected = !more && ring->leaders == 1 && ring_seconds(ring) >= last + ring->hold;
        if (progress_due(&progress))
            show_ring(&progress, ring);
        (void)poll(NULL, 0, 20);
    }
    progress_end(&progress);
    for (uint32_t i = 0; i < ring->n; i++)
        end_child(&ring->children[i]);
}

/* ---- reading the request ---- */

static struct strike read_strike(const struct real_ring *ring, const char *name, const char *text,
                                 int kind)
{
    const bool cut = kind == STRIKE_CUT;
    uint32_t node = 0;
    double at = 0, until = 0;
    int end = 0;
    const int read = sscanf(text, "%" SCNu32 "@%lf%n-%lf%n", &node, &at, &end, &until, &end);
    if (read != (cut ? 3 : 2) || text[end] || !(at >= 0) || (cut && !(until >= at)))
        die(EXIT_REQUEST, "--%s %s: must be %s", name, text,
            cut ? "I@FROM-TO, as in 3@2-5" : "I@SECONDS, as in 3@2.5");
    if (node >= ring->n)
        die(EXIT_REQUEST, "--%s %s: the nodes are 0 to %u", name, text, ring->n - 1);
    return (struct strike){
        kind, node, {at, cut ? until : at + (kind == STRIKE_KILL) * BACK_AFTER}, 0};
}

static void read_trouble(struct real_ring *ring, const struct arguments *arguments)
{
    static const char *const names[] = {"kill", "corrupt", "partition"};
    ring->trouble = (struct rl_trouble){.loss = read_real(arguments, "loss", 0),
                                        .duplicate = read_real(arguments, "duplicate", 0),
                                        .reorder = read_real(arguments, "reorder", 0),
                                        .delay = read_real(arguments, "delay", 0) / 1000};
    ring->strikes = claim((arguments->count + 1) * sizeof *ring->strikes, NULL);
    for (size_t i = 0; i < arguments->count; i++)
        for (int kind = 0; kind < 3; kind++)
            if (strcmp(arguments->given[i].name, names[kind]) == 0)
                ring->strikes[ring->strike_count++] =
                    read_strike(ring, names[kind], arguments->given[i].value, kind);
}

/* With --check, n is the number of logs, if it is not given. */
static void choose_ring(struct real_ring *ring, const struct arguments *arguments, size_t logs)
{
    struct rl_experiment *experiment = &ring->experiment;
    char count[24];
    snprintf(count, sizeof count, "%zu", logs);
    read_ring(arguments, logs > 0 && !argument(arguments, "n") ? count : NULL, experiment);
    ring->n = experiment->params.n;
    if (ring->n > MOST_NODES && logs == 0)
        die(EXIT_REQUEST, "a ring has 2 to %d processes, not %u", MOST_NODES, ring->n);
    check(rl_rules_init(&ring->rules, experiment->protocol, &experiment->params, why()), NULL);
}

/* ---- running ---- */

static void run_nodes(struct real_ring *ring)
{
    struct rl_ring first = {.protocol = ring->rules.protocol, .params = ring->rules.params};
    first.agents = claim(rl_ring_bytes(first.protocol, ring->n), NULL);
    randombytes_buf(&ring->experiment.seed, sizeof ring->experiment.seed);
    choose_start(&ring->experiment);
    check(rl_experiment_fill(&ring->experiment, &first, why()), NULL);
    hold_ring(ring, &first);
}

/* The log of node i, up to its last whole line: from a file, or what its process wrote. */
static void read_journal(struct real_ring *ring, uint32_t i, const char *path)
{
    size_t size;
    unsigned number = 1;
    char process[32];
    if (!path)
        snprintf(process, sizeof process, "/proc/self/fd/%d", ring->children[i].log);
    const char *at = file_text(path ? path : process, &size), *const text = at, *end;
    for (; (end = memchr(at, '\n', size - (size_t)(at - text))); at = end + 1, number++) {
        struct rl_entry entry;
        if (!rl_journal_parse(at, (size_t)(end - at), &entry))
            die(EXIT_REQUEST, "%s: line %u is not a line of a node's log", path, number);
        check(rl_journal_add(&ring->journals[i], &entry), NULL);
    }
}

/* ---- what it says at the end ---- */

static void write_account(const struct real_ring *ring, FILE *start, FILE *schedule)
{
    const struct rl_account *account = &ring->account;
    for (uint32_t i = 0; start && i < ring->n; i++)
        fprintf(start, "%s\n", rl_ring_state(ring->rules.protocol, account->start[i]).text);
    for (size_t i = 0; schedule && i < account->arc_count; i++)
        fprintf(schedule, i % 20 == 19 ? "%u\n" : "%u ", account->arcs[i]);
}

static void tell_election(struct answer *answer, const struct real_ring *ring)
{
    tell(answer, "rate=%g elected=%d leaders=%u leader=%jd", ring->rate, ring->elected,
         ring->leaders, ring->leaders == 1 ? ring->leader : RL_NEVER);
    /* From the end of the last trouble to the last leader's being alone; 0 if it was so before. */
    const bool later = ring->sole.at > ring->calm.at;
    if (ring->elected)
        tell(answer, "elected_after_seconds=%g elected_after_interactions=%ju",
             later ? ring->sole.at - ring->calm.at : 0,
             later ? ring->sole.after - ring->calm.after : 0);
}

static void tell_account(struct answer *answer, const struct real_ring *ring)
{
    const struct rl_account *account = &ring->account;
    const struct rl_ring first = {ring->rules.protocol, ring->rules.params};
    tell(answer, "interactions=%ju steps=%zu one_leader=%jd", account->interactions,
         account->arc_count, account->one_leader);
    tell_hits(answer, &first, account->hits);
    tell(answer, "lost_interactions=%ju anomalies=%ju", account->lost, account->anomalies);
    put_open(answer, "end", '[');
    for (uint32_t i = 0; i < ring->n; i++)
        rl_json_string(&answer->json, NULL, rl_ring_state(first.protocol, account->end[i]).text);
    put_close(answer, ']');
}

static void tell_network(struct answer *answer, const struct real_ring *ring)
{
    double trip = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        trip += ring->children[i].counts.round_trip;
    trip /= ring->n;
    tell(answer, "sent=%ju unsent=%ju lost=%ju doubled=%ju repeats=%ju busy=%ju ignored=%ju",
         SUM(ring, sent), SUM(ring, unsent), SUM(ring, lost), SUM(ring, doubled),
         SUM(ring, repeats), SUM(ring, busy), SUM(ring, ignored));
    tell(answer, "round_trip_seconds=%g rate_times_round_trip=%g", trip, trip * ring->rate);
    put(answer, "interrupted=%d wall_seconds=%g", interrupted(), ring_seconds(ring));
}

static void report_ring(const struct real_ring *ring, bool json)
{
    struct answer answer = answer_begin(json);
    tell_heading(&answer, ring->rules.protocol, &ring->rules.params, "a");
    line(&answer, "\n\n");
    if (ring->children)
        tell_election(&answer, ring);
    tell_account(&answer, ring);
    if (ring->children)
        tell_network(&answer, ring);
    answer_end(&answer);
}

/* ---- all of it ---- */

/* Also after a failure; no process is left behind. */
static void free_ring(void *thing)
{
    struct real_ring *ring = thing;
    for (uint32_t i = 0; ring->children && i < ring->n; i++) {
        end_child(&ring->children[i]);
        close(ring->children[i].socket);
        close(ring->children[i].log);
    }
    if (ring->children)
        munmap(ring->children, ring->n * sizeof *ring->children);
    rl_account_free(&ring->account);
    for (uint32_t i = 0; ring->journals && i < ring->n; i++)
        rl_journal_free(&ring->journals[i]);
    free(ring->journals);
}

static int run_ring(struct arguments *arguments)
{
    size_t count;
    const char **logs = list_words(arguments, &count);
    struct real_ring *ring = claim(sizeof *ring, free_ring);
    choose_ring(ring, arguments, count);
    read_trouble(ring, arguments);
    ring->rate = read_real(arguments, "rate", 50);
    ring->hold = read_real(arguments, "hold", 5);
    ring->limit = read_real(arguments, "limit", 120);
    struct rl_new_file *start = new_file(argument(arguments, "start-out"));
    struct rl_new_file *schedule = new_file(argument(arguments, "schedule-out"));
    if (count > 0 && count != ring->n)
        die(EXIT_REQUEST, "--check needs the logs of all %u nodes, not %zu", ring->n, count);
    if (count == 0)
        run_nodes(ring);
    ring->journals = calloc(ring->n, sizeof *ring->journals);
    if (!ring->journals)
        die(EXIT_OUTSIDE, "out of memory");
    for (uint32_t i = 0; i < ring->n; i++)
        read_journal(ring, i, count > 0 ? logs[i] : NULL);
    check(rl_account_init(&ring->account, &ring->rules, ring->journals, ring->n), NULL);
    write_account(ring, start->stream, schedule->stream);
    keep_files();
    report_ring(ring, argument(arguments, "json"));
    return (count > 0 ? ring->account.anomalies == 0 : ring->elected) ? EXIT_DONE : EXIT_NO;
}

const struct command command_ring = {
    .name = "ring",
    .summary = "run a whole ring of real processes, with faults on request",
    .usage = "ringleader ring -n COUNT [options]\n"
             "ringleader ring --check -N COUNT LOG...",
    .about = "Runs a whole ring on this machine, one process per agent, over UDP on loopback, with "
             "faults on request. It ends when one leader has led undisturbed for a while after the "
             "last fault. Then it puts all interactions from the logs of all nodes into one order "
             "and replays them. Up to 512 agents.",
    .groups = {&ring_options, GROUP(OPTIONS)},
    .status = "0 one leader stayed (--check: no anomaly), 1 none did, 2 the request was wrong, 3 "
              "something outside failed. No process is left behind.",
    .examples = "  ringleader ring -n 16\n"
                "  ringleader ring -n 64 --loss 20% --duplicate 20% --kill 3@2 --corrupt 9@4\n"
                "  ringleader ring -n 8 --start-out start --schedule-out arcs\n"
                "  ringleader elect -n 8 --start start --schedule arcs\n",
    .run = run_ring,
};
