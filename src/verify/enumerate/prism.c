/* SPDX-License-Identifier: MIT
 *
 * The model as text in the language of the PRISM model checker, so that others can check our
 * numbers with their tool.
 *
 * Every agent is a variable u0, u1, ... that holds the class of its state, where the classes
 * respect all named sets together. One command does it all: arc i is chosen with probability
 * 1/arcs and replaces its two agents by the formulas l_i and r_i. All configurations are initial;
 * each named set is a label. Formulas and labels are tables over classes, written as nested
 * conditions. For example, the expected steps to a set S from the worst configuration:
 * filter(max, R=? [ F "S" ], "init").
 */
#include "ringleader/verify.h"

#include <stdlib.h>
#include <string.h>

#include "ringleader/experiment.h"
#include "ringleader/status.h"
#include "base/printer.h"
#include "verify/enumerate/verifier.h"
#include "core/inside.h"

/* A label lists configurations; with more words than this nobody would read the file. */
#define MOST_WORDS (UINT64_C(1) << 24)

/* A model on its way out. */
struct model {
    struct printer to;
    const struct rl_words *words;
    struct rl_ring ring; /* for its arcs */
    uint16_t *table;     /* [word] */
    bool *marked;        /* [letter], for every agent */
};

static void print_head(struct model *model)
{
    const struct rl_classes *classes = model->words->classes;
    const struct rl_table *table = classes->table;
    struct printer *to = &model->to;
    print(to, "// %s on a ring of n = %u agents", table->protocol->name, model->words->n);
    for (size_t i = 0; i < table->protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &table->protocol->parameters[i];
        char value[64];
        struct rl_text text = rl_text_into(value, sizeof value);
        rl_parameter_print(parameter, table->params.value[i], &text);
        print(to, ", %s = %s", parameter->name, value);
    }
    print(to, ", written by ringleader.\n//\n// Classes of agent states, by their first:\n");
    for (uint32_t c = 0; c < classes->count; c++)
        print(to, "//   %u: %s\n", c,
              rl_ring_state(table->protocol, table->word[classes->first[c]]).text);
    print(to, "\ndtmc\n\n");
}

/* The condition that an agent is in one of the marked classes, as ranges. */
static void print_one_of(struct model *model, uint32_t agent, const bool *marked)
{
    const char * or = "";
    for (uint32_t from = 0, to; from < model->words->letters; from = to) {
        for (to = from; to < model->words->letters && marked[to] == marked[from];)
            to++;
        if (!marked[from])
            continue;
        print(&model->to, "%su%u>=%u & u%u<=%u", or, agent, from, agent, to - 1);
        or = " | ";
    }
}

/* What a table has for the classes of `count` agents: letters with the same continuations are put
 * together. A truth is written as such. */
static void print_table(struct model *model, const uint32_t *agents, uint32_t count,
                        const uint16_t *table, bool truth, bool *marked)
{
    const uint64_t letters = model->words->letters;
    struct printer *to = &model->to;
    if (count == 0) {
        if (truth)
            print_text(to, *table ? "true" : "false");
        else
            print(to, "%u", *table);
        return;
    }
    const size_t size = model->words->power[count - 1], bytes = size * sizeof *table;
    uint64_t shown = 0;
    for (uint64_t a = 0; a < letters; a++) {
        uint64_t b = 0;
        while (memcmp(table + b * size, table + a * size, bytes) != 0)
            b++;
        if (b < a)
            continue; /* it was shown with b */
        for (b = 0; b < letters; b++) {
            marked[b] = memcmp(table + b * size, table + a * size, bytes) == 0;
            shown += marked[b];
        }
        if (shown < letters) {
            print_one_of(model, *agents, marked);
            print_text(to, " ? (");
        }
        print_table(model, agents + 1, count - 1, table + a * size, truth, marked + letters);
        print_text(to, shown < letters ? ") : " : "");
    }
}

/* What the initiator (or the responder) of an arc becomes. */
static void print_becomes(struct model *model, uint32_t arc, bool of_l, const struct rl_pair *next)
{
    const uint32_t agents[] = {rl_ring_initiator(&model->ring, arc),
                               rl_ring_responder(&model->ring, arc)};
    for (uint64_t i = 0; i < model->words->power[2]; i++)
        model->table[i] = of_l ? next[i].l : next[i].r;
    print_table(model, agents, 2, model->table, false, model->marked);
}

