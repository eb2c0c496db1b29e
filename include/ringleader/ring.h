/* SPDX-License-Identifier: MIT
 *
 * A ring: a protocol, its parameters and a configuration, the packed states u_0 .. u_{n-1}.
 *
 * Arc i is (u_i, u_{i+1 mod n}): u_i is the initiator l, u_{i+1} the responder r. An undirected
 * ring has, besides these n arcs, the n reversed ones: arc n + i is (u_{i+1 mod n}, u_i). A ring is
 * a view of memory that somebody else owns, n words of `protocol->width` bytes.
 */
#ifndef RINGLEADER_RING_H
#define RINGLEADER_RING_H

#include "ringleader/protocol.h"

RL_BEGIN

struct rl_ring {
    const struct rl_protocol *protocol;
    struct rl_params params;
    void *agents;
    bool mirrored; /* a view that reads the agents the other way round: u_i is the word n-1-i */
};

/* Bytes of the configuration of a ring of `n` agents. */
size_t rl_ring_bytes(const struct rl_protocol *protocol, uint32_t n);

/* Word i of an array of words of 4 or 8 bytes. Where the width is a constant, this is one load. */
static inline rl_state rl_word_get(const void *words, unsigned width, uint32_t i)
{
    return width == 4 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}
static inline void rl_word_set(void *words, unsigned width, uint32_t i, rl_state state)
{
    if (width == 4)
        ((uint32_t *)words)[i] = (uint32_t)state;
    else
        ((uint64_t *)words)[i] = state;
}

/* Which word is u_i. */
static inline uint32_t rl_ring_place(const struct rl_ring *ring, uint32_t i)
{
    return ring->mirrored ? ring->params.n - 1 - i : i;
}
static inline rl_state rl_ring_get(const struct rl_ring *ring, uint32_t i)
{
    return rl_word_get(ring->agents, ring->protocol->width, rl_ring_place(ring, i));
}
static inline void rl_ring_set(struct rl_ring *ring, uint32_t i, rl_state state)
{
    rl_word_set(ring->agents, ring->protocol->width, rl_ring_place(ring, i), state);
}

/* The neighbours' indices. */
static inline uint32_t rl_ring_right(const struct rl_ring *ring, uint32_t i)
{
    return i + 1 == ring->params.n ? 0 : i + 1;
}
static inline uint32_t rl_ring_left(const struct rl_ring *ring, uint32_t i)
{
    return i == 0 ? ring->params.n - 1 : i - 1;
}

/* The number of arcs, and the two agents of one. */
static inline uint32_t rl_ring_arcs(const struct rl_ring *ring)
{
    return ring->protocol->undirected ? 2 * ring->params.n : ring->params.n;
}
static inline uint32_t rl_ring_initiator(const struct rl_ring *ring, uint32_t arc)
{
    return arc < ring->params.n ? arc : rl_ring_right(ring, arc - ring->params.n);
}
static inline uint32_t rl_ring_responder(const struct rl_ring *ring, uint32_t arc)
{
    return arc < ring->params.n ? rl_ring_right(ring, arc) : arc - ring->params.n;
}

/* Makes an arc interact; says whether a state changed. An oracle, if the protocol has one, reports
 * at once: for one with a delay call rl_oracle_interact instead, and rl_ring_interact_told to say
 * what it reports. Time: O(1); the first O(n) with an oracle. */
bool rl_ring_interact(struct rl_ring *ring, uint32_t arc);
bool rl_ring_interact_told(struct rl_ring *ring, uint32_t arc, bool no_leader);
/* What an oracle that reports at once says; false if the protocol has none. Time: O(n), or O(1). */
bool rl_ring_lacks_leader(const struct rl_ring *ring);

/* The number of leaders, and the index of the first one (n if there is none). Time: O(n). */
uint32_t rl_ring_leaders(const struct rl_ring *ring);
uint32_t rl_ring_first_leader(const struct rl_ring *ring);

/* Fills the ring from a named start, `random` included. RL_BAD_PARAMETER if there is none of that
 * name or the parameters do not allow it. Time: O(n). */
RL_MUST_CHECK enum rl_status rl_ring_start(struct rl_ring *ring, const char *name,
                                           struct rl_random *random, struct rl_error *error);

/* The same with the random numbers of that seed and trial; or from a configuration, if there is a
 * text (on failure `error` then has line and column). */
RL_MUST_CHECK enum rl_status rl_ring_fill(struct rl_ring *ring, const char *start, const char *text,
                                          uint64_t seed, uint64_t trial, struct rl_error *error);

/* Every agent gets a uniformly random state. */
void rl_ring_randomize(struct rl_ring *ring, struct rl_random *random);

/* A fault: `count` distinct agents, chosen uniformly, get uniformly random states. Calls
 * `struck(user, agent)` for each, if given. Time: O(n). */
void rl_ring_fault(struct rl_ring *ring, uint32_t count, struct rl_random *random,
                   void (*struck)(void *user, uint32_t agent), void *user);

/* Text, as docs/formats.md specifies it: "0LBs 1 2! 3b". Printing and parsing are each other's
 * inverse. */
struct rl_text;
void rl_ring_print_state(const struct rl_protocol *protocol, rl_state state, struct rl_text *text);
void rl_ring_print(const struct rl_ring *ring, struct rl_text *text);
/* One agent's: use `.text` in the same expression. */
struct rl_ring_state {
    char text[128];
};
struct rl_ring_state rl_ring_state(const struct rl_protocol *protocol, rl_state state);
/* Reads exactly n agents from `text` (`length` bytes); on failure `error` has line and column, and
 * the ring's content is unspecified. */
RL_MUST_CHECK enum rl_status rl_ring_parse(struct rl_ring *ring, const char *text, size_t length,
                                           struct rl_error *error);

RL_END

#endif
