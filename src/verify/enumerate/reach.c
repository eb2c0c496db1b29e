/* SPDX-License-Identifier: MIT
 *
 * Safe is a greatest fixpoint: it begins with the representatives with one leader from which no
 * interaction changes an output. Sweep by sweep, those with an interaction that leaves the set are
 * removed.
 *
 * What reaches it is found by walking: from a representative not yet known to reach, along the
 * first arc that leads to something new, until something known to reach is met; then all that was
 * passed reaches too. Most are passed on the way from another, and few need a look at more than one
 * or two successors: fj06 at n = 9 has 14.9 million representatives with 105 million successors; at
 * n = 10, with 107 million, all takes 12 seconds. What a walk gave up (it came to its own way, or
 * to another's) waits for the next sweep. The last sweep changes nothing: then no successor of
 * those left reaches, so none of them does.
 *
 * A fixpoint is the same whatever the order, so threads may see each other's changes early or late.
 * Bits are read and written a word at a time, and two threads can undo each other's change: then
 * one more sweep repeats it, because a sweep with a change is never the last.
 */
#include "verify/enumerate/verifier.h"

#include <stdlib.h>
#include <string.h>

/* A walk is no longer than this; bits are handed out by so many words. */
enum { LONGEST = 1 << 12, CHUNK = 1 << 12 };

static size_t word_count(const struct rl_words *words)
{
    return words->power[words->n] / 64 + 1;
}

static void put(uint64_t *bits, uint64_t code, bool value)
{
    uint64_t *at = &bits[code / 64];
    const uint64_t bit = UINT64_C(1) << code % 64, before = __atomic_load_n(at, __ATOMIC_RELAXED);
    __atomic_store_n(at, value ? before | bit : before & ~bit, __ATOMIC_RELAXED);
}

/* A job over the members of a set. */
struct sweep {
    const struct rl_words *words;
    uint64_t *members;
    void (*visit)(struct sweep *sweep, uint64_t code);
    uint64_t *reaching, *seen; /* of walks: known to reach, met in this sweep */
    int changed;
    uint64_t size;
};

static void sweep_task(void *user, size_t task)
{
    struct sweep *sweep = user;
    const size_t words = word_count(sweep->words), end = (task + 1) * CHUNK;
    for (size_t i = task * CHUNK; i < (end < words ? end : words); i++) {
        uint64_t bits = __atomic_load_n(&sweep->members[i], __ATOMIC_RELAXED);
        for (; bits; bits &= bits - 1)
            sweep->visit(sweep, i * 64 + (uint64_t)__builtin_ctzll(bits));
    }
}

static void run(struct sweep *sweep, struct rl_effort *effort)
{
    sweep->changed = 0;
    effort->progress.sweeps++;
    rl_effort_run(effort, (word_count(sweep->words) + CHUNK - 1) / CHUNK, sweep_task, sweep);
}

/* ---- successors ---- */

/* A word that interactions change, with what is needed for their codes. */
struct place {
    uint16_t letters[RL_VERIFY_AGENTS];
    uint64_t turned[2 * RL_VERIFY_AGENTS];
    const struct rl_pair *table;
};

static void stand(const struct rl_words *words, struct place *place)
{
    rl_words_turn(words, place->letters, place->turned);
    place->table = rl_words_next(words, place->letters);
}

/* The code after an arc; UINT64_MAX if nothing changes. */
static inline uint64_t code_after(const struct rl_words *words, const struct place *place,
                                  uint32_t arc, struct rl_change *change_out)
{
    return rl_words_change(words, place->letters, place->table, arc, change_out)
               ? rl_words_after(words, place->letters, place->turned, change_out)
               : UINT64_MAX;
}

static void make(const struct rl_words *words, struct place *place, const struct rl_change *change)
{
    place->letters[change->i] = change->a;
    place->letters[change->j] = change->b;
    stand(words, place);
}

/* ---- safe ---- */

static void leave_if_led_out(struct sweep *sweep, uint64_t code)
{
    const struct rl_words *words = sweep->words;
    struct place place;
    struct rl_change change;
    rl_words_letters(words, code, place.letters);
    stand(words, &place);
    for (uint32_t arc = 0; arc < words->arcs; arc++) {
        const uint64_t after = code_after(words, &place, arc, &change);
        if (after != UINT64_MAX && !rl_bits_have(sweep->members, after)) {
            put(sweep->members, code, false);
            __atomic_store_n(&sweep->changed, 1, __ATOMIC_RELAXED);
            return;
        }
    }
}