static void print_formulas(struct model *model)
{
    const struct rl_classes *classes = model->words->classes;
    struct printer *to = &model->to;
    for (uint32_t c = 0; c < classes->count; c++)
        model->table[c] = classes->leads[c];
    for (uint32_t i = 0; i < model->words->n; i++) {
        print(to, i == 0 ? "formula leaders =\n    (" : " +\n    (");
        print_table(model, &i, 1, model->table, false, model->marked);
        print(to, ")");
    }
    print(to, ";\n\n");
    for (uint32_t arc = 0; arc < model->words->arcs; arc++)
        for (int side = 0; side < 2; side++) {
            print(to, "formula %c%u =\n    ", side ? 'r' : 'l', arc);
            if (classes->next[1]) {
                print(to, "leaders=0 ? (");
                print_becomes(model, arc, side == 0, classes->next[1]);
                print(to, ") :\n    ");
            }
            print_becomes(model, arc, side == 0, classes->next[0]);
            print(to, ";\n\n");
        }
}

static void print_module(struct model *model)
{
    const uint32_t n = model->words->n, arcs = model->words->arcs;
    struct printer *to = &model->to;
    print(to, "module ring\n");
    for (uint32_t i = 0; i < n; i++)
        print(to, "    u%u : [0..%u];\n", i, (unsigned)model->words->letters - 1);
    print(to, "    [] true ->\n");
    for (uint32_t arc = 0; arc < arcs; arc++)
        print(to, "        1/%u : (u%u'=l%u) & (u%u'=r%u)%s\n", arcs,
              rl_ring_initiator(&model->ring, arc), arc, rl_ring_responder(&model->ring, arc), arc,
              arc + 1 < arcs ? " +" : ";");
    print(to, "endmodule\n\ninit true endinit\n\nrewards\n    true : 1;\nendrewards\n\n");
}

static void print_labels(struct model *model)
{
    const struct rl_words *words = model->words;
    const struct rl_protocol *protocol = model->ring.protocol;
    uint32_t agents[RL_VERIFY_AGENTS] = {0};
    uint16_t letters[RL_VERIFY_AGENTS];
    for (uint32_t i = 0; i < words->n; i++)
        agents[i] = i;
    for (size_t i = 0; i < rl_protocol_set_count(protocol); i++) {
        for (uint64_t code = 0; code < words->power[words->n]; code++) {
            rl_words_letters(words, code, letters);
            model->table[code] = rl_words_is_in(words, letters, protocol->sets[i].contains);
        }
        print(&model->to, "// %s\nlabel \"%s\" = ", protocol->sets[i].meaning,
              protocol->sets[i].name);
        print_table(model, agents, words->n, model->table, true, model->marked);
        print(&model->to, ";\n");
    }
}

static void write_model(struct model *model, struct rl_effort *effort, struct rl_error *error)
{
    const uint64_t size = model->words->power[model->words->n];
    if (size > MOST_WORDS)
        effort->status =
            rl_error_set(error, RL_TOO_LARGE, "a model of %llu configurations is too long",
                         (unsigned long long)size);
    model->marked =
        rl_effort_calloc(effort, model->words->letters * model->words->n, sizeof *model->marked);
    model->table = rl_effort_calloc(effort, size, sizeof *model->table);
    if (!effort->status) {
        print_head(model);
        print_formulas(model);
        print_module(model);
        print_labels(model);
        effort->status = model->to.failed ? RL_IO : RL_OK;
    }
    free(model->marked);
    free(model->table);
}

enum rl_status rl_prism_write(const struct rl_protocol *protocol, const struct rl_params *params,
                              void *user, rl_put put, struct rl_error *error)
{
    struct rl_effort effort = {.memory = UINT64_MAX};
    struct rl_views views = {0};
    struct rl_classes classes = {0};
    struct rl_words words;
    const uint32_t *labels[RL_MAX_SETS];
    rl_view_init(&views, protocol, params, false, &effort, error);
    for (size_t i = 0; !effort.status && i < rl_protocol_set_count(protocol); i++)
        labels[i] = views.set[i]->classes.of;
    if (!effort.status)
        rl_classes_init(&classes, &views.table, labels, rl_protocol_set_count(protocol), &effort);
    if (!effort.status) {
        rl_words_init(&words, &classes, false);
        struct model model = {
            .to = {user, put, false}, .words = &words, .ring = {protocol, *params, NULL}};
        write_model(&model, &effort, error);
    }
    rl_classes_free(&classes);
    rl_view_free(&views);
    return effort.status;
}
