/* SPDX-License-Identifier: MIT
 *
 * The form of a certificate: words and numbers with white space between, in the order in which they
 * are needed. It is described once: the same functions write a certificate and read one. Known
 * values are written, or must be there; unknown ones are read. After the first mistake nothing more
 * is read, and the mistake stays.
 */
#include "ringleader/prove.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"
#include "base/printer.h"
#include "verify/every_n/proof.h"

enum { MOST_STATES = 1 << 20, LONGEST = 64 };
#define SPACE " \n\t\r"

struct form {
    struct rl_every_n_options *options; /* protocol, parameters, from_n */
    struct rl_certificate *says;
    struct rl_every_n_proof *proof;
    struct printer *printer; /* who writes; NULL: it is read */
    /* Who reads. */
    struct rl_error *error;
    struct rl_effort effort; /* its status is that of reading */
    const char *text, *at, *end;
    char word[LONGEST]; /* the one read last */
};

/* ---- words and numbers ---- */

static bool is_space(char c)
{
    return c && strchr(SPACE, c);
}

static bool reads(const struct form *form)
{
    return !form->printer && !form->effort.status;
}

/* The next word; "" at the end. One that is too long is cut, and then is none that is known. */
static const char *next(struct form *form)
{
    size_t length = 0;
    while (form->at < form->end && is_space(*form->at))
        form->at++;
    for (; form->at < form->end && !is_space(*form->at); form->at++)
        if (length + 1 < LONGEST)
            form->word[length++] = *form->at;
    form->word[length] = '\0';
    return form->word;
}

/* A mistake in the word read last. */
static void mistake(struct form *form, const char *expected)
{
    if (form->effort.status)
        return;
    const char *begin = form->at;
    while (begin > form->text && !is_space(begin[-1]))
        begin--;
    form->effort.status = rl_error_set(form->error, RL_BAD_TEXT, "expected %s, found '%s'",
                                       expected, form->word[0] ? form->word : "the end");
    if (!form->error)
        return;
    form->error->line = form->error->column = 1;
    for (const char *c = form->text; c < begin; c++) {
        form->error->column = *c == '\n' ? 1 : form->error->column + 1;
        form->error->line += *c == '\n';
    }
}

/* Words that must be there, with the white space that is written. */
static void known(struct form *form, const char *words)
{
    if (form->printer)
        print_text(form->printer, words);
    for (words += strspn(words, SPACE); reads(form) && *words; words += strspn(words, SPACE)) {
        char word[LONGEST] = "";
        const size_t length = strcspn(words, SPACE);
        memcpy(word, words, length < LONGEST ? length : LONGEST - 1);
        if (strcmp(next(form), word) != 0)
            mistake(form, word);
        words += length;
    }
}

/* A word on which nothing depends. */
static void any(struct form *form, const char *word)
{
    if (form->printer)
        print_text(form->printer, word);
    else if (reads(form))
        (void)next(form);
}

/* A number, written after white space; or one from `least` to `most`, read: `least` after a
 * mistake. */
static uint32_t number(struct form *form, const char *space, uint32_t value, uint32_t least,
                       uint32_t most)
{
    if (form->printer) {
        print(form->printer, "%s%u", space, value);
        return value;
    }
    if (!reads(form))
        return least;
    char *end;
    const char *word = next(form);
    const unsigned long long found = strtoull(word, &end, 10);
    if (word[0] >= '0' && word[0] <= '9' && !*end && found >= least && found <= most)
        return (uint32_t)found;
    char expected[48];
    struct rl_text text = rl_text_into(expected, sizeof expected);
    rl_text_format(&text, "a number from %u to %u", least, most);
    mistake(form, expected);
    return least;
}

/* A number that is known. */
static void same(struct form *form, const char *space, uint32_t value)
{
    (void)number(form, space, value, value, value);
}

/* ---- what the protocol knows better ---- */

static void tell_protocol(struct form *form)
{
    struct rl_every_n_options *options = form->options;
    known(form, "ringleader certificate");
    same(form, " ", 3);
    known(form, "\nprogram_version ");
    any(form, rl_version()); /* whichever wrote it: the proof is checked all the same */
    known(form, "\nprotocol ");
    any(form, form->printer ? options->protocol->name : NULL);
    if (reads(form) && !(options->protocol = rl_protocol_named(form->word)))
        mistake(form, "the name of a protocol");
    if (form->effort.status)
        return;
    const struct rl_protocol *protocol = options->protocol;
    known(form, "\ntied compiled-without-n no-writable-data no-calls-outside\n"
                "assumes defined-c\nparameters");
    same(form, " ", (uint32_t)protocol->parameter_count);
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        known(form, " ");
        known(form, protocol->parameters[i].name);
        options->params.value[i] = number(form, " ", options->params.value[i], 0, UINT32_MAX);
        options->given[i] = true;
    }
    known(form, "\ntarget ");
    known(form, protocol->sets[protocol->target].name);
}

