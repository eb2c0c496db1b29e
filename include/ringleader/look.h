/* SPDX-License-Identifier: MIT
 *
 * How an agent looks, and what happens to it in words: for pictures, the page and people.
 *
 * Marks are the things a picture shows: a crown, a shield, a bullet, a signal. A protocol may say
 * itself which of them a state has (its `marks`); without that they follow from its variables by
 * name: `bullet` (the largest value is a live bullet, any smaller one but 0 a dummy), `shield` (of
 * leaders), `signal` or `probe`. The variable named `dist`, if there is one, is what shades an
 * agent.
 */
#ifndef RINGLEADER_LOOK_H
#define RINGLEADER_LOOK_H

#include "ringleader/ring.h"
#include "ringleader/text.h"

RL_BEGIN

enum rl_mark {
    RL_MARK_LEADER = 1,
    RL_MARK_SHIELD = 2,
    RL_MARK_LIVE = 4,
    RL_MARK_DUMMY = 8,
    RL_MARK_SIGNAL = 16,
    RL_MARK_LEFTWARD = 32, /* no thing: its bullet flies to the left, its signal to the right */
    RL_MARK_BARRIER = 64,  /* between it and its right neighbour */
};

/* Which variables tell how an agent looks, found once; NULL where there is none of the name. */
struct rl_look {
    const struct rl_protocol *protocol;
    const struct rl_variable *bullet, *shield, *signal, *dist;
};

struct rl_look rl_look_of(const struct rl_protocol *protocol);

/* The marks of a state, and those that any state of the protocol may have. Time: O(1). */
uint32_t rl_look_marks(const struct rl_look *look, rl_state state);
uint32_t rl_look_possible(const struct rl_look *look);

/* The marks of agent i, with those that its state alone does not tell: RL_MARK_LEFTWARD and
 * RL_MARK_BARRIER. Time: O(1). */
uint32_t rl_look_agent(const struct rl_look *look, const struct rl_ring *ring, uint32_t i);

/* The state with one variable changed so that the agent leads, or does not; the state itself if it
 * does so already or no single variable decides it. */
rl_state rl_look_crowned(const struct rl_protocol *protocol, const struct rl_params *params,
                         rl_state state, bool leads);

/* What the interaction of `arc` is about to do to `ring`, one line of text for each thing; nothing
 * if it changes no state. `no_leader` is what an oracle reports. Line numbers are those of the
 * listing in the protocol's page of docs/protocols. */
void rl_look_explain(const struct rl_ring *ring, uint32_t arc, bool no_leader,
                     struct rl_text *text);

/* "u_3.bullet went from 0 to B; signal from ! to 0" and a new line, if any of these variables of an
 * agent differ. */
void rl_look_changes(const struct rl_variable *variables, size_t count, uint32_t agent,
                     rl_state before, rl_state after, struct rl_text *text);

/* Facts about agent i that its own state does not show, one a line ("d_L = 3"); may be none. */
void rl_look_describe(const struct rl_ring *ring, uint32_t i, struct rl_text *text);

RL_END

#endif
