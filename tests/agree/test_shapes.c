/* SPDX-License-Identifier: MIT
 *
 * Shapes that no built-in protocol has, made at random: several sets with equally many classes but
 * other partitions, sets inside each other, starts with members in any order or none at all, a rule
 * that reads no_leader without an oracle, parameters that are choices. Verifier, exploration and
 * elections are held against brute force. (With an argument: so many protocols instead of a
 * sample.)
 */
#include "agree/verify_brute.h"

enum {
    MOST_STATES = 8,
    MOST_AGENTS = 4,
    CHOICES = 3,
    SETS = 3,
    STARTS = 3,
    MEMBERS = 5,
    TRIALS = 150
};

/* ---- a protocol made at random ---- */

/* An agent is a base and a twin. Rules that leave twins alone leave them indistinguishable, but
 * sets may see them. */
static struct shape {
    uint32_t bases, twins;
    uint8_t after[CHOICES][2][MOST_STATES * MOST_STATES][2];
    bool leads[MOST_STATES];
    struct {
        uint8_t label[MOST_STATES];
        unsigned kind;
        bool nested; /* inside the one before */
    } sets[SETS];
    struct {
        uint32_t count, member[MEMBERS][MOST_AGENTS];
    } starts[STARTS];
} shape;

static uint32_t bases_of(const struct rl_params *params)
{
    (void)params;
    return shape.bases;
}
static uint32_t twins_of(const struct rl_params *params)
{
    (void)params;
    return shape.twins;
}
static uint32_t none(uint32_t n)
{
    (void)n;
    return 0;
}

/* The word has the base in its lowest three bits, then the twin. */
static uint32_t number_of(rl_state word)
{
    return (uint32_t)(word & 7) + shape.bases * (uint32_t)(word >> 3);
}
static rl_state word_of(uint32_t number)
{
    return number % shape.bases | (rl_state)(number / shape.bases) << 3;
}

static void interact(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    const uint8_t *after =
        shape.after[params->value[0]][no_leader][number_of(*l) * MOST_STATES + number_of(*r)];
    *l = word_of(after[0]);
    *r = word_of(after[1]);
}

static bool leads(rl_state state)
{
    return shape.leads[number_of(state)];
}

static bool is_in(const struct rl_ring *ring, unsigned set)
{
    const uint32_t n = ring->params.n;
    uint32_t ones = 0, twos = 0, pairs = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t here = shape.sets[set].label[number_of(rl_ring_get(ring, i))];
        const uint8_t next = shape.sets[set].label[number_of(rl_ring_get(ring, (i + 1) % n))];
        ones += here == 1;
        twos += here == 2;
        pairs += here == 1 && next == 2;
    }
    const bool holds[] = {ones == 1, twos == 0, pairs == 0, ones % 2 == 0, ones + twos <= 1};
    return holds[shape.sets[set].kind] && (!shape.sets[set].nested || is_in(ring, set - 1));
}

#define SET(k)                                                                                     \
    static bool in_##k(const struct rl_ring *ring)                                                 \
    {                                                                                              \
        return is_in(ring, k);                                                                     \
    }
SET(0)
SET(1)
SET(2)

static void put(struct rl_ring *ring, const uint32_t *member)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, word_of(member[i]));
}

static bool is_at(const struct rl_ring *ring, const uint32_t *member)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        if (number_of(rl_ring_get(ring, i)) != member[i])
            return false;
    return true;
}

static bool go_on(struct rl_ring *ring, unsigned start)
{
    for (uint32_t m = 0; m + 1 < shape.starts[start].count; m++)
        if (is_at(ring, shape.starts[start].member[m])) {
            put(ring, shape.starts[start].member[m + 1]);
            return true;
        }
    return false;
}

#define START(k)                                                                                   \
    static enum rl_status fill_##k(struct rl_ring *ring, struct rl_random *random,                 \
                                   struct rl_error *error)                                         \
    {                                                                                              \
        (void)random;                                                                              \
        (void)error;                                                                               \
        put(ring, shape.starts[k].member[0]);                                                      \
        return RL_OK;                                                                              \
    }                                                                                              \
    static bool next_##k(struct rl_ring *ring)                                                     \
    {                                                                                              \
        return go_on(ring, k);                                                                     \
    }
START(0)
START(1)
START(2)

static const char *const WAYS[] = {"left", "right", "both", NULL};
static const struct rl_parameter PARAMETERS[] = {
    {.name = "way", .meaning = "which rule", .default_for = none, .choices = WAYS},
    {.name = "delay", .meaning = "of the oracle", .default_for = none}};
static const struct rl_variable VARIABLES[] = {
    {.name = "base", .shift = 0, .width = 3, .size = 8, .size_for = bases_of, .prefix = ""},
    {.name = "twin", .shift = 3, .width = 2, .size = 4, .size_for = twins_of, .prefix = "t"}};
