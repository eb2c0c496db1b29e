/* SPDX-License-Identifier: MIT
 *
 * Whole rings of links, searched exhaustively: every transition is one interaction of prl or
 * nothing, and S_RL is never left.
 *
 * The configuration is read off the devices' memory: an agent's state is its word, or, if its
 * question is decided and it has not heard, its right neighbour's `reply`. On ordered wires one
 * message may be under way each way and two tickets do. On others any message may arrive, any
 * number of times, until one later question of its asker; then three do. A ring of three has too
 * many states for that; there messages are lost and doubled, but arrive at once or never.
 *
 * n = N = 3 from all 884,736 configurations takes a minute and two gigabytes: RING_OF_THREE=all in
 * the environment asks for it. Otherwise the test begins in S_RL.
 */
#include "device/few_tickets.h"

#include "found.h"
#include "core/inside.h"

enum { MOST = 3, NONE = 0xffff, ERASED = 0xff };

/* A message as one number: kind, ticket, value. Words of prl for N <= 3 have seven bits. */
typedef uint16_t wired;

struct device {
    uint8_t word, reply, ask, expects, flags;
};
struct world {
    struct device devices[MOST];
    wired wires[MOST][2][2]; /* of arc i: to its right, to its left; the present, the one before */
};

static struct rl_ring ring; /* the protocol and its parameters, and room for a configuration */
static uint32_t words[MOST];
static enum { ORDERED, UNORDERED, INSTANT } wiring;
static struct found found;

static void interact(const void *about, rl_link_word *l, rl_link_word *r)
{
    (void)about;
    rl_state l_state = *l, r_state = *r;
    ring.protocol->interact(&ring.params, false, &l_state, &r_state);
    *l = (rl_link_word)l_state;
    *r = (rl_link_word)r_state;
}

static rl_link_word legal(const void *about, rl_link_word any)
{
    (void)about;
    assert_true(rl_protocol_is_state(ring.protocol, &ring.params, any));
    return any;
}

static const struct rl_link_rules rules = {interact, legal, NULL};

static struct rl_link link_of(const struct device *device)
{
    return (struct rl_link){device->word, device->reply, device->ask, device->expects,
                            device->flags};
}

static void keep(struct device *device, const struct rl_link *link)
{
    *device = (struct device){(uint8_t)link->word, (uint8_t)link->reply, (uint8_t)link->ask,
                              (uint8_t)link->expects, link->flags};
}

static wired wire_of(const struct rl_message *message)
{
    return (wired)(message->kind << 12 | message->ticket << 8 | message->value);
}

static struct rl_message message_of(wired number)
{
    return (struct rl_message){
        .kind = (uint8_t)(number >> 12), .ticket = number >> 8 & 15, .value = number & 255};
}

static uint32_t right_of(uint32_t i)
{
    return (i + 1) % ring.params.n;
}

/* ---- the configuration ---- */

static void read_configuration(const struct world *world, uint32_t *words_out)
{
    for (uint32_t i = 0; i < ring.params.n; i++) {
        const struct device *l = &world->devices[i], *r = &world->devices[right_of(i)];
        const bool decided = l->flags & RL_LINK_LOCKED && r->flags & RL_LINK_DONE &&
                             RL_LINK_NEXT(l->ask) == r->expects;
        words_out[i] = decided ? r->reply : l->word;
    }
}

static bool is_safe(const uint32_t *configuration)
{
    memcpy(words, configuration, sizeof words);
    return ring.protocol->sets[ring.protocol->target].contains(&ring);
}

static wired erased(wired number)
{
    return number | ERASED;
}

/* What can no longer be used is erased, so that states are fewer. Should it be used all the same,
 * `legal` notices that it is no state. */
