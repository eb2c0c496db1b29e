/* SPDX-License-Identifier: MIT
 *
 * Sets with one form only in the source, against their definitions as docs/protocols has them.
 */
#include "registry.h"

#define of registry_get

/* fj06: for some d, q = p-d has a shield, and none of p-1, ..., q has a bullet. */
static bool is_guarded(const struct rl_ring *ring, uint32_t n, uint32_t p)
{
    bool guarded = false;
    for (uint32_t d = 0; d < n; d++) {
        bool good = of(ring, p + n - d, "shield");
        for (uint32_t e = 1; e <= d; e++)
            good &= !of(ring, p + n - e, "bullet");
        guarded |= good;
    }
    return guarded;
}

/* aaf08: one barrier (u, v); for all q from p to u no bullet unless v = p, no probe unless u = p */
static bool is_cleared(const struct rl_ring *ring, uint32_t n, uint32_t p)
{
    uint32_t barriers = 0, harmful = 0;
    for (uint32_t u = 0; u < n; u++) {
        if (of(ring, u + 1, "label") == (of(ring, u, "label") + 1) % ring->params.value[0])
            continue;
        barriers++;
        for (uint32_t q = 0; q < n; q++)
            if ((q + n - p) % n <= (u + n - p) % n)
                harmful +=
                    (of(ring, q, "bullet") && (u + 1) % n != p) || (of(ring, q, "probe") && u != p);
    }
    return barriers == 1 && harmful == 0;
}

/* ppl: the token of u_i, alone on the ring, goes its way by the rules; no bit or leader changes. */
static bool is_harmless(const struct rl_ring *ring, uint32_t n, uint32_t i, const char *colour)
{
    rl_state memory[32] = {0}, bit = 0;
    struct rl_ring copy = {rl_protocol_named("ppl"), ring->params, memory};
    const char *const names[] = {"bit", "leader", "dist", "last", colour};
    for (uint32_t j = 0; j < n; j++)
        for (size_t v = 0; v < (j == i ? 5 : 4); v++)
            registry_put(&copy, j, names[v], of(ring, j, names[v]));
    for (uint32_t token; (token = of(&copy, i, colour)) && bit == 0;) {
        const uint32_t l = (token - 1) / 4 < ring->params.value[0] ? i : (i + n - 1) % n;
        rl_ring_interact(&copy, l);
        i = l == i ? (i + 1) % n : l;
        for (uint32_t j = 0; j < n; j++)
            bit |= of(&copy, j, "bit") ^ of(ring, j, "bit") ^ (rl_ring_leaders(&copy) != 1);
    }
    return bit == 0;
}

static bool is_settled(const struct rl_ring *ring, uint32_t n, uint32_t p)
{
    const uint32_t psi = ring->params.value[0], last = (n - 1) / psi;
    uint32_t id[32] = {0}, flaws = 0;
    for (uint32_t d = 0; d < n; d++) {
        flaws += of(ring, p + d, "dist") != d % (2 * psi);
        flaws += of(ring, p + d, "last") != (d / psi == last);
        id[d / psi] += of(ring, p + d, "bit") << d % psi;
        for (uint32_t e = 0; e <= d && of(ring, p + d, "bullet") == 2; e++)
            flaws += !of(ring, p, "shield") || of(ring, p + e, "signal");
    }
    for (uint32_t segment = 1; segment < last; segment++)
        flaws += id[segment] != (id[segment - 1] + 1) % (1u << psi);
    for (uint32_t i = 0; i < n && flaws == 0; i++)
        flaws += !is_harmless(ring, n, i, "black") || !is_harmless(ring, n, i, "white");
    return flaws == 0;
}

static const struct definition {
    const char *protocol;
    bool (*has)(const struct rl_ring *ring, uint32_t n, uint32_t p); /* p: the only leader */
} DEFINITIONS[] = {
    {"fj06", is_guarded},  {"fj06-undirected", is_guarded}, //
    {"aaf08", is_cleared}, {"aaf08-undirected", is_cleared},
    {"ppl", is_settled},   {"ppl-undirected", is_settled},
};

