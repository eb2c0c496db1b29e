/* SPDX-License-Identifier: MIT
 *
 * One election as the command line asked for it: of elect, draw and replay.
 */
#ifndef RINGLEADER_CLI_ELECTION_H
#define RINGLEADER_CLI_ELECTION_H

#include "cli/cli.h"

struct election {
    struct rl_experiment experiment; /* .start: its name, or the file's path */
    struct rl_execution execution; /* of one that is on record; else its schedule, if it has one */
    struct rl_run run;
    struct rl_spacetime picture;
    bool watched; /* somebody prints as it goes on: no progress */
    double seconds;
    bool interrupted;
};

/* The request from the command line: -p, -n, --start, ...; claimed. */
struct election *read_election(const struct arguments *arguments);
/* The one that a file has on record, claimed. */
struct election *read_execution(const char *path, bool forced);
/* Prepares its run; also once more. */
void begin_election(struct election *election);
/* Has its picture drawn as it goes on. */
void picture_election(struct election *election, const struct rl_spacetime_options *options);
/* Runs it to its end, or until Ctrl-C, and notes which and how long it took. */
void run_election(struct election *election);
/* The same, but Ctrl-C ends the command. */
void finish_election(struct election *election);

/* SVG, PNG or PDF, by the end of the file's name. */
enum rl_pen_format format_of(const char *path);
/* Writes the finished picture into the file, which is not kept yet. */
void write_picture(const struct election *election, struct rl_new_file *file,
                   enum rl_pen_format format);

/* The ring in a terminal, a line a sample, so many a second (0: as they come). */
void watch_election(struct rl_run *run, uint64_t pace);
/* The hit of each set. */
void tell_hits(struct answer *answer, const struct rl_ring *ring, const uint64_t *hits);

#endif
