/* SPDX-License-Identifier: MIT
 *
 * The named sets for every n. They are learnt over all states of an agent; what their automata
 * cannot tell apart, and no interaction or output can, becomes one letter; then each is judged.
 *
 * A flaw that an automaton has need not be the set's: if the predicate says otherwise of the ring
 * in question, the learner was wrong about it, learns from it, and everything is asked again.
 */
#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"
#include "verify/every_n/learn.h"
#include "verify/every_n/prover.h"

/* Words compared one by one, and how many times fewer longer ones are tried. */
#define WORDS UINT64_C(20000000)
enum { FEWER = 100 };

/* One set and who learns it. */
struct lesson {
    const struct rl_prover *prover;
    const struct rl_set *set;
    struct rl_teacher teacher;
    struct rl_learner learner;
};

/* Fills a ring with the states that letters of the learner are. */
static struct rl_ring ring_of(const struct rl_prover *prover, const rl_letter *word,
                              uint32_t length, uint64_t *memory)
{
    const struct rl_table *table = &prover->proof->table;
    struct rl_ring ring = {table->protocol, table->params, memory};
    rl_sizes_params(&prover->options, length, &ring.params);
    for (uint32_t i = 0; i < length; i++)
        rl_ring_set(&ring, i, table->word[word[i]]);
    return ring;
}

static bool contains(void *user, const rl_letter *word, uint32_t length)
{
    const struct lesson *lesson = user;
    uint64_t memory[RL_LEARN_LONGEST];
    const struct rl_ring ring = ring_of(lesson->prover, word, length, memory);
    return lesson->set->contains(&ring);
}

/* ---- learning ---------------------------------------------------------------------------------
 */

static enum rl_status give_lesson(struct rl_prover *prover, struct lesson *lesson, size_t set)
{
    lesson->prover = prover;
    lesson->set = &prover->options.protocol->sets[set];
    const uint64_t words = prover->options.words ? prover->options.words : WORDS;
    lesson->teacher = (struct rl_teacher){.user = lesson,
                                          .contains = contains,
                                          .letters = prover->proof->table.states,
                                          .least = 2,
                                          .words = words,
                                          .longer = words / FEWER};
    rl_prover_phase(prover, "learning", lesson->set->name);
    return rl_learn_init(&lesson->learner, &lesson->teacher, &prover->effort);
}

/* Labels of states: which column of the automaton is theirs. */
static void label(const struct rl_automaton *automaton, uint16_t *labels)
{
    const uint32_t letters = automaton->letters;
    for (uint32_t a = 0; a < letters; a++) {
        labels[a] = (uint16_t)a;
        for (uint32_t b = 0; b < a && labels[a] == a; b++) {
            uint32_t s = 0;
            while (s < automaton->states &&
                   automaton->next[s * letters + a] == automaton->next[s * letters + b])
                s++;
            if (s == automaton->states)
                labels[a] = (uint16_t)b;
        }
    }
}

/* The automaton over letters instead of states. */
static enum rl_status translate(const struct rl_automaton *automaton,
                                const struct rl_classes *classes, struct rl_automaton *out)
{
    const enum rl_status status = rl_automaton_init(out, classes->count, automaton->states);
    if (status)
        return status;
    memcpy(out->accepts, automaton->accepts, automaton->states * sizeof *out->accepts);
    for (uint32_t s = 0; s < automaton->states; s++)
        for (uint32_t c = 0; c < classes->count; c++)
            out->next[s * classes->count + c] = rl_automaton_step(automaton, s, classes->first[c]);
    return rl_automaton_minimize(out);
}

static enum rl_status make_classes(struct rl_every_n_proof *proof,
                                   const struct rl_automaton *automata, size_t count)
{
    const size_t states = proof->table.states;
    uint16_t *memory = malloc((count + 1) * states * sizeof *memory);
    const uint16_t *labels[RL_MAX_SETS];
    size_t seen = 0;
    if (!memory)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (automata[i].states > 0) {
            label(&automata[i], memory + seen * states);
            labels[seen] = memory + seen * states;
            seen++;
        }
    rl_classes_free(&proof->classes);
    const enum rl_status status = rl_classes_init(&proof->classes, &proof->table, labels, seen);
    free(memory);
    return status;
}

static enum rl_status make_alphabets(struct rl_every_n_proof *proof)
{
    rl_alphabet_free(&proof->plain);
    rl_alphabet_free(&proof->marked);
    const enum rl_status status = rl_alphabet_init(&proof->plain, &proof->classes, false);
    return status ? status : rl_alphabet_init(&proof->marked, &proof->classes, true);
}

