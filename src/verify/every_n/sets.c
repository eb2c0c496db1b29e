/* SPDX-License-Identifier: MIT
 *
 * The named sets for every n. They are learnt over all states of an agent; what their automata
 * cannot tell apart, and no interaction or output can, becomes one letter; then each is judged.
 *
 * An automaton's flaw need not be the set's. If the predicate disagrees about the ring in question,
 * the learner was wrong: it learns from that ring, and everything is asked again.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"
#include "verify/every_n/learn.h"

/* Words compared one by one, and how many times fewer longer ones are tried. */
#define WORDS UINT64_C(20000000)
enum { FEWER = 100 };

/* ---- letters ---- */

/* The automaton over letters instead of states. */
static struct rl_automaton translate(const struct rl_automaton *automaton,
                                     const struct rl_classes *classes, struct rl_effort *effort)
{
    assert(automaton->accepts && "the automaton was learnt");
    struct rl_automaton out = rl_automaton_make(classes->count, automaton->states, effort);
    for (uint32_t s = 0; s < out.states; s++) {
        out.accepts[s] = automaton->accepts[s];
        for (uint32_t c = 0; c < classes->count; c++)
            out.next[s * classes->count + c] = rl_automaton_step(automaton, s, classes->first[c]);
    }
    rl_automaton_minimize(&out, effort);
    return out;
}

/* Classes that respect all that was learnt: every state of an automaton observes where an agent's
 * state leads it. */
static void find_classes(struct rl_prover *prover, const struct rl_learner *learners)
{
    struct rl_every_n_proof *proof = prover->proof;
    const size_t sets = prover->options.protocol->set_count;
    size_t count = 0;
    for (size_t i = 0; i < sets; i++)
        count += learners[i].guess.states;
    const uint32_t **labels = rl_effort_calloc(&prover->effort, count, sizeof *labels);
    if (!labels)
        return;
    count = 0;
    for (size_t i = 0; i < sets; i++)
        for (uint32_t s = 0; s < learners[i].guess.states; s++)
            labels[count++] = learners[i].guess.next + (size_t)s * learners[i].guess.letters;
    rl_classes_free(&proof->classes);
    rl_classes_init(&proof->classes, &proof->table, labels, count, &prover->effort);
    free(labels);
}

/* Letters and automata, from what the learners know. */
static void describe(struct rl_prover *prover, const struct rl_learner *learners)
{
    struct rl_every_n_proof *proof = prover->proof;
    find_classes(prover, learners);
    if (prover->effort.status)
        return;
    rl_alphabet_free(&proof->plain);
    rl_alphabet_free(&proof->marked);
    rl_alphabet_init(&proof->plain, &proof->classes, false, &prover->effort);
    rl_alphabet_init(&proof->marked, &proof->classes, true, &prover->effort);
    for (size_t i = 0; i < prover->options.protocol->set_count; i++) {
        rl_automaton_free(&proof->set[i]);
        if (prover->answer->sets[i].learnt)
            proof->set[i] = translate(&learners[i].guess, &proof->classes, &prover->effort);
        prover->answer->sets[i].states = proof->set[i].states;
        prover->answer->sets[i].checked = rl_learn_comparable(&learners[i].teacher);
    }
}

/* ---- judging ---- */

/* The word, of states, after the interaction of an arc; or, for arc n, turned by one agent. Says
 * whether the interaction changes an output. */
static bool change(const struct rl_table *table, const struct rl_letters *word, uint32_t arc,
                   rl_letter *after)
{
    const uint32_t n = word->length;
    assert(n > 0 && "a ring has agents");
    const uint32_t l = arc, r = (arc + 1) % n;
    bool leader = false;
    for (uint32_t i = 0; i < n; i++) {
        after[i] = word->at[arc == n ? (i + 1) % n : i];
        leader |= table->leads[after[i]];
    }
    if (arc == n)
        return false;
    const struct rl_pair pair =
        table->next[table->next[1] && !leader][(size_t)after[l] * table->states + after[r]];
    after[l] = pair.l;
    after[r] = pair.r;
    return table->leads[word->at[l]] != table->leads[pair.l] ||
           table->leads[word->at[r]] != table->leads[pair.r];
}

/* A word, and the arc after it; arc n: none. */
static void show(struct rl_prover *prover, const struct rl_letters *word, uint32_t arc,
                 struct rl_counterexample *example)
{
    example->exists = word->length <= RL_VERIFY_AGENTS;
    for (uint32_t i = 0; example->exists && i < word->length; i++)
        example->start[i] = prover->proof->table.word[word->at[i]];
    if (example->exists && arc < word->length)
        rl_effort_record(&prover->effort, example, arc);
}

