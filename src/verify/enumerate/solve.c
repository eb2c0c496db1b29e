/* SPDX-License-Identifier: MIT
 *
 * BiCGSTAB (van der Vorst, 1992) on the equations without null interactions: with A arcs of which
 * Z lead back to the configuration itself,
 *     x - (sum of x over the other successors) / (A - Z) = A / (A - Z).
 * It needs the matrix only as "gather the successors' values", so threads need no locks, and all
 * sums are taken chunk by chunk in order, so the result does not depend on their number. The method
 * can get stuck: its sums may cancel, and then it restarts to no avail. So plain sweeps, which
 * always converge but slowly, take turns with it where it does not help; and where both do not, and
 * configurations are few, one after the other is eliminated. The certificate (verifier.h) is
 * computed from the equations themselves, so nothing depends on the method.
 *
 * Measured on P_RL: see docs/decisions/021-expected-times.md and 202-lump-and-walk.md.
 */
#include "verify/enumerate/verifier.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_A_RUN = 400, IDLE_RUNS = 4, FEW = 1 << 12 };

struct system {
    struct rl_graph graph;
    struct rl_effort *effort;
    const uint8_t *target;
    double *x, *r, *r0, *p, *v, *t;
    double alpha, beta, omega;
    double *sums; /* [task * 3 + which] */
    size_t tasks;
};

/* What is no number is larger than any: it must not be overlooked. */
static inline double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static inline double gather(const struct rl_graph *graph, const double *x, size_t i,
                            uint32_t *loops)
{
    const uint32_t arcs = graph->arcs;
    const uint32_t *next = graph->next + i * arcs;
    double sum = 0;
    uint32_t same = 0;
    for (uint32_t arc = 0; arc < arcs; arc++) {
        sum += x[next[arc]];
        same += next[arc] == i;
    }
    *loops = same;
    return sum;
}

/* The left side of the equations, for one configuration. */
static inline double apply(const struct system *system, const double *x, size_t i)
{
    uint32_t loops;
    if (system->target[i])
        return 0;
    const double sum = gather(&system->graph, x, i, &loops);
    const uint32_t arcs = system->graph.arcs;
    return (arcs * x[i] - sum) / (arcs - loops);
}

/* ---- the passes of the method, each over one chunk ---- */

#define EACH(i)                                                                                    \
    for (size_t i = task * RL_EFFORT_CHUNK, end = rl_effort_end(task, system->graph.count);        \
         i < end; i++)

/* r = right side - A x */
static void begin_pass(void *user, size_t task)
{
    struct system *system = user;
    const uint32_t arcs = system->graph.arcs;
    double square = 0;
    EACH(i)
    {
        uint32_t loops;
        const double sum = gather(&system->graph, system->x, i, &loops);
        const double r =
            system->target[i] ? 0 : (arcs + sum - arcs * system->x[i]) / (arcs - loops);
        system->r[i] = system->r0[i] = system->p[i] = r;
        square += r * r;
    }
    system->sums[3 * task] = square;
}

/* v = A p */
static void direction_pass(void *user, size_t task)
{
    struct system *system = user;
    double product = 0;
    EACH(i)
    {
        system->v[i] = apply(system, system->p, i);
        product += system->r0[i] * system->v[i];
    }
    system->sums[3 * task] = product;
}

/* s = r - alpha v, in the place of r */
static void half_pass(void *user, size_t task)
{
    struct system *system = user;
    EACH(i) system->r[i] -= system->alpha * system->v[i];
}

/* t = A s */
static void smooth_pass(void *user, size_t task)
{
    struct system *system = user;
    double product = 0, square = 0;
    EACH(i)
    {
        const double t = apply(system, system->r, i);
        system->t[i] = t;
        product += t * system->r[i];
        square += t * t;
    }
    system->sums[3 * task] = product;
    system->sums[3 * task + 1] = square;
}

