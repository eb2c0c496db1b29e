/* SPDX-License-Identifier: MIT
 *
 * ringleader ring: a whole ring of real processes on this machine.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "cli/ring.h"

static const struct option OPTIONS[] = {
    {"start", "NAME|FILE", VALUE_START, "where to begin (default random), as in `elect`"},
    {"rate", "COUNT", VALUE_REAL, "interactions a second and arc (default 50)", .most_real = 1e5,
     .not_with = "check"},
    {"loss", "SHARE", VALUE_TEXT, "lose that share of all datagrams: 20%, or 0.2; likewise",
     .not_with = "check"},
    {"duplicate", "SHARE", VALUE_TEXT, "double them, and", .not_with = "check"},
    {"reorder", "SHARE", VALUE_TEXT, "let them be overtaken", .not_with = "check"},
    {"delay", "MS", VALUE_REAL, "each datagram takes up to that many milliseconds longer",
     .most_real = 10000, .not_with = "check"},
    {"kill", "I@SECONDS", VALUE_TEXT,
     "kill node I then; it comes back a second later with random memory", .repeatable = true,
     .not_with = "check"},
    {"corrupt", "I@SECONDS", VALUE_TEXT, "garbage into node I's memory then", .repeatable = true,
     .not_with = "check"},
    {"partition", "I@FROM-TO", VALUE_TEXT,
     "cut the link between I and its right neighbour for that time;\n"
     "these three are repeatable",
     .repeatable = true, .not_with = "check"},
    {"hold", "SECONDS", VALUE_REAL, "how long one leader must have led undisturbed (default 5)",
     .most_real = 1e6, .not_with = "check"},
    {"limit", "SECONDS", VALUE_REAL, "give up after that time (default 120)", .most_real = 1e6,
     .not_with = "check"},
    {"start-out", "FILE", VALUE_OUTPUT,
     "what `elect --start FILE --schedule FILE` replays to the same end,"},
    {"schedule-out", "FILE", VALUE_OUTPUT,
     "from the start on, or from after the last kill or corruption"},
    {"check", NULL, VALUE_NONE,
     "no ring: the same account of the logs of nodes that ran elsewhere\n"
     "(`node --log`), in the order of the ring",
     .needs = "LOG"},
    {"LOG", NULL, VALUE_INPUT, NULL, .is_word = true, .repeatable = true, .needs = "check"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};
static const struct option_group OWN = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

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

/* A number that the table has checked, or what it is otherwise. */
static double real_of(const struct arguments *arguments, const char *name, double otherwise)
{
    const char *text = argument(arguments, name);
    return text ? strtod(text, NULL) : otherwise;
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
    return GO_ON;
}

static int read_strike(struct ring_request *request, const char *name, const char *text, int kind)
{
    double node, at = 0, until = 0;
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
        return complain(EXIT_REQUEST, "more than %d strikes", MOST_STRIKES);
    request->strikes[request->strike_count++] =
        (struct strike){.kind = kind, .node = (uint32_t)node, .at = at, .until = until};
    return GO_ON;
}

static int read_strikes(struct ring_request *request, const struct arguments *arguments)
{
    static const char *const names[] = {"kill", "corrupt", "partition"};
    int outcome = GO_ON;
    for (size_t i = 0; i < arguments->count && outcome == GO_ON; i++)
        for (int kind = 0; kind < 3 && outcome == GO_ON; kind++)
            if (strcmp(arguments->given[i].name, names[kind]) == 0)
                outcome = read_strike(request, names[kind], arguments->given[i].value, kind);
    return outcome;
}

static int read_trouble(struct ring_request *request, const struct arguments *arguments)
{
    struct rl_trouble *trouble = &request->trouble;
    int outcome = argument_share(arguments, "loss", &trouble->loss);
    if (outcome == GO_ON)
        outcome = argument_share(arguments, "duplicate", &trouble->duplicate);
    if (outcome == GO_ON)
        outcome = argument_share(arguments, "reorder", &trouble->reorder);
    trouble->delay = real_of(arguments, "delay", 0) / 1000;
    if (outcome == GO_ON)
        outcome = read_strikes(request, arguments);
    request->troubled =
        trouble->loss > 0 || trouble->duplicate > 0 || trouble->reorder > 0 || trouble->delay > 0;
    for (size_t k = 0; k < request->strike_count; k++)
        request->troubled |= request->strikes[k].kind == STRIKE_CUT;
    return outcome;
}

/* The options that say which ring; the delay of an oracle is not among them here. With --check, n
 * is the number of logs. */
