/* SPDX-License-Identifier: MIT
 *
 * What the commands that answer with certainty share: verify, explore, prove and export.
 */
#ifndef RINGLEADER_CLI_VERIFICATION_H
#define RINGLEADER_CLI_VERIFICATION_H

#include "cli/cli.h"

struct verification {
    struct rl_request request;
    struct rl_protocol bare; /* the protocol without what stands in for sets, if it has none */
    struct rl_verify_options options;
    struct rl_verification answer;
    bool forced;       /* parameters that the protocol refuses */
    bool interrupted;  /* before everything was decided */
    const char *trace; /* where the counterexample was written, or NULL */
    double seconds;
};

/* The counterexample to show: of the first answer that is "no", or rather the first that loses the
 * last leader; NULL if there is none. `what_out`
 * (of `size` bytes) gets what it is a counterexample to. */
const struct rl_counterexample *first_counterexample(const struct verification *verification,
                                                     char *what_out, size_t size);
void report_verification(const struct verification *verification, bool json);

/* --memory, or most of the machine's. */
uint64_t choose_memory(const struct arguments *arguments);
static inline const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "NO";
}
/* The protocol of a request as the verifier takes it: without what stands in for sets, which no
 * configuration shows. `bare` is memory for it. */
const struct rl_protocol *without_settled(const struct rl_protocol *protocol,
                                          struct rl_protocol *bare);
/* For struct rl_watch, of a struct progress: a line now and then, until Ctrl-C. */
bool watch_verification(void *progress, const struct rl_progress *now);
/* Says that it was interrupted before anything was decided: with JSON also there, where the verdict
 * (a key) is null. Of every n there are no `params`; the protocol may be unknown (NULL). */
_Noreturn void die_interrupted(const struct rl_protocol *protocol, const struct rl_params *params,
                               const char *verdict, bool json, double seconds);
/* Writes an execution into a file that is open and not kept yet. */
void write_execution(const struct rl_counterexample *execution, const struct rl_protocol *protocol,
                     const struct rl_params *params, struct rl_new_file *file);

#endif
