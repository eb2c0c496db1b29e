/* SPDX-License-Identifier: MIT
 *
 * A ring: its configuration, its oracle, and how its agents are drawn.
 */
#ifndef RINGLEADER_RING_H
#define RINGLEADER_RING_H

#include "ringleader/protocol.h"
#include "ringleader/status.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * A ring: a protocol, its parameters and a configuration, the packed states u_0 .. u_{n-1}.
 *
 * Arc i is (u_i, u_{i+1 mod n}): u_i is the initiator l, u_{i+1} the responder r. An undirected
 * ring also has the n reversed arcs: arc n + i is (u_{i+1 mod n}, u_i). A ring does not own its
 * agents: they are n words of `protocol->width` bytes in the caller's memory.
 */

struct rl_ring {
    const struct rl_protocol *protocol;
    struct rl_params params;
    void *agents;
    bool mirrored; /* the agents are read in reverse: u_i is word n-1-i */
};

/* The size in bytes of a configuration of `n` agents. */
size_t rl_ring_bytes(const struct rl_protocol *protocol, uint32_t n);

/* Word i of an array of words of 4 or 8 bytes. If the width is a constant, this is a single load.
 */
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

/* The index of the word that holds u_i. */
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

/* The number of arcs, and the two agents of an arc. */
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

/* Makes an arc interact and returns whether a state changed. If the protocol has an oracle, it
 * reports without delay; for an oracle with a delay call rl_oracle_interact instead. Time: O(1), or
 * O(n) with an oracle. */
bool rl_ring_interact(struct rl_ring *ring, uint32_t arc);

/* The number of leaders, and the index of the first one (n if there is none). Time: O(n). */
uint32_t rl_ring_leaders(const struct rl_ring *ring);
uint32_t rl_ring_first_leader(const struct rl_ring *ring);

/* Fills the ring from a named start; `random` is one. RL_BAD_PARAMETER if the protocol has no start
 * of that name or the parameters do not allow it. Time: O(n). */
RL_MUST_CHECK enum rl_status rl_ring_start(struct rl_ring *ring, const char *name,
                                           struct rl_random *random, struct rl_error *error);

/* A fault: `count` distinct agents, chosen uniformly, get uniformly random states. Calls
 * `struck(user, agent)` for each of them, unless `struck` is NULL. Time: O(n). */
void rl_ring_fault(struct rl_ring *ring, uint32_t count, struct rl_random *random,
                   void (*struck)(void *user, uint32_t agent), void *user);

/* A configuration as text, as docs/formats.md specifies it: "0LBs 1 2! 3b". Parsing is the exact
 * inverse of printing. */
struct rl_text;
void rl_ring_print(const struct rl_ring *ring, struct rl_text *text);
/* The text of one agent. Use `.text` within the same expression. */
struct rl_ring_state {
    char text[128];
};
struct rl_ring_state rl_ring_state(const struct rl_protocol *protocol, rl_state state);
/* Reads exactly n agents from `text` (`length` bytes). On failure `error` has line and column, and
 * the contents of the ring are unspecified. */
RL_MUST_CHECK enum rl_status rl_ring_parse(struct rl_ring *ring, const char *text, size_t length,
                                           struct rl_error *error);

/* -------------------------------------------------------------------------------------------------
 *
 * Fischer and Jiang's oracle Omega?: the part of the environment that watches for leaders.
 *
 * At every interaction, a protocol that declares an oracle learns from it whether the ring has no
 * leader. The oracle never lies: it reports only while there is no leader. It waits until there has
 * been none for `delay` steps. The delay is a parameter of the protocol; 0 is the oracle of the
 * paper's footnote, which reports at once. So the oracle reports at interaction t if and only if
 * there was no leader after each of the steps t-1-delay .. t-1.
 *
 * If you make a ring with an oracle interact, keep one of these beside it. For a protocol without
 * an oracle it costs nothing and never reports.
 */

struct rl_oracle {
    uint32_t leaders;
    uint64_t since; /* if there is no leader: the step since which there has been none */
};

/* Interaction number `step` had `before` leaders among its two agents and left `after`. */
static inline void rl_oracle_watch(struct rl_oracle *oracle, uint32_t before, uint32_t after,
                                   uint64_t step)
{
    oracle->leaders += after - before;
    if (oracle->leaders == 0 && before > 0)
        oracle->since = step;
}

/* The step after which the oracle reports; UINT64_MAX while there is a leader. */
static inline uint64_t rl_oracle_speaks_after(const struct rl_oracle *oracle, uint64_t delay)
{
    return oracle->leaders == 0 ? oracle->since + delay : UINT64_MAX;
}

/* Makes an arc interact, as interaction number `step` (counted from 1), and returns whether a state
 * changed. Time: O(1). */
bool rl_oracle_interact(struct rl_oracle *oracle, struct rl_ring *ring, uint32_t arc,
                        uint64_t step);

/* -------------------------------------------------------------------------------------------------
 *
 * How an agent is drawn, and its changes in words: for pictures, the page and people.
 *
 * Marks are what a picture shows: a crown, a shield, a bullet, a signal. A protocol may say which
 * marks a state has (`marks`). Otherwise they follow from the names of its variables: `bullet` (the
 * largest value is a live bullet, any other but 0 a dummy), `shield` (of leaders), and `signal` or
 * `probe`. If there is a variable `dist`, it shades the agent.
 */

enum rl_mark {
    RL_MARK_LEADER = 1,
    RL_MARK_SHIELD = 2,
    RL_MARK_LIVE = 4,
    RL_MARK_DUMMY = 8,
    RL_MARK_SIGNAL = 16,
    RL_MARK_LEFTWARD = 32, /* not drawn itself: the bullet flies left, the signal right */
    RL_MARK_BARRIER = 64,  /* between it and its right neighbour */
};

/* The variables that decide how an agent is drawn, looked up once; NULL if there is none of that
 * name. */
struct rl_look {
    const struct rl_protocol *protocol;
    const struct rl_variable *bullet, *shield, *signal, *dist;
};

/* Writes "u_3.bullet went from 0 to B; signal from ! to 0" and a newline, if any of these variables
 * of the agent changed. */
void rl_look_changes(const struct rl_variable *variables, size_t count, uint32_t agent,
                     rl_state before, rl_state after, struct rl_text *text);

RL_END

#endif