struct marking {
    const struct rl_words *words;
    uint64_t *bits;
    bool all; /* every representative, not only those that may be safe */
};

static void mark(void *user, const struct rl_word *word)
{
    const struct marking *marking = user;
    if (marking->all || (rl_words_leaders(marking->words, word->letters) == 1 &&
                         rl_words_keeps_outputs(marking->words, word->letters)))
        __atomic_fetch_or(&marking->bits[word->code / 64], UINT64_C(1) << word->code % 64,
                          __ATOMIC_RELAXED);
}

static uint64_t *no_bits(const struct rl_words *words, struct rl_effort *effort)
{
    return rl_effort_calloc(effort, word_count(words), sizeof(uint64_t));
}

static uint64_t *mark_all(const struct rl_words *words, struct rl_effort *effort, bool all)
{
    struct marking marking = {words, no_bits(words, effort), all};
    rl_words_visit_all(words, effort, mark, &marking);
    return marking.bits;
}

uint64_t *rl_reach_safe(const struct rl_words *words, struct rl_effort *effort)
{
    struct sweep sweep = {
        .words = words, .members = mark_all(words, effort, false), .visit = leave_if_led_out};
    do
        run(&sweep, effort);
    while (!effort->status && sweep.changed);
    return sweep.members;
}

/* ---- walks ---- */

/* Where a walk was: the code, the next arc to look at, and how to go back to the one before. */
struct stop {
    uint64_t code;
    uint32_t arc;
    struct rl_change back;
};

static void walk(struct sweep *sweep, uint64_t from)
{
    const struct rl_words *words = sweep->words;
    struct stop stops[LONGEST];
    struct place place;
    uint32_t count = 1;
    if (rl_bits_have(sweep->reaching, from) || rl_bits_have(sweep->seen, from))
        return;
    put(sweep->seen, from, true);
    rl_words_letters(words, from, place.letters);
    stand(words, &place);
    stops[0] = (struct stop){.code = from};
    while (count > 0) {
        struct stop *stop = &stops[count - 1];
        struct rl_change change;
        if (stop->arc == words->arcs) {
            if (--count > 0)
                make(words, &place, &stop->back);
            continue;
        }
        const uint64_t code = code_after(words, &place, stop->arc++, &change);
        if (code == UINT64_MAX)
            continue;
        if (rl_bits_have(sweep->reaching, code)) {
            while (count > 0)
                put(sweep->reaching, stops[--count].code, true);
            __atomic_store_n(&sweep->changed, 1, __ATOMIC_RELAXED);
        } else if (count < LONGEST && !rl_bits_have(sweep->seen, code)) {
            put(sweep->seen, code, true);
            stops[count++] = (struct stop){
                code, 0, {change.i, change.j, place.letters[change.i], place.letters[change.j]}};
            make(words, &place, &change);
        }
    }
}

uint64_t *rl_reach_stuck(const struct rl_words *words, struct rl_effort *effort,
                         const uint64_t *safe)
{
    struct sweep sweep = {.words = words, .members = mark_all(words, effort, true), .visit = walk};
    sweep.reaching = no_bits(words, effort);
    sweep.seen = no_bits(words, effort);
    if (!effort->status)
        memcpy(sweep.reaching, safe, word_count(words) * sizeof *safe);
    do {
        run(&sweep, effort);
        for (size_t i = 0; !effort->status && i < word_count(words); i++) {
            sweep.members[i] &= ~sweep.reaching[i];
            sweep.seen[i] = 0;
        }
    } while (!effort->status && sweep.changed);
    free(sweep.reaching);
    free(sweep.seen);
    return sweep.members;
}

/* ---- sizes ---- */

static void weigh(struct sweep *sweep, uint64_t code)
{
    struct rl_word word;
    rl_words_decode(sweep->words, code, &word);
    __atomic_fetch_add(&sweep->size, rl_words_weight(sweep->words, &word), __ATOMIC_RELAXED);
}

uint64_t rl_reach_size(const struct rl_words *words, struct rl_effort *effort, const uint64_t *bits)
{
    struct sweep sweep = {.words = words, .members = (uint64_t *)bits, .visit = weigh};
    run(&sweep, effort);
    return sweep.size;
}