static void tell_sizes(struct form *form)
{
    struct rl_certificate *says = form->says;
    struct rl_every_n_options *options = form->options;
    struct rl_sizes *sizes = &form->proof->sizes;
    char obstacle[sizeof((struct rl_every_n *)0)->obstacle] = "";
    if (reads(form))
        rl_sizes_find(sizes, options, obstacle);
    if (obstacle[0])
        mistake(form, "parameters for which something can be said about every n");
    if (form->effort.status)
        return;
    known(form, "\nsizes");
    same(form, " ", sizes->period);
    for (uint32_t n = 0; n < sizes->period; n++)
        same(form, " ", sizes->in_period[n]);
    known(form, "\nleast");
    options->from_n = number(form, " ", options->from_n, 2, 1 << 16);
    known(form, "\nfrom");
    says->from_n = number(form, " ", says->from_n, 0, 1 << 16);
    known(form, "\nenumerated");
    says->enumerated = number(form, " ", says->enumerated, 0, RL_EVERY_N_SMALL);
    for (uint32_t i = 0, least = 2; i < says->enumerated; least = says->small_n[i++] + 1) {
        says->small_n[i] = number(form, "  ", says->small_n[i], least, RL_VERIFY_AGENTS);
        says->small_holds[i] = number(form, " ", says->small_holds[i], 0, 1);
    }
    known(form, "\n");
    if (!reads(form))
        return;
    struct rl_params params;
    (void)rl_sizes_params(options, sizes->sample, &params);
    form->effort.status = rl_table_check(options->protocol, &params, form->error);
    if (!form->effort.status)
        rl_table_init(&form->proof->table, options->protocol, &params, &form->effort);
}

/* The letter of each state. It is right if it respects outputs and interactions, that is, if the
 * coarsest classes that respect it and these are these letters. */
static void tell_classes(struct form *form, uint32_t letters)
{
    struct rl_every_n_proof *proof = form->proof;
    const uint32_t states = proof->table.states;
    known(form, "states");
    same(form, " ", states);
    known(form, "\n");
    uint32_t *labels = rl_effort_calloc(&form->effort, states, sizeof *labels);
    for (uint32_t s = 0; labels && s < states; s++)
        labels[s] = number(form, s > 0 ? " " : "", form->printer ? proof->classes.of[s] : 0, 0,
                           letters - 1);
    known(form, "\n");
    const uint32_t *const list[] = {labels};
    if (reads(form))
        rl_classes_init(&proof->classes, &proof->table, list, 1, &form->effort);
    if (reads(form) && (proof->classes.count != letters ||
                        memcmp(labels, proof->classes.of, states * sizeof *labels) != 0))
        mistake(form, "letters that agree with outputs and interactions, in the order of states");
    free(labels);
    if (!reads(form))
        return;
    rl_alphabet_init(&proof->plain, &proof->classes, false, &form->effort);
    rl_alphabet_init(&proof->marked, &proof->classes, true, &form->effort);
}

static void tell_tables(struct form *form)
{
    const struct rl_alphabet *alphabet = &form->proof->plain;
    const size_t letters = alphabet->letters;
    known(form, "oracle");
    same(form, " ", alphabet->meet[1] != NULL);
    for (int report = 0; report < 2 && alphabet->meet[report]; report++) {
        known(form, report ? "\nspeaking" : "\nsilent");
        for (size_t i = 0; i < letters * letters && !form->effort.status; i++) {
            same(form, i % letters ? "  " : "\n", alphabet->meet[report][i].l);
            same(form, " ", alphabet->meet[report][i].r);
        }
    }
    known(form, "\n");
}

/* The texts of letters are for people; whether they lead is found again by the classes. */
static void tell_letters(struct form *form)
{
    const struct rl_every_n_proof *proof = form->proof;
    known(form, "letters");
    const uint32_t letters = number(form, " ", proof->plain.letters, 1, 1 << 14);
    bool *leads = rl_effort_calloc(&form->effort, letters, sizeof *leads);
    for (uint32_t c = 0; leads && c < letters; c++) {
        const rl_state state = form->printer ? proof->table.word[proof->classes.first[c]] : 0;
        known(form, "\n");
        any(form, rl_ring_state(form->options->protocol, state).text);
        leads[c] = number(form, " ", form->printer && proof->plain.leads[c], 0, 1);
    }
    known(form, "\n");
    tell_classes(form, letters);
    for (uint32_t c = 0; c < letters && reads(form); c++)
        if (leads[c] != proof->plain.leads[c])
            mistake(form, "outputs of letters that agree with their states");
    free(leads);
    tell_tables(form);
}

