/* SPDX-License-Identifier: MIT
 *
 * Pre-images. With k the number of K's states and q one of them, the states are
 *     before q           the move has not begun
 *     after q            it is over
 *     amid (x, q)        a sweep carries x, or expects it; or the letter x was turned to the end
 *     seam (x, y, q)     the last agent is expected to be x, and it will have become y
 *     done               the last agent was as expected: no letter may follow
 *     start              nothing was read
 * in this order. A sweep to the left that expects x has let K read what x becomes already: its
 * right neighbour in the meeting is known.
 */
#include "verify/every_n/automaton.h"

#include <assert.h>
#include <stdlib.h>

#include "verify/interned.h"

const char *rl_move_name(enum rl_move move)
{
    static const char *const NAMES[] = {"arc", "right", "left", "seam", "lose"};
    return NAMES[move];
}

/* ---- the numbers of states ---- */

/* A pre-image as a nondeterministic automaton; its states are numbers below 2^32. What accepts it
 * is found by the subset construction: a subset is the row of its members. The state of the guard
 * is one like the others, and the first; its numbers come after those of the pre-image, which
 * follow in ascending order. What the guard has turned away for good is not followed: the row is
 * empty. */
struct preimage {
    const struct rl_automaton *goal; /* K */
    const struct rl_alphabet *alphabet;
    enum rl_move move;
    bool report, stay;
    const struct rl_automaton *guard;
    uint32_t states;
    uint32_t done; /* the last state but one; the last, done + 1, is that before the first letter */
    bool *alive;   /* [K's state] false: surely no word is accepted from there */
    struct rl_effort effort; /* with half of the memory: the rest is for the minimization */
    struct rl_rows subsets;  /* those found */
    uint32_t *next;          /* [subset * letters + letter] */
    uint64_t next_room;
    /* The subset at hand. */
    uint32_t *members;
    uint32_t *stamp; /* [state] `now`: it is a member */
    uint32_t now, size;
};

enum part { BEFORE, AFTER, AMID, SEAM, DONE, START };

struct place {
    enum part part;
    rl_letter x, y;
    uint32_t q;
};

static struct place decode(const struct preimage *preimage, uint32_t number)
{
    const uint32_t k = preimage->goal->states, letters = preimage->goal->letters;
    const uint32_t row = number / k;
    if (number >= preimage->done)
        return (struct place){.part = number == preimage->done ? DONE : START};
    if (row < 2)
        return (struct place){.part = row ? AFTER : BEFORE, .q = number % k};
    if (preimage->move != RL_MOVE_SEAM)
        return (struct place){.part = AMID, .x = (rl_letter)(row - 2), .q = number % k};
    return (struct place){SEAM, (rl_letter)((row - 2) / letters), (rl_letter)((row - 2) % letters),
                          number % k};
}

/* ---- successors: states from which nothing is accepted are left out, as far as that is known ----
 */

static void add(struct preimage *preimage, uint32_t state)
{
    if (preimage->size == 0 || preimage->stamp[state] == preimage->now)
        return;
    preimage->stamp[state] = preimage->now;
    preimage->members[preimage->size++] = state;
}

/* State q in row `row` of numbers: before is row 0, after row 1, the others follow. */
static void put(struct preimage *preimage, uint32_t row, uint32_t q)
{
    if (preimage->alive[q])
        add(preimage, row * preimage->goal->states + q);
}

static uint32_t step(const struct preimage *preimage, uint32_t q, rl_letter letter)
{
    return rl_automaton_step(preimage->goal, q, letter);
}

static struct rl_pair meet(const struct preimage *preimage, rl_letter l, rl_letter r)
{
    const struct rl_alphabet *alphabet = preimage->alphabet;
    return alphabet->meet[preimage->report][(size_t)l * alphabet->letters + r];
}

/* A sweep to the right carries x and comes to y. It may go on or end. */
static void carry(struct preimage *preimage, rl_letter x, uint32_t q, rl_letter y)
{
    const struct rl_pair pair = meet(preimage, x, y);
    if (pair.l == RL_NO_LETTER)
        return;
    const uint32_t passed = step(preimage, q, pair.l);
    put(preimage, 1, step(preimage, passed, pair.r));
    if (preimage->move == RL_MOVE_RIGHT)
        put(preimage, 2 + pair.r, passed);
}

/* The last meeting of a sweep to the left: this agent, `a`, with the next, as it will be. */
static void expect(struct preimage *preimage, uint32_t q, rl_letter a)
{
    for (uint32_t g = 0; g < preimage->goal->letters; g++) {
        const struct rl_pair pair = meet(preimage, a, (rl_letter)g);
        if (pair.l != RL_NO_LETTER)
            put(preimage, 2 + g, step(preimage, step(preimage, q, pair.l), pair.r));
    }
}

