/* SPDX-License-Identifier: MIT
 *
 * The transition table, made by asking the protocol about every pair of states, and classes by
 * partition refinement. A state's row is the classes of all that it becomes and makes of others. A
 * round costs O(states^2); P_RL with N = 24 (600 states) takes 25 rounds, some 50 ms.
 */
#include "verify/classes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "verify/interned.h"

enum { MOST_STATES = 1 << 14 };

/* ---- the table ---- */

enum rl_status rl_table_check(const struct rl_protocol *protocol, const struct rl_params *params,
                              struct rl_error *error)
{
    if (!protocol->oracle || params->value[protocol->delay] == 0)
        return RL_OK;
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "%s is %u, but the verifier needs an oracle that reports at once: how long "
                        "it has waited is not part of a configuration",
                        protocol->parameters[protocol->delay].name, params->value[protocol->delay]);
}

uint64_t rl_table_configurations(uint64_t states, uint32_t n, uint64_t most)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < n && count > 0; i++)
        count = count > most / states ? 0 : count * states;
    return count;
}

bool rl_table_advance(uint32_t states, uint16_t *digits, uint32_t count)
{
    for (uint32_t i = count; i-- > 0; digits[i] = 0)
        if (++digits[i] < states)
            return true;
    return false;
}

uint64_t rl_table_bytes(const struct rl_protocol *protocol, const struct rl_params *params)
{
    const uint64_t states = rl_protocol_states(protocol, params);
    if (states > MOST_STATES)
        return 0;
    return (protocol->oracle ? 2 : 1) * states * states * sizeof(struct rl_pair);
}

static void fill(struct rl_table *table, bool no_leader, struct rl_effort *effort)
{
    const struct rl_protocol *protocol = table->protocol;
    const size_t states = table->states;
    const struct rl_params params = table->params;
    struct rl_pair *next = rl_effort_calloc(effort, states * states, sizeof *next);
    table->next[no_leader] = next;
    for (size_t a = 0; next && a < states; a++)
        for (size_t b = 0; b < states; b++) {
            rl_state l = table->word[a], r = table->word[b];
            protocol->interact(&params, no_leader, &l, &r);
            next[a * states + b] =
                (struct rl_pair){(uint16_t)rl_protocol_index(protocol, &params, l),
                                 (uint16_t)rl_protocol_index(protocol, &params, r)};
        }
}

void rl_table_init(struct rl_table *table, const struct rl_protocol *protocol,
                   const struct rl_params *params, struct rl_effort *effort)
{
    *table = (struct rl_table){.protocol = protocol,
                               .params = *params,
                               .states = (uint32_t)rl_protocol_states(protocol, params)};
    table->word = rl_effort_calloc(effort, table->states, sizeof *table->word);
    table->leads = rl_effort_calloc(effort, table->states, sizeof *table->leads);
    for (uint32_t i = 0; !effort->status && i < table->states; i++) {
        table->word[i] = rl_protocol_state(protocol, params, i);
        table->leads[i] = protocol->leads(table->word[i]);
    }
    fill(table, false, effort);
    if (protocol->oracle)
        fill(table, true, effort);
}

void rl_table_free(struct rl_table *table)
{
    free(table->word);
    free(table->leads);
    free(table->next[0]);
    free(table->next[1]);
    *table = (struct rl_table){0};
}

/* ---- refinement ---- */

void rl_partition_refine(struct rl_partition *partition, struct rl_effort *effort)
{
    const size_t width = partition->width + 1, count = partition->count;
    struct rl_effort unlimited = {.memory = UINT64_MAX};
    struct rl_rows rows = {.hashes.effort = &unlimited};
    uint32_t *finer = rl_effort_calloc(effort, count, sizeof *finer);
    uint32_t *row = rl_effort_calloc(effort, width, sizeof *row); /* its own class comes first */
    partition->first = rl_effort_calloc(effort, count, sizeof *partition->first);
    for (uint32_t before = UINT32_MAX; !effort->status && partition->classes != before;) {
        assert(partition->class && "a partition has classes to refine");
        before = partition->classes;
        partition->classes = 0;
        rl_interned_clear(&rows.hashes);
        for (uint32_t member = 0; member < count; member++) {
            row[0] = partition->class[member];
            partition->row(partition->user, partition->class, member, row + 1);
            finer[member] = rl_rows_add(&rows, row, width * sizeof *row);
            if (finer[member] == partition->classes)
                partition->first[partition->classes++] = member;
        }
        memcpy(partition->class, finer, count * sizeof *finer);
        rl_effort_has(effort, !unlimited.status);
    }
    rl_rows_free(&rows);
    free(finer);
    free(row);
}

