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
 * exponential clock of rate lambda, kept by its left device; which arc rings next is then uniform,
 * as the paper's scheduler wants, and parallel time is real time times lambda. The link (device.h)
 * makes an interaction, which changes two devices at once, out of messages.
 *
 * THE CONFIGURATION. An interaction happens at the instant at which the responder decides on it
 * (RL_LINK_INTERACTED). From then until the initiator hears of it (RL_LINK_LEARNT), the initiator's
 * state is what the responder keeps in `reply`. An interaction of a protocol that fits (device.h)
 * never changes whether its initiator leads, so the leaders that one sees are at every instant the
 * leaders there are.
 *
 * GUARANTEED (found by exhaustive search over one link in a free environment, hence for any ring;
 * tests/device/test_link.c repeats it):
 * - Ends that agree, messages of bounded life: every interaction exactly once. On wires that keep
 *   order 2 tickets are enough; where a message outlives at most A later questions, 2A + 1.
 * - From any contents of both ends and the wires: finitely many wrong words, then exactly once; a
 *   self-stabilizing protocol heals the rest. On wires that keep order and hold c messages each way
 *   2c tickets are enough; on others 3A + 1. From every state, two loss-free round trips unlock.
 * - No deadlock: who waits still answers.
 *
 * NOT GUARANTEED, because it is impossible:
 * - that a device goes on when its right neighbour is dead: it cannot know whether the other has
 *   decided (two generals), so it waits, and answers BUSY; the others go on, and so does it when
 *   the neighbour is back, whatever that finds in its memory;
 * - exactly once with bounded tickets over unbounded delay: 16 bits are for wires, 64 for networks;
 * - that a device knows when the election is over: the leader may lead alone, it cannot know it.
 * And left to others: who may talk (a datagram needs a MAC; a wire is trusted), and the uniform
 * scheduler, which is as good as the clocks and the links are alike: keep lambda times the round
 * trip below 0.02.
 *
 * A PORT SUPPLIES
 * - a way to send a message to the left and to the right, which may lose, double, delay and
 *   reorder it (frame.h for serial lines; datagrams elsewhere); a frame that cannot be sent now is
 *   dropped, never waited for;
 * - the messages that arrive, with the side they came from;
 * - a tick or a timer: at each tick, with odds lambda / ticks a second, rl_link_ring, and with odds
 *   of the order of a few round trips, rl_link_repeat (device.h; no countdown in memory that may
 *   hold anything);
 * - rules: rl_rules_init for a protocol of the registry, src/device/prl.h on a microcontroller;
 * - where messages can outlive a boot, an `ask` and an `expects` chosen at random at boot; nothing
 *   has to be initialised otherwise.
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
 * Freestanding: no allocation, no floating point, nothing of the C library.
 */

/* -------------------------------------------------------------------------------------------------
 *
 * The link: one agent among neighbours that it reaches by messages only.
 *
 * A device asks to its right, as the initiator l of that arc, and answers to its left, as the
 * responder r. Messages may be lost, doubled, late and out of order, and a device may find anything
 * in its memory: device.h says what holds all the same. Here is the machine itself, which knows no
 * transport: messages go in and out as values.
 *
 *     the clock of the right arc rings      rl_link_ring     -> ASK to the right
 *     no answer for a while                 rl_link_repeat   -> the same ASK to the right
 *     an ASK from the left                  rl_link_asked    -> an answer to the left
 *     an answer from the right              rl_link_answered -> after a SYNC, an ASK to the right
 *
 * Define RL_LINK_SMALL, for all files alike, on a microcontroller: words of 32 bits and tickets of
 * 16 instead of 64 each. Tests of the link with few tickets define RL_LINK_NEXT.
 */

/* A firmware that has all of this in one file makes the functions static. */
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

/* The ticket after another one; they go round. */
#ifndef RL_LINK_NEXT
#define RL_LINK_NEXT(ticket) ((rl_link_ticket)((ticket) + 1u))
#endif

/* The protocol. `interact` gets two states; `legal` makes a state of any word, and leaves a state
 * as it is. Random words should become random states: reduce modulo the size of a domain, do not
 * clamp. `about` is handed to both. */
struct rl_link_rules {
    void (*interact)(const void *about, rl_link_word *l, rl_link_word *r);
    rl_link_word (*legal)(const void *about, rl_link_word any);
    const void *about;
};

