/* SPDX-License-Identifier: MIT
 *
 * Measured growth of the steps to the target, with 95 % intervals. Written by bench/table1.sh; not
 * for editing.
 */
// clang-format off
#define FITTED_GROWTH(X) \
    X("prl", "agrees with O(nN): 6.22 ± 0.16 times nN (from bullets, the worst named start, n = 16 .. 4096)") \
    X("prl-oracle", "agrees with O(n^2): 5.06 ± 0.23 times n^2 (from leaders, the worst named start, n = 16 .. 4096)") \
    X("fj06", "agrees with Theta(n^3): 0.124 (0.098 .. 0.135) times n^3 (from opposite, the worst named start, n = 16 .. 512)") \
    X("aaf08", "agrees with Theta(n^3): 0.523 (0.436 .. 0.608) times n^3 (from barriers, the worst named start, n = 16 .. 512)") \
    X("fences", "over these sizes n^3.61 log n fits better than an exponential (from hard, the worst named start, n = 2 .. 8)") \
    X("ppl", "agrees with O(n^2 log n) but for jumps: mean over claimed neither rises nor falls, but noise does not explain it (chi-squared 136 at 4 degrees of freedom) (from disguised, the worst named start, n = 16 .. 512)")
