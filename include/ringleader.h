/* SPDX-License-Identifier: MIT
 *
 * Ringleader: self-stabilizing leader election on rings in the population-protocol model.
 *
 * This header includes the whole library; each of the parts reads as its manual. Start with
 * protocol.h (the one interface), ring.h (configurations) and run.h (an election).
 *
 * Threads: one thing changes for the whole process, the list of protocols, to which
 * rl_protocol_add and rl_store_recall_protocols add: do that while no other thread reads the list.
 * All else is in objects. Different threads may use different objects at the same time, and the
 * same protocol, for protocols are constant. One object is for one thread at a time. Functions that
 * are given a function call it from the thread that called them.
 *
 * Memory: a struct may be moved (copied bytewise, the old one forgotten) unless its comment says
 * "stays where it is": then others point to it, or it to itself. What _init makes, _free frees,
 * once.
 */
#ifndef RINGLEADER_H
#define RINGLEADER_H

/* clang-format off: from the bottom up */
#include "ringleader/status.h"
#include "ringleader/protocol.h"
#include "ringleader/ring.h"
#include "ringleader/experiment.h"
#include "ringleader/run.h"
#include "ringleader/verify.h"
#include "ringleader/explore.h"
#include "ringleader/prove.h"
#include "ringleader/own.h"
#include "ringleader/study.h"
#include "ringleader/report.h"
#include "ringleader/picture.h"
#include "ringleader/device.h"
/* clang-format on */

#endif
