/* SPDX-License-Identifier: MIT
 *
 * study --until safe: protocols from files are run until their ring is safe, as the verifier
 * computes it once for each ring; exact, and for small rings only.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/study.h"
#include "ringleader/safe.h"

/* Puts the variant of a protocol, NAME-safe, into the list, to the end of the program. */
static int aim(const char *name)
{
    const struct rl_protocol *original = rl_protocol_named(name);
    struct rl_safe_target *target;
    if (!original)
        return complain(EXIT_REQUEST, "there is no protocol '%s'", name);
    if (!original->hash || original->data)
        return complain(EXIT_REQUEST,
                        "--until safe is for protocols from files without data of their own; the "
                        "target of %s is %s",
                        name, original->sets[original->target].name);
    if (rl_safe_target_init(&target, original))
        return complain(EXIT_OUTSIDE, "out of memory");
    if (rl_protocol_add(rl_safe_target_protocol(target)))
        return GO_ON;
    rl_safe_target_free(target);
    return complain(EXIT_REQUEST, "%s: there is another %s-safe, or too many protocols", name,
                    name);
}

int aim_at_safe(const char *names, char **names_out)
{
    char *copy = strdup(names), *rest = NULL;
    char *out = calloc(2 * strlen(names) + 8 * (strlen(names) + 1), 1);
    int outcome = GO_ON;
    *names_out = out;
    if (!copy || !out) {
        free(copy);
        return complain(EXIT_OUTSIDE, "out of memory");
    }
    for (char *name = strtok_r(copy, ", ", &rest); name && outcome == GO_ON;
         name = strtok_r(NULL, ", ", &rest)) {
        outcome = aim(name);
        strcat(strcat(strcat(out, out[0] ? "," : ""), name), "-safe");
    }
    free(copy);
    return outcome;
}

int prepare_safe(const struct rl_plan *plan, size_t jobs, bool mpi)
{
    struct rl_error error = {0};
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < plan->count && !status; i++) {
        const struct rl_point *point = &plan->points[i];
        if (!rl_safe_target_is(point->protocol))
            continue;
        if (mpi)
            return complain(EXIT_REQUEST, "--until safe is for threads, not for ranks of MPI");
        status = rl_safe_target_prepare(point->protocol, &point->params, (unsigned)jobs, &error);
    }
    return status ? complain_status(status, &error, NULL) : GO_ON;
}
