/* SPDX-License-Identifier: MIT
 *
 * A study as the command line asked for it: study.c reads the request, study_work.c has the library
 * do it, and tells how it stands.
 */
#ifndef RINGLEADER_CLI_STUDY_H
#define RINGLEADER_CLI_STUDY_H

#include "cli/cli.h"
#include "study/crew_mpi.h"

struct study_request {
    struct rl_study_options options;
    const char *plan_name; /* of the plan's file; NULL: options are the plan, ... */
    const char **keys;     /* ... each of whose lines has a key */
    size_t key_count;
    bool mpi;         /* there are other ranks, ... */
    bool *served_out; /* ... and whether they know that there is work */
};

enum { WATCHDOG = 60 }; /* seconds */

/* Opens the file and works until all is done; an exit status. */
int do_study(struct study_request *request, const struct arguments *arguments);
/* How the study in a file stands; an exit status. */
int show_study_status(const char *path, bool json);

#endif
