/* SPDX-License-Identifier: MIT
 *
 * Trouble to order: a network that loses, doubles, delays and reorders, and is cut in places. It
 * sits where a node sends, so that a ring on one machine has a network as bad as one likes.
 */
#ifndef RINGLEADER_NET_TROUBLE_H
#define RINGLEADER_NET_TROUBLE_H

#include "net/datagram.h"

enum { RL_MOST_POSTPONED = 64 };

struct rl_trouble {
    double loss, duplicate, reorder; /* probabilities, of each datagram */
    double delay;                    /* seconds: each waits between 0 and that */
    struct rl_cut {
        bool right;      /* what is sent to the right, or to the left, is lost ... */
        double from, to; /* ... between these times of the clock */
    } * cuts;            /* somebody else's memory */
    size_t cut_count;
};

/* What was sent and waits for its time. */
struct rl_postponed {
    struct rl_late {
        double due;
        bool right;
        uint8_t bytes[RL_DATAGRAM_BYTES];
    } late[RL_MOST_POSTPONED];
    size_t count;
};

/* How many copies of a datagram arrive (0 .. 2), and when each. */
int rl_trouble_befall(const struct rl_trouble *trouble, struct rl_random *random, bool right,
                      double now, double due_out[2]);

/* Keeps a datagram until it is due; false if there is no more room. */
bool rl_trouble_postpone(struct rl_postponed *postponed, const struct rl_late *late);
/* Takes out one that is due. */
bool rl_trouble_due(struct rl_postponed *postponed, double now, struct rl_late *late_out);
/* When the next one is due, at the latest `otherwise`. */
double rl_trouble_next(const struct rl_postponed *postponed, double otherwise);

#endif
