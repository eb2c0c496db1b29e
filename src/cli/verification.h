/* SPDX-License-Identifier: MIT
 *
 * What the commands that answer with certainty share: verify, explore, prove and export.
 */
#ifndef RINGLEADER_CLI_VERIFICATION_H
#define RINGLEADER_CLI_VERIFICATION_H

#include "cli/cli.h"

/* What was asked, how long it took, and a "no" that can be shown. Begins as zeroes. */
struct inquiry {
    const struct rl_protocol *protocol; /* NULL: not known yet */
    struct rl_params params;            /* without n: of every n */
    bool given[RL_MAX_PARAMETERS];      /* these, and for each n the others follow */
    bool json;
    double seconds;
    const char *path; /* of --trace, or NULL */
    struct rl_new_file *trace;
    struct example {
        const struct rl_counterexample *execution; /* NULL: there is none */
        struct rl_params params;
        int rank;
        char what[128];
    } example;
};

/* --trace, --memory and --json. */
extern const struct option_group answer_options;
/* --memory, or most of the machine's. */
uint64_t choose_memory(const struct arguments *arguments);
/* About the ring of an experiment. */
struct inquiry inquiry_of(const struct rl_experiment *experiment);
/* Opens --trace. What it answers shows how far the work is, and stops it at Ctrl-C. */
const struct rl_watch *begin_inquiry(struct inquiry *inquiry, const struct arguments *arguments);
/* Notes how long the work took. If it was stopped, ends the command: with JSON the verdict, a key,
 * is null. */
void end_inquiry(struct inquiry *inquiry, enum rl_status status, const char *verdict);
/* For programs: an execution of n agents (0: of those that were asked about), if there is one. */
void json_execution(struct answer *answer, const struct inquiry *inquiry, const char *key,
                    uint32_t n, const struct rl_counterexample *execution);
/* Takes it as the example: rather one that loses the last leader, of a ring for which the protocol
 * promises something, and the first of these. What it shows is told in two words. */
void offer_example(struct inquiry *inquiry, uint32_t n, const struct rl_counterexample *execution,
                   const char *subject, const char *what);
/* All files of the command appear, that of --trace only if there is an example. */
void keep_example(struct inquiry *inquiry);
/* For people: the execution in a line, and where it was written, if it was. */
void say_example(const struct answer *answer, const struct inquiry *inquiry);

#endif