static void update_pass(void *user, size_t task)
{
    struct system *system = user;
    double product = 0, largest = 0;
    EACH(i)
    {
        system->x[i] += system->alpha * system->p[i] + system->omega * system->r[i];
        system->r[i] -= system->omega * system->t[i];
        product += system->r0[i] * system->r[i];
        largest = larger(largest, fabs(system->r[i]));
    }
    system->sums[3 * task] = product;
    system->sums[3 * task + 1] = largest;
}

static void turn_pass(void *user, size_t task)
{
    struct system *system = user;
    EACH(i)
    system->p[i] = system->r[i] + system->beta * (system->p[i] - system->omega * system->v[i]);
}

static void pass(struct system *system, void (*work)(void *user, size_t task))
{
    rl_effort_run(system->effort, system->tasks, work, system);
}

static double sum_of(const struct system *system, size_t which)
{
    double sum = 0;
    for (size_t task = 0; task < system->tasks; task++)
        sum += system->sums[3 * task + which];
    return sum;
}

static double largest_of(const struct system *system, size_t which)
{
    double largest = 0;
    for (size_t task = 0; task < system->tasks; task++)
        largest = larger(largest, system->sums[3 * task + which]);
    return largest;
}

/* ---- the certificate ---- */

/* The residual of 1 + P x - x as computed, and the largest |x| it was computed from. */
static void certify_pass(void *user, size_t task)
{
    struct system *system = user;
    const uint32_t arcs = system->graph.arcs;
    double worst = 0, largest = 0;
    EACH(i)
    {
        uint32_t loops;
        largest = larger(largest, fabs(system->x[i]));
        if (!system->target[i])
            worst = larger(worst, fabs(1 + gather(&system->graph, system->x, i, &loops) / arcs -
                                       system->x[i]));
    }
    system->sums[3 * task] = worst;
    system->sums[3 * task + 1] = largest;
}

/* A sum of A terms of size X at most, a division and two additions: each of the A + 2 roundings
 * errs by at most u (X + 1 + |result|) <= 2u (X + 1); twice that is more than enough. */
static double certify(struct system *system)
{
    pass(system, certify_pass);
    return largest_of(system, 0) +
           4 * (system->graph.arcs + 2) * DBL_EPSILON * (largest_of(system, 1) + 1);
}

/* ---- the method ---- */

/* One iteration; false: the method has to begin anew. */
static bool iterate(struct system *system, double *rho, double *largest_out)
{
    pass(system, direction_pass);
    const double turned = sum_of(system, 0);
    if (turned == 0)
        return false;
    system->alpha = *rho / turned;
    pass(system, half_pass);
    pass(system, smooth_pass);
    const double square = sum_of(system, 1);
    system->omega = square > 0 ? sum_of(system, 0) / square : 0;
    pass(system, update_pass);
    const double next = sum_of(system, 0);
    *largest_out = largest_of(system, 1);
    if (system->omega == 0 || *rho == 0 || !isfinite(next) || !isfinite(*largest_out))
        return false;
    system->beta = next / *rho * (system->alpha / system->omega);
    *rho = next;
    pass(system, turn_pass);
    return true;
}

/* x = what the equations make of it. */
static void sweep(struct system *system, double *largest_out)
{
    system->alpha = 1;
    system->omega = 0;
    pass(system, update_pass);
    *largest_out = largest_of(system, 1);
    pass(system, begin_pass);
}

/* From x on, until the residual looks small enough or the method is stuck; or plain sweeps. */
static void run(struct system *system, bool plain, double wanted, uint64_t *sweeps)
{
    pass(system, begin_pass);
    double rho = sum_of(system, 0), largest = INFINITY;
    bool stuck = rho == 0;
    for (int k = 0; !system->effort->status && !stuck && k < ITERATIONS_A_RUN && largest > wanted;
         k++) {
        if (plain)
            sweep(system, &largest);
        else
            stuck = !iterate(system, &rho, &largest);
        *sweeps += 2;
        system->effort->progress.sweeps = *sweeps;
        system->effort->progress.error = largest;
    }
}

/* Elimination without a subtraction, so that nothing cancels (Grassmann, Taksar and Heyman, 1985).
 * A row has its steps, then its arcs to the target and to the others. From the last on each is left
 * out: who would go there takes its steps and goes where it goes. Time: O(count^3). */
