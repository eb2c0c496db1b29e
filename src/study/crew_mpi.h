/* SPDX-License-Identifier: MIT
 *
 * Ranks of MPI as workers, if the program was built with it (rl_crew_mpi_built). The library does
 * without: ranks are processes, and how these begin and end is the program's business.
 */
#ifndef RINGLEADER_STUDY_CREW_MPI_H
#define RINGLEADER_STUDY_CREW_MPI_H

#include "ringleader/crew.h"

/* Call rl_crew_mpi_begin first
 * and rl_crew_mpi_end last, on every rank. Rank 0 then calls rl_crew_mpi; the others call
 * rl_crew_mpi_serve, which returns when rank 0 has stopped the workers or, having nothing to
 * do, called rl_crew_mpi_dismiss. */
bool rl_crew_mpi_built(void);
void rl_crew_mpi_begin(int *rank_out, int *size_out);
void rl_crew_mpi_end(void);
RL_MUST_CHECK enum rl_status rl_crew_mpi(struct rl_crew *workers, const struct rl_plan *plan);
RL_MUST_CHECK enum rl_status rl_crew_mpi_serve(void);
void rl_crew_mpi_dismiss(void);

#endif