/* ---- automata ---- */

static void tell_automaton(struct form *form, const struct rl_alphabet *alphabet,
                           struct rl_automaton *automaton)
{
    const uint32_t letters = alphabet->letters;
    known(form, "automaton");
    const uint32_t states = number(form, " ", automaton->states, 1, MOST_STATES);
    /* Every entry takes two bytes of the file at least. */
    if (reads(form) && (uint64_t)states * letters > (uint64_t)(form->end - form->at))
        mistake(form, "at most as many states as the file has room for");
    if (reads(form))
        *automaton = rl_automaton_make(letters, states, &form->effort);
    for (uint32_t s = 0; s < states && !form->effort.status; s++) {
        uint32_t *row = &automaton->next[(size_t)s * letters];
        automaton->accepts[s] = number(form, "\n", automaton->accepts[s], 0, 1);
        known(form, " ");
        for (uint32_t a = 0; a < letters; a++)
            row[a] = number(form, " ", row[a], 0, states - 1);
    }
    known(form, "\n");
}

static enum rl_move tell_move(struct form *form, enum rl_move told)
{
    known(form, "move ");
    any(form, rl_move_name(told));
    known(form, "\n");
    for (int move = 0; reads(form) && move < RL_CHAIN_MOVE_COUNT; move++)
        if (strcmp(form->word, rl_move_name((enum rl_move)move)) == 0)
            return (enum rl_move)move;
    if (reads(form))
        mistake(form, "a move: arc, right, left, seam or lose");
    return told;
}

static void tell_chain(struct form *form, int stage, const char *name)
{
    struct rl_chain *chain = &form->proof->chains[stage];
    const struct rl_alphabet *alphabet =
        stage == RL_STAGE_MANY ? &form->proof->marked : &form->proof->plain;
    known(form, "stage ");
    known(form, name);
    chain->count = number(form, " ", chain->count, 0, RL_CHAIN_MOVES);
    known(form, "\n");
    tell_automaton(form, alphabet, &chain->sets[0]);
    for (uint32_t i = 0; i < chain->count && !form->effort.status; i++) {
        chain->moves[i] = tell_move(form, chain->moves[i]);
        tell_automaton(form, alphabet, &chain->sets[i + 1]);
    }
}

static void tell(struct form *form)
{
    tell_protocol(form);
    tell_sizes(form);
    if (!form->effort.status)
        tell_letters(form);
    if (!form->effort.status)
        tell_automaton(form, &form->proof->plain,
                       &form->proof->set[form->options->protocol->target]);
    if (form->says->from_n > 0) {
        tell_chain(form, RL_STAGE_ONE, "one");
        tell_chain(form, RL_STAGE_NONE, "none");
        tell_chain(form, RL_STAGE_MANY, "many");
    }
    known(form, "end\n");
}

enum rl_status rl_certificate_write(const struct rl_every_n *answer, void *user, rl_put put)
{
    assert(answer->safe && "nothing was proved");
    const struct rl_table *table = &answer->proof->table;
    struct rl_every_n_options options = {
        .protocol = table->protocol, .params = table->params, .from_n = answer->least};
    struct rl_certificate says = {.from_n = answer->proved_from};
    struct printer printer = {user, put, false};
    struct form form = {&options, &says, answer->proof, &printer};
    for (size_t i = 0; i < answer->small_count; i++)
        if (answer->small[i]->decided) {
            says.small_n[says.enumerated] = answer->small[i]->n;
            says.small_holds[says.enumerated++] = answer->small[i]->answer.self_stabilizing;
        }
    tell(&form);
    return printer.failed ? RL_IO : form.effort.status;
}

enum rl_status rl_certificate_read(struct rl_certificate_text *read, const char *text,
                                   size_t length, struct rl_error *error)
{
    *read = (struct rl_certificate_text){0};
    struct form form = {.options = &read->options,
                        .says = &read->says,
                        .proof = &read->proof,
                        .error = error,
                        .text = text,
                        .at = text,
                        .end = text + length};
    tell(&form);
    if (reads(&form) && *next(&form))
        mistake(&form, "nothing after the end");
    read->says.protocol = read->options.protocol;
    read->says.params = read->options.params;
    read->says.least = read->options.from_n;
    return form.effort.status;
}
