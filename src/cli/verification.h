/* SPDX-License-Identifier: MIT
 *
 * One verification as the command line asked for it: shared by verify.c and verify_report.c.
 */
#ifndef RINGLEADER_CLI_VERIFICATION_H
#define RINGLEADER_CLI_VERIFICATION_H

#include "cli/cli.h"

struct verification {
    struct rl_request request;
    struct rl_protocol bare; /* the protocol without what stands in for sets, if it has none */
    struct rl_verify_options options;
    struct rl_verification answer;
    bool json;
    bool forced;       /* parameters that the protocol refuses */
    bool interrupted;  /* before everything was decided */
    const char *trace; /* where the counterexample was written, or NULL */
    struct progress progress;
    double seconds;
};

/* Says that it was interrupted before anything was decided: with JSON also there, where the verdict
 * (a key; NULL: no JSON) is null. Of every n there are no `params`; the protocol may be unknown
 * (NULL). Answers the exit status. */
int tell_interrupted(const struct rl_protocol *protocol, const struct rl_params *params,
                     const char *verdict, double seconds);

void report_verification(const struct verification *verification);
void report_verification_json(const struct verification *verification);
/* For struct rl_watch: a line of progress now and then, until Ctrl-C. */
bool watch_verification(void *progress, const struct rl_progress *now);

/* The counterexample to show: of the first answer that is "no"; NULL if there is none. `what_out`
 * (of `size` bytes) gets what it is a counterexample to. */
const struct rl_counterexample *first_counterexample(const struct verification *verification,
                                                     char *what_out, size_t size);

/* Writes a counterexample as a trace into a file, which it opens and which is not kept yet. GO_ON,
 * or an exit status. */
int write_counterexample(const struct rl_counterexample *example,
                         const struct rl_protocol *protocol, const struct rl_params *params,
                         const char *path, struct rl_new_file *file_out);

/* verify --from (verify_from.c): what can be reached from given configurations. An exit status. */
int verify_from(const struct arguments *arguments, const struct verification *verification);

/* verify --every-n and verify --check (verify_every_n.c), with the memory and threads of `means`.
 * An exit status. */
int verify_every_n(const struct arguments *arguments, const struct rl_verify_options *means);
int check_certificate(const struct arguments *arguments, const struct rl_verify_options *means);

#endif
