/* SPDX-License-Identifier: MIT
 *
 * One link, searched exhaustively: two ends, the wires between them, and an environment that does
 * what it likes with the rest. What holds here holds for the links of every ring.
 *
 * The environment changes l's word while l is not locked (l interacts with its own left), and locks
 * and unlocks r. Wires lose and double; they keep order and hold `capacity` messages each way, or
 * they do not, and a message lives until `age` later questions have been asked.
 *
 * A ghost, `pending`, remembers that r has decided and l has not heard. An event is wrong if r
 * decides on anything but l's present state, or twice, or l takes over what was not decided.
 * "Exactly once" means that nothing wrong can be reached; "finitely many wrong words" that no
 * infinite execution has infinitely many: B_0 is all that was found, B_{k+1} what can be reached
 * after a wrong event in B_k; they shrink to nothing (and then k bounds the number of wrong events)
 * or to a set from which the wrong never ends. Without order a message lives for ever if nobody
 * asks, which l's clock forbids; so there a question must follow each wrong event before the next
 * one counts.
 */
#include "device/few_tickets.h"

#include "found.h"

enum { MOST_CAPACITY = 2, MOST_CONTENTS = 128, ABSENT = 255 };

/* What is searched. */
static struct {
    bool ordered;
    unsigned capacity; /* of ordered wires, each way */
    unsigned age;      /* of others */
    unsigned words;    /* states of an agent */
} model;

/* A state of the search, the key of `found`. */
struct world {
    uint8_t l_word, l_ask, l_locked;
    uint8_t r_reply, r_expects, r_flags;
    uint8_t pending;
    uint8_t counts[2]; /* of messages under way to r, to l; ordered wires */
    uint8_t wires[2][MOST_CAPACITY];
    uint8_t ages[MOST_CONTENTS]; /* of each content, if it is under way; other wires */
};

/* Contents of a message are numbered. */
static unsigned content_count(void)
{
    return tickets * (2 * model.words + 1 + tickets);
}

static uint8_t content_of(const struct rl_message *message)
{
    const unsigned t = message->ticket, v = message->value, K = tickets, W = model.words;
    switch (message->kind) {
    case RL_ASK:
        return (uint8_t)(t * W + v);
    case RL_DID:
        return (uint8_t)(K * W + t * W + v);
    case RL_BUSY:
        return (uint8_t)(2 * K * W + t);
    default:
        return (uint8_t)(2 * K * W + K + t * K + v);
    }
}

static struct rl_message message_of(unsigned content)
{
    const unsigned K = tickets, W = model.words;
    if (content < 2 * K * W)
        return (struct rl_message){.kind = content < K * W ? RL_ASK : RL_DID,
                                   .ticket = (rl_link_ticket)(content % (K * W) / W),
                                   .value = content % W};
    content -= 2 * K * W;
    if (content < K)
        return (struct rl_message){.kind = RL_BUSY, .ticket = (rl_link_ticket)content};
    content -= K;
    return (struct rl_message){
        .kind = RL_SYNC, .ticket = (rl_link_ticket)(content / K), .value = content % K};
}

static bool is_question(unsigned content)
{
    return content < tickets * model.words;
}

/* ---- the protocol: what l becomes is seen, what r becomes is the environment's business ---- */

static void turn(const void *about, rl_link_word *l, rl_link_word *r)
{
    (void)about, (void)r;
    *l = (*l + 1) % model.words;
}

static rl_link_word legal(const void *about, rl_link_word any)
{
    (void)about;
    return any % model.words;
}

static const struct rl_link_rules rules = {turn, legal, NULL};

static struct world silent(void)
{
    struct world world;
    memset(&world, 0, sizeof world);
    memset(world.ages, ABSENT, sizeof world.ages);
    return world;
}

static bool locked(const struct rl_link *link)
{
    return is_set(link, RL_LINK_LOCKED);
}

static struct rl_link left_end(const struct world *world)
{
    return (struct rl_link){.word = world->l_word, .ask = world->l_ask, .flags = world->l_locked};
}

static struct rl_link right_end(const struct world *world)
{
    return (struct rl_link){
        .reply = world->r_reply, .expects = world->r_expects, .flags = world->r_flags};
}

static void keep_left(struct world *world, const struct rl_link *l)
{
    world->l_word = (uint8_t)l->word;
    world->l_ask = (uint8_t)l->ask;
    world->l_locked = locked(l);
}

static void keep_right(struct world *world, const struct rl_link *r)
{
    world->r_reply = (uint8_t)r->reply;
    world->r_expects = (uint8_t)r->expects;
    world->r_flags = r->flags & (RL_LINK_LOCKED | RL_LINK_DONE);
}

