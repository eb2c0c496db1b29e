/* SPDX-License-Identifier: MIT
 *
 * What prl.c does, as lines of text: the C half of the tie between the program and the proof. The
 * other half, tie.ml, prints the same lines from the extracted model (Model.v), and
 * scripts/proof.sh compares them.
 *
 * tie pairs     what each pair of states becomes, for N = 2 .. 8
 * tie large     what pairs become for large N: each dist of either agent for N = 255 and 256, drawn
 *               ones and those at the edges for N = 65,536 and 2^27 - 1
 * tie sets      for each configuration of small rings, whether it is in C_PB, C_NI and S_RL
 * tie near      members of C_NI for n = 4 .. 12, most with one variable of one agent changed
 * tie samples   some executions on larger rings, step by step, with the same three answers
 * tie coq N     the pairs for one N as a list that Coq reads
 */
#include "protocols/prl.c"

#include "protocols/declare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "ringleader/status.h"

enum { MOST_AGENTS = 12 };

static uint32_t words[MOST_AGENTS];

static struct rl_ring ring_of(uint32_t n, uint32_t N)
{
    return (struct rl_ring){
        .protocol = &DECLARED, .params = {.n = n, .value = {N}}, .agents = words};
}

static rl_state state_at(const struct rl_ring *ring, uint64_t index)
{
    return rl_protocol_state(ring->protocol, &ring->params, index);
}

static void print_state(rl_state state)
{
    char memory[64];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    rl_ring_print_state(&DECLARED, state, &text);
    fputs(memory, stdout);
}

/* "0L 1B: 1 1 1". Each set is asked both ways, as defined and fast; "?" where they differ. */
static void print_ring(const struct rl_ring *ring)
{
    for (uint32_t i = 0; i < ring->params.n; i++) {
        if (i > 0)
            putchar(' ');
        print_state(rl_ring_get(ring, i));
    }
    putchar(':');
    for (size_t i = 0; i < COUNT(SETS); i++) {
        const bool in = SETS[i].by_definition(ring);
        printf(" %c", in == SETS[i].contains(ring) ? '0' + in : '?');
    }
    putchar('\n');
}

/* A generator that is three lines in any language. */
static uint64_t drawn = 1;

static uint64_t draw_below(uint64_t bound)
{
    drawn = (drawn * 1103515245 + 12345) % 2147483648;
    return drawn / 65536 % bound;
}

static void print_pair(const struct rl_ring *ring, uint64_t left, uint64_t right)
{
    rl_state l = state_at(ring, left), r = state_at(ring, right);
    printf("%u: ", ring->params.value[0]);
    print_state(l);
    putchar(' ');
    print_state(r);
    fputs(" -> ", stdout);
    ring->protocol->interact(&ring->params, false, &l, &r);
    print_state(l);
    putchar(' ');
    print_state(r);
    putchar('\n');
}

static void print_pairs(void)
{
    for (uint32_t N = 2; N <= 8; N++) {
        const struct rl_ring ring = ring_of(2, N);
        const uint64_t states = rl_protocol_states(ring.protocol, &ring.params);
        for (uint64_t i = 0; i < states * states; i++)
            print_pair(&ring, i / states, i % states);
    }
}

enum { KINDS = 24 }; /* states of one dist; a state's number is kind * (N + 1) + dist */

static void print_all_dists(uint32_t N)
{
    const struct rl_ring ring = ring_of(2, N);
    const uint64_t dists = (uint64_t)N + 1;
    for (uint64_t dist = 0; dist < dists; dist++)
        for (uint64_t kinds = 0; kinds < KINDS * KINDS; kinds++) {
            const uint64_t l = kinds / KINDS * dists, r = kinds % KINDS * dists;
            const uint64_t other = draw_below(dists);
            print_pair(&ring, l + dist, r + other);
            print_pair(&ring, l + other, r + dist);
        }
}

/* 0 .. 3, N - 3 .. N, a power of two and its neighbours, or any number that 30 bits hold. */
static uint64_t draw_dist(uint64_t N)
{
    const uint64_t way = draw_below(4), small = draw_below(4), power = draw_below(27);
    const uint64_t high = draw_below(32768), low = draw_below(32768);
    const uint64_t dist = way == 0   ? small
                          : way == 1 ? N - small
                          : way == 2 ? (UINT64_C(1) << power) + small - 1
                                     : high * 32768 + low;
    return dist % (N + 1);
}

static void print_drawn_dists(uint32_t N)
{
    const struct rl_ring ring = ring_of(2, N);
    const uint64_t dists = (uint64_t)N + 1;
    for (int i = 0; i < 100000; i++) {
        const uint64_t l = draw_below(KINDS) * dists, r = draw_below(KINDS) * dists;
        const uint64_t l_dist = draw_dist(N), r_dist = draw_dist(N);
        print_pair(&ring, l + l_dist, r + r_dist);
    }
}

static void print_sets_of(uint32_t n, uint32_t N)
{
    struct rl_ring ring = ring_of(n, N);
    const uint64_t states = rl_protocol_states(ring.protocol, &ring.params);
    uint64_t configurations = 1;
    for (uint32_t i = 0; i < n; i++)
        configurations *= states;
    for (uint64_t number = 0; number < configurations; number++) {
        uint64_t rest = number;
        for (uint32_t i = 0; i < n; i++, rest /= states)
            rl_ring_set(&ring, i, state_at(&ring, rest % states));
        print_ring(&ring);
    }
}

