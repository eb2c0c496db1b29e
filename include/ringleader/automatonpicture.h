/* SPDX-License-Identifier: MIT
 *
 * The automaton of a set, as learnt for every n (every_n.h), drawn: circles for states, arrows for
 * what the next agent of a ring makes of them.
 */
#ifndef RINGLEADER_AUTOMATONPICTURE_H
#define RINGLEADER_AUTOMATONPICTURE_H

#include "ringleader/every_n.h"
#include "ringleader/pen.h"

RL_BEGIN

/* The picture of a set of the protocol that was learnt, through `put` as in rl_pen_close. */
RL_MUST_CHECK enum rl_status
rl_automatonpicture_draw(const struct rl_every_n *answer, const struct rl_protocol *protocol,
                         size_t set, const char *title, enum rl_pen_format format,
                         bool (*put)(void *user, const void *bytes, size_t size), void *user);

RL_END

#endif
