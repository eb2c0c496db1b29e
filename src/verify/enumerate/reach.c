/* SPDX-License-Identifier: MIT
 *
 * Safe is a greatest fixpoint: the representatives with one leader from which no interaction
 * changes an output, and out they go, sweep by sweep, if one leads out of the set.
 *
 * What reaches it is found by walking: from a representative not yet known to reach, along the
 * first arc that leads to something new, until something known to reach is met; then all that was
 * passed reaches too. Most are passed on the way of another, and of few more than one or two
 * successors are looked at: fj06 at n = 9 has 14.9 million representatives with 105 million
 * successors; at n = 10, with 107 million, all takes 12 seconds. What a walk gave up (it came to
 * its own way, or to another's) waits for the next sweep. The last sweep changes nothing: then no
 * successor of those left reaches, so none of them does.
 *
 * A fixpoint is the same whatever the order, so threads may see each other's changes early or late.
 * Bits are read and written a word at a time, and two threads can undo each other's change: then
 * one more sweep makes it again, for none is the last in which anything changed.
 */
#include "verify/enumerate/verifier.h"

#include <stdlib.h>
#include <string.h>

#include "verify/huge_pages.h"

/* A walk is no longer than this; bits are handed out by so many words. */
enum { LONGEST = 1 << 12, CHUNK = 1 << 12 };

static size_t word_count(const struct rl_words *words)
{
    return words->power[words->n] / 64 + 1;
}

