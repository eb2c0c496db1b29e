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
#include "verify/every_n/preimage.h"

#include <stdlib.h>

static const char *const NAMES[] = {
#define RL_MOVE_NAME(name, text) text,
    RL_MOVE_LIST(RL_MOVE_NAME)
#undef RL_MOVE_NAME
};

const char *rl_move_name(enum rl_move move)
{
    return NAMES[move];
}

/* ---- the numbers of states ---- */

enum part { BEFORE, AFTER, AMID, SEAM, DONE, START };

struct place {
    enum part part;
    rl_letter x, y;
    uint32_t q;
};

static struct place decode(const struct rl_preimage *preimage, uint32_t number)
{
    const uint32_t k = preimage->goal->states, letters = preimage->alphabet->letters;
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
    const struct rl_preimage *preimage;
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
    for (uint32_t g = 0; g < list->preimage->alphabet->letters; g++) {
        const struct rl_pair pair = meet(list, a, (rl_letter)g);
        if (pair.l != RL_NO_LETTER)
            put(list, 2 + g, step(list, step(list, q, pair.l), pair.r));
    }
}

/* A sweep to the left expects x and finds a: it began here, or a becomes x by meeting the next. */
static void find(struct list *list, rl_letter x, uint32_t q, rl_letter a)
{
    const struct rl_preimage *preimage = list->preimage;
    const uint32_t *first = &preimage->first[(size_t)x * preimage->alphabet->letters + a];
    if (a == x)
        put(list, 1, q);
    for (uint32_t i = first[0]; i < first[1]; i++) {
        const rl_letter g = preimage->guesses[i];
        put(list, 2 + g, step(list, q, meet(list, a, g).r));
    }
}

/* The first agent is `a`, and the last, as is guessed here, meets it. */
static void guess_last(struct list *list, rl_letter a)
{
    const uint32_t letters = list->preimage->alphabet->letters;
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
    default:
        if (at_start)
            put(list, 2 + a, 0);
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
    const struct rl_preimage *preimage = list->preimage;
    const uint32_t letters = preimage->alphabet->letters;
    put(list, 2 + place.x * letters + place.y, step(list, place.q, a));
    if (a == place.x && preimage->goal->accepts[step(list, place.q, place.y)])
        list->at[list->count++] = preimage->done;
}

uint32_t rl_preimage_follow(const struct rl_preimage *preimage, uint32_t state, rl_letter letter,
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

bool rl_preimage_accepts(const struct rl_preimage *preimage, uint32_t state)
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

bool rl_preimage_accepts_all(const struct rl_preimage *preimage, uint32_t state)
{
    const struct place place = decode(preimage, state);
    return place.part == AFTER && preimage->full[place.q];
}

/* ---- beginning and end ---- */

/* Sorts the meetings by what the initiator was and becomes. */
static void list_guesses(struct rl_preimage *preimage, struct rl_effort *effort)
{
    const struct rl_alphabet *alphabet = preimage->alphabet;
    const size_t letters = alphabet->letters, pairs = letters * letters;
    const struct rl_pair *meetings = alphabet->meet[preimage->report];
    preimage->first = rl_effort_calloc(effort, pairs + 1, sizeof *preimage->first);
    preimage->guesses = rl_effort_calloc(effort, pairs, sizeof *preimage->guesses);
    if (effort->status)
        return;
    uint32_t count = 0;
    for (size_t x = 0; x < letters; x++)
        for (size_t l = 0; l < letters; l++) {
            preimage->first[x * letters + l] = count;
            for (size_t g = 0; g < letters; g++)
                if (meetings[l * letters + g].l == x)
                    preimage->guesses[count++] = (rl_letter)g;
        }
    preimage->first[pairs] = count;
}

void rl_preimage_init(struct rl_preimage *preimage, const struct rl_automaton *goal,
                      const struct rl_alphabet *alphabet, enum rl_move move, bool report, bool stay,
                      struct rl_effort *effort)
{
    *preimage = (struct rl_preimage){
        .goal = goal, .alphabet = alphabet, .move = move, .report = report, .stay = stay};
    const uint64_t letters = alphabet->letters;
    const uint64_t amid = move == RL_MOVE_SEAM ? letters * letters : letters;
    if (!effort->status && (2 + amid) * goal->states + 2 > UINT32_MAX)
        effort->status = RL_TOO_LARGE;
    preimage->done = (uint32_t)((2 + amid) * goal->states);
    preimage->alive = rl_effort_calloc(effort, goal->states, sizeof *preimage->alive);
    preimage->full = rl_effort_calloc(effort, goal->states, sizeof *preimage->full);
    for (uint32_t q = 0; !effort->status && q < goal->states; q++) {
        const bool sink = rl_automaton_is_sink(goal, q);
        preimage->alive[q] = goal->accepts[q] || !sink;
        preimage->full[q] = goal->accepts[q] && sink;
    }
    if (move == RL_MOVE_LEFT)
        list_guesses(preimage, effort);
}

void rl_preimage_free(struct rl_preimage *preimage)
{
    free(preimage->alive);
    free(preimage->full);
    free(preimage->first);
    free(preimage->guesses);
    *preimage = (struct rl_preimage){0};
}
