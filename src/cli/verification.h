/* SPDX-License-Identifier: MIT
 *
 * What the commands that answer with certainty share: verify, explore, prove and export.
 */
#ifndef RINGLEADER_CLI_VERIFICATION_H
#define RINGLEADER_CLI_VERIFICATION_H

#include "cli/cli.h"

/* A "no" that can be shown: an execution, of what ring, and where it was written. */
struct example {
    const struct rl_counterexample *execution; /* NULL: there is none */
    struct rl_params params;
    bool forced; /* the protocol promises nothing of them */
    char what[128];
    const char *trace; /* a path, or NULL */
};

struct verification {
    struct rl_experiment experiment;
    struct rl_protocol bare; /* the protocol without what stands in for sets, if it has none */
    struct rl_verify_options options;
    struct rl_verification answer;
    struct example example; /* of the first answer that is "no", or rather that loses the leader */
    double seconds;
};

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
/* Shows how far it is, and stops it at Ctrl-C; ends that, and says how many seconds it took. */
const struct rl_watch *begin_watch(void);
double end_watch(void);
/* Says that it was interrupted: with JSON also there, where the verdict (a key) is null. Of every n
 * there are no `params`; the protocol may be unknown (NULL). */
_Noreturn void die_interrupted(const struct rl_protocol *protocol, const struct rl_params *params,
                               const char *verdict, bool json, double seconds);
/* Takes the execution, of n agents, if it exists and there is none yet; what it shows is told in
 * two words. */
void offer_example(struct example *example, const struct rl_counterexample *execution, uint32_t n,
                   const char *subject, const char *what);
/* Writes it into a file that is not kept yet, if that is open; if there is none, the file goes. */
void write_example(struct example *example, const struct rl_protocol *protocol,
                   struct rl_new_file *file, const char *path);
/* For people: the execution in a line, and where it was written, if it was. */
void print_example(const struct example *example, const struct rl_protocol *protocol);

#endif
