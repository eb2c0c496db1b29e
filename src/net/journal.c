/* SPDX-License-Identifier: MIT
 *
 * Log lines: one table says what each kind of line contains.
 */
#include "net/journal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/grow.h"

enum { MOST_NUMBERS = 5 };

#define AT(member) offsetof(struct rl_entry, member)
static const struct {
    const char *word;
    int count;
    size_t numbers[MOST_NUMBERS];
} LINES[] = {
    [RL_JOURNAL_BOOT] = {"boot", 1, {AT(r)}},
    [RL_JOURNAL_STRUCK] = {"struck", 1, {AT(r)}},
    [RL_JOURNAL_DONE] = {"done", 5, {AT(ticket), AT(l), AT(r), AT(l_after), AT(r_after)}},
    [RL_JOURNAL_HEARD] = {"heard", 3, {AT(ticket), AT(l), AT(l_after)}},
    [RL_JOURNAL_GAP] = {"gap", 0, {0}},
};
enum { KINDS = sizeof LINES / sizeof LINES[0] };

size_t rl_journal_print(const struct rl_entry *entry, char line_out[RL_JOURNAL_LINE])
{
    int length = sprintf(line_out, "%s", LINES[entry->kind].word);
    for (int i = 0; i < LINES[entry->kind].count; i++) {
        const void *number = (const char *)entry + LINES[entry->kind].numbers[i];
        length += sprintf(line_out + length, " %jx", (uintmax_t) * (const uint64_t *)number);
    }
    line_out[length++] = '\n';
    return (size_t)length;
}

/* Reads it generously, and looks whether that is how it would be written. */
bool rl_journal_parse(const char *line, size_t length, struct rl_entry *entry_out)
{
    char text[RL_JOURNAL_LINE] = "", word[8] = "", again[RL_JOURNAL_LINE];
    uintmax_t n[MOST_NUMBERS] = {0};
    int kind = 0;
    if (length >= sizeof text)
        return false;
    memcpy(text, line, length);
    (void)!sscanf(text, "%7s%jx%jx%jx%jx%jx", word, &n[0], &n[1], &n[2], &n[3], &n[4]);
    while (kind < KINDS && strcmp(word, LINES[kind].word) != 0)
        kind++;
    if (kind == KINDS)
        return false;
    *entry_out = (struct rl_entry){.kind = (enum rl_journal_kind)kind};
    for (int i = 0; i < LINES[kind].count; i++) {
        void *number = (char *)entry_out + LINES[kind].numbers[i];
        *(uint64_t *)number = n[i];
    }
    return rl_journal_print(entry_out, again) == length + 1 && memcmp(again, line, length) == 0;
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