static void print_samples_of(uint32_t n, uint32_t N)
{
    struct rl_ring ring = ring_of(n, N);
    const uint64_t states = rl_protocol_states(ring.protocol, &ring.params);
    for (int sample = 0; sample < 3; sample++) {
        for (uint32_t i = 0; i < n; i++)
            rl_ring_set(&ring, i, state_at(&ring, draw_below(states)));
        for (uint32_t step = 0; step < 6 * n * N; step++) {
            rl_ring_interact(&ring, (uint32_t)draw_below(n));
            print_ring(&ring);
        }
    }
}

/* A ring of shielded leaders and of followers without signals, each with a dist that is at most the
 * distance to the leader: in C_NI, whatever the bullets. Then, three times of four, one variable of
 * one agent is drawn anew. */
static void print_near_of(uint32_t n, uint32_t N)
{
    struct rl_ring ring = ring_of(n, N);
    struct agent agents[MOST_AGENTS];
    for (int sample = 0; sample < 1000; sample++) {
        uint32_t from_leader = 0;
        for (uint32_t i = 0; i < n; i++) {
            agents[i] = (struct agent){.leader = draw_below(6) == 0 || i == 0};
            from_leader = agents[i].leader ? 0 : from_leader + 1;
            agents[i].shield = agents[i].leader ? 1 : draw_below(2);
            agents[i].bullet = draw_below(4) % 3;
            agents[i].dist = draw_below(from_leader + 1);
        }
        const uint64_t change = draw_below(8);
        struct agent *u = &agents[draw_below(n)];
        const uint32_t drawn_dist = draw_below(N + 1);
        if (change == 0)
            u->leader ^= 1;
        if (change == 1)
            u->shield ^= 1;
        if (change == 2)
            u->signal ^= 1;
        if (change == 3)
            u->bullet = 2;
        if (change == 4 || change == 5)
            u->dist = drawn_dist;
        const uint64_t shift = draw_below(n);
        for (uint32_t i = 0; i < n; i++)
            rl_ring_set(&ring, (uint32_t)((i + shift) % n), pack(agents[i]));
        print_ring(&ring);
    }
}

static void print_coq_agent(rl_state state)
{
    static const char *const bullets[] = {"Nothing", "Dummy", "Live"};
    const struct agent u = unpack(state);
    printf("(Agent %s %s %s %s %u)", u.leader ? "true" : "false", bullets[u.bullet],
           u.shield ? "true" : "false", u.signal ? "true" : "false", u.dist);
}

/* One list for each initiator: Coq reads short lists faster. */
static void print_coq(uint32_t N)
{
    const struct rl_ring ring = ring_of(2, N);
    const uint64_t states = rl_protocol_states(ring.protocol, &ring.params);
    printf("(* What prl.c does for N = %u; made by proof/tie/tie.c. *)\n", N);
    puts("From Coq Require Import List.\nFrom Ringleader Require Import Model.");
    puts("Import ListNotations.\n");
    printf("Definition bound : nat := %u.\n", N);
    for (uint64_t i = 0; i < states; i++) {
        printf("Definition row_%u : list (agent * agent * (agent * agent)) := [\n", (unsigned)i);
        for (uint64_t j = 0; j < states; j++) {
            rl_state l = state_at(&ring, i), r = state_at(&ring, j);
            putchar('(');
            print_coq_agent(l);
            putchar(',');
            print_coq_agent(r);
            fputs(",(", stdout);
            ring.protocol->interact(&ring.params, false, &l, &r);
            print_coq_agent(l);
            putchar(',');
            print_coq_agent(r);
            fputs(j + 1 < states ? "));\n" : "))].\n", stdout);
        }
    }
    puts("Definition table : list (agent * agent * (agent * agent)) := concat [");
    for (uint64_t i = 0; i < states; i++)
        printf("row_%u%s", (unsigned)i, i + 1 < states ? ";\n" : "].\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "pairs") == 0) {
        print_pairs();
    } else if (argc == 2 && strcmp(argv[1], "sets") == 0) {
        print_sets_of(2, 2);
        print_sets_of(2, 3);
        print_sets_of(2, 4);
        print_sets_of(3, 3);
    } else if (argc == 2 && strcmp(argv[1], "large") == 0) {
        print_all_dists(255);
        print_all_dists(256);
        print_drawn_dists(65536);
        print_drawn_dists(MAX_N);
    } else if (argc == 2 && strcmp(argv[1], "near") == 0) {
        for (uint32_t n = 4; n <= MOST_AGENTS; n++) {
            print_near_of(n, n);
            print_near_of(n, n + 3);
        }
    } else if (argc == 2 && strcmp(argv[1], "samples") == 0) {
        print_samples_of(4, 4);
        print_samples_of(5, 7);
        print_samples_of(8, 8);
        print_samples_of(12, 20);
    } else if (argc == 3 && strcmp(argv[1], "coq") == 0) {
        print_coq((uint32_t)atoi(argv[2]));
    } else {
        fputs("usage: tie pairs|sets|samples|coq N\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 3;
}
