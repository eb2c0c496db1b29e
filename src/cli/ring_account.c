/* SPDX-License-Identifier: MIT
 *
 * The files of `ringleader ring`: logs that it reads, the start and the schedule that it writes.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/ring.h"

static int read_journal(const char *path, struct rl_journal *journal)
{
    char *text;
    size_t size;
    int outcome = read_file(path, &text, &size);
    if (outcome != GO_ON)
        return outcome;
    unsigned line = 1;
    for (size_t at = 0; at < size && outcome == GO_ON; line++) {
        struct rl_entry entry;
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        if (!end && length > 0)
            break; /* it is being written */
        if (!rl_journal_parse(text + at, length, &entry))
            outcome = complain(EXIT_REQUEST, "%s: line %u is no line of a node's log", path, line);
        else if (rl_journal_add(journal, &entry))
            outcome = complain(EXIT_OUTSIDE, "out of memory");
        at += length + 1;
    }
    free(text);
    return outcome;
}

int read_journals(const char *const *files, uint32_t n, struct rl_journal *journals)
{
    int outcome = GO_ON;
    for (uint32_t i = 0; i < n && outcome == GO_ON; i++)
        outcome = read_journal(files[i], &journals[i]);
    return outcome;
}

static void write_start(FILE *stream, const struct rl_rules *rules, const rl_state *words)
{
    for (uint32_t i = 0; i < rules->params.n; i++)
        fprintf(stream, "%s\n", rl_ring_state(rules->protocol, words[i]).text);
}

static void write_schedule(FILE *stream, const struct rl_account *account)
{
    for (size_t i = 0; i < account->arc_count; i++)
        fprintf(stream, "%u%c", account->arcs[i], i % 20 == 19 ? '\n' : ' ');
    fputc('\n', stream);
}

int write_account(const struct ring_request *request, const struct rl_account *account)
{
    struct rl_new_file start = {0}, schedule = {0};
    struct rl_new_file *const files[] = {&start, &schedule};
    int outcome = request->start_out ? open_new_file(&start, request->start_out) : GO_ON;
    if (outcome == GO_ON && request->schedule_out)
        outcome = open_new_file(&schedule, request->schedule_out);
    if (outcome == GO_ON && start.stream)
        write_start(start.stream, &request->rules, account->start);
    if (outcome == GO_ON && schedule.stream)
        write_schedule(schedule.stream, account);
    if (outcome == GO_ON)
        outcome = keep_new_files(files, 2);
    rl_new_file_drop(&start);
    rl_new_file_drop(&schedule);
    return outcome;
}
