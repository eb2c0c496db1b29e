/* SPDX-License-Identifier: MIT
 *
 * Certificates, read word by word. After the first mistake nothing more is read, and the mistake
 * stays.
 */
#include "verify/every_n/proof.h"

#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"

enum { MOST_STATES = 1 << 20, LONGEST = 64 };

struct reader {
    struct rl_certificate_text *into;
    struct rl_error *error;
    struct rl_effort effort; /* its status is that of reading */
    const char *text, *at, *end;
    char word[LONGEST]; /* the one read last */
};

/* ---- words ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The next word; "" at the end. One that is too long is cut, and then is none that is known. */
static const char *next(struct reader *reader)
{
    size_t length = 0;
    while (reader->at < reader->end && is_space(*reader->at))
        reader->at++;
    for (; reader->at < reader->end && !is_space(*reader->at); reader->at++)
        if (length + 1 < LONGEST)
            reader->word[length++] = *reader->at;
    reader->word[length] = '\0';
    return reader->word;
}

/* A mistake in the word read last. */
static void mistake(struct reader *reader, const char *expected)
{
    if (reader->effort.status)
        return;
    const char *begin = reader->at;
    while (begin > reader->text && !is_space(begin[-1]))
        begin--;
    reader->effort.status = rl_error_set(reader->error, RL_BAD_TEXT, "expected %s, found '%s'",
                                         expected, reader->word[0] ? reader->word : "the end");
    if (!reader->error)
        return;
    reader->error->line = reader->error->column = 1;
    for (const char *c = reader->text; c < begin; c++) {
        reader->error->column = *c == '\n' ? 1 : reader->error->column + 1;
        reader->error->line += *c == '\n';
    }
}

static void expect(struct reader *reader, const char *word)
{
    if (!reader->effort.status && strcmp(next(reader), word) != 0)
        mistake(reader, word);
}

/* A number from `least` to `most`; `least` after a mistake. */
static uint32_t number(struct reader *reader, uint32_t least, uint32_t most)
{
    if (reader->effort.status)
        return least;
    char *end;
    const char *word = next(reader);
    const unsigned long long value = strtoull(word, &end, 10);
    if (word[0] >= '0' && word[0] <= '9' && !*end && value >= least && value <= most)
        return (uint32_t)value;
    char expected[48];
    struct rl_text text = rl_text_into(expected, sizeof expected);
    rl_text_format(&text, "a number from %u to %u", least, most);
    mistake(reader, expected);
    return least;
}

/* A number that is known. */
static void same_number(struct reader *reader, uint32_t known)
{
    (void)number(reader, known, known);
}

/* ---- what the protocol knows better ---- */

static void read_protocol(struct reader *reader)
{
    struct rl_every_n_options *options = &reader->into->options;
    expect(reader, "ringleader");
    expect(reader, "certificate");
    same_number(reader, 3);
    expect(reader, "program_version");
    if (!reader->effort.status)
        (void)next(reader); /* whichever wrote it: the proof is checked all the same */
    expect(reader, "protocol");
    if (reader->effort.status)
        return;
    options->protocol = rl_protocol_named(next(reader));
    if (!options->protocol) {
        mistake(reader, "the name of a protocol");
        return;
    }
    expect(reader, "tied");
    expect(reader, "compiled-without-n");
    expect(reader, "no-writable-data");
    expect(reader, "no-calls-outside");
    expect(reader, "assumes");
    expect(reader, "defined-c");
    expect(reader, "parameters");
    same_number(reader, (uint32_t)options->protocol->parameter_count);
    for (size_t i = 0; i < options->protocol->parameter_count; i++) {
        expect(reader, options->protocol->parameters[i].name);
        options->params.value[i] = number(reader, 0, UINT32_MAX);
        options->given[i] = true;
    }
    expect(reader, "target");
    expect(reader, options->protocol->sets[options->protocol->target].name);
}

static void read_sizes(struct reader *reader)
{
    struct rl_certificate_text *into = reader->into;
    struct rl_sizes *sizes = &into->proof.sizes;
    struct rl_params params;
    char obstacle[sizeof((struct rl_every_n *)0)->obstacle];
    if (reader->effort.status)
        return;
    rl_sizes_find(sizes, &into->options, obstacle);
    if (obstacle[0]) {
        mistake(reader, "parameters with which something can be said of every n");
        return;
    }
    expect(reader, "sizes");
    same_number(reader, sizes->period);
    for (uint32_t n = 0; n < sizes->period; n++)
        same_number(reader, sizes->in_period[n]);
    expect(reader, "least");
    into->options.from_n = number(reader, 2, 1 << 16);
    expect(reader, "from");
    into->says.from_n = number(reader, 0, 1 << 16);
    expect(reader, "enumerated");
    into->says.enumerated = number(reader, 0, RL_EVERY_N_SMALL);
    for (uint32_t i = 0, least = 2; i < into->says.enumerated;
         i++, least = into->says.small_n[i - 1] + 1) {
        into->says.small_n[i] = number(reader, least, RL_VERIFY_AGENTS);
        into->says.small_holds[i] = number(reader, 0, 1);
    }
    (void)rl_sizes_params(&into->options, sizes->sample, &params);
    if (!reader->effort.status)
        reader->effort.status = rl_table_check(into->options.protocol, &params, reader->error);
    if (!reader->effort.status)
        rl_table_init(&into->proof.table, into->options.protocol, &params, &reader->effort);
}

/* The letter of each state. It is right if it respects outputs and interactions, that is, if the
 * coarsest classes that respect it and these are these letters. */
