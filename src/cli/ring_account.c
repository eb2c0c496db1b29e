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
    int failed = read_file(path, &text, &size);
    if (failed >= 0)
        return failed;
    unsigned line = 1;
    for (size_t at = 0; at < size && failed < 0; line++) {
        struct rl_entry entry;
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        if (!end && length > 0)
            break; /* it is being written */
        if (!rl_journal_parse(text + at, length, &entry))
            failed = complain(EXIT_REQUEST, "%s: line %u is no line of a node's log", path, line);
        else if (rl_journal_add(journal, &entry))
            failed = complain(EXIT_OUTSIDE, "out of memory");
        at += length + 1;
    }
    free(text);
    return failed;
}

int read_journals(const char *const *files, uint32_t n, struct rl_journal *journals)
{
    int failed = -1;
    for (uint32_t i = 0; i < n && failed < 0; i++)
        failed = read_journal(files[i], &journals[i]);
    return failed;
}

static void write_start(FILE *stream, const struct rl_rules *rules, const rl_state *words)
{
    char memory[64];
    for (uint32_t i = 0; i < rules->params.n; i++) {
        struct rl_text text = rl_text_into(memory, sizeof memory);
        rl_ring_print_state(rules->protocol, words[i], &text);
        fprintf(stream, "%s\n", memory);
    }
}

static void write_schedule(FILE *stream, const struct rl_account *account)
{
    for (size_t i = 0; i < account->arc_count; i++)
        fprintf(stream, "%u%c", account->arcs[i], i % 20 == 19 ? '\n' : ' ');
    fputc('\n', stream);
}

int write_account(const struct ring_request *request, const struct rl_account *account)
{
    struct new_file file;
    int failed = -1;
    if (request->start_out) {
        failed = open_new_file(&file, request->start_out);
        if (failed >= 0)
            return failed;
        write_start(file.stream, &request->rules, account->start);
        failed = keep_new_file(&file);
    }
    if (failed < 0 && request->schedule_out) {
        failed = open_new_file(&file, request->schedule_out);
        if (failed >= 0)
            return failed;
        write_schedule(file.stream, account);
        failed = keep_new_file(&file);
    }
    return failed;
}
