/* SPDX-License-Identifier: MIT
 *
 * ringleader ring: a whole ring of real processes on this machine.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "cli/ring.h"

static const char HELP[] =
    "usage: ringleader ring -n COUNT [options]\n"
    "       ringleader ring --check -N COUNT LOG LOG ...\n"
    "\n"
    "A whole ring on this machine, one process an agent, over UDP on loopback, with trouble to\n"
    "order. Ends when one leader has led undisturbed for a while after the last trouble. Then all\n"
    "interactions that happened, from the logs of all nodes, are put into one order and replayed.\n"
    "\n"
    "  -n COUNT              agents: 2 to 512\n"
    "  -N COUNT              the bound N that they know (default n)\n"
    "  -p, --protocol NAME   the protocol (default prl); it must not change an initiator's output\n"
    "      --start NAME|FILE where to begin (default random), as in `elect`\n"
    "      --rate COUNT      interactions a second and arc (default 20)\n"
    "      --loss SHARE      lose that share of all datagrams: 20%, or 0.2; likewise\n"
    "      --duplicate SHARE double, and\n"
    "      --reorder SHARE   let them be overtaken\n"
    "      --delay MS        each datagram takes up to that many milliseconds longer\n"
    "      --kill I@SECONDS  kill node I then; it comes back a second later with random memory\n"
    "      --corrupt I@SECONDS   garbage into node I's memory then\n"
    "      --partition I@FROM-TO cut the link between I and its right neighbour for that time\n"
    "                        (each of these three is repeatable)\n"
    "      --hold SECONDS    how long one leader must have led undisturbed (default 5)\n"
    "      --limit SECONDS   give up after that time (default 120)\n"
    "      --start-out FILE  what `elect --start FILE --schedule FILE` replays to the same end:\n"
    "      --schedule-out FILE   from the start, or from after the last kill or corruption\n"
    "      --check           no ring: the same account of the logs of nodes that ran elsewhere\n"
    "                        (`node --log`), in the order of the ring\n"
    "      --json            one JSON object on standard output\n"
    "\n"
    "Exit status: 0 one leader held (--check: no anomaly), 1 none did, 2 the request was wrong,\n"
    "3 something outside failed. No process is left behind.\n"
    "\n"
    "examples:\n"
    "  ringleader ring -n 16\n"
    "  ringleader ring -n 64 --rate 50 --loss 20% --duplicate 20% --kill 3@2 --corrupt 9@4\n"
    "  ringleader ring -n 8 --start-out start --schedule-out arcs\n"
    "  ringleader elect -n 8 --start start --schedule arcs\n";

static const struct option OPTIONS[] = {
    {"protocol", 'p', "NAME"},
    {"n", 'n', "COUNT"},
    {"start", 0, "NAME|FILE"},
    {"rate", 0, "COUNT"},
    {"loss", 0, "SHARE"},
    {"duplicate", 0, "SHARE"},
    {"reorder", 0, "SHARE"},
    {"delay", 0, "MS"},
    {"kill", 0, "I@SECONDS"},
    {"corrupt", 0, "I@SECONDS"},
    {"partition", 0, "I@FROM-TO"},
    {"hold", 0, "SECONDS"},
    {"limit", 0, "SECONDS"},
    {"start-out", 0, "FILE"},
    {"schedule-out", 0, "FILE"},
    {"check", 0, NULL},
    {"json", 0, NULL},
    {NULL, 0, NULL},
};

/* ---- reading the request ----------------------------------------------------------------------
 */

/* A number of at least 0 at `text`; where it ends, or NULL. */
static const char *read_number(const char *text, double *number_out)
{
    char *end;
    if (text[strspn(text, "0123456789.")] == 'x' || (*text != '.' && (*text < '0' || *text > '9')))
        return NULL;
    *number_out = strtod(text, &end);
    return end;
}

static int argument_real(const struct arguments *arguments, const char *name, double most,
                         double *number_out)
{
    const char *text = argument(arguments, name);
    const char *end = text ? read_number(text, number_out) : NULL;
    if (text && (!end || *end || *number_out > most))
        return complain(EXIT_REQUEST, "--%s %s: a number from 0 to %g", name, text, most);
    return -1;
}

static int argument_share(const struct arguments *arguments, const char *name, double *share_out)
{
    const char *text = argument(arguments, name);
    const char *end = text ? read_number(text, share_out) : NULL;
    if (end && strcmp(end, "%") == 0) {
        *share_out /= 100;
        end++;
    }
    if (text && (!end || *end || *share_out > 1))
        return complain(EXIT_REQUEST, "--%s %s: a share from 0 to 1, or in percent (20%%)", name,
                        text);
    return -1;
}