/* The arc shows the flaw; arc n: it needs none. */
static void record(struct rl_prover *prover, size_t set, enum rl_flaw flaw,
                   const struct rl_letters *word, uint32_t arc)
{
    struct rl_every_n_set *answer = &prover->answer->sets[set];
    const struct rl_protocol *protocol = prover->options.protocol;
    if (flaw == RL_FLAW_TURN) {
        prover->effort.status = rl_error_set(prover->error, RL_BAD_PARAMETER,
                                             "set %s of %s depends on where the ring is cut",
                                             protocol->sets[set].name, protocol->name);
    } else if (flaw == RL_FLAW_CLOSURE) {
        answer->closed = false;
        answer->way_out_n = word->length;
        show(prover, word, arc, &answer->way_out);
    } else {
        prover->answer->safe = false;
        prover->answer->unsafe_n = word->length;
        show(prover, word, arc, &prover->answer->unsafe);
    }
}

/* Looks for the arc that shows a flaw. Says whether the learner was corrected instead. */
static bool locate(struct rl_prover *prover, struct rl_learner *learner, size_t set,
                   enum rl_flaw flaw, const struct rl_letters *word)
{
    const struct rl_table *table = &prover->proof->table;
    const uint32_t n = word->length;
    rl_letter after[RL_LEARN_LONGEST];
    if (rl_learn_more(learner, word->at, n))
        return true;
    uint32_t arc = flaw == RL_FLAW_TURN || flaw == RL_FLAW_LEADERS ? n : 0;
    for (; arc <= n; arc++) {
        const bool changes = change(table, word, arc, after);
        if (rl_learn_more(learner, after, n))
            return true;
        if (arc == n ||
            (flaw == RL_FLAW_OUTPUT ? changes : !rl_automaton_accepts(&learner->guess, after, n)))
            break;
    }
    record(prover, set, flaw, word, arc);
    return false;
}

static bool look(struct rl_prover *prover, struct rl_learner *learner, size_t set,
                 enum rl_flaw flaw)
{
    struct rl_letters word =
        rl_proof_flaw(prover->proof, set, flaw, prover->answer->least, &prover->effort);
    for (uint32_t i = 0; i < word.length; i++)
        word.at[i] = prover->proof->classes.first[word.at[i]];
    bool corrected = false;
    if (word.exists && word.length <= RL_LEARN_LONGEST)
        corrected = locate(prover, learner, set, flaw, &word);
    else if (word.exists) /* too long a ring to ask about: the automaton's flaw stands */
        record(prover, set, flaw, &word, word.length);
    rl_letters_free(&word);
    return corrected;
}

/* All flaws of all sets; ends early when a learner was corrected. */
static bool judge(struct rl_prover *prover, struct rl_learner *learners)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    bool corrected = false;
    for (size_t i = 0; i < protocol->set_count; i++) {
        if (!prover->answer->sets[i].learnt)
            continue;
        rl_effort_phase(&prover->effort, "closure", protocol->sets[i].name);
        const int last = i == protocol->target ? RL_FLAW_OUTPUT : RL_FLAW_CLOSURE;
        for (int flaw = RL_FLAW_TURN; !prover->effort.status && !corrected && flaw <= last; flaw++)
            corrected = look(prover, &learners[i], i, (enum rl_flaw)flaw);
    }
    return corrected;
}

static void forget_verdicts(struct rl_every_n *answer, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        answer->sets[i].way_out.exists = false;
        answer->sets[i].way_out.length = 0;
        answer->sets[i].closed = answer->sets[i].learnt;
    }
    answer->unsafe.exists = false;
    answer->unsafe.length = 0;
    answer->safe = true;
}

static void learn_all(struct rl_prover *prover, struct rl_learner *learners)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    const uint64_t words = prover->options.words ? prover->options.words : WORDS;
    for (size_t i = 0; !prover->effort.status && i < protocol->set_count; i++) {
        const struct rl_teacher teacher = {.table = &prover->proof->table,
                                           .set = &protocol->sets[i],
                                           .letters = prover->proof->table.states,
                                           .words = words,
                                           .longer = words / FEWER};
        rl_learn_init(&learners[i], teacher, &prover->effort);
        prover->answer->sets[i].learnt = !prover->effort.status;
        if (prover->effort.status == RL_TOO_LARGE)
            prover->effort.status = RL_OK;
    }
}

void rl_sets_judge(struct rl_prover *prover)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    struct rl_every_n *answer = prover->answer;
    struct rl_learner learners[RL_MAX_SETS] = {0};
    learn_all(prover, learners);
    if (!prover->effort.status && !answer->sets[protocol->target].learnt) {
        struct rl_text text = rl_text_into(answer->obstacle, sizeof answer->obstacle);
        rl_text_format(&text,
                       "%s was not learnt: if there is an automaton for it, it is a large one",
                       protocol->sets[protocol->target].name);
    }
    bool corrected = !answer->obstacle[0];
    while (!prover->effort.status && corrected) {
        describe(prover, learners);
        forget_verdicts(answer, protocol->set_count);
        corrected = !prover->effort.status && judge(prover, learners);
    }
    answer->letters = prover->proof->plain.letters;
    answer->safe &= answer->sets[protocol->target].closed;
    for (size_t i = 0; i < protocol->set_count; i++)
        rl_learn_free(&learners[i]);
}
