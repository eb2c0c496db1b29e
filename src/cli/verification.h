/* SPDX-License-Identifier: MIT
 *
 * What the commands that answer with certainty share: verify, explore, prove and export.
 */
#ifndef RINGLEADER_CLI_VERIFICATION_H
#define RINGLEADER_CLI_VERIFICATION_H

#include "cli/cli.h"

/* A "no" that can be shown: an execution, of what ring, and where it was written. */
struct example {
    const struct rl_protocol *protocol;
    const struct rl_counterexample *execution; /* NULL: there is none */
    struct rl_params params;
    bool forced; /* the protocol promises nothing of them */
    int rank;
    char what[128];
    const char *trace; /* a path, or NULL */
};

/* --trace, --memory and --json. */
extern const struct option_group answer_options;
/* --memory, or most of the machine's. */
uint64_t choose_memory(const struct arguments *arguments);
/* The protocol of a request as the verifier takes it: without what stands in for sets, which no
 * configuration shows. In static memory. */
const struct rl_protocol *without_settled(const struct rl_protocol *protocol);
/* Shows how far it is, and stops it at Ctrl-C. */
const struct rl_watch *begin_watch(void);
/* Ends that, and says how many seconds it took. If it was stopped, ends the command: with JSON the
 * verdict, a key, is null. Of every n there are no `params`; the protocol may be unknown (NULL). */
double end_watch(enum rl_status status, const struct rl_protocol *protocol,
                 const struct rl_params *params, const char *verdict, bool json);
/* Takes the execution, if it exists: rather one that loses the last leader, of a ring for which the
 * protocol promises something, and the first of these. What it shows is told in two words. */
void offer_example(struct example *example, const struct rl_counterexample *execution,
                   const struct rl_params *params, bool forced, const char *subject,
                   const char *what);
/* Writes it into a file that is not kept yet, if that is open; if there is none, the file goes. */
void write_example(struct example *example, struct rl_new_file *file, const char *path);
/* For people: the execution in a line, and where it was written, if it was. */
void say_example(const struct answer *answer, const struct example *example);

#endif
