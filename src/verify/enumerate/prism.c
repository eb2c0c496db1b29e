/* SPDX-License-Identifier: MIT
 *
 * The model as text in the language of the PRISM model checker, so that others can check our
 * numbers with their tool.
 *
 * Every agent is a variable u0, u1, ... that holds the class of its state, where the classes
 * respect all named sets together. One command does it all: arc i is chosen with probability
 * 1/arcs and replaces its two agents by the formulas l_i and r_i. All configurations are initial;
 * each named set is a label. For example, the expected steps to a set S from the worst
 * configuration: filter(max, R=? [ F "S" ], "init").
 */
#include "ringleader/verify.h"

#include <stdlib.h>
#include <string.h>

#include "ringleader/experiment.h"
#include "ringleader/status.h"
#include "base/printer.h"
#include "verify/enumerate/view.h"
#include "core/inside.h"

/* A label lists configurations; with more words than this nobody would read the file. */
#define MOST_WORDS (UINT64_C(1) << 24)

static void print_head(struct printer *printer, const struct rl_words *words)
{
    const struct rl_classes *classes = words->classes;
    const struct rl_table *table = classes->table;
    print(printer, "// %s on a ring of n = %u agents", table->protocol->name, words->n);
    for (size_t i = 0; i < table->protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &table->protocol->parameters[i];
        char value[64];
        struct rl_text text = rl_text_into(value, sizeof value);
        rl_parameter_print(parameter, table->params.value[i], &text);
        print(printer, ", %s = %s", parameter->name, value);
    }
    print(printer, ", written by ringleader.\n//\n// Classes of agent states:\n");
    for (uint32_t c = 0; c < classes->count; c++) {
        print(printer, "//   %u: %s", c,
              rl_ring_state(table->protocol, table->word[classes->first[c]]).text);
        if (classes->size[c] > 1)
            print(printer, " and %u more", classes->size[c] - 1);
        print(printer, "%s\n", classes->leads[c] ? ", a leader" : "");
    }
    print(printer, "\ndtmc\n\n");
}

/* For its arcs. */
static struct rl_ring ring_of(const struct rl_words *words)
{
    const struct rl_table *table = words->classes->table;
    return (struct rl_ring){table->protocol, table->params, NULL};
}

/* The condition that agent `agent` is in one of the marked classes, as ranges. */
static void print_one_of(struct printer *printer, uint32_t agent, const bool *marked,
                         uint32_t count)
{
    const char * or = "";
    for (uint32_t from = 0, to; from < count; from = to + 1) {
        for (to = from; to < count && marked[to] == marked[from];)
            to++;
        to--;
        if (!marked[from])
            continue;
        if (from == to)
            print(printer, "%su%u=%u", or, agent, from);
        else
            print(printer, "%s(u%u>=%u & u%u<=%u)", or, agent, from, agent, to);
        or = " | ";
    }
}

/* What the initiator (or the responder) of an arc becomes, as nested conditions: for each class of
 * the initiator, the classes of the responder with the same result together. */
static void print_becomes(struct printer *printer, const struct rl_words *words, uint32_t arc,
                          bool of_l, const struct rl_pair *next, bool *marked)
{
    const struct rl_ring ring = ring_of(words);
    const uint32_t i = rl_ring_initiator(&ring, arc), j = rl_ring_responder(&ring, arc);
    const uint32_t count = (uint32_t)words->letters;
    for (uint32_t a = 0; a < count; a++) {
        print(printer, "    u%u=%u ? (", i, a);
        for (uint32_t result = 0; result < count; result++) {
            bool any = false;
            for (uint32_t b = 0; b < count; b++) {
                const struct rl_pair pair = next[a * count + b];
                marked[b] = (of_l ? pair.l : pair.r) == result && (of_l ? a : b) != result;
                any |= marked[b];
            }
            if (any) {
                print_one_of(printer, j, marked, count);
                print(printer, " ? %u : ", result);
            }
        }
        print(printer, "u%u) :\n", of_l ? i : j);
    }
    print(printer, "    u%u", of_l ? i : j);
}

static void print_formulas(struct printer *printer, const struct rl_words *words, bool *marked)
{
    const struct rl_classes *classes = words->classes;
    print(printer, "formula leaders =");
    for (uint32_t i = 0; i < words->n; i++) {
        print(printer, "%s\n    (", i > 0 ? " +" : "");
        print_one_of(printer, i, classes->leads, classes->count);
        print(printer, " ? 1 : 0)");
    }
    print(printer, ";\n\n");
    for (uint32_t arc = 0; arc < words->arcs; arc++)
        for (int side = 0; side < 2; side++) {
            print(printer, "formula %c%u =\n", side ? 'r' : 'l', arc);
            if (classes->next[1]) {
                print(printer, "    leaders=0 ? (\n");
                print_becomes(printer, words, arc, side == 0, classes->next[1], marked);
                print(printer, ") :\n");
            }
            print_becomes(printer, words, arc, side == 0, classes->next[0], marked);
            print(printer, ";\n\n");
        }
}

