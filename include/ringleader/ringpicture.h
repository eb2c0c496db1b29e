/* SPDX-License-Identifier: MIT
 *
 * One configuration drawn as a ring: u_0 at the top, right is clockwise. Crowns stand outside the
 * ring, bullets fly inside it, signals run back inside those, as on the page. On an undirected ring
 * they point the way that the agent has chosen.
 */
#ifndef RINGLEADER_RINGPICTURE_H
#define RINGLEADER_RINGPICTURE_H

#include "ringleader/look.h"
#include "ringleader/pen.h"

RL_BEGIN

/* Of more agents than this one would see nothing but a line. */
enum { RL_RINGPICTURE_AGENTS = 20000 };

/* The picture as a file, through `put` as in rl_pen_close. RL_TOO_LARGE above
 * RL_RINGPICTURE_AGENTS. */
RL_MUST_CHECK enum rl_status
rl_ringpicture_draw(const struct rl_ring *ring, const char *title, enum rl_pen_format format,
                    bool (*put)(void *user, const void *bytes, size_t size), void *user);

RL_END

#endif
