/* SPDX-License-Identifier: MIT
 *
 * Log lines: one table says what stands in a line of each kind.
 */
#include "net/journal.h"

#include <stdio.h>
#include <string.h>

#include "base/grow.h"

enum { MOST_NUMBERS = 5 };

static const struct {
    const char *word;
    int numbers;
} LINES[] = {
    [RL_JOURNAL_BOOT] = {"boot", 1}, [RL_JOURNAL_STRUCK] = {"struck", 1},
    [RL_JOURNAL_DONE] = {"done", 5}, [RL_JOURNAL_HEARD] = {"heard", 3},
    [RL_JOURNAL_GAP] = {"gap", 0},
};
enum { KINDS = sizeof LINES / sizeof LINES[0] };

/* The members of an entry in the order of its line; returns how many. */
static int members(struct rl_entry *entry, uint64_t *members_out[MOST_NUMBERS])
{
    uint64_t *done[] = {&entry->ticket, &entry->l, &entry->r, &entry->l_after, &entry->r_after};
    uint64_t *heard[] = {&entry->ticket, &entry->l, &entry->l_after};
    uint64_t *word[] = {&entry->r};
    const int count = LINES[entry->kind].numbers;
    memcpy(members_out,
           count == 5   ? done
           : count == 3 ? heard
                        : word,
           (size_t)count * sizeof *members_out);
    return count;
}

size_t rl_journal_print(const struct rl_entry *entry, char line_out[RL_JOURNAL_LINE])
{
    struct rl_entry copy = *entry;
    uint64_t *numbers[MOST_NUMBERS];
    const int count = members(&copy, numbers);
    int length = snprintf(line_out, RL_JOURNAL_LINE, "%s", LINES[entry->kind].word);
    for (int i = 0; i < count; i++)
        length += snprintf(line_out + length, RL_JOURNAL_LINE - (size_t)length, " %llx",
                           (unsigned long long)*numbers[i]);
    line_out[length++] = '\n';
    return (size_t)length;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A space and a hexadecimal number of at most 16 digits; where it ends, or NULL. */
static const char *read_number(const char *at, const char *end, uint64_t *number_out)
{
    const char *const first = at + 1;
    uint64_t number = 0;
    if (at == end || *at++ != ' ')
        return NULL;
    for (; at < end && digit(*at) >= 0; at++)
        number = number << 4 | (uint64_t)digit(*at);
    *number_out = number;
    return at > first && at - first <= 16 ? at : NULL;
}

bool rl_journal_parse(const char *line, size_t length, struct rl_entry *entry_out)
{
    const char *const end = line + length;
    *entry_out = (struct rl_entry){.kind = RL_JOURNAL_BOOT};
    for (int kind = 0; kind < KINDS; kind++) {
        const size_t word = strlen(LINES[kind].word);
        uint64_t *numbers[MOST_NUMBERS];
        if (length < word || memcmp(line, LINES[kind].word, word) != 0)
            continue;
        entry_out->kind = (enum rl_journal_kind)kind;
        const int count = members(entry_out, numbers);
        const char *at = line + word;
        for (int i = 0; i < count && at; i++)
            at = read_number(at, end, numbers[i]);
        return at == end;
    }
    return false;
}

enum rl_status rl_journal_add(struct rl_journal *journal, const struct rl_entry *entry)
{
    struct rl_entry *entries =
        grown(journal->entries, journal->count, &journal->room, sizeof *entries);
    if (!entries)
        return RL_NO_MEMORY;
    journal->entries = entries;
    journal->entries[journal->count++] = *entry;
    return RL_OK;
}

void rl_journal_free(struct rl_journal *journal)
{
    free(journal->entries);
    *journal = (struct rl_journal){0};
}
