/* SPDX-License-Identifier: MIT
 *
 * Measured growth of the steps to the target, with 95 % intervals. Written by bench/table1.sh; not
 * for editing.
 */
// clang-format off
#define FITTED_GROWTH(X) \
    X("prl", "n^2.00 (1.98 .. 2.01) from random with N=n, n >= 256; n^1.99 (1.97 .. 2.01) from leaderless with N=n, n >= 1024; n^2.01 (2.00 .. 2.02) from shielded with N=n, n >= 32") \
    X("fj06", "n^2.87 (2.84 .. 2.90) from random, n >= 16; n^2.93 (2.90 .. 2.96) from opposite, n >= 16") \
    X("aaf08", "n^2.99 (2.94 .. 3.05) from random, n >= 16; n^3.04 (2.99 .. 3.09) from barriers, n >= 16") \
    X("fences", "1.44^n (1.37 .. 1.52) from random with patience=6, n >= 5; 2.88^n (1.98 .. 4.19) from hard with patience=6, n >= 2") \
    X("ppl", "n^1.91 log n (1.90 .. 1.92) from random, n >= 32; n^1.97 log n (1.97 .. 1.97) from leaderless, n >= 32") \
    X("prl-oracle", "n^2.03 (2.02 .. 2.04) from random, n >= 32; n^2.01 (1.99 .. 2.03) from opposite, n >= 16")
