/* SPDX-License-Identifier: MIT
 *
 * What the commands share: options, files, JSON, progress. Only the command line prints, reads the
 * environment and exits.
 */
#ifndef RINGLEADER_CLI_H
#define RINGLEADER_CLI_H

#include <stdio.h>

#include "ringleader.h"
#include "study/json.h"
#include "study/new_file.h"

/* Exit status, as the design has it. */
enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_REQUEST = 2, EXIT_OUTSIDE = 3 };

/* ---- commands (main.c) ------------------------------------------------------------------------
 */

struct command {
    const char *name;
    const char *summary;               /* one line for `ringleader --help` */
    const char *help;                  /* the whole text for `ringleader NAME --help` */
    int (*run)(int argc, char **argv); /* argv[0] is the first word after the name */
};

extern const struct command command_draw, command_elect, command_protocols, command_replay,
    command_report, command_study, command_verify;

/* Prints "ringleader: ..." on stderr and returns `status`. */
__attribute__((format(printf, 2, 3))) int complain(int status, const char *format, ...);
/* The same for a library failure; `what` (may be NULL) says in which file or option. */
int complain_status(enum rl_status status, const struct rl_error *error, const char *what);
/* The name nearest to `word` (two typing slips at most), or NULL. `next(i)` lists the names. */
const char *nearest_name(const char *word, const char *(*next)(size_t index));
/* "; did you mean 'x'?" or "" in static memory. */
const char *did_you_mean(const char *nearest);

/* ---- options (options.c) ----------------------------------------------------------------------
 */

/* An option of a command. Every command also has --help, and, if it takes -p, an option for each
 * parameter of a protocol. The list ends with a NULL name. */
struct option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* NULL: a flag */
};

enum { MOST_OPTIONS = 64 };

struct arguments {
    const struct option *options;
    size_t count;
    struct {
        const char *name;
        const char *value; /* "" for a flag */
    } given[MOST_OPTIONS];
    const char *words[MOST_OPTIONS]; /* what is not an option */
    size_t word_count;
};

/* Reads the command line. Returns -1 to go on, or an exit status (help was shown, or a mistake was
 * complained about). */
int read_arguments(struct arguments *arguments, const struct command *command,
                   const struct option *options, int argc, char **argv);
/* The value last given, or NULL. */
const char *argument(const struct arguments *arguments, const char *name);
/* A count, if given. -1: fine; otherwise an exit status. `n` as in rl_text_parse_count. */
int argument_count(const struct arguments *arguments, const char *name, uint64_t n,
                   uint64_t *count_out);

/* -p, -n and the protocol's parameters. -1: fine; otherwise an exit status. */
int argument_ring(const struct arguments *arguments, const struct rl_protocol **protocol_out,
                  struct rl_params *params_out);

/* A value of a parameter as people write it, in static memory. */
const char *parameter_text(const struct rl_parameter *parameter, uint32_t value);

/* ---- files (files.c) --------------------------------------------------------------------------
 */

/* A whole file in memory (to be freed); "-" is standard input. -1: fine. */
int read_file(const char *path, char **text_out, size_t *size_out);

/* A file that appears only when it is complete (study/new_file.h); "-" is standard output. -1:
 * fine; otherwise an exit status. */
int open_new_file(struct rl_new_file *file, const char *path);
int keep_new_file(struct rl_new_file *file);

/* ---- rings and executions (rings.c) -----------------------------------------------------------
 */

/* "prl on a ring of n = 100 agents, N = 100", without the end of the line; `which` is "a" or
 * "every". */
void print_heading(const struct rl_protocol *protocol, const struct rl_params *params,
                   const char *which);
/* The same for programs: protocol, n, and the protocol's parameters, each under its name. */
void json_heading(struct rl_json *json, const struct rl_protocol *protocol,
                  const struct rl_params *params);

/* The states of at most RL_VERIFY_AGENTS agents as text, in static memory. */
const char *states_text(const struct rl_protocol *protocol, const rl_state *states, uint32_t n);
/* The arcs of an execution, with spaces between. */
void print_arcs(const struct rl_counterexample *execution);
/* Where an execution was written, if it was (NULL: not), and how to see it. */
void print_trace(const char *path, bool forced);
/* An execution of n agents, if there is one. */
void json_execution(struct rl_json *json, const char *key, const struct rl_protocol *protocol,
                    uint32_t n, const struct rl_counterexample *execution);

/* ---- progress (progress.c) --------------------------------------------------------------------
 */

struct progress {
    double began; /* seconds */
    double shown;
    bool terminal;
    bool visible;
};

struct progress progress_begin(void);
/* True when a new line should be shown: on a terminal, after the first second, ten times a
 * second. */
bool progress_due(struct progress *progress);
/* Replaces the line. */
__attribute__((format(printf, 2, 3))) void progress_show(struct progress *progress,
                                                         const char *format, ...);
/* Clears the line. */
void progress_end(struct progress *progress);
/* Seconds since some fixed point. */
double seconds_now(void);

/* Ctrl-C: after catch_interrupts, `interrupted` says whether it was pressed; a second one ends the
 * program at once. */
void catch_interrupts(void);
bool interrupted(void);

/* "12,345,678" in one of a few static buffers. */
const char *grouped(uint64_t number);

#endif
