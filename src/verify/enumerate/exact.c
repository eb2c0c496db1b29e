/* SPDX-License-Identifier: MIT
 *
 * Dixon's method (1982): the equations M x = b have small integer entries, so solve them modulo a
 * prime p once, and lift: if x_0 = M^-1 b mod p, then (b - M x_0) / p is again a small integer
 * vector, and its solution gives the next digit of x to the base p. Enough digits determine the
 * fraction: with B a bound (Hadamard's) on determinant and numerators, p^k > 2 B^2 is enough, and
 * the fraction is found by Euclid's algorithm (Wang). Only the two numbers wanted are kept to full
 * length. Cost: K^3/3 for the factors, K^2 a digit, about 2 K / 8 digits.
 *
 * Class 0, the target, has x = 0 and no equation; class c has row and column c - 1:
 *     (arcs - loops) x_c - sum of x over the other successors = arcs.
 */
#include "verify/enumerate/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef RL_HAVE_GMP
#include <gmp.h>

/* The largest primes below 2^31; one that divides the determinant will not do. */
static const uint32_t PRIMES[] = {2147483647, 2147483629, 2147483587};

struct system {
    const struct rl_lump *lump;
    uint32_t arcs;
    size_t size; /* equations */
    uint64_t p;
    uint32_t *lu;    /* factors modulo p, row by row */
    uint32_t *order; /* row i of the factors is equation order[i] */
};

static const uint32_t *successors(const struct system *system, size_t row)
{
    return system->lump->next + (row + 1) * system->arcs;
}

static void fill(struct system *system)
{
    memset(system->lu, 0, system->size * system->size * sizeof *system->lu);
    for (size_t row = 0; row < system->size; row++) {
        uint32_t *entries = system->lu + row * system->size;
        int64_t diagonal = system->arcs;
        system->order[row] = (uint32_t)row;
        for (uint32_t k = 0; k < system->arcs; k++) {
            const uint32_t next = successors(system, row)[k];
            if (next == row + 1)
                diagonal--;
            else if (next > 0)
                entries[next - 1] =
                    (uint32_t)(entries[next - 1] == 0 ? system->p - 1 : entries[next - 1] - 1);
        }
        entries[row] = (uint32_t)diagonal;
    }
}

static uint64_t inverse(uint64_t a, uint64_t p)
{
    uint64_t result = 1; /* a^(p-2) */
    for (uint64_t e = p - 2; e > 0; e /= 2, a = a * a % p)
        if (e % 2)
            result = result * a % p;
    return result;
}

static bool bring_up_pivot(struct system *system, size_t column)
{
    const size_t size = system->size;
    size_t row = column;
    while (row < size && system->lu[row * size + column] == 0)
        row++;
    if (row == size)
        return false;
    for (size_t j = 0; row != column && j < size; j++) {
        const uint32_t entry = system->lu[row * size + j];
        system->lu[row * size + j] = system->lu[column * size + j];
        system->lu[column * size + j] = entry;
    }
    const uint32_t equation = system->order[row];
    system->order[row] = system->order[column];
    system->order[column] = equation;
    return true;
}

/* Factors L U in place; the diagonal of U is kept inverted. False if singular modulo p. */
static bool factorize(struct system *system)
{
    const size_t size = system->size;
    const uint64_t p = system->p;
    for (size_t k = 0; k < size; k++) {
        if (!bring_up_pivot(system, k))
            return false;
        uint32_t *pivot = system->lu + k * size;
        const uint64_t inverted = inverse(pivot[k], p);
        pivot[k] = (uint32_t)inverted;
        for (size_t i = k + 1; i < size; i++) {
            uint32_t *row = system->lu + i * size;
            if (row[k] == 0)
                continue;
            const uint64_t factor = row[k] * inverted % p, subtract = p - factor;
            row[k] = (uint32_t)factor;
            for (size_t j = k + 1; j < size; j++)
                row[j] = (uint32_t)((row[j] + subtract * pivot[j]) % p);
        }
    }
    return true;
}

/* x = M^-1 b mod p. */
static void solve_modulo(const struct system *system, const int64_t *b, uint64_t *x)
{
    const size_t size = system->size;
    const uint64_t p = system->p;
    for (size_t i = 0; i < size; i++) {
        const uint32_t *row = system->lu + i * size;
        const int64_t right = b[system->order[i]] % (int64_t)p;
        uint64_t sum = (uint64_t)(right < 0 ? right + (int64_t)p : right);
        for (size_t j = 0; j < i; j++)
            sum = (sum + (p - row[j]) * x[j]) % p;
        x[i] = sum;
    }
    for (size_t i = size; i-- > 0;) {
        const uint32_t *row = system->lu + i * size;
        uint64_t sum = x[i];
        for (size_t j = i + 1; j < size; j++)
            sum = (sum + (p - row[j]) * x[j]) % p;
        x[i] = sum * row[i] % p;
    }
}

/* b = (b - M x) / p, exactly. */
static void lift(const struct system *system, int64_t *b, const uint64_t *x)
{
    for (size_t row = 0; row < system->size; row++) {
        int64_t left = 0;
        for (uint32_t k = 0; k < system->arcs; k++) {
            const uint32_t next = successors(system, row)[k];
            left += (int64_t)x[row] - (next > 0 ? (int64_t)x[next - 1] : 0);
        }
        b[row] = (b[row] - left) / (int64_t)system->p;
    }
}