/* A sweep to the left expects x and finds a: it began here, or a becomes x by meeting the next. */
static void find(struct preimage *preimage, rl_letter x, uint32_t q, rl_letter a)
{
    if (a == x)
        put(preimage, 1, q);
    for (uint32_t g = 0; g < preimage->goal->letters; g++) {
        const struct rl_pair pair = meet(preimage, a, (rl_letter)g);
        if (pair.l == x)
            put(preimage, 2 + g, step(preimage, q, pair.r));
    }
}

/* The first agent is `a`, and the last, as is guessed here, meets it. */
static void guess_last(struct preimage *preimage, rl_letter a)
{
    const uint32_t letters = preimage->goal->letters;
    for (uint32_t b = 0; b < letters; b++) {
        const struct rl_pair pair = meet(preimage, (rl_letter)b, a);
        if (pair.l != RL_NO_LETTER)
            put(preimage, 2 + b * letters + pair.l, step(preimage, 0, pair.r));
    }
}

static void begin(struct preimage *preimage, uint32_t q, rl_letter a, bool at_start)
{
    put(preimage, 0, step(preimage, q, a));
    switch (preimage->move) {
    case RL_MOVE_ARC:
    case RL_MOVE_RIGHT:
        put(preimage, 2 + a, q);
        break;
    case RL_MOVE_LEFT:
        expect(preimage, q, a);
        break;
    case RL_MOVE_SEAM:
        if (at_start)
            guess_last(preimage, a);
        break;
    case RL_MOVE_TURN:
        if (at_start)
            put(preimage, 2 + a, 0);
        break;
    default:
        break;
    }
}

static void go_amid(struct preimage *preimage, rl_letter x, uint32_t q, rl_letter a)
{
    if (preimage->move == RL_MOVE_TURN)
        put(preimage, 2 + x, step(preimage, q, a));
    else if (preimage->move == RL_MOVE_LEFT)
        find(preimage, x, q, a);
    else
        carry(preimage, x, q, a);
}

static void go_to_seam(struct preimage *preimage, struct place place, rl_letter a)
{
    const uint32_t letters = preimage->goal->letters;
    put(preimage, 2 + place.x * letters + place.y, step(preimage, place.q, a));
    if (a == place.x && preimage->goal->accepts[step(preimage, place.q, place.y)])
        add(preimage, preimage->done);
}

/* Adds the successors of a state by a letter. */
static void follow(struct preimage *preimage, uint32_t state, rl_letter letter)
{
    const struct place place = decode(preimage, state);
    switch (place.part) {
    case START:
        begin(preimage, 0, letter, true);
        break;
    case BEFORE:
        begin(preimage, place.q, letter, false);
        break;
    case AFTER:
        put(preimage, 1, step(preimage, place.q, letter));
        break;
    case AMID:
        go_amid(preimage, place.x, place.q, letter);
        break;
    case SEAM:
        go_to_seam(preimage, place, letter);
        break;
    case DONE:
        break;
    }
}

static bool accepts_at(const struct preimage *preimage, uint32_t state)
{
    const struct place place = decode(preimage, state);
    const struct rl_automaton *goal = preimage->goal;
    switch (place.part) {
    case START:
    case BEFORE:
        return preimage->stay && goal->accepts[place.q];
    case AFTER:
        return goal->accepts[place.q];
    case AMID:
        return preimage->move == RL_MOVE_TURN &&
               goal->accepts[rl_automaton_step(goal, place.q, place.x)];
    case DONE:
        return true;
    default:
        return false;
    }
}

/* ---- subsets ---- */

static const uint32_t *members_of(const struct preimage *preimage, uint64_t number,
                                  size_t *count_out)
{
    uint64_t bytes;
    const uint32_t *members = rl_rows_at(&preimage->subsets, number, &bytes);
    *count_out = bytes / sizeof *members;
    return members;
}

/* The guard comes first; with nothing left open for it, nothing else matters. */
static void begin_with(struct preimage *preimage, uint32_t guard)
{
    preimage->now++;
    preimage->size = 0;
    if (preimage->guard->accepts[guard] || !rl_automaton_is_sink(preimage->guard, guard))
        preimage->members[preimage->size++] = preimage->states + guard;
}

