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

/* A pre-image as a nondeterministic automaton; its states are numbers below 2^32. */
struct preimage {
    const struct rl_automaton *goal; /* K */
    const struct rl_alphabet *alphabet;
    enum rl_move move;
    bool report, stay;
    uint32_t done; /* the last state but one; the last, done + 1, is that before the first letter */
    bool *alive;   /* [K's state] false: surely no word is accepted from there */
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

/* ---- successors ---- */

/* A list in the making. */
struct list {
    const struct preimage *preimage;
    uint32_t *at;
    uint32_t count;
};

/* State q in row `row` of numbers: before is row 0, after row 1, the others follow. */
static void put(struct list *list, uint32_t row, uint32_t q)
{
    if (list->preimage->alive[q])
        list->at[list->count++] = row * list->preimage->goal->states + q;
}

static uint32_t step(const struct list *list, uint32_t q, rl_letter letter)
{
    return rl_automaton_step(list->preimage->goal, q, letter);
}

static struct rl_pair meet(const struct list *list, rl_letter l, rl_letter r)
{
    const struct rl_alphabet *alphabet = list->preimage->alphabet;
    return alphabet->meet[list->preimage->report][(size_t)l * alphabet->letters + r];
}

/* A sweep to the right carries x and comes to y. It may go on or end. */
static void carry(struct list *list, rl_letter x, uint32_t q, rl_letter y)
{
    const struct rl_pair pair = meet(list, x, y);
    if (pair.l == RL_NO_LETTER)
        return;
    const uint32_t passed = step(list, q, pair.l);
    put(list, 1, step(list, passed, pair.r));
    if (list->preimage->move == RL_MOVE_RIGHT)
        put(list, 2 + pair.r, passed);
}

/* The last meeting of a sweep to the left: this agent, `a`, with the next, as it will be. */
static void expect(struct list *list, uint32_t q, rl_letter a)
{
    for (uint32_t g = 0; g < list->preimage->goal->letters; g++) {
        const struct rl_pair pair = meet(list, a, (rl_letter)g);
        if (pair.l != RL_NO_LETTER)
            put(list, 2 + g, step(list, step(list, q, pair.l), pair.r));
    }
}

/* A sweep to the left expects x and finds a: it began here, or a becomes x by meeting the next. */
static void find(struct list *list, rl_letter x, uint32_t q, rl_letter a)
{
    if (a == x)
        put(list, 1, q);
    for (uint32_t g = 0; g < list->preimage->goal->letters; g++) {
        const struct rl_pair pair = meet(list, a, (rl_letter)g);
        if (pair.l == x)
            put(list, 2 + g, step(list, q, pair.r));
    }
}

/* The first agent is `a`, and the last, as is guessed here, meets it. */
static void guess_last(struct list *list, rl_letter a)
{
    const uint32_t letters = list->preimage->goal->letters;
    for (uint32_t b = 0; b < letters; b++) {
        const struct rl_pair pair = meet(list, (rl_letter)b, a);
        if (pair.l != RL_NO_LETTER)
            put(list, 2 + b * letters + pair.l, step(list, 0, pair.r));
    }
}

static void begin(struct list *list, uint32_t q, rl_letter a, bool at_start)
{
    put(list, 0, step(list, q, a));
    switch (list->preimage->move) {
    case RL_MOVE_ARC:
    case RL_MOVE_RIGHT:
        put(list, 2 + a, q);
        break;
    case RL_MOVE_LEFT:
        expect(list, q, a);
        break;
    case RL_MOVE_SEAM:
        if (at_start)
            guess_last(list, a);
        break;
    case RL_MOVE_TURN:
        if (at_start)
            put(list, 2 + a, 0);
        break;
    default:
        break;
    }
}

static void go_amid(struct list *list, rl_letter x, uint32_t q, rl_letter a)
{
    if (list->preimage->move == RL_MOVE_TURN)
        put(list, 2 + x, step(list, q, a));
    else if (list->preimage->move == RL_MOVE_LEFT)
        find(list, x, q, a);
    else
        carry(list, x, q, a);
}

static void go_to_seam(struct list *list, struct place place, rl_letter a)
{
    const struct preimage *preimage = list->preimage;
    const uint32_t letters = preimage->goal->letters;
    put(list, 2 + place.x * letters + place.y, step(list, place.q, a));
    if (a == place.x && preimage->goal->accepts[step(list, place.q, place.y)])
        list->at[list->count++] = preimage->done;
}

/* The successors of a state by a letter, at most `letters` and two: returns their number. States
 * from which nothing is accepted are left out, as far as that is known. */
static uint32_t follow(const struct preimage *preimage, uint32_t state, rl_letter letter,
                       uint32_t *list_out)
{
    struct list list = {preimage, list_out, 0};
    const struct place place = decode(preimage, state);
    switch (place.part) {
    case START:
        begin(&list, 0, letter, true);
        break;
    case BEFORE:
        begin(&list, place.q, letter, false);
        break;
    case AFTER:
        put(&list, 1, step(&list, place.q, letter));
        break;
    case AMID:
        go_amid(&list, place.x, place.q, letter);
        break;
    case SEAM:
        go_to_seam(&list, place, letter);
        break;
    case DONE:
        break;
    }
    return list.count;
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

/* ---- the subset construction -------------------------------------------------------------------
 *
 * Subsets lie one after another in one array, in no particular order of members; a sum that does
 * not depend on the order finds candidates, and stamps on the members of the one at hand decide.
 * The state of the guard is a member like the others, the first; its numbers come after those of
 * the pre-image. What the guard has turned away for good is not followed.
 */

struct subsets {
    const struct preimage *preimage;
    const struct rl_automaton *guard;
    uint32_t states;         /* of the pre-image */
    struct rl_effort effort; /* with half of the memory: the rest is for the minimization */
    /* Those found: members[begin[i]] up to members[begin[i + 1]]. */
    uint32_t *members;
    uint64_t member_count, member_room;
    uint64_t *begin;
    uint32_t *next;
    uint64_t begin_room, next_room;
    struct rl_interned sums; /* theirs; the next number that is free, where two have the same */
    /* The one at hand: the last of `members`, not counted yet. */
    uint32_t *stamp; /* [state of the pre-image] */
    uint32_t now;
    uint64_t size, sum;
    uint32_t *found; /* successors of one state */
};

static uint64_t scatter(uint64_t key)
{
    key = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ key >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return key ^ key >> 29;
}

static void clear(struct subsets *subsets)
{
    subsets->now++;
    subsets->size = subsets->sum = 0;
}

static void append(struct subsets *subsets, uint32_t member)
{
    const uint64_t place = subsets->member_count + subsets->size;
    if (!rl_interned_room(&subsets->effort, &subsets->members, &subsets->member_room, place + 1,
                          sizeof *subsets->members))
        return;
    subsets->members[place] = member;
    subsets->stamp[member] = subsets->now;
    subsets->size++;
    subsets->sum += scatter(member);
}

/* The guard comes first; with nothing left open for it, nothing else matters. */
static void begin_with(struct subsets *subsets, uint32_t guard)
{
    clear(subsets);
    if (subsets->guard->accepts[guard] || !rl_automaton_is_sink(subsets->guard, guard))
        append(subsets, subsets->states + guard);
}

static void add(struct subsets *subsets, uint32_t state)
{
    if (subsets->size > 0 && subsets->stamp[state] != subsets->now)
        append(subsets, state);
}

static void add_successors(struct subsets *subsets, uint64_t of, rl_letter letter)
{
    const uint64_t begin = subsets->begin[of], end = subsets->begin[of + 1];
    clear(subsets);
    if (begin == end)
        return;
    const uint32_t guard = subsets->members[begin] - subsets->states;
    begin_with(subsets, rl_automaton_step(subsets->guard, guard, letter));
    for (uint64_t i = begin + 1; i < end && subsets->size > 0; i++) {
        const uint32_t count =
            follow(subsets->preimage, subsets->members[i], letter, subsets->found);
        for (uint32_t k = 0; k < count; k++)
            add(subsets, subsets->found[k]);
    }
}

static bool is_at_hand(const struct subsets *subsets, uint64_t number)
{
    const uint64_t begin = subsets->begin[number], end = subsets->begin[number + 1];
    if (end - begin != subsets->size)
        return false;
    for (uint64_t i = begin; i < end; i++)
        if (subsets->stamp[subsets->members[i]] != subsets->now)
            return false;
    return true;
}

/* Keeps the one at hand, whose sum was the last to be numbered. */
static void keep(struct subsets *subsets)
{
    const uint64_t count = subsets->sums.count;
    if (!rl_interned_room(&subsets->effort, &subsets->begin, &subsets->begin_room, count + 1,
                          sizeof *subsets->begin) ||
        !rl_interned_room(&subsets->effort, &subsets->next, &subsets->next_room, count,
                          subsets->guard->letters * sizeof *subsets->next))
        return;
    subsets->begin[count - 1] = subsets->member_count;
    subsets->member_count += subsets->size;
    subsets->begin[count] = subsets->member_count;
}

/* The number of the one at hand, which is kept if it is new. */
static uint32_t number_of(struct subsets *subsets)
{
    uint32_t number = 0;
    for (uint64_t sum = subsets->sum; !subsets->effort.status; sum++) {
        const uint64_t count = subsets->sums.count;
        number = rl_interned_add(&subsets->sums, sum);
        if (subsets->effort.status)
            break;
        if (number == count)
            keep(subsets);
        if (number == count || is_at_hand(subsets, number))
            break;
    }
    return number;
}

static void explore(struct subsets *subsets)
{
    const uint64_t letters = subsets->guard->letters;
    begin_with(subsets, 0);
    add(subsets, subsets->preimage->done + 1);
    number_of(subsets);
    for (uint64_t i = 0; !subsets->effort.status && i < subsets->sums.count; i++) {
        for (uint64_t a = 0; !subsets->effort.status && a < letters; a++) {
            add_successors(subsets, i, (rl_letter)a);
            const uint32_t number = number_of(subsets);
            subsets->next[i * letters + a] = number;
        }
        if (i % 256 == 0)
            rl_effort_goes_on(&subsets->effort, subsets->sums.count);
    }
}

static bool accepts(const struct subsets *subsets, uint64_t number)
{
    const uint64_t begin = subsets->begin[number], end = subsets->begin[number + 1];
    if (begin == end || !subsets->guard->accepts[subsets->members[begin] - subsets->states])
        return false;
    for (uint64_t i = begin + 1; i < end; i++)
        if (accepts_at(subsets->preimage, subsets->members[i]))
            return true;
    return false;
}

static struct rl_automaton describe(struct subsets *subsets, struct rl_effort *effort)
{
    const uint64_t count = subsets->sums.count;
    struct rl_automaton out = {subsets->guard->letters, (uint32_t)count, subsets->next,
                               rl_effort_calloc(effort, count, sizeof *out.accepts)};
    subsets->next = NULL;
    for (uint64_t i = 0; out.accepts && i < count; i++)
        out.accepts[i] = accepts(subsets, i);
    rl_automaton_minimize(&out, effort);
    return out;
}

struct rl_automaton rl_preimage(const struct rl_automaton *goal, const struct rl_alphabet *alphabet,
                                enum rl_move move, bool report, bool stay,
                                const struct rl_automaton *guard, struct rl_effort *effort)
{
    struct rl_automaton out = {0};
    struct preimage preimage = {goal, alphabet, move, report, stay};
    const uint64_t letters = guard->letters, k = goal->states;
    const uint64_t states = (2 + (move == RL_MOVE_SEAM ? letters * letters : letters)) * k + 2;
    const uint64_t members = states + guard->states;
    struct subsets subsets = {
        .preimage = &preimage, .guard = guard, .states = (uint32_t)states, .effort = *effort};
    subsets.sums.effort = &subsets.effort;
    subsets.effort.memory /= 2;
    if (!effort->status &&
        (members > UINT32_MAX || members > effort->memory / 2 / sizeof *subsets.stamp))
        effort->status = RL_TOO_LARGE;
    preimage.done = (uint32_t)states - 2;
    preimage.alive = rl_effort_calloc(effort, k, sizeof *preimage.alive);
    for (uint32_t q = 0; preimage.alive && q < k; q++)
        preimage.alive[q] = goal->accepts[q] || !rl_automaton_is_sink(goal, q);
    subsets.effort.memory -= members * sizeof *subsets.stamp;
    subsets.stamp = rl_effort_calloc(effort, members, sizeof *subsets.stamp);
    subsets.found = rl_effort_calloc(effort, letters + 2, sizeof *subsets.found);
    if (!effort->status) {
        explore(&subsets);
        effort->status = subsets.effort.status;
    }
    if (!effort->status)
        out = describe(&subsets, effort);
    free(preimage.alive);
    free(subsets.members);
    free(subsets.begin);
    rl_interned_free(&subsets.sums);
    free(subsets.next);
    free(subsets.stamp);
    free(subsets.found);
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
