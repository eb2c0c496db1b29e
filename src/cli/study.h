/* SPDX-License-Identifier: MIT
 *
 * A study as the command line asked for it: study.c reads the request, study_settle.c brings it
 * and the file together, study_work.c does it, study_status.c tells how a study stands.
 */
#ifndef RINGLEADER_CLI_STUDY_H
#define RINGLEADER_CLI_STUDY_H

#include "cli/cli.h"
#include "study/crew_mpi.h"

struct study_request {
    const char *path;
    const char *salvage; /* a damaged file, or NULL */
    char *text;          /* the plan; NULL: the one in the file */
    struct rl_plan plan;
    bool extend, quiet, json;
    uint64_t share, shares; /* from 0; shares 0: as the file says */
    size_t jobs;
    uint64_t watchdog; /* seconds */
    struct rl_store_salvaged salvaged;
    struct progress progress;
    bool told_to_wait;
    bool mpi, served; /* there are other ranks; they know that there is, or is no, work */
};

/* Opens the file and works until all is done; an exit status. */
int do_study(struct study_request *request);
/* study_settle.c: whether the request can be done, before the file is opened (it is `there`); and
 * the plan of both together. GO_ON, or an exit status. */
int check_study(const struct study_request *request, bool there);
int settle_study(struct study_request *request, struct rl_store *store, struct rl_plan *plan_out);
/* study_status.c: how the study in a file stands (an exit status); "prl n=64 N=64 leaderless
 * fault=1@0", what tells a point from all others; "1:02:03". Both texts stay until the next. */
int show_study_status(const char *path, bool json);
const char *point_label(const struct rl_point *point);
const char *duration_text(double seconds);

#endif
