/* SPDX-License-Identifier: MIT
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
#ifndef RINGLEADER_LINK_H
#define RINGLEADER_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "ringleader/api.h"

RL_BEGIN

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
/* A message from the left. Unless it was ignored (it is no question), send `answer_out` to the
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

RL_END

#endif