/* Letters and automata, from what the learners know. */
static enum rl_status describe(struct rl_prover *prover, const struct lesson *lessons)
{
    struct rl_every_n_proof *proof = prover->proof;
    const size_t count = prover->options.protocol->set_count;
    struct rl_automaton automata[RL_MAX_SETS] = {0};
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < count; i++)
        if (prover->answer->sets[i].learnt)
            status = rl_learn_result(&lessons[i].learner, &automata[i]);
    if (!status)
        status = make_classes(proof, automata, count);
    if (!status)
        status = make_alphabets(proof);
    for (size_t i = 0; !status && i < count; i++) {
        rl_automaton_free(&proof->set[i]);
        if (automata[i].states > 0)
            status = translate(&automata[i], &proof->classes, &proof->set[i]);
        prover->answer->sets[i].states = proof->set[i].states;
        prover->answer->sets[i].checked = lessons[i].learner.checked;
    }
    for (size_t i = 0; i < count; i++)
        rl_automaton_free(&automata[i]);
    return status;
}

/* ---- judging ----------------------------------------------------------------------------------
 */

/* Where a flaw was found: the ring, and the arc that shows it. */
struct find {
    struct rl_letters word;
    uint32_t arc;
    rl_letter after[RL_LEARN_LONGEST];
};

static void turn(struct find *find)
{
    const uint32_t n = find->word.length;
    for (uint32_t i = 0; i < n; i++)
        find->after[i] = find->word.at[(i + 1) % n];
}

static void interact(const struct rl_alphabet *alphabet, struct find *find, uint32_t arc)
{
    const uint32_t n = find->word.length, l = arc, r = (arc + 1) % n;
    bool leader = false;
    memcpy(find->after, find->word.at, n * sizeof *find->after);
    for (uint32_t i = 0; i < n; i++)
        leader |= alphabet->leads[find->word.at[i]];
    const struct rl_pair pair =
        alphabet->meet[alphabet->meet[1] && !leader]
                      [(size_t)find->after[l] * alphabet->letters + find->after[r]];
    find->after[l] = pair.l;
    find->after[r] = pair.r;
    find->arc = arc;
}

static bool outputs_differ(const struct rl_alphabet *alphabet, const struct find *find)
{
    for (uint32_t i = 0; i < find->word.length; i++)
        if (alphabet->leads[find->word.at[i]] != alphabet->leads[find->after[i]])
            return true;
    return false;
}

/* Finds the arc that shows the flaw. */
static void locate(const struct rl_every_n_proof *proof, size_t set, enum rl_flaw flaw,
                   struct find *find)
{
    const uint32_t n = find->word.length;
    if (flaw == RL_FLAW_TURN || flaw == RL_FLAW_LEADERS) {
        turn(find);
        return;
    }
    for (uint32_t arc = 0; arc < n; arc++) {
        interact(&proof->plain, find, arc);
        if (flaw == RL_FLAW_OUTPUT ? outputs_differ(&proof->plain, find)
                                   : !rl_automaton_accepts(&proof->set[set], find->after, n))
            return;
    }
}

/* Is the learner wrong about this word? Then it learns from it. */
static enum rl_status correct(struct rl_prover *prover, struct lesson *lesson, size_t set,
                              const rl_letter *word, uint32_t length, bool *corrected_out)
{
    const struct rl_classes *classes = &prover->proof->classes;
    rl_letter states[RL_LEARN_LONGEST];
    for (uint32_t i = 0; i < length; i++)
        states[i] = classes->first[word[i]];
    if (contains(lesson, states, length) ==
        rl_automaton_accepts(&prover->proof->set[set], word, length))
        return RL_OK;
    *corrected_out = true;
    rl_prover_phase(prover, "learning", lesson->set->name);
    return rl_learn_more(&lesson->learner, states, length);
}

static enum rl_status show(const struct rl_prover *prover, const struct find *find, bool with_arc,
                           struct rl_counterexample *example)
{
    const struct rl_every_n_proof *proof = prover->proof;
    example->exists = find->word.length <= RL_VERIFY_AGENTS;
    for (uint32_t i = 0; example->exists && i < find->word.length; i++)
        example->start[i] = proof->table.word[proof->classes.first[find->word.at[i]]];
    if (!example->exists || !with_arc)
        return RL_OK;
    if (!(example->arcs = malloc(sizeof *example->arcs)))
        return RL_NO_MEMORY;
    example->arcs[0] = find->arc;
    example->length = 1;
    return RL_OK;
}

