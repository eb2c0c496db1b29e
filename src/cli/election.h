/* SPDX-License-Identifier: MIT
 *
 * One election as the command line asked for it: shared by elect.c and elect_report.c.
 */
#ifndef RINGLEADER_CLI_ELECTION_H
#define RINGLEADER_CLI_ELECTION_H

#include "cli/cli.h"

enum { MOST_FAULTS = 32 };

struct election {
    struct rl_run_options options;
    const char *start; /* its name, or the file's path */
    bool start_is_file;
    bool json;
    struct rl_fault faults[MOST_FAULTS];
    void *configuration;         /* from the file */
    struct rl_schedule schedule; /* from the file */
    struct new_file timeline, trace;
    double seconds;
    bool interrupted;
};

void report_election(const struct election *election, const struct rl_run *run);
void report_election_json(const struct election *election, const struct rl_run *run);
/* One line of progress. */
void show_election(struct progress *progress, const struct rl_run *run);

#endif