static int choose_ring(struct ring_request *request, const struct arguments *arguments)
{
    struct arguments ring = {.command = arguments->command,
                             .given = claim((arguments->count + 1) * sizeof *ring.given, NULL)};
    struct rl_request which;
    struct rl_error error = {0};
    char count[16];
    unsigned logs = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        const struct given *given = &arguments->given[i];
        logs += given->option->is_word;
        if (strcmp(given->name, "delay") != 0)
            ring.given[ring.count++] = *given;
    }
    snprintf(count, sizeof count, "%u", logs);
    if (logs > 0 && !argument(arguments, "n"))
        ring.given[ring.count++] = (struct given){arguments->given[0].option, "n", count};
    const int outcome = read_ring(&ring, &which, NULL);
    if (outcome != GO_ON)
        return outcome;
    if (which.params.n > MOST_NODES)
        return complain(EXIT_REQUEST, "a ring of processes has 2 to %d of them, not %u", MOST_NODES,
                        which.params.n);
    request->start = which.start;
    const enum rl_status status =
        rl_rules_init(&request->rules, which.protocol, &which.params, &error);
    return status ? complain_status(status, &error, NULL) : GO_ON;
}

static int read_request(struct ring_request *request, const struct arguments *arguments)
{
    *request = (struct ring_request){.rate = real_of(arguments, "rate", 50),
                                     .hold = real_of(arguments, "hold", 5),
                                     .limit = real_of(arguments, "limit", 120),
                                     .json = argument(arguments, "json"),
                                     .start_out = argument(arguments, "start-out"),
                                     .schedule_out = argument(arguments, "schedule-out")};
    const int outcome = choose_ring(request, arguments);
    return outcome == GO_ON ? read_trouble(request, arguments) : outcome;
}

/* ---- where to begin ---------------------------------------------------------------------------
 */

static int choose_words(const struct ring_request *request, rl_state *words)
{
    const struct rl_rules *rules = &request->rules;
    uint64_t memory[MOST_NODES], seed;
    struct rl_ring ring = {.protocol = rules->protocol, .params = rules->params, .agents = memory};
    while (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        continue;
    const int outcome = fill_start(&ring, request->start, seed, 0);
    for (uint32_t i = 0; i < rules->params.n && outcome == GO_ON; i++)
        words[i] = rl_ring_get(&ring, i);
    return outcome;
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
    if (result == GO_ON)
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
    if (result != GO_ON)
        return result;
    result = start_ring(&ring, request, words);
    if (result == GO_ON) {
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
    size_t count;
    const char **logs = list_words(arguments, &count);
    if (count != n)
        return complain(EXIT_REQUEST, "--check wants the logs of all %u nodes, not %zu", n, count);
    struct rl_journal *journals = calloc(n, sizeof *journals);
    if (!journals)
        return complain(EXIT_OUTSIDE, "out of memory");
    int result = read_journals(logs, n, journals);
    if (result == GO_ON) {
        const enum rl_status status = rl_account_init(&account, &request->rules, journals, n, NULL);
        result = status ? complain_status(status, NULL, NULL) : write_account(request, &account);
    }
    if (result == GO_ON)
        result = report_check(request, &account);
    rl_account_free(&account);
    for (uint32_t i = 0; i < n; i++)
        rl_journal_free(&journals[i]);
    free(journals);
    return result;
}

static int run_ring(struct arguments *arguments)
{
    static struct ring_request request; /* the rules point into it */
    int outcome = read_request(&request, arguments);
    if (outcome != GO_ON)
        return outcome;
    return argument(arguments, "check") ? check_logs(&request, arguments) : hold_ring(&request);
}

const struct command command_ring = {
    .name = "ring",
    .summary = "a whole ring of real processes, with trouble to order",
    .usage = "ringleader ring -n COUNT [options]\n"
             "ringleader ring --check -N COUNT LOG...",
    .about =
        "A whole ring on this machine, one process an agent, over UDP on loopback, with trouble\n"
        "to order. Ends when one leader has led undisturbed for a while after the last trouble.\n"
        "Then all interactions that happened, from the logs of all nodes, are put into one\n"
        "order and replayed. Up to 512 agents.\n",
    .groups = {&ring_options, &OWN},
    .status = "0 one leader held (--check: no anomaly), 1 none did, 2 the request was wrong,\n"
              "3 something outside failed. No process is left behind.",
    .examples = "  ringleader ring -n 16\n"
                "  ringleader ring -n 64 --loss 20% --duplicate 20% --kill 3@2 --corrupt 9@4\n"
                "  ringleader ring -n 8 --start-out start --schedule-out arcs\n"
                "  ringleader elect -n 8 --start start --schedule arcs\n",
    .run = run_ring,
};
