/* SPDX-License-Identifier: MIT
 *
 * Measured growth of the steps to the target, with 95 % intervals. Written by bench/table1.sh; not
 * for editing.
 */
// clang-format off
#define FITTED_GROWTH(X) \
    X("prl", "n^2.08 (2.02 .. 2.14) from random; n^2.15 (2.07 .. 2.23) from leaderless") \
    X("prl-oracle", "n^2.01 (1.96 .. 2.06) from opposite") \
    X("ppl", "n^1.93 log n (1.90 .. 1.96) from random; n^1.96 log n (1.94 .. 1.98) from leaderless") \
    X("fj06", "n^2.87 (2.84 .. 2.90) from random; n^2.94 (2.89 .. 2.99) from opposite") \
    X("aaf08", "n^2.99 (2.90 .. 3.07) from random; n^3.04 (2.98 .. 3.11) from barriers") \
    X("fences", "1.73^n (1.39 .. 2.15) from random with patience 6; 1.76^n (1.48 .. 2.10) from hard with patience 6")