static void erase(struct world *world)
{
    for (uint32_t i = 0; i < ring.params.n; i++) {
        struct device *l = &world->devices[i], *r = &world->devices[right_of(i)];
        if (l->ask == r->expects)
            r->reply = ERASED;
        if (wiring == INSTANT) { /* nothing is under way: only the difference of tickets counts */
            r->flags &= l->ask == r->expects ? RL_LINK_LOCKED : RL_LINK_LOCKED | RL_LINK_DONE;
            r->expects = l->ask != r->expects;
            l->ask = 0;
        }
        for (int place = 0; place < 2; place++) {
            wired *ask = &world->wires[i][0][place], *answer = &world->wires[i][1][place];
            if (*ask != NONE && message_of(*ask).ticket != r->expects)
                *ask = erased(*ask);
            if (*answer != NONE &&
                (!(l->flags & RL_LINK_LOCKED) || message_of(*answer).ticket != l->ask))
                *answer = erased(*answer);
        }
    }
}

/* One move: of arc `arc` if `interacted`. */
static void emit(const struct world *from, struct world *to, uint32_t arc, bool interacted)
{
    erase(to);
    uint32_t before[MOST] = {0}, after[MOST] = {0};
    read_configuration(from, before);
    read_configuration(to, after);
    if (interacted) {
        const bool was_safe = is_safe(before);
        memcpy(words, before, sizeof words);
        rl_ring_interact(&ring, arc);
        assert_memory_equal(words, after, sizeof words);
        assert_true(!was_safe || is_safe(after));
    } else
        assert_memory_equal(before, after, sizeof before);
    found_add(&found, to);
}

/* ---- moves ---- */

/* Sends along arc `arc`, to its left or its right; the message takes the place of its like. */
static void emit_sent(const struct world *from, struct world to, uint32_t arc, int way,
                      const struct rl_message *message, bool interacted)
{
    if (wiring == ORDERED)
        emit(from, &to, arc, interacted); /* lost */
    if (wiring == UNORDERED || (wiring == ORDERED && to.wires[arc][way][0] == NONE))
        to.wires[arc][way][0] = wire_of(message);
    emit(from, &to, arc, interacted);
}

static void ask(const struct world *from, uint32_t i, bool again)
{
    struct world to = *from;
    struct rl_link link = link_of(&to.devices[i]);
    struct rl_message message;
    if (!(again ? rl_link_repeat : rl_link_ring)(&link, &rules, &message))
        return;
    keep(&to.devices[i], &link);
    for (int way = 0; wiring == UNORDERED && !again && way < 2; way++) {
        to.wires[i][way][1] = to.wires[i][way][0];
        to.wires[i][way][0] = NONE;
    }
    emit_sent(from, to, i, 0, &message, false);
}

static void hear(const struct world *from, struct world to, uint32_t arc, int way, wired number)
{
    const uint32_t i = way == 0 ? right_of(arc) : arc;
    struct rl_link link = link_of(&to.devices[i]);
    const struct rl_message message = message_of(number);
    struct rl_message out = {0};
    enum rl_link_event event;
    if (way == 0)
        event = rl_link_asked(&link, &rules, &message, &out);
    else
        event = rl_link_answered(&link, &rules, &message, &out);
    assert_int_not_equal(event, RL_LINK_RESUMED); /* ends that agree stay so */
    keep(&to.devices[i], &link);
    if (way == 0)
        emit_sent(from, to, arc, 1, &out, event == RL_LINK_INTERACTED);
    else
        emit(from, &to, arc, false);
}

static void move_wire(const struct world *from, uint32_t arc, int way)
{
    for (int place = 0; place < 2; place++) {
        const wired number = from->wires[arc][way][place];
        if (number == NONE)
            continue;
        hear(from, *from, arc, way, number);
        if (wiring != ORDERED)
            continue;
        struct world emptied = *from;
        emptied.wires[arc][way][place] = NONE;
        emit(from, &emptied, arc, false);
        hear(from, emptied, arc, way, number);
    }
}