static int read_strike(struct ring_request *request, const char *name, const char *text, int kind)
{
    double node, at, until = 0;
    const char *end = read_number(text, &node);
    if (end && *end == '@')
        end = read_number(end + 1, &at);
    else
        end = NULL;
    if (end && kind == STRIKE_CUT)
        end = *end == '-' ? read_number(end + 1, &until) : NULL;
    if (!end || *end || node != (double)(uint32_t)node || (kind == STRIKE_CUT && until < at))
        return complain(EXIT_REQUEST, "--%s %s: wants %s", name, text,
                        kind == STRIKE_CUT ? "I@FROM-TO, as in 3@2-5" : "I@SECONDS, as in 3@2.5");
    if (node >= request->rules.params.n)
        return complain(EXIT_REQUEST, "--%s %s: the nodes are 0 to %u", name, text,
                        request->rules.params.n - 1);
    if (request->strike_count == MOST_STRIKES)
        return complain(EXIT_REQUEST, "more than %d kills, corruptions and partitions",
                        MOST_STRIKES);
    request->strikes[request->strike_count++] =
        (struct strike){.kind = kind, .node = (uint32_t)node, .at = at, .until = until};
    return -1;
}

static int read_strikes(struct ring_request *request, const struct arguments *arguments)
{
    static const char *const names[] = {"kill", "corrupt", "partition"};
    int failed = -1;
    for (size_t i = 0; i < arguments->count && failed < 0; i++)
        for (int kind = 0; kind < 3 && failed < 0; kind++)
            if (strcmp(arguments->given[i].name, names[kind]) == 0)
                failed = read_strike(request, names[kind], arguments->given[i].value, kind);
    return failed;
}

static int read_trouble(struct ring_request *request, const struct arguments *arguments)
{
    struct rl_trouble *trouble = &request->trouble;
    int failed = argument_share(arguments, "loss", &trouble->loss);
    if (failed < 0)
        failed = argument_share(arguments, "duplicate", &trouble->duplicate);
    if (failed < 0)
        failed = argument_share(arguments, "reorder", &trouble->reorder);
    if (failed < 0)
        failed = argument_real(arguments, "delay", 10000, &trouble->delay);
    trouble->delay /= 1000;
    if (failed < 0)
        failed = read_strikes(request, arguments);
    request->troubled =
        trouble->loss > 0 || trouble->duplicate > 0 || trouble->reorder > 0 || trouble->delay > 0;
    for (size_t k = 0; k < request->strike_count; k++)
        request->troubled |= request->strikes[k].kind == STRIKE_CUT;
    return failed;
}

/* With --check, n is the number of logs. */
static int read_ring(struct ring_request *request, struct arguments *arguments)
{
    const struct rl_protocol *protocol;
    struct rl_params params;
    struct rl_error error = {0};
    static char count[16];
    if (argument(arguments, "check") && !argument(arguments, "n")) {
        snprintf(count, sizeof count, "%zu", arguments->word_count);
        arguments->given[arguments->count].name = "n";
        arguments->given[arguments->count++].value = count;
    }
    const int failed = argument_ring(arguments, &protocol, &params);
    if (failed >= 0)
        return failed;
    if (params.n > MOST_NODES)
        return complain(EXIT_REQUEST, "a ring of processes has 2 to %d of them, not %u", MOST_NODES,
                        params.n);
    const enum rl_status status = rl_rules_init(&request->rules, protocol, &params, &error);
    return status ? complain_status(status, &error, NULL) : -1;
}

static int read_request(struct ring_request *request, struct arguments *arguments)
{
    *request = (struct ring_request){.rate = 20, .hold = 5, .limit = 120};
    request->json = argument(arguments, "json");
    request->start = argument(arguments, "start");
    request->start_out = argument(arguments, "start-out");
    request->schedule_out = argument(arguments, "schedule-out");
    int failed = read_ring(request, arguments);
    if (failed < 0)
        failed = argument_real(arguments, "rate", 1e5, &request->rate);
    if (failed < 0 && !(request->rate > 0))
        failed = complain(EXIT_REQUEST, "--rate: a number above 0, of interactions a second");
    if (failed < 0)
        failed = argument_real(arguments, "hold", 1e6, &request->hold);
    if (failed < 0)
        failed = argument_real(arguments, "limit", 1e6, &request->limit);
    if (failed < 0)
        failed = read_trouble(request, arguments);
    if (failed < 0 && request->start_out && request->schedule_out &&
        strcmp(request->start_out, request->schedule_out) == 0)
        failed = complain(EXIT_REQUEST, "--start-out and --schedule-out want two files, not one");
    return failed;
}

/* ---- where to begin ---------------------------------------------------------------------------
 */

static int fill_from_file(struct rl_ring *ring, const char *path)
{
    char *text;
    size_t size;
    struct rl_error error = {0};
    const int failed = read_file(path, &text, &size);
    if (failed >= 0)
        return failed;
    const enum rl_status status = rl_ring_parse(ring, text, size, &error);
    free(text);
    return status ? complain_status(status, &error, path) : -1;
}

