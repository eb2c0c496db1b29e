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
    bool to_schedules_end;       /* ... which ends the run, not the target */
    bool limit_first;            /* --max-steps comes before --until steps= */
    struct rl_new_file timeline, trace, picture, end;
    enum rl_pen_format picture_format;
    bool watch;
    double seconds;
    bool interrupted;
};

/* The request from the command line: -p, -n, --start, ... GO_ON, or an exit status. Free
 * with free_election in any case. */
int read_election(struct election *election, const struct arguments *arguments);
void free_election(struct election *election);
/* Runs it to its end, or until Ctrl-C, and notes which and how long it took. */
void run_election(struct election *election, struct rl_run *run);

/* SVG, PNG or PDF, by the end of the file's name. GO_ON, or an exit status. */
int choose_format(const char *path, enum rl_pen_format *format_out);
/* "prl, n = 100, N = 100, start random, seed 1" */
void title_election(const struct election *election, char *memory, size_t size);
/* Writes the finished picture into the file, which is not kept yet. GO_ON, or an exit status. */
int write_picture(const struct rl_spacetime *picture, const struct election *election,
                  struct rl_new_file *file, enum rl_pen_format format);

/* Makes a terminal show the ring as `run` goes on, a line a sample. `watch` must outlive the run.
 */
void watch_election(struct rl_timeline *watch, struct rl_run *run);

void report_election(const struct election *election, const struct rl_run *run);
void report_election_json(const struct election *election, const struct rl_run *run);
/* One line of progress. */
void show_election(struct progress *progress, const struct rl_run *run);

#endif
