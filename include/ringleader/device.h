/* SPDX-License-Identifier: MIT
 *
 * An agent as a real device.
 */
#ifndef RINGLEADER_DEVICE_H
#define RINGLEADER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "ringleader/status.h"
#ifndef RL_LINK_SMALL
#include "ringleader/protocol.h"
#endif

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * A ring of real devices: what the link guarantees, what it does not, and what a port supplies.
 *
 * Each agent is a device with a neighbour to its left and one to its right. Every arc has an
 * exponential clock of rate lambda, kept by its left device. So the next arc to ring is uniformly
 * random, as in the paper's scheduler, and parallel time is real time times lambda. An interaction
 * changes two devices at once; the link makes it out of messages.
 *
 * THE CONFIGURATION. An interaction happens at the instant when the responder decides on it
 * (RL_LINK_INTERACTED). From then until the initiator hears of it (RL_LINK_LEARNT), the initiator's
 * state is what the responder keeps in `reply`. In a suitable protocol (rl_rules_init) an
 * interaction never changes whether its initiator leads. So at every instant, the leaders you see
 * are the leaders there are.
 *
 * GUARANTEED (found by exhaustive search over one link in a free environment, hence for any ring;
 * tests/device/test_link.c repeats it):
 * - If the ends agree and messages live for a bounded time: every interaction happens exactly once.
 *   On wires that keep the order, 2 tickets are enough; if a message outlives at most A later
 *   questions, 2A + 1 are.
 * - From any contents of both ends and the wires: finitely many wrong words, then exactly once; a
 *   self-stabilizing protocol heals the rest. On wires that keep the order and hold c messages each
 *   way, 2c tickets are enough; on others, 3A + 1 are. From every state, two round trips without
 *   loss unlock the link.
 * - No deadlock: a device that waits still answers.
 *
 * NOT GUARANTEED, because it is impossible:
 * - that a device goes on when its right neighbour is dead: it cannot know whether the neighbour
 *   has decided (the two generals' problem), so it waits and answers BUSY. The others go on. So
 *   does the device once the neighbour is back, whatever is in the neighbour's memory;
 * - exactly once, with bounded tickets and unbounded delay: 16 bits are for wires, 64 for networks;
 * - that a device knows when the election is over: a leader may be the only one, but cannot know
 *   it.
 * Two things are left to the port: who may talk (a datagram needs a MAC; a wire is trusted), and
 * the uniform scheduler, which is only as good as the clocks and links are alike. Keep lambda times
 * the round trip below 0.02.
 *
 * A PORT SUPPLIES
 * - a way to send a message to the left and to the right, which may lose, duplicate, delay and
 *   reorder it (frame.h for serial lines; datagrams elsewhere). If a frame cannot be sent now, drop
 *   it; never wait;
 * - the messages that arrive, with the side they came from;
 * - a tick or a timer: at each tick call rl_link_ring with odds of lambda / (ticks per second), and
 *   rl_link_repeat about once every few round trips, also by odds (no countdown: memory may hold
 *   anything);
 * - rules: rl_rules_init for a protocol in the list, src/device/prl.h on a microcontroller;
 * - if messages can outlive a boot: a random `ask` and `expects` at boot. Nothing else has to be
 *   initialised.
 *
 *     if (rl_coins_toss(&coins, RING_ODDS) && rl_link_ring(&link, &rules, &message))
 *         send_right(&message);
 *     if (rl_coins_toss(&coins, REPEAT_ODDS) && rl_link_repeat(&link, &rules, &message))
 *         send_right(&message);
 *     if (receive_left(&message) && rl_link_asked(&link, &rules, &message, &answer))
 *         send_left(&answer);
 *     if (receive_right(&message) &&
 *         rl_link_answered(&link, &rules, &message, &answer) == RL_LINK_RESUMED)
 *         send_right(&answer);
 *
 * Freestanding: no allocation, no floating point, no C library.
 */

/* -------------------------------------------------------------------------------------------------
 *
 * The link: one agent, and neighbours that it can reach only by messages.
 *
 * A device asks its right neighbour, as the initiator l of that arc, and answers its left
 * neighbour, as the responder r. Messages may be lost, duplicated, late and out of order, and
 * memory may hold anything; the section above says what is guaranteed even so. This is the machine
 * itself. It knows nothing about transport: messages go in and out as values.
 *
 *     the clock of the right arc rings      rl_link_ring     -> ASK to the right
 *     no answer for a while                 rl_link_repeat   -> the same ASK to the right
 *     an ASK from the left                  rl_link_asked    -> an answer to the left
 *     an answer from the right              rl_link_answered -> after a SYNC, an ASK to the right
 *
 * On a microcontroller define RL_LINK_SMALL, for all files: words then have 32 bits and tickets 16,
 * instead of 64 each. Tests of the link with few tickets define RL_LINK_NEXT.
 */

/* Firmware that has all of this in one file can make the functions static. */
#ifndef RL_LINK_API
#define RL_LINK_API
#endif

#ifdef RL_LINK_SMALL
typedef uint32_t rl_link_word;
typedef uint16_t rl_link_ticket;
#else
typedef uint64_t rl_link_word;
typedef uint64_t rl_link_ticket;
#endif

/* The next ticket; tickets wrap around. */
#ifndef RL_LINK_NEXT
#define RL_LINK_NEXT(ticket) ((rl_link_ticket)((ticket) + 1u))
#endif

/* The protocol. `interact` gets two states. `legal` turns any word into a state, and leaves a state
 * as it is. Random words should become random states: reduce modulo the size of a domain, do not
 * clamp. Both functions get `about`. */
struct rl_link_rules {
    void (*interact)(const void *about, rl_link_word *l, rl_link_word *r);
    rl_link_word (*legal)(const void *about, rl_link_word any);
    const void *about;
};

/* All that an agent remembers: 13 bytes if small. Any contents are legal. */
struct rl_link {
    rl_link_word word;      /* the agent's state */
    rl_link_word reply;     /* the left neighbour's state after our last interaction */
    rl_link_ticket ask;     /* of the open question, or of the next one */
    rl_link_ticket expects; /* of the next question from the left */
    uint8_t flags;          /* RL_LINK_LOCKED, RL_LINK_DONE; the other bits mean nothing */
};

enum {
    RL_LINK_LOCKED = 1, /* a question is open */
    RL_LINK_DONE = 2,   /* the last question from the left led to an interaction */
};

/* What goes over the wire. */
enum rl_link_kind {
    RL_ASK,  /* to the right; value: l's state */
    RL_DID,  /* to the left; value: l's state after the interaction */
    RL_BUSY, /* to the left; no interaction, but the ticket is used up */
    RL_SYNC, /* to the left; value: the ticket that is expected */
};
enum { RL_LINK_KINDS = 4 };
struct rl_message {
    uint8_t kind; /* enum rl_link_kind */
    rl_link_ticket ticket;
    rl_link_word value;
};

/* What a message led to. */
enum rl_link_event {
    RL_LINK_IGNORED,
    /* to a question */ RL_LINK_INTERACTED, /* the interaction of the left arc happened just now */
    RL_LINK_REFUSED,                        /* this agent is itself locked */
    RL_LINK_REPEATED,                       /* the decision on this ticket was sent again */
    RL_LINK_CORRECTED,                      /* the asker's ticket is not the one expected */
    /* to an answer */
    RL_LINK_LEARNT,      /* the interaction of the right arc happened; its state is ours now */
    RL_LINK_TURNED_AWAY, /* it did not happen */
    RL_LINK_RESUMED,     /* the ticket was corrected; send the question again */
};

/* The clock of the right arc rings. True: send `ask_out` to the right. False: a question is still
 * open, and this ring of the clock is dropped. */
RL_LINK_API bool rl_link_ring(struct rl_link *link, const struct rl_link_rules *rules,
                              struct rl_message *ask_out);
/* True: a question is open; send it again, it is in `ask_out`. */
RL_LINK_API bool rl_link_repeat(struct rl_link *link, const struct rl_link_rules *rules,
                                struct rl_message *ask_out);
/* A message from the left. Unless it was ignored (it is not a question), send `answer_out` to the
 * left. */
RL_LINK_API enum rl_link_event rl_link_asked(struct rl_link *link,
                                             const struct rl_link_rules *rules,
                                             const struct rl_message *ask,
                                             struct rl_message *answer_out);
/* A message from the right. After RL_LINK_RESUMED send `ask_out` to the right. */
RL_LINK_API enum rl_link_event rl_link_answered(struct rl_link *link,
                                                const struct rl_link_rules *rules,
                                                const struct rl_message *answer,
                                                struct rl_message *ask_out);

/* -------------------------------------------------------------------------------------------------
 *
 * Coins: random numbers for a device whose memory may hold anything, to make clocks without memory.
 *
 * A countdown in corrupted memory may take days. A coin tossed at every tick has no memory, and
 * makes the clock of an arc exponential, as the model requires. The generator is linear with full
 * period, so it works from any contents (a shift register would be stuck at 0). Identical boots
 * would toss identical coins, so stir in something that differs, such as the arrival times of
 * bytes.
 */

struct rl_coins {
    uint32_t state;
};

RL_LINK_API void rl_coins_stir(struct rl_coins *coins, uint32_t entropy);
/* True with probability odds / 65536. */
RL_LINK_API bool rl_coins_toss(struct rl_coins *coins, uint16_t odds);
/* 32 random bits, for what should be random at boot: the word and the tickets. */
RL_LINK_API uint32_t rl_coins_bits(struct rl_coins *coins);

/* The odds for a clock that rings `rate` times in 1000 seconds, with `ticks` ticks per second and
 * at most one ring per tick. With constants, this is a constant. */
#define RL_COINS_ODDS(rate, ticks)                                                                 \
    ((uint16_t)((rate) * (uint64_t)65535 / ((ticks) * (uint64_t)1000)))

#ifndef RL_LINK_SMALL

/* -------------------------------------------------------------------------------------------------
 *
 * A protocol from the list as the rules of a link, if it is suitable.
 *
 * It is suitable if an interaction never changes whether its initiator leads. Then at every instant
 * the leaders you see are the leaders there are, although an initiator hears late what the
 * responder decided. The rule itself is asked about this, one pair of states after another.
 */

struct rl_rules {
    const struct rl_protocol *protocol;
    struct rl_params params;
    struct rl_link_rules link; /* its `about` is this struct, which must not be moved */
};

/* Up to this many pairs of states are all checked. If there are more, this many random pairs are,
 * and every pair of states whose variables all have the first or last value of their domain. */
#define RL_RULES_PAIRS (UINT64_C(1) << 20)

/* RL_BAD_PARAMETER, with the reason, if the protocol has an oracle (no device sees the whole ring),
 * is for undirected rings (a device asks only its right neighbour), or changes an initiator's
 * output; the error then names a pair of states. `params` are complete and checked. Time:
 * O(RL_RULES_PAIRS). */
RL_MUST_CHECK enum rl_status rl_rules_init(struct rl_rules *rules,
                                           const struct rl_protocol *protocol,
                                           const struct rl_params *params, struct rl_error *error);

#endif

RL_END

#ifdef RL_LINK_SMALL
#include "ringleader/frame.h"
#endif

#endif