/* The question of arc `arc`, if one is out, arrives; its answer is lost, or arrives too. */
static void converse(const struct world *from, uint32_t arc)
{
    struct world decided = *from;
    struct rl_link l = link_of(&decided.devices[arc]), r = link_of(&decided.devices[right_of(arc)]);
    struct rl_message question_out, answer = {0}, again;
    if (!rl_link_repeat(&l, &rules, &question_out))
        return;
    const enum rl_link_event event = rl_link_asked(&r, &rules, &question_out, &answer);
    keep(&decided.devices[right_of(arc)], &r);
    struct world told = decided;
    emit(from, &decided, arc, event == RL_LINK_INTERACTED);
    assert_int_not_equal(rl_link_answered(&l, &rules, &answer, &again), RL_LINK_RESUMED);
    keep(&told.devices[arc], &l);
    emit(&decided, &told, arc, false);
}

static void move(const struct world *world, uint32_t i)
{
    ask(world, i, false);
    if (wiring == INSTANT) {
        converse(world, i);
        return;
    }
    ask(world, i, true);
    move_wire(world, i, 0);
    move_wire(world, i, 1);
}

static struct world silent(void)
{
    struct world world;
    memset(&world, 0, sizeof world);
    memset(world.wires, 0xff, sizeof world.wires);
    return world;
}

static void search(void)
{
    for (uint32_t number = 0; number < found.count; number++) {
        struct world world = silent();
        memcpy(&world, found_key(&found, number), found.size);
        for (uint32_t i = 0; i < ring.params.n; i++)
            move(&world, i);
    }
}

/* ---- where to begin ---- */

static void begin(uint32_t n, int wires)
{
    wiring = wires;
    tickets = wires == UNORDERED ? 3 : 2;
    ring = (struct rl_ring){
        .protocol = rl_protocol_named("prl"), .params = {.n = n, .value = {n}}, .agents = words};
    found = (struct found){.size = wires == INSTANT ? offsetof(struct world, wires)
                                                    : sizeof(struct world)};
}

static void add_start(void)
{
    struct world world = silent();
    for (uint32_t i = 0; i < ring.params.n; i++)
        world.devices[i].word = (uint8_t)words[i];
    erase(&world);
    found_add(&found, &world);
}

/* Configuration `number` of all; how many there are. */
static uint64_t configuration(uint64_t number)
{
    const uint64_t states = rl_protocol_states(ring.protocol, &ring.params);
    uint64_t count = 1;
    for (uint32_t i = 0; i < ring.params.n; i++, number /= states, count *= states)
        words[i] = (uint32_t)rl_protocol_state(ring.protocol, &ring.params, number % states);
    return count;
}

/* The safe ones and one in `every` others. */
static void search_from(uint64_t every)
{
    const uint64_t count = configuration(0);
    for (uint64_t i = 0; i < count; i++) {
        configuration(i);
        if (i % every == 0 || ring.protocol->sets[ring.protocol->target].contains(&ring))
            add_start();
    }
    const uint32_t starts = found.count;
    search();
    print_message("n = N = %u, %s wires: %u states from %u configurations\n", ring.params.n,
                  wiring == ORDERED     ? "ordered"
                  : wiring == UNORDERED ? "unordered"
                                        : "instant",
                  found.count, starts);
    found_free(&found);
}

TEST(a_ring_of_two_is_prl)
{
    begin(2, ORDERED);
    search_from(64);
}

TEST(a_ring_of_two_is_prl_where_messages_overtake_each_other)
{
    begin(2, UNORDERED);
    search_from(UINT64_MAX);
}

TEST(a_ring_of_three_is_prl)
{
    const char *how = getenv("RING_OF_THREE");
    begin(3, INSTANT);
    search_from(how && strcmp(how, "all") == 0 ? 1 : UINT64_MAX);
}

/* An argument chooses tests by their names, with * for anything: for mutants.sh. */
