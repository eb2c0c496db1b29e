/* SPDX-License-Identifier: MIT
 *
 * The two layers below a directed protocol on an undirected ring (undirected.h): two-hop colouring
 * and orientation. They know nothing of it and have the top 12 bits of an agent's word.
 */
#ifndef RINGLEADER_UNDIRECTED_LAYERS_H
#define RINGLEADER_UNDIRECTED_LAYERS_H

#include "ringleader/protocol.h"

/* What colouring and orientation know of an agent, from bit 52 on, each in so many bits. */
#define PLACE(X)                                                                                   \
    X(colour, 2)                                                                                   \
    X(marks, 3) /* bit c: parity of the meetings with the neighbour of colour c */                 \
    X(coin, 1)                                                                                     \
    X(ahead, 2)  /* the colour ahead */                                                            \
    X(behind, 2) /* the colour behind */                                                           \
    X(strong, 1)

#define PLACE_SHIFT(name, bits) SHIFT_##name, LAST_OF_##name = SHIFT_##name + (bits)-1,
enum { BELOW_PLACE = 51, PLACE(PLACE_SHIFT) };

#define PLACE_FIELD(name, bits) uint32_t name;
struct place {
    PLACE(PLACE_FIELD)
};

static inline struct place unpack_place(rl_state state)
{
#define PLACE_UNPACK(name, bits) .name = (uint32_t)(state >> SHIFT_##name) & ((1u << (bits)) - 1),
    return (struct place){PLACE(PLACE_UNPACK)};
}

static inline rl_state pack_place(struct place place)
{
#define PLACE_PACK(name, bits) | (rl_state)place.name << SHIFT_##name
    return 0 PLACE(PLACE_PACK);
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