/* Bits of Hadamard's bound on the determinant, and on those with the right side in a column. */
static double bound_bits(const struct system *system)
{
    double bits = 0;
    for (size_t row = 0; row < system->size; row++) {
        double square = (double)system->arcs * system->arcs; /* the right side's */
        double diagonal = system->arcs;
        const uint32_t *next = successors(system, row);
        for (uint32_t k = 0, run; k < system->arcs; k += run) {
            for (run = 1; k + run < system->arcs && next[k + run] == next[k];)
                run++;
            if (next[k] == row + 1)
                diagonal -= run;
            else if (next[k] > 0)
                square += (double)run * run;
        }
        bits += log2(square + diagonal * diagonal) / 2;
    }
    return bits + 1;
}

/* The fraction n/d = value mod modulus with |n| and d below sqrt(modulus / 2), as n/(d scale). */
static void reconstruct(mpq_t fraction, const mpz_t value, const mpz_t modulus, uint64_t scale)
{
    mpz_t a, b, s, t, quotient, limit;
    mpz_inits(a, b, s, t, quotient, limit, NULL);
    mpz_fdiv_q_ui(limit, modulus, 2);
    mpz_sqrt(limit, limit);
    mpz_set(a, modulus);
    mpz_mod(b, value, modulus);
    mpz_set_ui(t, 1); /* b = t value, always */
    while (mpz_cmp(b, limit) > 0) {
        mpz_fdiv_qr(quotient, a, a, b);
        mpz_swap(a, b);
        mpz_submul(s, quotient, t);
        mpz_swap(s, t);
    }
    mpz_set(mpq_numref(fraction), b);
    mpz_mul_ui(mpq_denref(fraction), t, scale);
    mpq_canonicalize(fraction);
    mpz_clears(a, b, s, t, quotient, limit, NULL);
}

/* The sum of weight * x, a digit of the mean. */
static void weigh(mpz_t sum, const struct rl_exact_request *request, size_t size, const uint64_t *x)
{
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(sum, 0);
    for (size_t i = 0; i < size; i++) {
        mpz_set_ui(term, request->weights[i + 1]);
        mpz_addmul_ui(sum, term, x[i]);
    }
    mpz_clear(term);
}

/* All digits: of each candidate, and of the mean (the last of `values`). */
static void lift_all(const struct system *system, const struct rl_exact_request *request,
                     int64_t *b, uint64_t *x, mpz_t *values, mpz_t power)
{
    const double bits = 2 * bound_bits(system) + log2((double)request->configurations) + 2;
    const size_t digits = (size_t)(bits / 30.9) + 2;
    mpz_t digit;
    mpz_init(digit);
    mpz_set_ui(power, 1);
    for (size_t i = 0; i < system->size; i++)
        b[i] = system->arcs;
    for (size_t k = 0; k < digits; k++) {
        solve_modulo(system, b, x);
        lift(system, b, x);
        for (size_t i = 0; i < request->candidate_count; i++)
            if (request->candidates[i] > 0)
                mpz_addmul_ui(values[i], power, x[request->candidates[i] - 1]);
        weigh(digit, request, system->size, x);
        mpz_addmul(values[request->candidate_count], power, digit);
        mpz_mul_ui(power, power, system->p);
    }
    mpz_clear(digit);
}

/* "p/q" in memory of ours. */
static char *text_of(const mpq_t fraction)
{
    char *text = malloc(mpz_sizeinbase(mpq_numref(fraction), 10) +
                        mpz_sizeinbase(mpq_denref(fraction), 10) + 3);
    if (text)
        mpq_get_str(text, 10, fraction);
    return text;
}

static enum rl_status answer(const struct rl_exact_request *request, mpz_t *values,
                             const mpz_t power, char **worst_out, char **mean_out)
{
    mpq_t worst, fraction;
    mpq_inits(worst, fraction, NULL);
    for (size_t i = 0; i < request->candidate_count; i++) {
        reconstruct(fraction, values[i], power, 1);
        if (mpq_cmp(fraction, worst) > 0)
            mpq_swap(fraction, worst);
    }
    *worst_out = text_of(worst);
    reconstruct(fraction, values[request->candidate_count], power, request->configurations);
    *mean_out = text_of(fraction);
    mpq_clears(worst, fraction, NULL);
    return *worst_out && *mean_out ? RL_OK : RL_NO_MEMORY;
}

static bool factorize_by_some_prime(struct system *system)
{
    for (size_t i = 0; i < sizeof PRIMES / sizeof PRIMES[0]; i++) {
        system->p = PRIMES[i];
        fill(system);
        if (factorize(system))
            return true;
    }
    return false;
}

bool rl_exact_available(void)
{
    return true;
}

enum rl_status rl_exact_solve(const struct rl_exact_request *request, char **worst_out,
                              char **mean_out)
{
    struct system system = {
        .lump = request->lump, .arcs = request->arcs, .size = request->lump->count - 1};
    const size_t count = request->candidate_count + 1;
    *worst_out = *mean_out = NULL;
    system.lu = malloc(system.size * system.size * sizeof *system.lu);
    system.order = malloc(system.size * sizeof *system.order);
    int64_t *b = malloc(system.size * sizeof *b);
    uint64_t *x = malloc(system.size * sizeof *x);
    mpz_t *values = malloc(count * sizeof *values), power;
    enum rl_status status = RL_NO_MEMORY;
    if (system.lu && system.order && b && x && values) {
        status = RL_OK;
        mpz_init(power);
        for (size_t i = 0; i < count; i++)
            mpz_init(values[i]);
        if (factorize_by_some_prime(&system)) {
            lift_all(&system, request, b, x, values, power);
            status = answer(request, values, power, worst_out, mean_out);
        }
        for (size_t i = 0; i < count; i++)
            mpz_clear(values[i]);
        mpz_clear(power);
    }
    free(system.lu);
    free(system.order);
    free(b);
    free(x);
    free(values);
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
