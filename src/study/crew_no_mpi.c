/* SPDX-License-Identifier: MIT
 *
 * Takes the place of crew_mpi.c in a program built without MPI.
 */
#include "study/crew_mpi.h"

const struct rl_crew_mpi *const rl_crew_mpi = NULL;
