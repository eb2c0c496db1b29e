/* SPDX-License-Identifier: MIT
 *
 * Expected steps as fractions: class 0, the target, has x = 0 and no equation; class c has row and
 * column c - 1:
 *     (arcs - loops) x_c - sum of x over the other successors = arcs.
 * FLINT solves it by Dixon's method (1982), p-adically: 791 equations in 0.6 s.
 */
#include "verify/enumerate/solve.h"

#include <stdlib.h>
#include <string.h>

#ifdef RL_HAVE_FLINT
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpz_mat.h>

/* FLINT's own would call GMP from here. */
static void set(fmpz *number, uint64_t value)
{
    fmpz_zero(number);
    fmpz_add_ui(number, number, (ulong)(value >> 32));
    fmpz_mul_2exp(number, number, 32);
    fmpz_add_ui(number, number, (ulong)(value & UINT32_MAX));
}

static void fill(const struct rl_exact_request *request, fmpz_mat_t left, fmpz_mat_t right)
{
    const struct rl_graph *graph = request->graph;
    for (uint32_t row = 0; row + 1 < graph->count; row++) {
        fmpz *diagonal = fmpz_mat_entry(left, row, row);
        set(fmpz_mat_entry(right, row, 0), graph->arcs);
        fmpz_add_ui(diagonal, diagonal, graph->arcs);
        for (uint32_t k = 0; k < graph->arcs; k++) {
            const uint32_t next = graph->next[(size_t)(row + 1) * graph->arcs + k];
            if (next > 0) {
                fmpz *entry = fmpz_mat_entry(left, row, next - 1);
                fmpz_sub_ui(entry, entry, 1);
            }
        }
    }
}

/* "p/q" in memory of ours. */
static char *text_of(const fmpq_t fraction)
{
    char *theirs = fmpq_get_str(NULL, 10, fraction), *ours = malloc(strlen(theirs) + 1);
    if (ours)
        strcpy(ours, theirs);
    flint_free(theirs);
    return ours;
}

static enum rl_status answer(const struct rl_exact_request *request, const fmpq_mat_t steps,
                             char **worst_out, char **mean_out)
{
    fmpq_t worst, mean;
    fmpz_t weight;
    fmpq_init(worst);
    fmpq_init(mean);
    fmpz_init(weight);
    for (uint32_t class = 1; class < request->graph->count; class ++) {
        fmpq_t term;
        fmpq_init(term);
        if (request->is_candidate[class] &&
            fmpq_cmp(fmpq_mat_entry(steps, class - 1, 0), worst) > 0)
            fmpq_set(worst, fmpq_mat_entry(steps, class - 1, 0));
        set(weight, request->weights[class]);
        fmpq_mul_fmpz(term, fmpq_mat_entry(steps, class - 1, 0), weight);
        fmpq_add(mean, mean, term);
        fmpq_clear(term);
    }
    set(weight, request->configurations);
    fmpq_div_fmpz(mean, mean, weight);
    *worst_out = text_of(worst);
    *mean_out = text_of(mean);
    fmpq_clear(worst);
    fmpq_clear(mean);
    fmpz_clear(weight);
    return *worst_out && *mean_out ? RL_OK : RL_NO_MEMORY;
}

bool rl_exact_available(void)
{
    return true;
}

enum rl_status rl_exact_solve(const struct rl_exact_request *request, char **worst_out,
                              char **mean_out)
{
    const slong size = (slong)request->graph->count - 1;
    enum rl_status status = RL_OK;
    fmpz_mat_t left, right;
    fmpq_mat_t steps;
    *worst_out = *mean_out = NULL;
    fmpz_mat_init(left, size, size);
    fmpz_mat_init(right, size, 1);
    fmpq_mat_init(steps, size, 1);
    fill(request, left, right);
    if (fmpq_mat_solve_fmpz_mat_dixon(steps, left, right))
        status = answer(request, steps, worst_out, mean_out);
    fmpz_mat_clear(left);
    fmpz_mat_clear(right);
    fmpq_mat_clear(steps);
    flint_cleanup();
    return status;
}

#else

bool rl_exact_available(void)
{
    return false;
}

enum rl_status rl_exact_solve(const struct rl_exact_request *request, char **worst_out,
                              char **mean_out)
{
    (void)request;
    *worst_out = *mean_out = NULL;
    return RL_OK;
}

#endif