static void eliminate(struct system *system)
{
    const size_t count = system->graph.count, arcs = system->graph.arcs, width = count + 2;
    const uint32_t *next = system->graph.next;
    double *const rows = rl_effort_calloc(system->effort, count * width, sizeof *rows);
    if (!rows)
        return;
    for (double *row = rows; row < rows + count * width; row += width) {
        row[0] = (double)arcs;
        for (size_t arc = 0; arc < arcs; arc++, next++)
            row[system->target[*next] ? 1 : 2 + *next]++;
    }
    for (size_t last = count + 1; last > 1 && rl_effort_goes_on(system->effort, 0); last--) {
        double *const row = rows + (last - 2) * width;
        row[last] = 0; /* from now on: how many lead away */
        for (size_t k = 1; k < last; k++)
            row[last] += row[k];
        for (double *other = rows; other < row; other += width) {
            const double share = other[last] / row[last];
            for (size_t k = 0; share > 0 && k < last; k++)
                other[k] += share * row[k];
        }
    }
    for (size_t i = 0; i < count; i++) {
        double *const row = rows + i * width;
        for (size_t k = 0; k < i; k++)
            row[0] += row[2 + k] * system->x[k];
        system->x[i] = system->target[i] ? 0 : row[0] / row[2 + i];
    }
    free(rows);
}

/* Runs of the method, and of sweeps where it does not help, until the proven error is small enough,
 * or neither has helped for two turns. */
static void improve(struct system *system, double precision, struct rl_solution *solution)
{
    solution->error = certify(system);
    double least = solution->error;
    for (int idle = 0;
         !system->effort->status && solution->error > precision && idle < IDLE_RUNS;) {
        run(system, idle % 2, precision / 4, &solution->sweeps);
        solution->error = certify(system);
        if (!(solution->error <= 2)) { /* begins anew: the error of 0 is 1 */
            memset(system->x, 0, system->graph.count * sizeof *system->x);
            solution->error = certify(system);
        }
        idle = solution->error < least / 2 ? 0 : idle + 1;
        least = fmin(least, solution->error);
    }
    const uint64_t count = system->graph.count, room = system->effort->memory / sizeof(double);
    if (solution->error > precision && count <= FEW && count * (count + 2) <= room) {
        eliminate(system);
        solution->error = certify(system);
    }
}

/* Is the target reached from everywhere? */
static bool is_finite(const struct rl_lump *lump, struct rl_effort *effort)
{
    uint8_t *reaching = rl_effort_calloc(effort, lump->graph.count, 1);
    if (!reaching)
        return false;
    memcpy(reaching, lump->target, lump->graph.count);
    rl_graph_spread(&lump->graph, reaching);
    const bool finite = !memchr(reaching, 0, lump->graph.count);
    free(reaching);
    return finite;
}

void rl_solve(struct rl_solution *solution, const struct rl_lump *lump, struct rl_effort *effort,
              double precision)
{
    *solution = (struct rl_solution){.finite = is_finite(lump, effort)};
    if (!solution->finite)
        return;
    struct system system = {.graph = lump->graph,
                            .effort = effort,
                            .target = lump->target,
                            .tasks = rl_effort_tasks(lump->graph.count)};
    double **vectors[] = {&system.x, &system.r, &system.r0, &system.p, &system.v, &system.t};
    system.sums = rl_effort_calloc(effort, system.tasks * 3, sizeof *system.sums);
    for (size_t i = 0; i < RL_SOLVE_VECTORS; i++)
        *vectors[i] = rl_effort_calloc(effort, system.graph.count, sizeof(double));
    if (!effort->status)
        improve(&system, precision, solution);
    solution->steps = system.x;
    for (size_t i = 1; i < RL_SOLVE_VECTORS; i++)
        free(*vectors[i]);
    free(system.sums);
}

void rl_solve_free(struct rl_solution *solution)
{
    free(solution->steps);
    *solution = (struct rl_solution){0};
}
