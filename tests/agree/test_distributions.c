/* SPDX-License-Identifier: MIT
 *
 * Both engines against the exact distribution of the hit, for every protocol of the registry on
 * rings of 2 to 4 agents, with the smallest parameters that it allows: from each of its starts,
 * with and without a limit that bites, after a fault that strikes one agent, and after one that
 * strikes all, from which the recovery is that from a uniformly random configuration. Oracles
 * report at once and with a delay.
 * The distribution is found by brute force: configurations are numbered as they are met, and their
 * weights are moved step by step; nothing of the engines or the verifier is used.
 *   agree_test_distributions [TRIALS [NODES]]
 * What leads to more than NODES configurations (by default 2^16, at most 2^20) is left out: even
 * then fences on four agents, and undirected rings from most starts but `oriented`, as it is and
 * with all agents leaders. A fault of all leads to all configurations: it is left out for ppl,
 * undirected rings, and all rings above prl n = 3, prl-oracle n = 4, fj06 n = 4, aaf08 n = 3 and
 * fences n = 2.
 *
 * A comparison fails with probability 10^-6 on the day the seed is chosen (statistics.h), and one
 * of all with 10^-3 at most: there are fewer than 1000 of them.
 */
#include "agree/registry.h"
#include "agree/tables.h"
#include "found.h"

static uint64_t elections, comparisons;

enum { MOST = 1 << 20, LONGEST = 1 << 13, AGENTS = 4, ARCS = 2 * AGENTS, DELAY = 3, FAULT_AT = 5 };

/* The chain: for each node the words of the agents and, with an oracle, for how many steps none has
 * led (up to the delay); where each arc leads, unless it is inside the target. */
typedef rl_state configuration[AGENTS + 1];
static struct found nodes;
static uint32_t next[MOST][ARCS];
static bool inside[MOST];
static double weight[2][MOST]; /* of each node, before and after a step */

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
    return found_add(&nodes, it);
}

/* From the nodes that there are, all that can be reached; false if that is more than `most`. */
static bool explore(struct rl_ring *ring, uint32_t most)
{
    const struct rl_set *target = &ring->protocol->sets[ring->protocol->target];
    for (uint32_t k = 0; k < nodes.count && nodes.count <= most; k++) {
        configuration it;
        memcpy(it, found_key(&nodes, k), sizeof it);
        for (uint32_t i = 0; i < ring->params.n; i++)
            rl_ring_set(ring, i, it[i]);
        inside[k] = test_by_definition(target, ring);
        for (uint32_t arc = 0; arc < rl_ring_arcs(ring) && !inside[k]; arc++)
            next[k][arc] = follow(ring, it, arc);
    }
    return nodes.count <= most;
}

/* P(T = t) if nodes have their weight at step 0, for t below the returned one: where one in a
 * million is left, or LONGEST. */
static size_t find_law(uint32_t arcs, double *probability)
{
    double left = 1;
    size_t t = 0;
    for (; t < LONGEST && left > 1e-6; left -= probability[t++]) {
        double *now = weight[t % 2], *after = weight[1 - t % 2];
        probability[t] = 0;
        memset(after, 0, nodes.count * sizeof *after);
        for (uint32_t k = 0; k < nodes.count; k++)
            if (inside[k])
                probability[t] += now[k];
            else if (now[k] > 0)
                for (uint32_t arc = 0; arc < arcs; arc++)
                    after[next[k][arc]] += now[k] / arcs;
    }
    return t;
}