static void read_classes(struct reader *reader, uint32_t letters)
{
    struct rl_every_n_proof *proof = &reader->into->proof;
    expect(reader, "states");
    same_number(reader, proof->table.states);
    if (reader->effort.status)
        return;
    uint16_t *labels = rl_effort_calloc(&reader->effort, proof->table.states, sizeof *labels);
    for (uint32_t s = 0; labels && s < proof->table.states; s++)
        labels[s] = (uint16_t)number(reader, 0, letters - 1);
    const uint16_t *const list[] = {labels};
    if (!reader->effort.status)
        rl_classes_init(&proof->classes, &proof->table, list, 1, &reader->effort);
    if (!reader->effort.status &&
        (proof->classes.count != letters ||
         memcmp(labels, proof->classes.of, proof->table.states * sizeof *labels) != 0))
        mistake(reader, "letters that outputs and interactions respect, in the order of states");
    free(labels);
    if (reader->effort.status)
        return;
    rl_alphabet_init(&proof->plain, &proof->classes, false, &reader->effort);
    rl_alphabet_init(&proof->marked, &proof->classes, true, &reader->effort);
}

static void read_tables(struct reader *reader)
{
    const struct rl_alphabet *alphabet = &reader->into->proof.plain;
    if (reader->effort.status)
        return;
    const size_t pairs = (size_t)alphabet->letters * alphabet->letters;
    expect(reader, "oracle");
    same_number(reader, alphabet->meet[1] != NULL);
    for (int report = 0; report < 2 && alphabet->meet[report]; report++) {
        expect(reader, report ? "speaking" : "silent");
        for (size_t i = 0; i < pairs && !reader->effort.status; i++) {
            same_number(reader, alphabet->meet[report][i].l);
            same_number(reader, alphabet->meet[report][i].r);
        }
    }
}

/* The texts of letters are for people; whether they lead is found again by the classes. */
static void read_letters(struct reader *reader)
{
    bool *leads = NULL;
    expect(reader, "letters");
    const uint32_t letters = number(reader, 1, 1 << 14);
    leads = rl_effort_calloc(&reader->effort, letters, sizeof *leads);
    for (uint32_t c = 0; c < letters && !reader->effort.status; c++) {
        next(reader);
        leads[c] = number(reader, 0, 1);
    }
    read_classes(reader, letters);
    for (uint32_t c = 0; c < letters && !reader->effort.status; c++)
        if (leads[c] != reader->into->proof.plain.leads[c])
            mistake(reader, "before the states, who leads as it is");
    free(leads);
    read_tables(reader);
}

/* ---- automata ---- */

static void read_automaton(struct reader *reader, const struct rl_alphabet *alphabet,
                           struct rl_automaton *out)
{
    expect(reader, "automaton");
    const uint32_t states = number(reader, 1, MOST_STATES);
    /* Every entry takes two bytes of the file at least. */
    if (!reader->effort.status &&
        (uint64_t)states * alphabet->letters > (uint64_t)(reader->end - reader->at))
        mistake(reader, "no more states than the file has room for");
    *out = rl_automaton_make(alphabet->letters, states, &reader->effort);
    for (uint32_t s = 0; s < states && !reader->effort.status; s++) {
        out->accepts[s] = number(reader, 0, 1);
        for (uint32_t a = 0; a < alphabet->letters; a++)
            out->next[(size_t)s * alphabet->letters + a] = number(reader, 0, states - 1);
    }
}

static enum rl_move read_move(struct reader *reader)
{
    expect(reader, "move");
    const char *word = reader->effort.status ? "" : next(reader);
    for (int move = 0; move < RL_MOVE_COUNT; move++)
        if (strcmp(word, rl_move_name((enum rl_move)move)) == 0)
            return (enum rl_move)move;
    mistake(reader, "a move: arc, right, left, seam or lose");
    return RL_MOVE_ARC;
}

static void read_chain(struct reader *reader, int stage, const char *name)
{
    struct rl_chain *chain = &reader->into->proof.chains[stage];
    const struct rl_alphabet *alphabet =
        stage == RL_STAGE_MANY ? &reader->into->proof.marked : &reader->into->proof.plain;
    expect(reader, "stage");
    expect(reader, name);
    chain->count = number(reader, 0, RL_CHAIN_MOVES);
    read_automaton(reader, alphabet, &chain->sets[0]);
    for (uint32_t i = 0; i < chain->count && !reader->effort.status; i++) {
        chain->moves[i] = read_move(reader);
        read_automaton(reader, alphabet, &chain->sets[i + 1]);
    }
}

enum rl_status rl_certificate_read(struct rl_certificate_text *read, const char *text,
                                   size_t length, struct rl_error *error)
{
    *read = (struct rl_certificate_text){0};
    struct reader reader = {
        .into = read, .error = error, .text = text, .at = text, .end = text + length};
    struct rl_every_n_proof *proof = &read->proof;
    read_protocol(&reader);
    read_sizes(&reader);
    read_letters(&reader);
    if (!reader.effort.status)
        read_automaton(&reader, &proof->plain, &proof->set[read->options.protocol->target]);
    if (read->says.from_n > 0) {
        read_chain(&reader, RL_STAGE_ONE, "one");
        read_chain(&reader, RL_STAGE_NONE, "none");
        read_chain(&reader, RL_STAGE_MANY, "many");
    }
    expect(&reader, "end");
    if (!reader.effort.status && *next(&reader))
        mistake(&reader, "nothing after the end");
    read->says.protocol = read->options.protocol;
    read->says.params = read->options.params;
    read->says.least = read->options.from_n;
    return reader.effort.status;
}