static int choose_words(const struct ring_request *request, rl_state *words)
{
    const struct rl_rules *rules = &request->rules;
    const char *start = request->start ? request->start : "random";
    uint64_t memory[MOST_NODES], seed = 0;
    struct rl_ring ring = {.protocol = rules->protocol, .params = rules->params, .agents = memory};
    struct rl_random random;
    struct rl_error error = {0};
    while (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        continue;
    rl_random_init(&random, seed, 0, RL_PURPOSE_START);
    int failed = -1;
    if (!rl_protocol_has_start(rules->protocol, start))
        failed = fill_from_file(&ring, start);
    else if (rl_ring_start(&ring, start, &random, &error))
        failed = complain(EXIT_REQUEST, "--start: %s", error.text);
    for (uint32_t i = 0; i < rules->params.n && failed < 0; i++)
        words[i] = rl_ring_get(&ring, i);
    return failed;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static bool has_held(const struct real_ring *ring)
{
    const struct ring_request *request = ring->request;
    double last = ring->calm_at > ring->sole_at ? ring->calm_at : ring->sole_at;
    for (size_t k = 0; k < request->strike_count; k++)
        if (!ring->struck[k])
            return false;
    for (uint32_t i = 0; i < ring->n; i++)
        if (!ring->children[i].pid)
            return false;
    return ring->leaders == 1 && seconds_now() - ring->began >= last + request->hold;
}

static bool watch_ring(struct real_ring *ring)
{
    struct progress progress = progress_begin();
    bool held = false;
    catch_interrupts();
    while (!held && !interrupted() && !ring->broken &&
           seconds_now() - ring->began < ring->request->limit) {
        tend_ring(ring);
        held = has_held(ring);
        if (progress_due(&progress))
            show_ring(&progress, ring);
    }
    progress_end(&progress);
    ring->interrupted = interrupted();
    return held;
}

static int settle_account(struct real_ring *ring, bool elected)
{
    const uint32_t n = ring->n;
    struct rl_account account;
    struct rl_journal *journals = calloc(n, sizeof *journals);
    size_t since[MOST_NODES];
    enum rl_status status = journals ? RL_OK : RL_NO_MEMORY;
    for (uint32_t i = 0; i < n && !status; i++) {
        journals[i] = ring->children[i].journal;
        ring->children[i].journal = (struct rl_journal){0};
        since[i] = ring->children[i].since;
    }
    if (status)
        return complain_status(status, NULL, NULL);
    status = rl_account_init(&account, &ring->request->rules, journals, n, since);
    int result =
        status ? complain_status(status, NULL, NULL) : write_account(ring->request, &account);
    if (result < 0)
        result = report_ring(ring, &account, elected);
    rl_account_free(&account);
    for (uint32_t i = 0; i < n; i++)
        rl_journal_free(&journals[i]);
    free(journals);
    return result;
}

static int hold_ring(const struct ring_request *request)
{
    struct real_ring ring;
    rl_state words[MOST_NODES];
    int result = choose_words(request, words);
    if (result >= 0)
        return result;
    result = start_ring(&ring, request, words);
    if (result < 0) {
        const bool elected = watch_ring(&ring);
        end_ring(&ring);
        result = ring.broken ? complain(EXIT_OUTSIDE, "%s", ring.broken)
                             : settle_account(&ring, elected);
    }
    free_ring(&ring);
    return result;
}

static int check_logs(const struct ring_request *request, const struct arguments *arguments)
{
    const uint32_t n = request->rules.params.n;
    struct rl_account account = {0};
    if (arguments->word_count != n)
        return complain(EXIT_REQUEST, "--check wants the logs of all %u nodes, not %zu", n,
                        arguments->word_count);
    struct rl_journal *journals = calloc(n, sizeof *journals);
    if (!journals)
        return complain(EXIT_OUTSIDE, "out of memory");
    int result = read_journals(arguments->words, n, journals);
    if (result < 0) {
        const enum rl_status status = rl_account_init(&account, &request->rules, journals, n, NULL);
        result = status ? complain_status(status, NULL, NULL) : write_account(request, &account);
    }
    if (result < 0)
        result = report_check(request, &account);
    rl_account_free(&account);
    for (uint32_t i = 0; i < n; i++)
        rl_journal_free(&journals[i]);
    free(journals);
    return result;
}

static int run_ring(int argc, char **argv)
{
    static struct ring_request request; /* the rules point into it */
    struct arguments arguments;
    int failed = read_arguments(&arguments, &command_ring, OPTIONS, argc, argv);
    if (failed < 0)
        failed = read_request(&request, &arguments);
    if (failed >= 0)
        return failed;
    if (argument(&arguments, "check"))
        return check_logs(&request, &arguments);
    if (arguments.word_count > 0)
        return complain(EXIT_REQUEST, "ring does not know what to do with '%s'",
                        arguments.words[0]);
    return hold_ring(&request);
}

const struct command command_ring = {
    .name = "ring",
    .summary = "a whole ring of real processes, with trouble to order",
    .help = HELP,
    .run = run_ring,
};
