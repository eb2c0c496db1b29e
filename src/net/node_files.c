/* SPDX-License-Identifier: MIT
 *
 * A node's files: the log, a line for each thing that happened to its state, and the state itself.
 *
 * A disk may be full: the election goes on, the log says `gap` where lines are missing, and has no
 * half line, because what was written of one is cut off again.
 */
#include "net/node_parts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <stdio.h>
#include <stdlib.h>

/* Writes a whole line, or nothing. */
static bool write_line(struct rl_node *node, const char *line, size_t length)
{
    const ssize_t written = write(node->options.log, line, length);
    if (written == (ssize_t)length) {
        node->log_size += written;
        return true;
    }
    if (written > 0)
        (void)!ftruncate(node->options.log, node->log_size);
    return false;
}

void node_log(struct rl_node *node, const struct rl_entry *entry)
{
    char line[RL_JOURNAL_LINE];
    if (node->options.log < 0)
        return;
    if (node->gap)
        node->gap = !write_line(node, "gap\n", 4);
    const size_t length = rl_journal_print(entry, line);
    if (!node->gap && write_line(node, line, length))
        return;
    node->gap = true;
    node->options.counts->unwritten++;
}

/* 16 hexadecimal digits and a line end, always in the same place. */
void node_keep_state(struct rl_node *node)
{
    char text[32];
    if (node->options.state < 0)
        return;
    const int length =
        snprintf(text, sizeof text, "%016llx\n", (unsigned long long)node->link.word);
    if (pwrite(node->options.state, text, (size_t)length, 0) != length)
        node->options.counts->unwritten++;
}

rl_state rl_node_read_state(const struct rl_rules *rules, int file)
{
    char text[32] = {0};
    uint64_t word = 0;
    char *end = text;
    const ssize_t size = pread(file, text, sizeof text - 1, 0);
    if (size >= 16)
        word = strtoull(text, &end, 16);
    for (ssize_t i = 0; end != text + 16 && i < size;
         i++) /* it is none of ours: any state will do */
        word = word * UINT64_C(1099511628211) + (unsigned char)text[i];
    return rules->link.legal(rules, word);
}
