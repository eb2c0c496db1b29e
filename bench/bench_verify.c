/* SPDX-License-Identifier: MIT
 *
 * How fast the verifier is, as ratios taken in one run: two threads beside one, and the reduced
 * space beside the raw one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ringleader.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds for the full answer, the best of `rounds`. */
static double seconds(uint32_t n, unsigned jobs, bool raw, int rounds)
{
    double best = 1e9;
    for (int round = 0; round < rounds; round++) {
        const struct rl_verify_options options = {.protocol = rl_protocol_named("prl"),
                                                  .params = {.n = n, .value = {n}},
                                                  .questions = RL_ASK_EVERYTHING,
                                                  .no_reduction = raw,
                                                  .precision = 1e-9,
                                                  .memory = UINT64_C(4) << 30,
                                                  .jobs = jobs};
        struct rl_verification answer;
        struct rl_error error = {0};
        const double began = now();
        if (rl_verify(&answer, &options, &error)) {
            fprintf(stderr, "bench-verify: %s\n", error.text);
            exit(3);
        }
        const double took = now() - began;
        best = took < best ? took : best;
        rl_verify_free(&answer);
    }
    return best;
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const uint32_t large = quick ? 3 : 4;
    const int rounds = quick ? 1 : 3;
    const double one = seconds(large, 1, false, rounds), two = seconds(large, 2, false, rounds);
    printf(
        "verify   n = N = %u, full answer: %.3f s with one thread, %.3f s with two: %.2f times\n",
        large, one, two, one / two);
    const double reduced = seconds(quick ? 2 : 3, 1, false, rounds);
    const double raw = seconds(quick ? 2 : 3, 1, true, 1);
    printf("verify   n = N = %d, one thread: %.4f s reduced, %.3f s raw: %.0f times\n",
           quick ? 2 : 3, reduced, raw, raw / reduced);
    return 0;
}