/* ---- the search ---- */

static struct found found;
static void (*on_move)(uint32_t to, bool wrong);
static bool asked; /* the move is a new question */

/* On wires without order more and younger messages allow more, so of two states that differ in
 * nothing else one is enough. Everything that can be sent once more without any other change is:
 * the question that is out, and the answers to questions that are not due. */
static void send_again(struct world *world)
{
    struct rl_link l = left_end(world);
    struct rl_message ask, answer = {0};
    if (rl_link_repeat(&l, &rules, &ask))
        world->ages[content_of(&ask)] = 0;
    for (unsigned content = 0; is_question(content); content++) {
        struct rl_link r = right_end(world);
        ask = message_of(content);
        if (world->ages[content] == ABSENT)
            continue;
        const enum rl_link_event event = rl_link_asked(&r, &rules, &ask, &answer);
        if (event == RL_LINK_REPEATED || event == RL_LINK_CORRECTED)
            world->ages[content_of(&answer)] = 0;
    }
}

static void emit(struct world *world, bool wrong)
{
    if (!model.ordered)
        send_again(world);
    on_move(found_add(&found, world), wrong);
}

/* Sends a message. On ordered wires it may be lost at once; on others to be lost is never to be
 * delivered. */
static void emit_sent(struct world world, const struct rl_message *message, bool wrong)
{
    const uint8_t content = content_of(message);
    const int wire = message->kind != RL_ASK;
    if (model.ordered)
        emit(&world, wrong);
    if (!model.ordered)
        world.ages[content] = 0;
    else if (world.counts[wire] < model.capacity)
        world.wires[wire][world.counts[wire]++] = content;
    emit(&world, wrong);
}

/* A new question: the messages under way have outlived one more. */
static void grow_old(struct world *world)
{
    asked = true;
    for (unsigned i = 0; !model.ordered && i < content_count(); i++)
        if (world->ages[i] != ABSENT && ++world->ages[i] > model.age)
            world->ages[i] = ABSENT;
}

static void l_asks(struct world world, bool again)
{
    struct rl_link l = left_end(&world);
    struct rl_message ask;
    if (!(again ? rl_link_repeat : rl_link_ring)(&l, &rules, &ask))
        return;
    keep_left(&world, &l);
    if (!again)
        grow_old(&world);
    emit_sent(world, &ask, false);
    asked = false;
}

static void r_hears(struct world world, struct rl_message ask)
{
    struct rl_link l = left_end(&world), r = right_end(&world);
    struct rl_message answer = {0};
    bool wrong = false;
    const enum rl_link_event event = rl_link_asked(&r, &rules, &ask, &answer);
    keep_right(&world, &r);
    if (event == RL_LINK_INTERACTED) {
        wrong = !locked(&l) || l.word != ask.value || world.pending;
        world.pending = 1;
    }
    emit_sent(world, &answer, wrong);
}

static void l_hears(struct world world, struct rl_message answer)
{
    struct rl_link l = left_end(&world);
    struct rl_message ask;
    bool wrong = false;
    const enum rl_link_event event = rl_link_answered(&l, &rules, &answer, &ask);
    keep_left(&world, &l);
    if (event == RL_LINK_LEARNT)
        wrong = !world.pending || answer.value != world.r_reply;
    else if (event == RL_LINK_TURNED_AWAY)
        wrong = world.pending;
    if (event == RL_LINK_LEARNT || event == RL_LINK_TURNED_AWAY)
        world.pending = 0;
    if (event == RL_LINK_RESUMED) {
        grow_old(&world);
        emit_sent(world, &ask, wrong);
        asked = false;
    } else
        emit(&world, wrong);
}

static void deliver(struct world world, unsigned content)
{
    (is_question(content) ? r_hears : l_hears)(world, message_of(content));
}

/* The first message of an ordered wire is lost, delivered, or delivered and still there. */
static void move_wire(struct world world, int wire)
{
    if (world.counts[wire] == 0)
        return;
    const unsigned content = world.wires[wire][0];
    deliver(world, content);
    world.counts[wire]--;
    memmove(world.wires[wire], world.wires[wire] + 1, MOST_CAPACITY - 1);
    world.wires[wire][MOST_CAPACITY - 1] = 0;
    emit(&world, false);
    deliver(world, content);
}

