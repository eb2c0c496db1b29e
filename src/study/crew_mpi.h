/* SPDX-License-Identifier: MIT
 *
 * Ranks of MPI as workers, if the program was built with it. The library does
 * without: ranks are processes, and how these begin and end is the program's business.
 */
#ifndef RINGLEADER_STUDY_CREW_MPI_H
#define RINGLEADER_STUDY_CREW_MPI_H

#include "ringleader/study.h"

/* `begin` comes first and `end` last, on every rank. Rank 0 then calls `hire`; the others call
 * `serve`, which returns when rank 0 has stopped the workers or, having nothing to do, called
 * `dismiss`. */
struct rl_crew_mpi {
    void (*begin)(int *rank_out, int *size_out);
    void (*end)(void);
    enum rl_status (*hire)(struct rl_crew *workers, const struct rl_plan *plan);
    void (*serve)(void);
    void (*dismiss)(void);
};
/* NULL in a program built without MPI. */
extern const struct rl_crew_mpi *const rl_crew_mpi;

#endif
