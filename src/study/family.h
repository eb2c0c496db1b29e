/* SPDX-License-Identifier: MIT
 *
 * Between summary.c and family.c.
 */
#ifndef RINGLEADER_STUDY_FAMILY_H
#define RINGLEADER_STUDY_FAMILY_H

#include "ringleader/study.h"

/* Fills in the families of a summary whose points are measured. */
RL_MUST_CHECK enum rl_status find_families(struct rl_summary *summary);

#endif
