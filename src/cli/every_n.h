/* SPDX-License-Identifier: MIT
 *
 * One question about every n as the command line asked it: shared by verify_every_n.c and
 * every_n_report.c.
 */
#ifndef RINGLEADER_CLI_EVERY_N_H
#define RINGLEADER_CLI_EVERY_N_H

#include "cli/verification.h"

struct every_n {
    struct rl_every_n_options options;
    struct rl_every_n answer;
    bool json;
    const char *trace;       /* where a counterexample was written, or NULL */
    const char *certificate; /* where the proof was written, or NULL */
    struct progress progress;
    double seconds;
};

/* A "no" that can be shown: an execution, and of what ring. */
struct every_n_example {
    const struct rl_counterexample *execution; /* NULL: there is none */
    uint32_t n;
    bool forced; /* the protocol promises nothing of so few agents */
    char what[96];
};

struct every_n_example every_n_example(const struct every_n *every_n);

/* What ties the protocol to the table that a proof is about, and what is assumed. */
void print_tie(void);

void report_every_n(const struct every_n *every_n);
void report_every_n_json(const struct every_n *every_n);

#endif