/* ---- classes ---- */

/* Whose classes are looked for, and who observes. */
struct observed {
    const struct rl_table *table;
    const uint32_t *const *labels;
    size_t label_count;
};

/* What is seen comes first; then columns run over report, partner and side. */
static void row_of(const void *user, const uint32_t *class, uint32_t state, uint32_t *row_out)
{
    const struct observed *observed = user;
    const struct rl_table *table = observed->table;
    const size_t states = table->states;
    *row_out++ = table->leads[state];
    for (size_t i = 0; i < observed->label_count; i++)
        *row_out++ = observed->labels[i][state];
    for (int report = 0; report < 2 && table->next[report]; report++)
        for (size_t partner = 0; partner < states; partner++)
            for (int side = 0; side < 2; side++) {
                const struct rl_pair pair =
                    table->next[report][side ? partner * states + state : state * states + partner];
                *row_out++ = class[pair.l] << 16 | class[pair.r];
            }
}

/* The class table, once the partition is stable. */
static void describe(struct rl_classes *classes, const uint32_t *class, const uint32_t *first,
                     struct rl_effort *effort)
{
    const struct rl_table *table = classes->table;
    const size_t count = classes->count, states = table->states;
    classes->of = rl_effort_calloc(effort, states, sizeof *classes->of);
    classes->size = rl_effort_calloc(effort, count, sizeof *classes->size);
    classes->first = rl_effort_calloc(effort, count, sizeof *classes->first);
    classes->leads = rl_effort_calloc(effort, count, sizeof *classes->leads);
    for (size_t s = 0; !effort->status && s < states; s++) {
        classes->of[s] = class[s];
        classes->size[class[s]]++;
    }
    for (size_t c = 0; !effort->status && c < count; c++) {
        classes->first[c] = (uint16_t)first[c];
        classes->leads[c] = table->leads[first[c]];
    }
    for (int report = 0; report < 2 && table->next[report]; report++) {
        struct rl_pair *next = rl_effort_calloc(effort, count * count, sizeof *next);
        classes->next[report] = next;
        for (size_t i = 0; next && i < count * count; i++) {
            const struct rl_pair pair =
                table->next[report][first[i / count] * states + first[i % count]];
            next[i] = (struct rl_pair){(uint16_t) class[pair.l], (uint16_t) class[pair.r]};
        }
    }
}

void rl_classes_init(struct rl_classes *classes, const struct rl_table *table,
                     const uint32_t *const *labels, size_t label_count, struct rl_effort *effort)
{
    const uint32_t columns = table->states * (table->next[1] ? 4 : 2);
    const struct observed observed = {table, labels, label_count};
    struct rl_partition partition = {table->states, columns + (uint32_t)label_count + 1, &observed,
                                     row_of};
    *classes = (struct rl_classes){.table = table};
    partition.class = rl_effort_calloc(effort, table->states, sizeof *partition.class);
    rl_partition_refine(&partition, effort);
    if (!effort->status) {
        classes->count = partition.classes;
        describe(classes, partition.class, partition.first, effort);
    }
    free(partition.class);
    free(partition.first);
}

void rl_classes_free(struct rl_classes *classes)
{
    free(classes->of);
    free(classes->size);
    free(classes->first);
    free(classes->leads);
    free(classes->next[0]);
    free(classes->next[1]);
    *classes = (struct rl_classes){0};
}

bool rl_classes_equal(const struct rl_classes *a, const struct rl_classes *b)
{
    return a->count == b->count && memcmp(a->of, b->of, a->table->states * sizeof *a->of) == 0;
}