/* Compares, and says whether the ring is in the target. An undirected one is read both ways. */
static bool compare(struct rl_ring *ring, const struct definition *definition)
{
    const uint32_t n = ring->params.n, ways = ring->protocol->undirected ? 2 : 1;
    bool in[3] = {false};
    for (uint32_t way = 0; way < ways; way++) {
        bool coloured = true, oriented = true;
        ring->mirrored = way == 1;
        for (uint32_t i = 0; i < n && ways == 2; i++) {
            const uint32_t a = of(ring, i, "colour"), b = of(ring, i + 1, "colour");
            const uint32_t c = of(ring, i + 2, "colour"), marks = of(ring, i + 1, "marks");
            coloured &= a != c && (of(ring, i, "marks") >> b & 1) == (marks >> a & 1);
            oriented &= of(ring, i + 1, "ahead") == c && of(ring, i + 1, "behind") == a;
        }
        in[0] |= coloured && ways == 2;
        in[1] |= coloured && oriented && ways == 2;
        in[ring->protocol->target] |= coloured && oriented && rl_ring_leaders(ring) == 1 &&
                                      definition->has(ring, n, rl_ring_first_leader(ring));
    }
    ring->mirrored = false;
    for (size_t set = 0; set < ring->protocol->set_count; set++)
        if (ring->protocol->sets[set].contains(ring) != in[set])
            fail_msg("%s, n = %u, by definition %sin %s: %s", ring->protocol->name, n,
                     in[set] ? "" : "not ", ring->protocol->sets[set].name, test_text(ring));
    return in[ring->protocol->target];
}

/* At a member (on an undirected ring an election finds it), then with one variable changed. */
static void check_beside_member(struct rl_ring *ring, const struct definition *definition,
                                struct rl_random *random)
{
    const struct rl_protocol *protocol = ring->protocol;
    struct rl_oracle oracle = {0};
    const char *start = protocol->undirected ? "oriented" : "safe";
    ring->mirrored = protocol->undirected && rl_random_below(random, 2);
    assert_int_equal(rl_ring_start(ring, start, random, NULL), RL_OK);
    ring->mirrored = false;
    rl_oracle_look(&oracle, ring, 0);
    for (uint64_t t = 1; t < 100000 && !protocol->sets[protocol->target].contains(ring); t++)
        rl_oracle_interact(&oracle, ring, rl_random_below(random, rl_ring_arcs(ring)), t);
    assert_true(compare(ring, definition));
    for (size_t t = 0; t < 3 * protocol->variable_count; t++) {
        const uint32_t i = rl_random_below(random, ring->params.n);
        const struct rl_variable *variable = &protocol->variables[t / 3];
        const rl_state before = rl_ring_get(ring, i);
        const rl_state other = rl_protocol_random_state(protocol, &ring->params, random);
        rl_ring_set(ring, i, rl_variable_set(variable, before, rl_variable_get(variable, other)));
        compare(ring, definition);
        rl_ring_set(ring, i, before);
    }
}

TEST(sets_agree_with_their_definitions)
{
    struct rl_random random = test_random(58, 0, RL_PURPOSE_START);
    for (size_t k = 0; k < sizeof DEFINITIONS / sizeof *DEFINITIONS; k++)
        for (uint32_t n = 2; n <= 13; n++) {
            const struct rl_protocol *protocol = rl_protocol_named(DEFINITIONS[k].protocol);
            rl_state memory[32] = {0};
            struct rl_ring ring = {protocol, rl_protocol_usual(protocol, n), memory};
            const uint64_t states = rl_protocol_states(protocol, &ring.params);
            const bool all = states <= 48 && n <= (states == 8 ? 4 : 3);
            for (uint64_t code = 0, rest = 0; all && rest == 0; code++) {
                rest = code;
                for (uint32_t i = 0; i < n; i++, rest /= states)
                    rl_ring_set(&ring, i, rl_protocol_state(protocol, &ring.params, rest % states));
                compare(&ring, &DEFINITIONS[k]);
            }
            for (int t = 0; t < 30 && (n > 2 || !protocol->undirected); t++)
                check_beside_member(&ring, &DEFINITIONS[k], &random);
        }
}
