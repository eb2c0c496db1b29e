/* SPDX-License-Identifier: MIT
 *
 * Holds the elections of a list (tests/agree/elections.txt) natively and prints what came of each,
 * one JSON object a line. tests/page compares it with what the page gets in a browser.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader.h"

enum { LONGEST = 256 };

struct election {
    char protocol[32], N[16], start[32], engine[16];
    unsigned n;
    unsigned long long seed;
};

static void print_result(struct rl_run *run)
{
    const size_t size = 64 * (size_t)run->ring.params.n;
    char *memory = malloc(size);
    if (!memory)
        exit(3);
    struct rl_text text = rl_text_into(memory, size);
    rl_ring_print(&run->ring, &text);
    printf("{\"steps\":%llu,\"events\":%llu,\"leader\":%u,\"hits\":[",
           (unsigned long long)run->step, (unsigned long long)run->events,
           rl_ring_first_leader(&run->ring));
    for (size_t i = 0; i < run->ring.protocol->set_count; i++)
        printf("%s%lld", i ? "," : "", run->hits[i] == RL_NEVER ? -1 : (long long)run->hits[i]);
    printf("],\"configuration\":\"%s\"}\n", memory);
    free(memory);
}

static void hold(const struct election *election)
{
    const struct rl_protocol *protocol = rl_protocol_named(election->protocol);
    struct rl_experiment options = {
        .protocol = protocol,
        .params = {.n = election->n, .value = {(uint32_t)atoi(election->N)}},
        .seed = election->seed,
        .start = election->start,
        .engine = strcmp(election->engine, "step") == 0 ? RL_ENGINE_STEP : RL_ENGINE_EVENT,
        .end.set = protocol->target,
        .end.max_steps = RL_NEVER,
    };
    const bool given[RL_MAX_PARAMETERS] = {election->N[0] != '-'};
    struct rl_run run;
    struct rl_error error = {0};
    if (rl_protocol_complete(protocol, &options.params, given, &error) ||
        rl_run_init(&run, &options, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(2);
    }
    while (rl_run_advance(&run) == RL_RUNNING)
        ;
    print_result(&run);
    rl_run_free(&run);
}

int main(int argc, char **argv)
{
    FILE *stream = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!stream)
        return 2;
    char line[LONGEST];
    while (fgets(line, sizeof line, stream)) {
        struct election election;
        if (line[0] != '#' &&
            sscanf(line, "%31s %u %15s %31s %llu %15s", election.protocol, &election.n, election.N,
                   election.start, &election.seed, election.engine) == 6)
            hold(&election);
    }
    fclose(stream);
    return 0;
}