static const struct rl_set DECLARED_SETS[] = {
    {"first", "", in_0, in_0}, {"second", "", in_1, in_1}, {"third", "", in_2, in_2}};
static const struct rl_start DECLARED_STARTS[] = {
    {"one", "", fill_0, next_0}, {"two", "", fill_1, next_1}, {"three", "", fill_2, next_2}};

static uint32_t below(struct rl_random *random, uint32_t bound)
{
    return rl_random_below(random, bound);
}

/* What two agents become: nothing changes, or the bases alone, or everything. */
static void make_rules(struct rl_random *random)
{
    const uint32_t states = shape.bases * shape.twins, loose = below(random, 3);
    for (uint32_t i = 0; i < CHOICES * 2 * states * states; i++) {
        const uint32_t l = i % states, r = i / states % states;
        uint8_t *after = shape.after[i / (states * states) % CHOICES]
                                    [i / (states * states) / CHOICES][l * MOST_STATES + r];
        const bool by_base = loose > 0 && (l >= shape.bases || r >= shape.bases);
        const uint8_t *base =
            shape.after[i / (states * states) % CHOICES][i / (states * states) / CHOICES]
                       [l % shape.bases * MOST_STATES + r % shape.bases];
        after[0] = (uint8_t)l;
        after[1] = (uint8_t)r;
        if (by_base) { /* as the first twins do; their own twins stay */
            after[0] = (uint8_t)(base[0] % shape.bases + l / shape.bases * shape.bases);
            after[1] = (uint8_t)(base[1] % shape.bases + r / shape.bases * shape.bases);
        } else if (below(random, 2)) {
            const uint32_t most = loose > 0 ? shape.bases : states;
            after[0] = (uint8_t)below(random, most);
            after[1] = (uint8_t)below(random, most);
        }
    }
}

static struct rl_protocol make_protocol(struct rl_random *random, uint32_t n)
{
    shape = (struct shape){.twins = 1 + below(random, 4)};
    shape.bases = 2 + below(random, MOST_STATES / shape.twins - 1);
    const uint32_t states = shape.bases * shape.twins;
    make_rules(random);
    for (uint32_t s = 0; s < states; s++)
        shape.leads[s] = s % shape.bases == 1 || (s % shape.bases > 1 && below(random, 4) == 0);
    for (unsigned k = 0; k < SETS; k++) {
        shape.sets[k].kind = below(random, 5);
        shape.sets[k].nested = k > 0 && below(random, 2);
        const uint32_t by = below(random, 3); /* the base, the twin, or any state */
        uint8_t labels[MOST_STATES];
        for (uint32_t s = 0; s < states; s++)
            labels[s] = (uint8_t)below(random, 3);
        for (uint32_t s = 0; s < states; s++)
            shape.sets[k].label[s] = labels[by == 0   ? s % shape.bases
                                            : by == 1 ? s / shape.bases
                                                      : s];
    }
    struct rl_protocol protocol = {.name = "shape",
                                   .interact = interact,
                                   .leads = leads,
                                   .width = 4,
                                   .oracle = below(random, 2),
                                   .delay = 1,
                                   .parameters = PARAMETERS,
                                   .parameter_count = 2,
                                   .variables = VARIABLES,
                                   .variable_count = 2,
                                   .starts = DECLARED_STARTS,
                                   .start_count = below(random, STARTS + 1),
                                   .sets = DECLARED_SETS,
                                   .set_count = 1 + below(random, SETS)};
    protocol.target = below(random, (uint32_t)protocol.set_count);
    for (unsigned k = 0; k < STARTS; k++) /* distinct: one agent counts */
        for (uint32_t m = 0, want = 1 + below(random, MEMBERS); m < want && m < states; m++) {
            shape.starts[k].count = m + 1;
            for (uint32_t i = 0; i < n; i++)
                shape.starts[k].member[m][i] = i > 0 ? below(random, states) : (m + k + 1) % states;
        }
    return protocol;
}

/* ---- exploration ---- */

enum question { OUTPUTS, INSIDE, REACHES, QUESTIONS };

/* Is this configuration what must not be reached? */
static bool is_bad(const struct brute *brute, enum question question, size_t c)
{
    if (question == INSIDE)
        return !brute->member[0][c];
    if (question == REACHES)
        return !brute->reaching[c];
    for (uint32_t arc = 0; arc < brute->arcs; arc++)
        if (brute->output[c * brute->arcs + arc])
            return true;
    return false;
}

/* The execution begins with a member and ends in what is bad (of outputs: with the change). */
static void follow(struct brute *brute, enum question question,
                   const struct rl_counterexample *execution, size_t member)
{
    uint64_t memory[MOST_AGENTS];
    struct rl_ring ring = {brute->protocol, brute->params, memory};
    for (uint32_t i = 0; i < brute->params.n; i++)
        rl_ring_set(&ring, i, execution->start[i]);
    size_t at = encode(brute, &ring), before = at;
    assert_int_equal(at, member);
    for (size_t k = 0; k < execution->length; k++) {
        before = at;
        at = brute->next[at * brute->arcs + execution->arcs[k]];
    }
    if (question == OUTPUTS)
        assert_true(brute->output[before * brute->arcs + execution->arcs[execution->length - 1]]);
    else
        assert_true(is_bad(brute, question, at));
}