static void move_environment(struct world world)
{
    struct world other = world;
    other.r_flags ^= RL_LINK_LOCKED;
    emit(&other, false);
    for (unsigned word = 0; !world.l_locked && word < model.words; word++) {
        world.l_word = (uint8_t)word;
        emit(&world, false);
    }
}

static void move_from(uint32_t number)
{
    struct world world = silent();
    memcpy(&world, found_key(&found, number), found.size);
    l_asks(world, false);
    l_asks(world, true);
    move_environment(world);
    if (model.ordered) {
        move_wire(world, 0);
        move_wire(world, 1);
        return;
    }
    for (unsigned content = 0; content < content_count(); content++)
        if (world.ages[content] != ABSENT)
            deliver(world, content);
}

/* ---- B_k ---- */

static uint8_t *inside, *next;
static uint32_t *queue, waiting, next_size;
static uint32_t wrong_moves;

static void count_wrong(uint32_t to, bool wrong)
{
    (void)to;
    wrong_moves += wrong;
}

static void enter_next(uint32_t to)
{
    if (!next[to]) {
        next[to] = 1;
        next_size++;
        queue[waiting++] = to;
    }
}

static void seed_wrong(uint32_t to, bool wrong)
{
    if (wrong)
        enter_next(to);
}

static void seed_asked(uint32_t to, bool wrong)
{
    (void)wrong;
    if (asked)
        enter_next(to);
}

static void spread_next(uint32_t to, bool wrong)
{
    (void)wrong;
    enter_next(to);
}

/* `inside` becomes what can be reached after one of the moves that `seed` takes; its size. */
static uint32_t narrow(void (*seed)(uint32_t to, bool wrong))
{
    next = calloc(found.count, 1);
    next_size = waiting = 0;
    on_move = seed;
    for (uint32_t i = 0; i < found.count; i++)
        if (inside[i])
            move_from(i);
    on_move = spread_next;
    while (waiting > 0)
        move_from(queue[--waiting]);
    free(inside);
    inside = next;
    return next_size;
}

/* Bounds the number of wrong events of an execution; -1 if they never end. */
static int most_wrong(void)
{
    uint32_t size = found.count, before = 0;
    int events = 0;
    inside = malloc(size);
    queue = malloc(size * sizeof *queue);
    memset(inside, 1, size);
    for (; size > 0 && size != before; events++) {
        before = size;
        size = narrow(seed_wrong);
        if (!model.ordered)
            size = narrow(seed_asked);
    }
    free(inside);
    free(queue);
    return size == 0 ? events - 1 : -1;
}

/* Everything that can be reached, or no more than up to the first wrong move. */
static void search(bool to_the_first)
{
    wrong_moves = 0;
    on_move = count_wrong;
    for (uint32_t i = 0; i < found.count && !(to_the_first && wrong_moves > 0); i++)
        move_from(i);
}

/* ---- where to begin ---- */

static void begin(bool ordered, unsigned bound, unsigned words, uint16_t with_tickets)
{
    model.ordered = ordered;
    model.capacity = model.age = bound;
    model.words = words;
    tickets = with_tickets;
    assert_true(ordered ? bound <= MOST_CAPACITY && content_count() < 256
                        : content_count() <= MOST_CONTENTS);
    found = (struct found){.size = offsetof(struct world, ages) + (ordered ? 0 : content_count())};
}

/* Is anything wrong reached from ends that agree and silent wires? */
static bool goes_wrong(bool ordered, unsigned bound, unsigned words, uint16_t with_tickets)
{
    begin(ordered, bound, words, with_tickets);
    const struct world world = silent();
    found_add(&found, &world);
    search(true);
    print_message("%s wires, bound %u, %u tickets: %u states, %u wrong moves\n",
                  ordered ? "ordered" : "unordered", bound, with_tickets, found.count, wrong_moves);
    found_free(&found);
    return wrong_moves > 0;
}

static void add_wires(struct world world, int wire)
{
    const unsigned first = wire == 0 ? 0 : tickets * model.words;
    const unsigned last = wire == 0 ? tickets * model.words : content_count();
    if (wire == 2) {
        found_add(&found, &world);
        return;
    }
    add_wires(world, wire + 1);
    if (world.counts[wire] == model.capacity)
        return;
    world.counts[wire]++;
    for (unsigned content = first; content < last; content++) {
        world.wires[wire][world.counts[wire] - 1] = (uint8_t)content;
        add_wires(world, wire);
    }
}

/* All contents of both ends; on ordered wires all contents of these too. On others one content
 * stands for all: everything is under way and new, and what can be done with fewer messages can be
 * done with these. */
