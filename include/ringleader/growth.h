/* SPDX-License-Identifier: MIT
 *
 * Growth: how means taken at several x (n, say, or N) grow with x, and whether that is what is
 * claimed.
 *
 * The claim is tested first: mean / claimed = c + b/x, or c + b/sqrt(x), at all x, so that small
 * rings may differ from large ones. The free exponent comes second: what the means look like
 * without the claim. Why so: docs/decisions/185-test-the-claim.md.
 */
#ifndef RINGLEADER_GROWTH_H
#define RINGLEADER_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

#include "ringleader/protocol.h"
#include "ringleader/text.h"

RL_BEGIN

/* The forms compared. Each has two unknowns, so the one with the least weighted sum of squares is
 * also the one that AIC and BIC choose; `weight` is its Akaike weight, exp(-chi2/2) over the sum
 * for all forms compared. */
enum rl_growth_form {
    RL_GROWTH_POWER,       /* c x^a */
    RL_GROWTH_POWER_LOG,   /* c x^a log x */
    RL_GROWTH_EXPONENTIAL, /* c exp(a x) */
    RL_GROWTH_LINE,        /* c + a x; compared on request only */
    RL_GROWTH_FORMS
};

/* "n^a", "n^a log n", "exp(a n)", "c + a n". */
const char *rl_growth_name(enum rl_growth_form form);
/* The form of a claim such as "O(n^2 log n)": told by a log or an exp in it, else a power. */
enum rl_growth_form rl_growth_claimed(const char *claim);
/* What stands between the brackets of a claim, a product of powers of n, of parameters and of
 * log n (to base 2), at these parameters; 0 if it is something else. */
double rl_growth_claimed_at(const char *claim, const struct rl_protocol *protocol,
                            const struct rl_params *params);

/* The trials at one x (n, or N, or whatever grows), each of which reached the target. */
struct rl_growth_sample {
    double x;
    double claimed;   /* what is claimed there, but for a factor; 0: nothing */
    double mean;      /* positive */
    double deviation; /* of a trial */
    size_t count;
};

/* No interval is given where an x has fewer trials: too often it would miss the truth. */
enum { RL_GROWTH_TRIALS = 5 };

/* A form, fitted to the means. */
struct rl_growth_curve {
    double factor;    /* c */
    double exponent;  /* a */
    double low, high; /* 95 % interval of a; NaN for RL_GROWTH_LINE, or if there is none */
    double chi2;
    double noise; /* probability that noise alone scatters the means about the curve as much */
    double weight;
};

enum rl_growth_verdict {
    RL_GROWTH_UNTESTED,  /* nothing was claimed, or nothing that can be computed */
    RL_GROWTH_AGREES,    /* mean / claimed tends to a positive number */
    RL_GROWTH_SLOWER,    /* it falls, without a limit that is surely positive */
    RL_GROWTH_UNEVEN,    /* it jumps by more than noise, and neither rises nor falls beyond that */
    RL_GROWTH_DISAGREES, /* it rises */
    RL_GROWTH_UNDECIDED, /* the trials are too few to say */
};

/* The claim, tested. */
struct rl_growth_test {
    enum rl_growth_verdict verdict;
    double factor, low, high; /* c with its 95 % interval; NaN: no interval */
    double bend;              /* b */
    bool root;                /* whether it is b/sqrt(x) */
    double chi2;
    size_t degrees;
    double noise; /* as above */
};

struct rl_growth {
    size_t count; /* how many x went in */
    struct rl_growth_test test;
    struct rl_growth_curve form[RL_GROWTH_FORMS];
    enum rl_growth_form best;
};

/* A curve whose `noise` is below this does not fit: the means bend, or jump, beyond their noise. */
#define RL_GROWTH_DOUBT 0.01

/* Fits by weighted least squares. Needs 3 different x >= 2, in order, and 2 trials at each:
 * RL_BAD_PARAMETER otherwise. Time: O(count). */
RL_MUST_CHECK enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count,
                                           bool with_line, struct rl_growth *out);
/* The fitted curve of a form at x. */
double rl_growth_at(const struct rl_growth *growth, enum rl_growth_form form, double x);
/* Mean over claimed at x, by the test. */
double rl_growth_ratio_at(const struct rl_growth_test *test, double x);
/* The verdict in words: "agrees with O(nN): 5.01 ± 0.08 times nN". */
void rl_growth_tell(const struct rl_growth *growth, const char *claim, const char *x,
                    struct rl_text *text);

RL_END

#endif