size_t rl_bits_bytes(const struct rl_words *words)
{
    return word_count(words) * sizeof(uint64_t);
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

static enum rl_status run(struct sweep *sweep, struct rl_workers *workers)
{
    sweep->changed = 0;
    workers->progress.sweeps++;
    const size_t tasks = (word_count(sweep->words) + CHUNK - 1) / CHUNK;
    return rl_workers_run(workers, tasks, sweep_task, sweep);
}

/* ---- successors ---- */

/* A word that interactions change, with what is needed for their codes. */
struct place {
    uint16_t letters[RL_VERIFY_AGENTS];
    uint64_t turned[2 * RL_VERIFY_AGENTS];
};

static void go_to(const struct rl_words *words, uint64_t code, struct place *place)
{
    rl_words_letters(words, code, place->letters);
    rl_words_turn(words, place->letters, place->turned);
}

/* An interaction of a place: what agents i and j, its right neighbour, become. */
struct change {
    uint32_t i, j;
    uint16_t a, b;
};

/* False: nothing changes. */
static bool change_of(const struct rl_words *words, const struct place *place,
                      const struct rl_pair *table, uint32_t arc, struct change *change_out)
{
    const bool turned = arc >= words->n;
    const uint32_t i = turned ? arc - words->n : arc, j = i + 1 == words->n ? 0 : i + 1;
    const uint16_t a = place->letters[i], b = place->letters[j];
    const struct rl_pair pair =
        turned ? table[b * words->letters + a] : table[a * words->letters + b];
    *change_out = (struct change){i, j, turned ? pair.r : pair.l, turned ? pair.l : pair.r};
    return change_out->a != a || change_out->b != b;
}

static uint64_t code_after(const struct rl_words *words, const struct place *place,
                           const struct change *change)
{
    return rl_words_after(words, place->turned, change->i,
                          (uint64_t)change->a - place->letters[change->i],
                          (uint64_t)change->b - place->letters[change->j]);
}

static void make(const struct rl_words *words, struct place *place, const struct change *change)
{
    place->letters[change->i] = change->a;
    place->letters[change->j] = change->b;
    rl_words_turn(words, place->letters, place->turned);
}

/* ---- safe ---- */

static void leave_if_led_out(struct sweep *sweep, uint64_t code)
{
    const struct rl_words *words = sweep->words;
    struct place place;
    struct change change;
    go_to(words, code, &place);
    const struct rl_pair *table = rl_words_next(words, place.letters);
    for (uint32_t arc = 0; arc < words->arcs; arc++)
        if (change_of(words, &place, table, arc, &change) &&
            !rl_bits_have(sweep->members, code_after(words, &place, &change))) {
            put(sweep->members, code, false);
            __atomic_store_n(&sweep->changed, 1, __ATOMIC_RELAXED);
            return;
        }
}

struct marking {
    const struct rl_words *words;
    uint64_t *bits;
    bool all; /* every representative, not only those that may be safe */
};

static void mark(void *user, size_t task, const struct rl_word *word)
{
    (void)task;
    const struct marking *marking = user;
    if (marking->all || (rl_words_leaders(marking->words, word->letters) == 1 &&
                         rl_words_keeps_outputs(marking->words, word->letters)))
        __atomic_fetch_or(&marking->bits[word->code / 64], UINT64_C(1) << word->code % 64,
                          __ATOMIC_RELAXED);
}

static void mark_task(void *user, size_t task)
{
    rl_words_visit(((struct marking *)user)->words, task, mark, user);
}

static enum rl_status mark_all(const struct rl_words *words, struct rl_workers *workers, bool all,
                               uint64_t **bits_out)
{
    struct marking marking = {words, rl_huge_pages_calloc(word_count(words), sizeof(uint64_t)),
                              all};
    *bits_out = marking.bits;
    return marking.bits ? rl_workers_run(workers, rl_words_tasks(words), mark_task, &marking)
                        : RL_NO_MEMORY;
}

enum rl_status rl_reach_safe(const struct rl_words *words, struct rl_workers *workers,
                             uint64_t **safe_out)
{
    enum rl_status status = mark_all(words, workers, false, safe_out);
    struct sweep sweep = {.words = words, .members = *safe_out, .visit = leave_if_led_out};
    do
        status = status ? status : run(&sweep, workers);
    while (!status && sweep.changed);
    return status;
}

/* ---- walks ---- */

/* Where a walk was: the code, the next arc to look at, and how to go back to the one before. */
struct stop {
    uint64_t code;
    uint32_t arc;
    struct change back;
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
    go_to(words, from, &place);
    const struct rl_pair *table = rl_words_next(words, place.letters);
    stops[0] = (struct stop){.code = from};
    while (count > 0) {
        struct stop *stop = &stops[count - 1];
        struct change change;
        if (stop->arc == words->arcs) {
            if (--count > 0) {
                make(words, &place, &stop->back);
                table = rl_words_next(words, place.letters);
            }
            continue;
        }
        if (!change_of(words, &place, table, stop->arc++, &change))
            continue;
        const uint64_t code = code_after(words, &place, &change);
        if (rl_bits_have(sweep->reaching, code)) {
            while (count > 0)
                put(sweep->reaching, stops[--count].code, true);
            __atomic_store_n(&sweep->changed, 1, __ATOMIC_RELAXED);
        } else if (count < LONGEST && !rl_bits_have(sweep->seen, code)) {
            put(sweep->seen, code, true);
            stops[count++] = (struct stop){
                code, 0, {change.i, change.j, place.letters[change.i], place.letters[change.j]}};
            make(words, &place, &change);
            table = rl_words_next(words, place.letters);
        }
    }
}

enum rl_status rl_reach_stuck(const struct rl_words *words, struct rl_workers *workers,
                              const uint64_t *safe, uint64_t **stuck_out)
{
    enum rl_status status = mark_all(words, workers, true, stuck_out);
    struct sweep sweep = {.words = words, .members = *stuck_out, .visit = walk};
    sweep.reaching = rl_huge_pages_calloc(word_count(words), sizeof(uint64_t));
    sweep.seen = rl_huge_pages_calloc(word_count(words), sizeof(uint64_t));
    if (!status && !(sweep.reaching && sweep.seen))
        status = RL_NO_MEMORY;
    if (!status)
        memcpy(sweep.reaching, safe, rl_bits_bytes(words));
    do {
        status = status ? status : run(&sweep, workers);
        for (size_t i = 0; !status && i < word_count(words); i++) {
            sweep.members[i] &= ~sweep.reaching[i];
            sweep.seen[i] = 0;
        }
    } while (!status && sweep.changed);
    free(sweep.reaching);
    free(sweep.seen);
    return status;
}

/* ---- sizes ---- */

static void weigh(struct sweep *sweep, uint64_t code)
{
    struct rl_word word;
    rl_words_decode(sweep->words, code, &word);
    __atomic_fetch_add(&sweep->size, rl_words_weight(sweep->words, &word), __ATOMIC_RELAXED);
}

enum rl_status rl_reach_size(const struct rl_words *words, struct rl_workers *workers,
                             const uint64_t *bits, uint64_t *size_out)
{
    struct sweep sweep = {.words = words, .members = (uint64_t *)bits, .visit = weigh};
    const enum rl_status status = run(&sweep, workers);
    *size_out = sweep.size;
    return status;
}