static void add_everything(void)
{
    struct world world = silent();
    if (!model.ordered)
        memset(world.ages, 0, content_count());
    for (uint32_t i = 0; i < 32; i++)
        for (unsigned ask = 0; ask < tickets; ask++)
            for (unsigned expects = 0; expects < tickets; expects++)
                for (unsigned words = 0; words < model.words * model.words; words++) {
                    world.l_ask = (uint8_t)ask;
                    world.r_expects = (uint8_t)expects;
                    world.l_word = (uint8_t)(words % model.words);
                    world.r_reply = (uint8_t)(words / model.words);
                    world.l_locked = i & 1;
                    world.r_flags = i >> 1 & 3;
                    world.pending = i >> 3 & 1;
                    if (i < 16)
                        add_wires(world, model.ordered ? 0 : 2);
                }
}

/* Bounds the wrong events from any contents; -1 if they never end. */
static int wrong_from_anything(bool ordered, unsigned bound, unsigned words, uint16_t with_tickets)
{
    begin(ordered, bound, words, with_tickets);
    add_everything();
    if (!ordered) /* ordered wires have all their contents already */
        search(false);
    const int most = most_wrong();
    print_message("%s wires, bound %u, %u tickets: %u states, at most %d wrong\n",
                  ordered ? "ordered" : "unordered", bound, with_tickets, found.count, most);
    found_free(&found);
    return most;
}

/* ---- what holds ---- */

TEST(two_tickets_are_enough_where_wires_keep_order)
{
    assert_false(goes_wrong(true, 1, 2, 2));
    assert_false(goes_wrong(true, 2, 2, 2));
    assert_false(goes_wrong(true, 2, 1, 3));
}

TEST(messages_that_outlive_A_questions_need_2A_plus_1_tickets)
{
    assert_false(goes_wrong(false, 1, 2, 3));
    assert_true(goes_wrong(false, 1, 2, 2));
    assert_false(goes_wrong(false, 2, 1, 5));
    assert_true(goes_wrong(false, 2, 1, 4));
}

TEST(from_anything_wires_that_keep_order_need_2c_tickets)
{
    assert_true(wrong_from_anything(true, 1, 2, 2) >= 0);
    assert_true(wrong_from_anything(true, 2, 1, 4) >= 0);
    assert_int_equal(wrong_from_anything(true, 2, 1, 3), -1);
}

TEST(from_anything_other_wires_need_3A_plus_1_tickets)
{
    assert_true(wrong_from_anything(false, 1, 1, 4) >= 0);
    assert_int_equal(wrong_from_anything(false, 1, 1, 3), -1);
}

static bool round_trip(struct rl_link *l, struct rl_link *r)
{
    struct rl_message ask, answer, again;
    if (rl_link_repeat(l, &rules, &ask)) {
        assert_true(rl_link_asked(r, &rules, &ask, &answer));
        (void)rl_link_answered(l, &rules, &answer, &again);
    }
    return !locked(l);
}

TEST(two_round_trips_without_loss_unlock_from_any_contents)
{
    tickets = 7;
    model.words = 3;
    for (unsigned i = 0; i < 7 * 7 * 256 * 2; i++) {
        struct rl_link l = {.ask = (rl_link_ticket)(i % 7), .word = 2, .flags = (uint8_t)(i / 49)};
        struct rl_link r = {.expects = (rl_link_ticket)(i / 7 % 7),
                            .flags = (uint8_t)(i / 49 / 256 ? RL_LINK_LOCKED : i / 49)};
        if (!round_trip(&l, &r))
            assert_true(round_trip(&l, &r));
    }
}

TEST(what_is_no_question_or_not_for_this_end_is_ignored)
{
    tickets = 7;
    model.words = 3;
    for (unsigned kind = 0; kind < 256; kind++) {
        struct rl_link link = {.ask = 1, .expects = 1, .flags = RL_LINK_LOCKED};
        const struct rl_link before = link;
        const struct rl_message message = {.kind = (uint8_t)kind, .ticket = 1, .value = 2};
        struct rl_message out;
        if (kind != RL_ASK) {
            assert_int_equal(rl_link_asked(&link, &rules, &message, &out), RL_LINK_IGNORED);
            assert_memory_equal(&link, &before, sizeof link);
        }
        if (kind == RL_ASK || kind >= RL_LINK_KINDS) {
            assert_int_equal(rl_link_answered(&link, &rules, &message, &out), RL_LINK_IGNORED);
            assert_memory_equal(&link, &before, sizeof link);
        }
    }
}

/* An argument chooses tests by their names, with * for anything: for mutants.sh. */
