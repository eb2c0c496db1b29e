/* SPDX-License-Identifier: MIT
 *
 * Expected steps as fractions: class 0, the target, has x = 0 and no equation; class c has row and
 * column c - 1:
 *     (arcs - loops) x_c - sum of x over the other successors = arcs.
 * FLINT solves it by Dixon's method (1982), p-adically: 791 equations in 0.6 s.
 */
#include "verify/enumerate/verifier.h"

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

static void fill(const struct rl_graph *graph, fmpz_mat_t left, fmpz_mat_t right)
{
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

static enum rl_status answer(const fmpq_mat_t steps, uint32_t count, const uint64_t *weights,
                             char **worst_out, char **mean_out)
{
    fmpq_t worst, sum, term;
    fmpz_t weight, all;
    fmpq_init(worst);
    fmpq_init(sum);
    fmpq_init(term);
    fmpz_init(weight);
    fmpz_init(all);
    for (uint32_t class = 0; class < count; class ++) {
        set(weight, weights[class]);
        fmpz_add(all, all, weight);
        if (class == 0)
            continue;
        const fmpq *expected = fmpq_mat_entry(steps, class - 1, 0);
        if (fmpq_cmp(expected, worst) > 0)
            fmpq_set(worst, expected);
        fmpq_mul_fmpz(term, expected, weight);
        fmpq_add(sum, sum, term);
    }
    fmpq_div_fmpz(sum, sum, all);
    *worst_out = text_of(worst);
    *mean_out = text_of(sum);
    fmpq_clear(worst);
    fmpq_clear(sum);
    fmpq_clear(term);
    fmpz_clear(weight);
    fmpz_clear(all);
    return *worst_out && *mean_out ? RL_OK : RL_NO_MEMORY;
}

bool rl_verify_has_exact(void)
{
    return true;
}

enum rl_status rl_exact_solve(const struct rl_graph *graph, const uint64_t *weights,
                              char **worst_out, char **mean_out)
{
    const slong size = (slong)graph->count - 1;
    enum rl_status status = RL_OK;
    fmpz_mat_t left, right;
    fmpq_mat_t steps;
    *worst_out = *mean_out = NULL;
    fmpz_mat_init(left, size, size);
    fmpz_mat_init(right, size, 1);
    fmpq_mat_init(steps, size, 1);
    fill(graph, left, right);
    if (fmpq_mat_solve_fmpz_mat_dixon(steps, left, right))
        status = answer(steps, graph->count, weights, worst_out, mean_out);
    fmpz_mat_clear(left);
    fmpz_mat_clear(right);
    fmpq_mat_clear(steps);
    flint_cleanup();
    return status;
}

#else

bool rl_verify_has_exact(void)
{
    return false;
}

enum rl_status rl_exact_solve(const struct rl_graph *graph, const uint64_t *weights,
                              char **worst_out, char **mean_out)
{
    (void)graph, (void)weights;
    *worst_out = *mean_out = NULL;
    return RL_OK;
}

#endif
