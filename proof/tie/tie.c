/* SPDX-License-Identifier: MIT
 *
 * What prl.c does, as lines of text: the C half of the tie between the program and the proof. The
 * other half, tie.ml, prints the same lines from the extracted model (Model.v), and
 * scripts/proof.sh compares them.
 *
 * tie pairs     what each pair of states becomes, for N = 2 .. 8
 * tie sets      for each configuration of small rings, whether it is in C_PB, C_NI and S_RL
 * tie samples   some executions on larger rings, step by step, with the same three answers
 * tie coq N     the pairs for one N as a list that Coq reads
 */
#include "protocols/prl.c"

#include "protocols/declare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/text.h"

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

static void print_pairs(void)
{
    for (uint32_t N = 2; N <= 8; N++) {
        const struct rl_ring ring = ring_of(2, N);
        const uint64_t states = rl_protocol_states(ring.protocol, &ring.params);
        for (uint64_t i = 0; i < states * states; i++) {
            rl_state l = state_at(&ring, i / states), r = state_at(&ring, i % states);
            printf("%u: ", N);
            print_state(l);
            putchar(' ');
            print_state(r);
            fputs(" -> ", stdout);
            ring.protocol->interact(&ring.params, false, &l, &r);
            print_state(l);
            putchar(' ');
            print_state(r);
            putchar('\n');
        }
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

/* A generator that is three lines in any language. */
static uint64_t drawn = 1;

static uint64_t draw_below(uint64_t bound)
{
    drawn = (drawn * 1103515245 + 12345) % 2147483648;
    return drawn / 65536 % bound;
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