static void print_module(struct printer *printer, const struct rl_words *words)
{
    const struct rl_ring ring = ring_of(words);
    print(printer, "module ring\n");
    for (uint32_t i = 0; i < words->n; i++)
        print(printer, "    u%u : [0..%u];\n", i, (unsigned)words->letters - 1);
    print(printer, "    [] true ->\n");
    for (uint32_t arc = 0; arc < words->arcs; arc++)
        print(printer, "        1/%u : (u%u'=l%u) & (u%u'=r%u)%s\n", words->arcs,
              rl_ring_initiator(&ring, arc), arc, rl_ring_responder(&ring, arc), arc,
              arc + 1 < words->arcs ? " +" : ";");
    print(printer, "endmodule\n\ninit true endinit\n\nrewards\n    true : 1;\nendrewards\n\n");
}

/* ---- labels ---- */

static bool is_all(const uint8_t *block, uint64_t size, uint8_t value)
{
    return block[0] == value && memcmp(block, block + 1, size - 1) == 0;
}

/* The members among the words whose first `depth` letters are fixed, as a condition on the others:
 * letters with the same continuations are put together. `marked` has room for every depth. */
static void print_members(struct printer *printer, const struct rl_words *words, uint32_t depth,
                          const uint8_t *block, bool *marked)
{
    const uint64_t size = words->power[words->n - depth - 1];
    bool first = true;
    for (uint64_t a = 0; a < words->letters; a++) {
        uint64_t b = 0;
        while (memcmp(block + b * size, block + a * size, size) != 0)
            b++;
        if (b < a || is_all(block + a * size, size, 0))
            continue;
        for (b = 0; b < words->letters; b++)
            marked[b] = memcmp(block + b * size, block + a * size, size) == 0;
        print(printer, "%s((", first ? "" : " | ");
        first = false;
        print_one_of(printer, depth, marked, (uint32_t)words->letters);
        print(printer, ")");
        if (!is_all(block + a * size, size, 1)) {
            print(printer, " & (");
            print_members(printer, words, depth + 1, block + a * size, marked + words->letters);
            print(printer, ")");
        }
        print(printer, ")");
    }
}

struct members {
    const struct rl_words *words;
    const struct rl_set *set;
    uint8_t *block;
};

static void mark(void *user, const struct rl_word *word)
{
    const struct members *members = user;
    members->block[word->code] =
        rl_words_is_in(members->words, word->letters, members->set->contains);
}

static void print_labels(struct printer *printer, const struct rl_words *words, bool *marked,
                         uint8_t *block)
{
    const struct rl_protocol *protocol = words->classes->table->protocol;
    const uint64_t size = words->power[words->n];
    for (size_t i = 0; i < protocol->set_count; i++) {
        struct members members = {words, &protocol->sets[i], block};
        for (size_t task = 0; task < rl_words_tasks(words); task++)
            rl_words_visit(words, task, mark, &members);
        print(printer, "// %s\nlabel \"%s\" = ", protocol->sets[i].meaning, protocol->sets[i].name);
        if (is_all(block, size, 0))
            print(printer, "false");
        else
            print_members(printer, words, 0, block, marked);
        print(printer, ";\n");
    }
}

static void write_model(const struct rl_words *words, struct printer *printer,
                        struct rl_effort *effort, struct rl_error *error)
{
    const uint64_t size = words->power[words->n];
    if (size > MOST_WORDS)
        effort->status =
            rl_error_set(error, RL_TOO_LARGE, "a model of %llu configurations is too long",
                         (unsigned long long)size);
    bool *marked = rl_effort_calloc(effort, words->letters * words->n, sizeof *marked);
    uint8_t *block = rl_effort_calloc(effort, size, sizeof *block);
    if (!effort->status) {
        print_head(printer, words);
        print_formulas(printer, words, marked);
        print_module(printer, words);
        print_labels(printer, words, marked, block);
        effort->status = printer->failed ? RL_IO : RL_OK;
    }
    free(marked);
    free(block);
}

enum rl_status rl_prism_write(const struct rl_protocol *protocol, const struct rl_params *params,
                              void *user, rl_put put, struct rl_error *error)
{
    struct printer printer = {user, put, false};
    struct rl_effort effort = {.status = rl_words_check(protocol, params, error)};
    struct rl_views views = {0};
    struct rl_classes classes = {0};
    struct rl_words words;
    const uint16_t *labels[RL_MAX_SETS];
    if (!effort.status)
        rl_view_init(&views, protocol, params, false, &effort, error);
    for (size_t i = 0; !effort.status && i < protocol->set_count; i++)
        labels[i] = views.set[i]->classes.of;
    if (!effort.status)
        rl_classes_init(&classes, &views.table, labels, protocol->set_count, &effort);
    if (!effort.status) {
        rl_words_init(&words, &classes, false);
        write_model(&words, &printer, &effort, error);
    }
    rl_classes_free(&classes);
    rl_view_free(&views);
    return effort.status;
}