static void add_successors(struct preimage *preimage, uint64_t of, rl_letter letter)
{
    size_t count;
    const uint32_t *members = members_of(preimage, of, &count);
    preimage->size = 0;
    if (count > 0)
        begin_with(preimage,
                   rl_automaton_step(preimage->guard, members[0] - preimage->states, letter));
    for (size_t i = 1; i < count && preimage->size > 0; i++)
        follow(preimage, members[i], letter);
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The number of the one at hand, which is kept if it is new. */
static uint32_t number_of(struct preimage *preimage)
{
    if (preimage->size > 2)
        qsort(preimage->members + 1, preimage->size - 1, sizeof *preimage->members, compare);
    const uint32_t number = rl_rows_add(&preimage->subsets, preimage->members,
                                        preimage->size * sizeof *preimage->members);
    rl_interned_room(&preimage->effort, &preimage->next, &preimage->next_room,
                     preimage->subsets.hashes.count,
                     preimage->guard->letters * sizeof *preimage->next);
    return number;
}

static void explore(struct preimage *preimage)
{
    const uint64_t letters = preimage->guard->letters;
    begin_with(preimage, 0);
    add(preimage, preimage->done + 1);
    number_of(preimage);
    for (uint64_t i = 0; !preimage->effort.status && i < preimage->subsets.hashes.count; i++) {
        for (uint64_t a = 0; !preimage->effort.status && a < letters; a++) {
            add_successors(preimage, i, (rl_letter)a);
            const uint32_t number = number_of(preimage);
            preimage->next[i * letters + a] = number;
        }
        if (i % 256 == 0)
            rl_effort_goes_on(&preimage->effort, preimage->subsets.hashes.count);
    }
}

static bool accepts(const struct preimage *preimage, uint64_t number)
{
    size_t count;
    const uint32_t *members = members_of(preimage, number, &count);
    if (count == 0 || !preimage->guard->accepts[members[0] - preimage->states])
        return false;
    for (size_t i = 1; i < count; i++)
        if (accepts_at(preimage, members[i]))
            return true;
    return false;
}

static struct rl_automaton describe(struct preimage *preimage, struct rl_effort *effort)
{
    const uint64_t count = preimage->subsets.hashes.count;
    struct rl_automaton out = {preimage->guard->letters, (uint32_t)count, preimage->next,
                               rl_effort_calloc(effort, count, sizeof *out.accepts)};
    preimage->next = NULL;
    for (uint64_t i = 0; out.accepts && i < count; i++)
        out.accepts[i] = accepts(preimage, i);
    rl_automaton_minimize(&out, effort);
    return out;
}

struct rl_automaton rl_preimage(const struct rl_automaton *goal, const struct rl_alphabet *alphabet,
                                enum rl_move move, bool report, bool stay,
                                const struct rl_automaton *guard, struct rl_effort *effort)
{
    struct rl_automaton out = {0};
    const uint64_t letters = guard->letters, k = goal->states;
    const uint64_t states = (2 + (move == RL_MOVE_SEAM ? letters * letters : letters)) * k + 2;
    struct preimage preimage = {.goal = goal,
                                .alphabet = alphabet,
                                .move = move,
                                .report = report,
                                .stay = stay,
                                .guard = guard,
                                .states = (uint32_t)states,
                                .done = (uint32_t)states - 2,
                                .effort = *effort};
    const uint64_t bytes = (states + 1) * (sizeof *preimage.stamp + sizeof *preimage.members);
    if (!effort->status && (states + guard->states > UINT32_MAX || bytes > effort->memory / 2))
        effort->status = RL_TOO_LARGE;
    preimage.effort.memory = effort->memory / 2 - bytes;
    preimage.subsets.hashes.effort = &preimage.effort;
    preimage.alive = rl_effort_calloc(effort, k, sizeof *preimage.alive);
    for (uint32_t q = 0; preimage.alive && q < k; q++)
        preimage.alive[q] = goal->accepts[q] || !rl_automaton_is_sink(goal, q);
    preimage.stamp = rl_effort_calloc(effort, states, sizeof *preimage.stamp);
    preimage.members = rl_effort_calloc(effort, states + 1, sizeof *preimage.members);
    if (!effort->status) {
        explore(&preimage);
        effort->status = preimage.effort.status;
    }
    if (!effort->status)
        out = describe(&preimage, effort);
    free(preimage.alive);
    free(preimage.stamp);
    free(preimage.members);
    free(preimage.next);
    rl_rows_free(&preimage.subsets);
    return out;
}

/* ---- combinations ---- */

/* Both: what not to move leads from the one into the other. Either: not both outside. */
void rl_automaton_keep(struct rl_automaton *set, struct rl_automaton other, enum rl_keep keep,
                       struct rl_effort *effort)
{
    assert(effort->status || set->letters == other.letters);
    if (keep == RL_KEEP_EITHER)
        rl_automaton_complement(set);
    if (keep != RL_KEEP_BOTH)
        rl_automaton_complement(&other);
    struct rl_automaton kept = rl_preimage(&other, NULL, RL_MOVE_NONE, false, true, set, effort);
    if (keep == RL_KEEP_EITHER)
        rl_automaton_complement(&kept);
    rl_automaton_free(set);
    rl_automaton_free(&other);
    *set = kept;
}

struct rl_automaton rl_automaton_without(const struct rl_automaton *set,
                                         const struct rl_automaton *other, struct rl_effort *effort)
{
    struct rl_automaton out = rl_automaton_copy(set, effort);
    rl_automaton_keep(&out, rl_automaton_copy(other, effort), RL_KEEP_FIRST_ONLY, effort);
    return out;
}
