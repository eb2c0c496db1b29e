/* SPDX-License-Identifier: MIT
 *
 * Measured growth of the steps to the target, with 95 % intervals. Written by bench/table1.sh; do
 * not edit.
 */
#define FITTED_GROWTH(X)                                                                           \
    X("prl", "n^2.08 (2.01 .. 2.14) from random; n^2.15 (2.07 .. 2.23) from leaderless")           \
    X("prl-oracle", "n^2.01 (1.96 .. 2.06) from opposite")                                         \
    X("ppl", "n^1.93 log n (1.90 .. 1.96) from random")                                            \
    X("fences", "1.73^n (1.39 .. 2.15) from random with patience 6; 1.76^n (1.48 .. 2.10) from "   \
                "hard with patience 6")