static void compare_exploration(struct brute *brute, enum question question, int start, size_t from)
{
    const struct rl_protocol *protocol = brute->protocol;
    uint64_t memory[MOST_AGENTS];
    struct rl_ring ring = {protocol, brute->params, memory};
    struct rl_explore_options options = {.experiment.protocol = protocol,
                                         .experiment.params = brute->params,
                                         .experiment.start =
                                             start >= 0 ? protocol->starts[start].name : NULL,
                                         .experiment.configuration = start >= 0 ? NULL : memory,
                                         .experiment.seed = 1,
                                         .set = question == INSIDE ? &protocol->sets[0] : NULL,
                                         .goal = question == REACHES ? &protocol->sets[0] : NULL,
                                         .memory = UINT64_C(1) << 28};
    FREED(rl_exploration) answer;
    uint64_t members = 0, configurations = 0;
    bool violated = false;
    size_t member = from;
    find_reaching(brute, brute->member[0]);
    for (uint32_t m = 0; !violated && m < (start >= 0 ? shape.starts[start].count : 1); m++) {
        if (start >= 0) {
            put(&ring, shape.starts[start].member[m]);
            member = encode(brute, &ring);
        }
        uint8_t *reached = reach(brute, member);
        for (size_t c = 0; c < brute->count; c++)
            violated |= reached[c] && is_bad(brute, question, c);
        configurations += size_of(brute, reached);
        members++;
        free(reached);
    }
    if (start < 0)
        decode(brute, from, &ring);
    assert_ok(rl_explore(&options, &answer, &error));
    assert_int_equal(answer.violated, violated);
    assert_int_equal(answer.members, members);
    if (!violated)
        assert_int_equal(answer.explored[0].configurations, configurations);
    if (violated) {
        assert_true(answer.execution.exists);
        follow(brute, question, &answer.execution, member);
    }
}

/* ---- elections ---- */

/* The mean of both engines from a uniformly random start, within five standard errors (a chance of
 * one in a million each, with fixed seeds). Engines rely on sets that are closed. */
static void compare_elections(struct brute *brute, uint64_t seed)
{
    const uint8_t *target = brute->member[brute->protocol->target];
    find_reaching(brute, target);
    if (!is_closed(brute, target) || size_of(brute, brute->reaching) < brute->count)
        return;
    for (size_t s = 0; s < brute->protocol->set_count; s++)
        if (!is_closed(brute, brute->member[s]))
            return;
    find_steps(brute, target);
    double mean = 0;
    for (size_t c = 0; c < brute->count; c++)
        mean += brute->steps[c] / (double)brute->count;
    for (int engine = 0; mean < 2000 && engine < 2; engine++) {
        double sum = 0, squares = 0;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            const struct rl_experiment options = {.protocol = brute->protocol,
                                                  .params = brute->params,
                                                  .seed = seed,
                                                  .trial = trial,
                                                  .engine =
                                                      engine ? RL_ENGINE_STEP : RL_ENGINE_EVENT,
                                                  .end.set = brute->protocol->target,
                                                  .end.max_steps = RL_NEVER};
            FREED(rl_run) run;
            test_run(&run, &options);
            const double steps = (double)run.hits[options.end.set];
            assert_int_equal(run.state, RL_REACHED);
            sum += steps;
            squares += steps * steps;
        }
        const double found = sum / TRIALS;
        const double deviation = sqrt(fmax(0, squares / TRIALS - found * found) / (TRIALS - 1));
        /* A mean of nearly nothing has no deviation worth the name. */
        assert_near(found, mean, 5 * deviation + 60.0 * mean / TRIALS + 1e-9);
    }
}

TEST(random_protocols_agree_with_brute_force)
{
    struct rl_random random = test_random(25, 0, RL_PURPOSE_START);
    for (unsigned i = 0; i < test_amount(0, 250); i++) {
        const uint32_t n = 2 + below(&random, MOST_AGENTS - 1), way = below(&random, CHOICES);
        const struct rl_protocol protocol = make_protocol(&random, n);
        compare_protocol(&protocol, n, way, below(&random, 8) == 0);
        struct brute brute = brute_begin(&protocol, n, way);
        for (int start = -1; start < (int)protocol.start_count; start++)
            for (int question = 0; question < QUESTIONS; question++)
                compare_exploration(&brute, (enum question)question, start,
                                    below(&random, (uint32_t)brute.count));
        compare_elections(&brute, i + 1);
        brute_end(&brute);
    }
}
