/* SPDX-License-Identifier: MIT
 *
 * What stands in for crew_mpi.c in a program built without MPI.
 */
#include "study/crew_mpi.h"

const struct rl_crew_mpi *const rl_crew_mpi = NULL;