/* All that an agent remembers: 13 bytes if small. Every content is legal. */
struct rl_link {
    rl_link_word word;      /* the agent's state */
    rl_link_word reply;     /* the left neighbour's state after the last interaction with it */
    rl_link_ticket ask;     /* of the question that is out, or of the next one */
    rl_link_ticket expects; /* of the next question from the left */
    uint8_t flags;          /* RL_LINK_LOCKED, RL_LINK_DONE; the other bits mean nothing */
};

enum {
    RL_LINK_LOCKED = 1, /* a question is out */
    RL_LINK_DONE = 2,   /* the last question from the left led to an interaction */
};

/* What goes over the wire. */
enum rl_link_kind {
    RL_ASK,  /* to the right; value: l's state */
    RL_DID,  /* to the left; value: l's state after the interaction */
    RL_BUSY, /* to the left; no interaction, and the ticket is used up */
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
    /* of a question */
    RL_LINK_INTERACTED, /* the interaction of the left arc has happened, now */
    RL_LINK_REFUSED,    /* this agent is locked itself */
    RL_LINK_REPEATED,   /* the decision on this ticket was told once more */
    RL_LINK_CORRECTED,  /* the asker's ticket is not the one expected */
    /* of an answer */
    RL_LINK_LEARNT, /* the interaction of the right arc has happened; the state is taken over */
    RL_LINK_TURNED_AWAY, /* it has not */
    RL_LINK_RESUMED,     /* the ticket was put right; the question is to be sent again */
};

/* The clock of the right arc rings. True: send `ask_out` to the right. False: a question is out
 * already, and this ring of the clock is dropped. */
RL_LINK_API bool rl_link_ring(struct rl_link *link, const struct rl_link_rules *rules,
                              struct rl_message *ask_out);
/* True: a question is out; `ask_out` is that question, to be sent once more. */
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
 * Coins of a device whose memory may hold anything: random numbers that heal, for clocks without
 * memory.
 *
 * A countdown in corruptible memory may take days; a coin tossed at every tick has no memory, and
 * is what the model wants: the clock of an arc is exponential. The generator is linear with full
 * period, so it goes on from whatever it contains (a shift register is stuck at 0).
 * Identical boots would toss identical coins: stir in what differs, such as the arrival times of
 * bytes.
 */

struct rl_coins {
    uint32_t state;
};

RL_LINK_API void rl_coins_stir(struct rl_coins *coins, uint32_t entropy);
/* True with probability odds / 65536. */
RL_LINK_API bool rl_coins_toss(struct rl_coins *coins, uint16_t odds);
/* 32 random bits, for what a device wants at random at its boot: its word and its tickets. */
RL_LINK_API uint32_t rl_coins_bits(struct rl_coins *coins);

/* The odds of a clock that rings `rate` times in 1000 seconds, at `ticks` ticks a second; at most
 * one ring a tick. Of constants the compiler makes a constant. */
#define RL_COINS_ODDS(rate, ticks)                                                                 \
    ((uint16_t)((rate) * (uint64_t)65535 / ((ticks) * (uint64_t)1000)))

#ifndef RL_LINK_SMALL

/* -------------------------------------------------------------------------------------------------
 *
 * A protocol of the registry as the rules of a link (device.h), where it fits.
 *
 * It fits if an interaction never changes whether its initiator leads: then the leaders that one
 * sees are at every instant the leaders there are, though an initiator hears late of what the
 * responder decided. That is asked of the rule itself, pair of states by pair of states.
 */

struct rl_rules {
    const struct rl_protocol *protocol;
    struct rl_params params;
    struct rl_link_rules link; /* its `about` is this struct, which stays where it is */
};

/* How many pairs of states are asked one by one. Where there are more, that many random ones are,
 * and every pair of states whose variables all have values at the ends of their domains. */
#define RL_RULES_PAIRS (UINT64_C(1) << 20)

/* RL_BAD_PARAMETER, with the reason, if the protocol has an oracle (no device sees the whole ring),
 * is for undirected rings (a device asks to its right only), or changes an initiator's output; then
 * the error names a pair of states. `params` are complete and checked. Time: O(RL_RULES_PAIRS). */
RL_MUST_CHECK enum rl_status rl_rules_init(struct rl_rules *rules,
                                           const struct rl_protocol *protocol,
                                           const struct rl_params *params, struct rl_error *error);

#endif

RL_END

#ifdef RL_LINK_SMALL
#include "ringleader/frame.h"
#endif

#endif
