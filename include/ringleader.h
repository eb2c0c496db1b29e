/* SPDX-License-Identifier: MIT
 *
 * Ringleader: self-stabilizing leader election on rings in the population-protocol model.
 *
 * This header includes the whole library; each of the parts reads as its manual. Start with
 * protocol.h (the one interface), ring.h (configurations) and run.h (an election).
 */
#ifndef RINGLEADER_H
#define RINGLEADER_H

#include "ringleader/batch.h"
#include "ringleader/crew.h"
#include "ringleader/engine.h"
#include "ringleader/explore.h"
#include "ringleader/growth.h"
#include "ringleader/look.h"
#include "ringleader/oracle.h"
#include "ringleader/pen.h"
#include "ringleader/plan.h"
#include "ringleader/plot.h"
#include "ringleader/protocol.h"
#include "ringleader/queue.h"
#include "ringleader/random.h"
#include "ringleader/report.h"
#include "ringleader/request.h"
#include "ringleader/ring.h"
#include "ringleader/ringpicture.h"
#include "ringleader/run.h"
#include "ringleader/schedule.h"
#include "ringleader/spacetime.h"
#include "ringleader/stats.h"
#include "ringleader/status.h"
#include "ringleader/store.h"
#include "ringleader/study.h"
#include "ringleader/summary.h"
#include "ringleader/text.h"
#include "ringleader/timeline.h"
#include "ringleader/trace.h"
#include "ringleader/trial.h"
#include "ringleader/verify.h"
#include "ringleader/wait.h"

#endif
