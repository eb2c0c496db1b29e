/* SPDX-License-Identifier: MIT
 *
 * The two layers below a directed protocol on an undirected ring (undirected.h): two-hop colouring
 * and orientation. They know nothing of it and have the top 12 bits of an agent's word.
 */
#ifndef RINGLEADER_UNDIRECTED_LAYERS_H
#define RINGLEADER_UNDIRECTED_LAYERS_H

#include "ringleader/protocol.h"

enum {
    SHIFT_COLOUR = 52,
    SHIFT_MARKS = 54,
    SHIFT_COIN = 57,
    SHIFT_AHEAD = 58,
    SHIFT_BEHIND = 60,
    SHIFT_STRONG = 62,
};

/* What colouring and orientation know of an agent. */
struct place {
    uint32_t colour;
    uint32_t marks; /* bit c: parity of the meetings with the neighbour of colour c */
    uint32_t coin;
    uint32_t ahead;  /* the colour ahead */
    uint32_t behind; /* the colour behind */
    uint32_t strong;
};

static inline struct place unpack_place(rl_state state)
{
    return (struct place){
        .colour = (uint32_t)(state >> SHIFT_COLOUR) & 3,
        .marks = (uint32_t)(state >> SHIFT_MARKS) & 7,
        .coin = (uint32_t)(state >> SHIFT_COIN) & 1,
        .ahead = (uint32_t)(state >> SHIFT_AHEAD) & 3,
        .behind = (uint32_t)(state >> SHIFT_BEHIND) & 3,
        .strong = (uint32_t)(state >> SHIFT_STRONG) & 1,
    };
}

static inline rl_state pack_place(struct place place)
{
    return (rl_state)place.colour << SHIFT_COLOUR | (rl_state)place.marks << SHIFT_MARKS |
           (rl_state)place.coin << SHIFT_COIN | (rl_state)place.ahead << SHIFT_AHEAD |
           (rl_state)place.behind << SHIFT_BEHIND | (rl_state)place.strong << SHIFT_STRONG;
}

/* Two neighbours of one colour look like one to the agent between them. It and they keep a parity
 * of their meetings for each colour; where the two parities of a pair differ, something is wrong,
 * and the initiator takes another colour if its coin says so. */
static inline void colour(struct place *u, struct place *v)
{
    const uint32_t u_mark = u->marks >> v->colour & 1, v_mark = v->marks >> u->colour & 1;
    if (u_mark != v_mark) {
        u->colour = (u->colour + u->coin) % 3;
        const uint32_t copied = v->marks >> u->colour & 1;
        u->marks = (u->marks & ~(1u << v->colour)) | copied << v->colour;
    } else {
        u->marks ^= 1u << v->colour;
        v->marks ^= 1u << u->colour;
    }
    u->coin ^= 1;
}

// clang-format off
/* The orientation of Angluin, Aspnes, Fischer and Jiang. */
static inline void orient_aaf(struct place *u, struct place *v)
{
    if (v->colour == u->behind && v->colour != u->ahead) v->ahead = u->colour;
    else if (v->colour == u->ahead && v->colour != u->behind) v->behind = u->colour;
    else { u->behind = v->colour; v->ahead = u->colour; }
}
// clang-format on

/* Remembers the last two different colours met: from then on, those of the two neighbours. */
static inline void learn(struct place *u, uint32_t seen_colour)
{
    if (seen_colour == u->ahead || seen_colour == u->behind)
        return;
    u->behind = u->ahead;
    u->ahead = seen_colour;
}

static inline void turn_round(struct place *u)
{
    const uint32_t ahead = u->ahead;
    u->ahead = u->behind;
    u->behind = ahead;
}

/* The faster one, a reconstruction of the P_OR of 2023: two agents that face each other fight; the
 * loser turns round and is strong, so that the winner's direction spreads. */
static inline void orient_por(struct place *u, struct place *v)
{
    learn(u, v->colour);
    learn(v, u->colour);
    const bool u_faces = u->ahead == v->colour, v_faces = v->ahead == u->colour;
    if (u_faces && v_faces) {
        struct place *const winner = v->strong && !u->strong ? v : u;
        struct place *const loser = winner == u ? v : u;
        turn_round(loser);
        loser->strong = 1;
        winner->strong = 0;
    } else if (u_faces) {
        u->strong = 0;
    } else if (v_faces) {
        v->strong = 0;
    }
}

/* Is u just behind v, as both see it? */
static inline bool is_behind(const struct place *u, const struct place *v)
{
    return u->ahead == v->colour && u->behind != v->colour && v->behind == u->colour &&
           v->ahead != u->colour;
}

#endif