/* Elections as they are, or after a fault that has struck so many. */
static void compare(struct rl_experiment *options, uint32_t struck, const char *what)
{
    static double probability[LONGEST];
    static uint64_t observed[LONGEST + 1];
    const uint32_t n = options->params.n, arcs = options->protocol->undirected ? 2 * n : n;
    const size_t length = find_law(arcs, probability);
    const bool usual = options->protocol == rl_protocol_at(0); /* it is looked at more closely */
    const uint64_t trials = test_amount(0, usual ? 2000 : 300);
    const struct rl_fault fault = {.step = struck == n ? FAULT_AT : 0, .agents = struck};
    double all = 0, by = probability[0];
    size_t limit = 0;
    for (size_t t = 0; t < length; t++)
        all += probability[t];
    while (by < 0.4 * all)
        by += probability[++limit];
    if (by * (double)trials < 20 || (1 - by) * (double)trials < 20)
        return; /* all at the same step, or hardly any */
    options->faults = &fault;
    options->fault_count = struck > 0;
    /* Plain, event, and event with its list at once; without a limit, if they end, and with one. */
    for (int kind = length < LONGEST ? 0 : 3; kind < 6; kind++) {
        const size_t classes = kind < 3 ? length : limit + 1;
        options->engine = kind % 3 ? RL_ENGINE_EVENT : RL_ENGINE_STEP;
        options->end.max_steps = kind < 3 ? RL_NEVER : limit + fault.step;
        memset(observed, 0, sizeof observed);
        for (options->trial = 0; options->trial < trials; options->trial++, elections++) {
            FREED(rl_run) run;
            assert_int_equal(rl_run_init(&run, options, NULL), RL_OK);
            if (kind % 3 == 2)
                list_at_once(&run.engine);
            test_finish(&run);
            const uint64_t hit =
                struck ? run.faults[0].recovered_after : run.hits[options->end.set];
            observed[hit < classes ? hit : classes]++;
        }
        char name[160];
        snprintf(name, sizeof name, "%s, n = %u, %s, %u struck, kind %d", options->protocol->name,
                 n, what, struck, kind);
        assert_distributed(name, observed, probability, classes, trials);
        comparisons++;
    }
}

/* Crowned: every agent is made a leader. A fault that strikes all leads to every configuration. */
static void try_start(const struct rl_protocol *protocol, struct rl_params params,
                      const char *start, bool crowned, uint32_t struck)
{
    uint64_t words[2][AGENTS] = {{0}};
    struct rl_ring ring = {protocol, params, words[0], false};
    struct rl_random random = test_random(30, 0, RL_PURPOSE_START);
    const uint64_t states = rl_protocol_states(protocol, &params), most = test_amount(1, 1 << 16);
    uint64_t from = 1;
    assert_true(most <= MOST);
    for (uint32_t i = 0; i < struck && from <= most; i++)
        from = states > most ? states : from * states;
    if (from > most || rl_ring_start(&ring, start, &random, NULL) != RL_OK)
        return;
    for (uint32_t i = 0; i < params.n && crowned; i++)
        rl_ring_set(&ring, i, rl_look_crowned(protocol, &params, rl_ring_get(&ring, i), true));
    memcpy(words[1], words[0], sizeof words[0]);
    found_free(&nodes);
    nodes.size = sizeof(configuration);
    memset(weight[0], 0, sizeof weight[0]);
    const uint32_t places = struck == 1 ? params.n : 1; /* where it may strike */
    for (uint64_t code = 0; code < from * places; code++) {
        configuration it = {0};
        uint64_t rest = code / places;
        for (uint32_t i = 0; i < params.n; i++)
            it[i] = rl_ring_get(&ring, i);
        for (uint32_t i = 0; i < struck; i++, rest /= states)
            it[(code % places + i) % params.n] =
                rl_protocol_state(protocol, &params, rest % states);
        weight[0][found_add(&nodes, it)] += 1.0 / (double)(from * places);
    }
    struct rl_experiment options = {.protocol = protocol,
                                    .params = params,
                                    .configuration = words[1],
                                    .seed = 30,
                                    .end.set = protocol->target};
    if (explore(&ring, (uint32_t)most))
        compare(&options, struck, start);
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
                        try_start(protocol, params, start, crowned, 0);
                for (uint32_t struck = 1; struck <= n && delay == 0; struck += n - 1)
                    try_start(protocol, params, "random", false, struck);
            }
        if (comparisons == before)
            fail_msg("no start of %s is small enough", protocol->name);
    }
    print_message("%llu elections, %llu comparisons\n", (unsigned long long)elections,
                  (unsigned long long)comparisons);
    assert_true(comparisons < 1000);
}