static enum rl_status record(struct rl_prover *prover, size_t set, enum rl_flaw flaw,
                             const struct find *find)
{
    struct rl_every_n_set *answer = &prover->answer->sets[set];
    const struct rl_protocol *protocol = prover->options.protocol;
    if (flaw == RL_FLAW_TURN)
        return rl_error_set(prover->error, RL_BAD_PARAMETER,
                            "set %s of %s depends on where the ring is cut",
                            protocol->sets[set].name, protocol->name);
    if (flaw == RL_FLAW_CLOSURE) {
        answer->closed = false;
        answer->way_out_n = find->word.length;
        return show(prover, find, true, &answer->way_out);
    }
    prover->answer->safe = false;
    prover->answer->unsafe_n = find->word.length;
    return show(prover, find, flaw == RL_FLAW_OUTPUT, &prover->answer->unsafe);
}

/* Looks for one flaw of one set. */
static enum rl_status look(struct rl_prover *prover, struct lesson *lesson, size_t set,
                           enum rl_flaw flaw, bool *corrected_out)
{
    struct find find = {0};
    enum rl_status status =
        rl_proof_flaw(prover->proof, set, flaw, prover->answer->least, &prover->effort, &find.word);
    const uint32_t n = find.word.length;
    if (!status && find.word.exists && n <= RL_LEARN_LONGEST) {
        locate(prover->proof, set, flaw, &find);
        status = correct(prover, lesson, set, find.word.at, n, corrected_out);
        if (!status && !*corrected_out)
            status = correct(prover, lesson, set, find.after, n, corrected_out);
        if (!status && !*corrected_out)
            status = record(prover, set, flaw, &find);
    }
    rl_letters_free(&find.word);
    return status;
}

/* All flaws of all sets; ends early when a learner was corrected. */
static enum rl_status judge(struct rl_prover *prover, struct lesson *lessons, bool *corrected_out)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    enum rl_status status = RL_OK;
    *corrected_out = false;
    for (size_t i = 0; i < protocol->set_count; i++) {
        if (!prover->answer->sets[i].learnt)
            continue;
        rl_prover_phase(prover, "closure", protocol->sets[i].name);
        const int last = i == protocol->target ? RL_FLAW_OUTPUT : RL_FLAW_CLOSURE;
        for (int flaw = RL_FLAW_TURN; !status && !*corrected_out && flaw <= last; flaw++)
            status = look(prover, &lessons[i], i, (enum rl_flaw)flaw, corrected_out);
    }
    return status;
}

static void forget_verdicts(struct rl_every_n *answer, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(answer->sets[i].way_out.arcs);
        answer->sets[i].way_out = (struct rl_counterexample){0};
        answer->sets[i].closed = answer->sets[i].learnt;
    }
    free(answer->unsafe.arcs);
    answer->unsafe = (struct rl_counterexample){0};
    answer->safe = true;
}

static enum rl_status learn_all(struct rl_prover *prover, struct lesson *lessons)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < protocol->set_count; i++) {
        status = give_lesson(prover, &lessons[i], i);
        prover->answer->sets[i].learnt = !status;
        if (status == RL_TOO_LARGE)
            status = RL_OK;
    }
    return status;
}

enum rl_status rl_sets_judge(struct rl_prover *prover)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    struct rl_every_n *answer = prover->answer;
    struct lesson lessons[RL_MAX_SETS] = {0};
    enum rl_status status = learn_all(prover, lessons);
    if (!status && !answer->sets[protocol->target].learnt) {
        struct rl_text text = rl_text_into(answer->obstacle, sizeof answer->obstacle);
        rl_text_format(&text, "%s was not learnt: if an automaton has it, then a large one",
                       protocol->sets[protocol->target].name);
    }
    bool corrected = !answer->obstacle[0];
    while (!status && corrected) {
        status = describe(prover, lessons);
        forget_verdicts(answer, protocol->set_count);
        if (!status)
            status = judge(prover, lessons, &corrected);
    }
    answer->letters = prover->proof->plain.letters;
    answer->safe &= answer->sets[protocol->target].closed;
    for (size_t i = 0; i < protocol->set_count; i++)
        rl_learn_free(&lessons[i].learner);
    return status;
}
