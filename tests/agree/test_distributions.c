/* SPDX-License-Identifier: MIT
 *
 * Both engines against the exact distribution of the hit, for every protocol of the registry on
 * rings of 2 to 4 agents, with the smallest parameters that it allows: from each of its starts,
 * with and without a limit that bites, and after a fault that strikes all agents, from which the
 * recovery is that from a uniformly random configuration. Oracles report at once and with a delay.
 * The distribution is found by brute force: configurations are numbered as they are met, and their
 * weights are moved step by step; nothing of the engines or the verifier is used.
 *   agree_test_distributions [TRIALS [NODES]]
 * What leads to more than NODES configurations (by default 2^16, at most 2^20) is left out: even
 * then fences on four agents, and undirected rings from most starts but `oriented`, as it is and
 * with all agents leaders. The fault leads to all configurations: it is left out for ppl,
 * undirected rings, and all rings above prl n = 3, prl-oracle n = 4, fj06 n = 4, aaf08 n = 3 and
 * fences n = 2.
 *
 * A comparison fails with probability 10^-6 on the day the seed is chosen (statistics.h), and one
 * of all with 10^-3 at most: there are fewer than 1000 of them.
 */
#define TEST_MAIN_BELOW
#include "agree/registry.h"
#include "agree/tables.h"

static uint64_t trials = 300, elections, comparisons;
static uint32_t most = 1 << 16;

enum { MOST = 1 << 20, LONGEST = 1 << 13, AGENTS = 4, ARCS = 2 * AGENTS, DELAY = 3, FAULT_AT = 5 };

/* The chain: for each node the words of the agents and, with an oracle, for how many steps none has
 * led (up to the delay); where each arc leads, unless it is inside the target. */
typedef rl_state configuration[AGENTS + 1];
static configuration nodes[MOST];
static uint32_t count, next[MOST][ARCS], map[4 * MOST]; /* a node + 1, or 0 */
static bool inside[MOST];

/* The node of a configuration, a new one if need be; `most` if there is no room. */
static uint32_t node_of(const configuration it)
{
    uint64_t hash = 0;
    for (int i = 0; i <= AGENTS; i++)
        hash = ((hash ^ it[i]) * UINT64_C(0x9e3779b97f4a7c15)) ^ (hash >> 29);
    uint32_t *slot = &map[(hash >> 32) % (4 * most)];
    while (*slot && memcmp(nodes[*slot - 1], it, sizeof nodes[0]) != 0)
        slot = slot == &map[4 * most - 1] ? map : slot + 1;
    if (!*slot && count == most)
        return most;
    if (!*slot) {
        memcpy(nodes[count], it, sizeof nodes[0]);
        *slot = ++count;
    }
    return *slot - 1;
}

/* Where an arc of a configuration, which stands in the ring too, leads. */
static uint32_t follow(struct rl_ring *ring, const configuration from, uint32_t arc)
{
    const struct rl_protocol *protocol = ring->protocol;
    const uint32_t n = ring->params.n, a = arc % n, b = (a + 1) % n;
    const uint32_t delay = protocol->oracle ? ring->params.value[protocol->delay] : 0;
    const bool none = protocol->oracle && rl_ring_leaders(ring) == 0;
    configuration it;
    memcpy(it, from, sizeof it);
    protocol->interact(&ring->params, none && it[AGENTS] == delay, &it[arc < n ? a : b],
                       &it[arc < n ? b : a]);
    it[AGENTS] += it[AGENTS] < delay;
    for (uint32_t i = 0; i < n; i++)
        if (!none || protocol->leads(it[i]))
            it[AGENTS] = 0;
    return node_of(it);
}

/* From the nodes that there are, all that can be reached; false if that is too much. */
static bool explore(struct rl_ring *ring)
{
    const struct rl_set *target = &ring->protocol->sets[ring->protocol->target];
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < ring->params.n; i++)
            rl_ring_set(ring, i, nodes[k][i]);
        inside[k] = (target->by_definition ? target->by_definition : target->contains)(ring);
        for (uint32_t arc = 0; arc < rl_ring_arcs(ring) && !inside[k]; arc++)
            if ((next[k][arc] = follow(ring, nodes[k], arc)) == most)
                return false;
    }
    return true;
}

/* P(T = t) if the first `from` nodes are equally likely at step 0, for t below the returned one:
 * where one in a million is left, or LONGEST. */
static size_t find_law(uint32_t from, uint32_t arcs, double *probability)
{
    static double weight[2][MOST];
    double left = 1;
    size_t t = 0;
    for (uint32_t k = 0; k < count; k++)
        weight[0][k] = k < from ? 1.0 / from : 0;
    for (; t < LONGEST && left > 1e-6; left -= probability[t++]) {
        double *now = weight[t % 2], *after = weight[1 - t % 2];
        probability[t] = 0;
        memset(after, 0, count * sizeof *after);
        for (uint32_t k = 0; k < count; k++)
            if (inside[k])
                probability[t] += now[k];
            else if (now[k] > 0)
                for (uint32_t arc = 0; arc < arcs; arc++)
                    after[next[k][arc]] += now[k] / arcs;
    }
    return t;
}

