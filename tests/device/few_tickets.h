/* SPDX-License-Identifier: MIT
 *
 * The link itself, src/device/link.c, with as few tickets as a search can take: they go round after
 * `tickets`.
 */
#ifndef RINGLEADER_DEVICE_FEW_TICKETS_H
#define RINGLEADER_DEVICE_FEW_TICKETS_H

#include <stdint.h>

static uint16_t tickets;

#define RL_LINK_SMALL
#define RL_LINK_NEXT(ticket) ((rl_link_ticket)(((ticket) + 1u) % tickets))
#include "test.h"

#include "device/link.c"

#endif
