/* SPDX-License-Identifier: MIT
 *
 * What stands in for crew_mpi.c in a program built without MPI: nobody may call it.
 */
#include <assert.h>

#include "study/crew_mpi.h"

bool rl_crew_mpi_built(void)
{
    return false;
}

void rl_crew_mpi_begin(int *rank_out, int *size_out)
{
    assert(!"built without MPI");
    *rank_out = 0;
    *size_out = 1;
}

void rl_crew_mpi_end(void)
{
    assert(!"built without MPI");
}

enum rl_status rl_crew_mpi(struct rl_crew *workers, const struct rl_plan *plan)
{
    assert(!"built without MPI");
    return rl_crew_threads(workers, plan, 1);
}

enum rl_status rl_crew_mpi_serve(void)
{
    assert(!"built without MPI");
    return RL_OK;
}

void rl_crew_mpi_dismiss(void)
{
    assert(!"built without MPI");
}
