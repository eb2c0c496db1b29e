/* SPDX-License-Identifier: MIT
 *
 * ringleader ring: a whole ring of real processes on this machine.
 */
#include <sodium.h>

#include "cli/ring.h"

#define BACK_AFTER 1.0 /* seconds: when a killed node comes back */

static const struct option OPTIONS[] = {
    {"start", "START", VALUE_START, "the start (default random): a name or a file"},
    {"rate", "COUNT", VALUE_REAL, "interactions per second and arc (default 50)", .most_real = 1e5,
     .not_with = "check"},
    {"loss", "SHARE", VALUE_TEXT, "lose this share of all datagrams: 20%, or 0.2",
     .not_with = "check"},
    {"duplicate", "SHARE", VALUE_TEXT, "send this share twice", .not_with = "check"},
    {"reorder", "SHARE", VALUE_TEXT, "let others overtake this share", .not_with = "check"},
    {"delay", "MS", VALUE_REAL, "delay each by up to this many milliseconds", .most_real = 10000,
     .not_with = "check"},
    {"kill", "I@SECONDS", VALUE_TEXT,
     "kill node I at that second; it comes back one second\nlater with random memory",
     .repeatable = true, .not_with = "check"},
    {"corrupt", "I@WHEN", VALUE_TEXT, "overwrite node I's memory with garbage at that second",
     .repeatable = true, .not_with = "check"},
    {"partition", "I@A-B", VALUE_TEXT,
     "cut the link to the right of I from second A to B;\nyou may repeat these three",
     .repeatable = true, .not_with = "check"},
    {"hold", "SECONDS", VALUE_REAL, "how long one leader must lead (default 5)", .most_real = 1e6,
     .not_with = "check"},
    {"limit", "SECONDS", VALUE_REAL, "give up after this time (default 120)", .most_real = 1e6,
     .not_with = "check"},
    {"start-out", "FILE", VALUE_OUTPUT,
     "write the start, or the ring after the last kill or\ncorruption, for elect --start"},
    {"schedule-out", "FILE", VALUE_OUTPUT, "write the arcs from there on, for elect --schedule"},
    {"check", NULL, VALUE_NONE,
     "run nothing: check the logs of nodes that ran\nelsewhere (`node --log`), in the order of the "
     "ring",
     .needs = "LOG"},
    {"LOG", NULL, VALUE_INPUT, NULL, .is_word = true, .repeatable = true, .needs = "check"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

/* ---- reading the request ---- */

static double share_of(const struct arguments *arguments, const char *name)
{
    const char *text = argument(arguments, name);
    char *end = NULL;
    double share = text ? strtod(text, &end) : 0;
    if (text && *end == '%') {
        share /= 100;
        end++;
    }
    if (text && (end == text || *end || !(share >= 0 && share <= 1)))
        die(EXIT_REQUEST, "--%s %s: a share from 0 to 1, or in percent (20%%)", name, text);
    return share;
}

/* A strike, and where it ends by itself, its end. */
static void read_strike(struct real_ring *ring, const char *name, const char *text, int kind)
{
    const bool cut = kind == STRIKE_CUT;
    uint32_t node = 0;
    double at = 0, until = 0;
    int end = 0;
    if (cut)
        (void)!sscanf(text, "%" SCNu32 "@%lf-%lf%n", &node, &at, &until, &end);
    else
        (void)!sscanf(text, "%" SCNu32 "@%lf%n", &node, &at, &end);
    if (end == 0 || text[end] || !(at >= 0) || (cut && !(until >= at)))
        die(EXIT_REQUEST, "--%s %s: must be %s", name, text,
            cut ? "I@FROM-TO, as in 3@2-5" : "I@SECONDS, as in 3@2.5");
    if (node >= ring->n)
        die(EXIT_REQUEST, "--%s %s: the nodes are 0 to %u", name, text, ring->n - 1);
    ring->strikes[ring->strike_count++] = (struct strike){kind, node, at, false};
    if (cut)
        ring->strikes[ring->strike_count++] = (struct strike){STRIKE_MEND, node, until, false};
    else if (kind == STRIKE_KILL)
        ring->strikes[ring->strike_count++] =
            (struct strike){STRIKE_BACK, node, at + BACK_AFTER, false};
}

static void read_trouble(struct real_ring *ring, const struct arguments *arguments)
{
    static const char *const names[] = {"kill", "corrupt", "partition"};
    ring->trouble = (struct rl_trouble){.loss = share_of(arguments, "loss"),
                                        .duplicate = share_of(arguments, "duplicate"),
                                        .reorder = share_of(arguments, "reorder"),
                                        .delay = read_real(arguments, "delay", 0) / 1000};
    ring->strikes = claim((2 * arguments->count + 1) * sizeof *ring->strikes, NULL);
    for (size_t i = 0; i < arguments->count; i++)
        for (int kind = 0; kind < 3; kind++)
            if (strcmp(arguments->given[i].name, names[kind]) == 0)
                read_strike(ring, names[kind], arguments->given[i].value, kind);
}

/* With --check, n is the number of logs, if it is not given. */
static void choose_ring(struct real_ring *ring, struct arguments *arguments, size_t logs)
{
    struct rl_experiment *experiment = &ring->experiment;
    char *count = claim(24, NULL);
    snprintf(count, 24, "%zu", logs);
    if (logs > 0 && !argument(arguments, "n"))
        arguments->given[arguments->count++] =
            (struct given){arguments->given[0].option, "n", count};
    read_ring(arguments, experiment);
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

/* ---- what it says: one live line, and at the end what happened ---- */

void show_ring(struct progress *progress, const struct real_ring *ring)
{
    char nodes[65];
    const uint32_t shown = ring->n < 64 ? ring->n : 64;
    for (uint32_t i = 0; i < shown; i++) {
        const bool leads = ring->rules.protocol->leads(ring->children[i].counts.word);
        nodes[i] = !ring->children[i].pid ? 'x' : leads ? 'L' : '.';
    }
    nodes[shown] = '\0';
    progress_show(progress, "%s%s  %.1f s  %u leader%s  %s interactions  %s lost  %s repeated",
                  nodes, shown < ring->n ? "+" : "", seconds_now() - ring->began, ring->leaders,
                  ring->leaders == 1 ? "" : "s", grouped(SUM(ring, decided)),
                  grouped(SUM(ring, lost)), grouped(SUM(ring, repeats)));
}

static void write_account(const struct real_ring *ring, struct rl_new_file *const files[2])
{
    const struct rl_account *account = &ring->account;
    for (uint32_t i = 0; files[0]->stream && i < ring->n; i++)
        fprintf(files[0]->stream, "%s\n",
                rl_ring_state(ring->rules.protocol, account->start[i]).text);
    for (size_t i = 0; files[1]->stream && i < account->arc_count; i++)
        fprintf(files[1]->stream, i % 20 == 19 ? "%u\n" : "%u ", account->arcs[i]);
    keep_files(files, 2);
}

static void tell_election(struct answer *answer, const struct real_ring *ring)
{
    /* From the end of the last trouble to the last leader's being alone; 0 if it was so before. */
    const double seconds = ring->sole_at > ring->calm_at ? ring->sole_at - ring->calm_at : 0;
    const uint64_t interactions =
        ring->sole_after > ring->calm_after ? ring->sole_after - ring->calm_after : 0;
    line(answer, ", %u processes, %g interactions per second and arc\n\n", ring->n, ring->rate);
    put(answer, "rate=%g elected=%d leaders=%u leader=%jd", ring->rate, ring->elected,
        ring->leaders, ring->leaders == 1 ? ring->leader : RL_NEVER);
    if (ring->elected) {
        put(answer, "elected_after_seconds=%g elected_after_interactions=%ju", seconds,
            interactions);
        say(answer, "leader", "u_%u, elected after %s interactions and %.2f seconds%s",
            ring->leader, grouped(interactions), seconds,
            ring->calm_at > 0 ? " since the last fault" : "");
    } else
        say(answer, "leader", "none that held: %u leader%s after %.1f seconds", ring->leaders,
            ring->leaders == 1 ? "" : "s", seconds_now() - ring->began);
}

static void tell_account(struct answer *answer, const struct real_ring *ring)
{
    const struct rl_account *account = &ring->account;
    const struct rl_protocol *protocol = ring->rules.protocol;
    const uint64_t hit = account->hits[protocol->target];
    if (ring->children && hit != RL_NEVER)
        say(answer, protocol->sets[protocol->target].name,
            "hit after %s of the %s interactions below: parallel time %.1f", grouped(hit),
            grouped(account->arc_count), (double)hit / ring->n);
    say(answer, "account", "%s interactions%s; %s lost with a node's memory; %s anomal%s",
        grouped(account->interactions), account->anomalies == 0 ? ", every one accounted for" : "",
        grouped(account->lost), grouped(account->anomalies), account->anomalies == 1 ? "y" : "ies");
    put(answer, "interactions=%ju steps=%zu one_leader=%jd", account->interactions,
        account->arc_count, account->one_leader);
    rl_json_hits(&answer->json, "hits", protocol, account->hits);
    put(answer, "lost_interactions=%ju anomalies=%ju", account->lost, account->anomalies);
    put_open(answer, "end", '[');
    for (uint32_t i = 0; i < ring->n; i++)
        rl_json_string(&answer->json, NULL, rl_ring_state(protocol, account->end[i]).text);
    put_close(answer, ']');
}

static void tell_network(struct answer *answer, const struct real_ring *ring)
{
    double trip = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        trip += ring->children[i].counts.round_trip;
    trip /= ring->n;
    const uint64_t unsent = SUM(ring, unsent), repeats = SUM(ring, repeats);
    const uint64_t sent = SUM(ring, sent), lost = SUM(ring, lost), doubled = SUM(ring, doubled);
    say(answer, "network",
        "%s datagrams; %s lost and %s duplicated on purpose; %s questions repeated", grouped(sent),
        grouped(lost), grouped(doubled), grouped(repeats));
    if (unsent > 0)
        say(answer, "", "%s datagrams could not be sent", grouped(unsent));
    say(answer, "",
        "round trip %.2f ms; times the rate %.4f (up to 0.02, arcs are as good as uniform)",
        1e3 * trip, trip * ring->rate);
    put(answer, "sent=%ju unsent=%ju lost=%ju doubled=%ju repeats=%ju busy=%ju ignored=%ju", sent,
        unsent, lost, doubled, repeats, SUM(ring, busy), SUM(ring, ignored));
    put(answer, "round_trip_seconds=%g rate_times_round_trip=%g interrupted=%d wall_seconds=%g",
        trip, trip * ring->rate, interrupted(), seconds_now() - ring->began);
}

static void report_ring(const struct real_ring *ring, bool json)
{
    struct answer answer = answer_begin(json);
    if (ring->children || json)
        tell_heading(&answer, ring->rules.protocol, &ring->rules.params, "a");
    if (ring->children)
        tell_election(&answer, ring);
    tell_account(&answer, ring);
    if (ring->children)
        tell_network(&answer, ring);
    answer_end(&answer);
}

/* ---- all of it ---- */

static void free_ring(void *thing)
{
    struct real_ring *ring = thing;
    free_children(ring);
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
    struct rl_new_file *const files[] = {new_file(argument(arguments, "start-out")),
                                         new_file(argument(arguments, "schedule-out"))};
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
    write_account(ring, files);
    report_ring(ring, argument(arguments, "json"));
    return (count > 0 ? ring->account.anomalies == 0 : ring->elected) ? EXIT_DONE : EXIT_NO;
}

const struct command command_ring = {
    .name = "ring",
    .summary = "run a whole ring of real processes, with faults on request",
    .usage = "ringleader ring -n COUNT [options]\n"
             "ringleader ring --check -N COUNT LOG...",
    .about = "Runs a whole ring on this machine, one process per agent, over UDP on loopback, "
             "with\nfaults on request. It ends when one leader has led undisturbed for a while "
             "after the\nlast fault. Then it puts all interactions from the logs of all nodes into "
             "one order\nand replays them. Up to 512 agents.\n",
    .groups = {&ring_options, GROUP(OPTIONS)},
    .status = "0 one leader stayed (--check: no anomaly), 1 none did, 2 the\n"
              "request was wrong, 3 something outside failed. No process is left behind.",
    .examples = "  ringleader ring -n 16\n"
                "  ringleader ring -n 64 --loss 20% --duplicate 20% --kill 3@2 --corrupt 9@4\n"
                "  ringleader ring -n 8 --start-out start --schedule-out arcs\n"
                "  ringleader elect -n 8 --start start --schedule arcs\n",
    .run = run_ring,
};
