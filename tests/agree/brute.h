/* SPDX-License-Identifier: MIT
 *
 * Brute force: Algorithm 1 on tiny rings, written from the paper a second time.
 *
 * Nothing here comes from the library: agents are plain ints, a configuration is a number in mixed
 * radix, and expected steps and distributions are computed on the whole Markov chain. It is what
 * the library's answers are compared with, so it is kept as plain as possible.
 */
#ifndef RINGLEADER_TEST_BRUTE_H
#define RINGLEADER_TEST_BRUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "found.h"

enum { BRUTE_MOST_AGENTS = 4 };

struct brute_agent {
    int leader, bullet, shield, signal, dist;
};

/* One interaction; `kill` is false for P'_RL. */
void brute_interact(int N, bool kill, struct brute_agent *l, struct brute_agent *r);

/* The sets, as the definitions read. */
bool brute_in_c_pb(int n, int N, const struct brute_agent *agents);
bool brute_in_c_ni(int n, int N, const struct brute_agent *agents);
bool brute_in_s_rl(int n, int N, const struct brute_agent *agents);

/* States are numbers 0 .. brute_states(N)-1, configurations numbers in that base. */
int brute_states(int N);
struct brute_agent brute_agent_of(int N, int state);
int brute_state_of(int N, struct brute_agent agent);
void brute_decode(int n, int N, uint64_t code, struct brute_agent *agents_out);
uint64_t brute_encode(int n, int N, const struct brute_agent *agents);
/* (24 (N+1))^n. */
uint64_t brute_configurations(int n, int N);

/* The Markov chain of P_RL on everything reachable from some configurations. */
struct brute_chain {
    int n, N;
    struct found nodes; /* their configurations */
    uint32_t *next;     /* n successors of each node */
    bool *in_target;    /* in S_RL */
};

/* From `count` configurations; NULL: from all of them, in their order. Aborts when out of memory.
 */
struct brute_chain brute_chain_from(int n, int N, const uint64_t *codes, size_t count);
void brute_chain_free(struct brute_chain *chain);

/* One step of a distribution over the nodes; with `absorb`, what is in S_RL is dropped first and
 * its weight returned. */
double brute_step(const struct brute_chain *chain, bool absorb, const double *weight,
                  double *weight_out);

/* Probability that S_RL is hit at step 0, 1, ..., count-1, from a distribution over the nodes
 * (which is used up). */
void brute_hits(const struct brute_chain *chain, double *weight, size_t count,
                double *probability_out);

#endif
