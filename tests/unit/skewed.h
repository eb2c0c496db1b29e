/* SPDX-License-Identifier: MIT
 *
 * Samples with the skew of steps to a target: gamma of mean 1, the sum of `shape` exponentials.
 * P_RL from random has about shape 10 (a relative deviation of a third), fj06 3, aaf08 1.
 */
#ifndef SKEWED_H
#define SKEWED_H

#include <math.h>

#include "ringleader/protocol.h"

static inline double skewed(struct rl_random *random, size_t shape)
{
    double sum = 0, product = 1;
    for (size_t i = 0; i < shape; i++) {
        product *= ((double)(rl_random_next(random) >> 11) + 0.5) * 0x1p-53;
        if (product < 1e-200 || i + 1 == shape) {
            sum -= log(product);
            product = 1;
        }
    }
    return sum / (double)shape;
}

#endif
