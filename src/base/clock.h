/* SPDX-License-Identifier: MIT
 *
 * The clock that never goes back.
 */
#ifndef RINGLEADER_BASE_CLOCK_H
#define RINGLEADER_BASE_CLOCK_H

#include <time.h>

/* Seconds since some fixed point. */
static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