/* Elections from the first `from` nodes: from one as it is, from more of them after a fault. */
static void compare(struct rl_experiment *options, uint32_t from, const char *what)
{
    static double probability[LONGEST];
    static uint64_t observed[LONGEST + 1];
    const uint32_t n = options->params.n, arcs = options->protocol->undirected ? 2 * n : n;
    const size_t length = find_law(from, arcs, probability);
    const struct rl_fault fault = {.step = FAULT_AT, .agents = n};
    double all = 0, by = probability[0];
    size_t limit = 0;
    for (size_t t = 0; t < length; t++)
        all += probability[t];
    while (by < 0.4 * all)
        by += probability[++limit];
    if (by * (double)trials < 20 || (1 - by) * (double)trials < 20)
        return; /* all at the same step, or hardly any */
    options->faults = &fault;
    options->fault_count = from > 1;
    /* Plain, event, and event with its list at once; without a limit, if they end, and with one. */
    for (int kind = length < LONGEST ? 0 : 3; kind < 6; kind++) {
        const size_t classes = kind < 3 ? length : limit + 1;
        options->engine = kind % 3 ? RL_ENGINE_EVENT : RL_ENGINE_STEP;
        options->end.max_steps = kind < 3 ? RL_NEVER : limit + (from > 1 ? FAULT_AT : 0);
        memset(observed, 0, sizeof observed);
        for (options->trial = 0; options->trial < trials; options->trial++, elections++) {
            FREED(rl_run) run;
            assert_int_equal(rl_run_init(&run, options, NULL), RL_OK);
            if (kind % 3 == 2)
                list_at_once(&run.engine);
            test_finish(&run);
            const uint64_t hit =
                from > 1 ? run.faults[0].recovered_after : run.hits[options->end.set];
            observed[hit < classes ? hit : classes]++;
        }
        char name[160];
        snprintf(name, sizeof name, "%s, n = %u, %s, kind %d", options->protocol->name, n, what,
                 kind);
        assert_distributed(name, observed, probability, classes, trials);
        comparisons++;
    }
}

/* Crowned: every agent is made a leader. With no start: from every configuration, by a fault. */
static void try_start(const struct rl_protocol *protocol, struct rl_params params,
                      const char *start, bool crowned)
{
    uint64_t words[2][AGENTS] = {{0}};
    struct rl_ring ring = {protocol, params, words[0], false};
    struct rl_random random = test_random(30, 0, RL_PURPOSE_START);
    const uint64_t states = rl_protocol_states(protocol, &params);
    uint64_t from = 1;
    for (uint32_t i = 0; i < params.n && !start && from <= most; i++)
        from = states > most ? states : from * states;
    if (from > most || rl_ring_start(&ring, start ? start : "random", &random, NULL) != RL_OK)
        return;
    for (uint32_t i = 0; i < params.n && crowned; i++)
        rl_ring_set(&ring, i, rl_look_crowned(protocol, &params, rl_ring_get(&ring, i), true));
    memset(map, 0, 4 * most * sizeof *map);
    count = 0;
    for (uint64_t code = 0; code < from; code++) {
        configuration it = {0};
        uint64_t rest = code;
        for (uint32_t i = 0; i < params.n; i++, rest /= states)
            it[i] =
                start ? rl_ring_get(&ring, i) : rl_protocol_state(protocol, &params, rest % states);
        assert_int_equal(node_of(it), code);
    }
    struct rl_experiment options = {.protocol = protocol,
                                    .params = params,
                                    .configuration = words[1],
                                    .seed = 30,
                                    .end.set = protocol->target};
    memcpy(words[1], words[0], sizeof words[0]);
    if (explore(&ring))
        compare(&options, (uint32_t)from, start ? start : "a fault");
}

/* Each parameter but the delay as small as the protocol allows. */
static void shrink(const struct rl_protocol *protocol, struct rl_params *params)
{
    for (size_t i = 0; i < protocol->parameter_count; i++)
        while (params->value[i] > 0 && !(protocol->oracle && i == protocol->delay)) {
            params->value[i]--;
            if (rl_protocol_allows(protocol, params, NULL) == RL_OK)
                continue;
            params->value[i]++;
            break;
        }
}

TEST(every_protocol_has_the_exact_distribution_with_both_engines)
{
    const struct rl_protocol *protocol;
    const char *start;
    struct rl_params params;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        const uint64_t before = comparisons;
        for (uint32_t n = 2; n <= AGENTS; n++)
            for (uint32_t delay = 0; delay <= (protocol->oracle ? DELAY : 0); delay += DELAY) {
                if (!registry_params(protocol, n, delay, &params))
                    continue;
                shrink(protocol, &params);
                for (size_t s = 0; (start = registry_start(protocol, s)); s++)
                    for (int crowned = 0; crowned <= protocol->undirected; crowned++)
                        try_start(protocol, params, start, crowned);
                if (delay == 0)
                    try_start(protocol, params, NULL, false);
            }
        if (comparisons == before)
            fail_msg("no start of %s is small enough", protocol->name);
    }
    print_message("%llu elections, %llu comparisons\n", (unsigned long long)elections,
                  (unsigned long long)comparisons);
    assert_true(comparisons < 1000);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        trials = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        most = (uint32_t)strtoul(argv[2], NULL, 10);
    assert(most <= MOST);
    return test_all(NULL, NULL);
}
