/* SPDX-License-Identifier: MIT
 *
 * Rounds of refinement. Rows are found by their hashes and compared in full, so the result is
 * exact.
 */
#include "verify/partition.h"

#include <stdlib.h>
#include <string.h>

/* Memory for a round: a table of classes + 1 by the hashes of their rows (0: free), and two rows
 * with their own class in front. */
struct round {
    uint32_t *table, *finer, *row, *other;
    uint64_t mask;
};

static uint64_t make_row(const struct rl_partition *partition, uint32_t member, uint32_t *row)
{
    row[0] = partition->class[member];
    partition->row(partition->user, partition->class, member, row + 1);
    uint64_t hash = 0;
    for (uint32_t i = 0; i <= partition->width; i++) {
        hash = (hash ^ row[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint32_t refine(struct rl_partition *partition, const struct round *round)
{
    const size_t bytes = (partition->width + 1) * sizeof *round->row;
    uint32_t count = 0;
    memset(round->table, 0, (round->mask + 1) * sizeof *round->table);
    for (uint32_t member = 0; member < partition->count; member++) {
        uint64_t place = make_row(partition, member, round->row) & round->mask;
        for (; round->table[place]; place = (place + 1) & round->mask) {
            make_row(partition, partition->first[round->table[place] - 1], round->other);
            if (memcmp(round->row, round->other, bytes) == 0)
                break;
        }
        if (!round->table[place]) {
            partition->first[count] = member;
            round->table[place] = ++count;
        }
        round->finer[member] = round->table[place] - 1;
    }
    return count;
}

void rl_partition_refine(struct rl_partition *partition, struct rl_effort *effort)
{
    const size_t width = partition->width + 1, count = partition->count;
    struct round round = {.mask = 3};
    while (round.mask < 2 * count)
        round.mask = 2 * round.mask + 1;
    round.table = rl_effort_calloc(effort, round.mask + 1, sizeof *round.table);
    round.finer = rl_effort_calloc(effort, count, sizeof *round.finer);
    round.row = rl_effort_calloc(effort, 2 * width, sizeof *round.row);
    partition->first = rl_effort_calloc(effort, count, sizeof *partition->first);
    for (uint32_t before = UINT32_MAX; !effort->status && partition->classes != before;) {
        before = partition->classes;
        round.other = round.row + width;
        partition->classes = refine(partition, &round);
        memcpy(partition->class, round.finer, count * sizeof *round.finer);
    }
    free(round.table);
    free(round.finer);
    free(round.row);
}
