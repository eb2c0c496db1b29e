/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers share: a check that stays in every build.
 */
#ifndef RINGLEADER_FUZZ_H
#define RINGLEADER_FUZZ_H

#include <stdlib.h>
#include <string.h>

#include "ringleader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds)
{
    if (!holds)
        abort();
}

/* A mistake has its place inside the text and a reason. */
static inline void require_reason(enum rl_status status, const struct rl_error *error)
{
    require(status == RL_BAD_TEXT && error->line > 0 && error->column > 0 && error->text[0]);
}

#endif
