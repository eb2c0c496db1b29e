/* SPDX-License-Identifier: MIT
 *
 * That the target of ppl is closed. There are too many configurations to look at, so this is a walk
 * through all that one interaction can depend on.
 *
 * Membership is a conjunction of conditions on single tokens, given the bits, and on bullets; the
 * bullets are those of prl-oracle, whose target the verifier shows to be closed. An interaction
 * looks at two agents, at one colour of tokens at a time; of the clocks only whether r's has run
 * out matters. So it is enough to try, for every settled ring without tokens and every arc, all
 * pairs of tokens of one colour, with clocks at zero and run out: whatever a member of the target
 * can do, one of these does.
 */
#include "registry.h"

/* A settled ring with its leader at u_0: the first ID and the bits of the last segment are free. */
static void settle(struct rl_ring *ring, uint32_t id, uint32_t last_bits, uint32_t clock)
{
    const uint32_t n = ring->params.n, psi = ring->params.value[0];
    for (uint32_t i = 0; i < n; i++) {
        const bool last = i / psi == (n - 1) / psi;
        rl_ring_set(ring, i, 0);
        registry_put(ring, i, "leader", i == 0);
        registry_put(ring, i, "dist", i % (2 * psi));
        registry_put(ring, i, "last", last);
        registry_put(ring, i, "bit", (last ? last_bits : id + i / psi) >> i % psi & 1);
        registry_put(ring, i, "clock", clock);
    }
}

static uint64_t check_tokens(struct rl_ring *ring, uint32_t arc, const char *colour)
{
    const struct rl_set *target = &ring->protocol->sets[ring->protocol->target];
    const uint32_t tokens = 8 * ring->params.value[0] - 3, right = (arc + 1) % ring->params.n;
    const rl_state l = rl_ring_get(ring, arc), r = rl_ring_get(ring, right);
    uint64_t members = 0;
    for (uint32_t a = 0; a < tokens; a++)
        for (uint32_t b = 0; b < tokens; b++) {
            registry_put(ring, arc, colour, a);
            registry_put(ring, right, colour, b);
            if (target->contains(ring)) {
                members++;
                rl_ring_interact(ring, arc);
                if (!target->contains(ring))
                    fail_msg("n = %u, arc %u, %s tokens %u and %u lead out, to %s", ring->params.n,
                             arc, colour, a, b, test_text(ring));
            }
            rl_ring_set(ring, arc, l);
            rl_ring_set(ring, right, r);
        }
    return members;
}

static void check_ppl(uint32_t psi, uint32_t n)
{
    FREED(rl_ring) ring = test_ring("ppl", n, psi);
    ring.params.value[1] = 1; /* kmax */
    uint64_t members = 0;
    for (uint32_t id = 0; id < UINT32_C(1) << psi; id++)
        for (uint32_t bits = 0; bits < UINT32_C(1) << psi; bits++)
            for (uint32_t clock = 0; clock <= 1; clock++) {
                settle(&ring, id, bits, clock);
                for (uint32_t arc = 0; arc < n; arc++) {
                    members += check_tokens(&ring, arc, "black");
                    members += check_tokens(&ring, arc, "white");
                }
            }
    assert_true(members > 0);
}

TEST(the_target_of_ppl_is_closed)
{
    for (uint32_t n = 2; n <= 7; n++)
        check_ppl(2, n);
    for (uint32_t n = 2; n <= 13; n += n < 7 ? 1 : 3)
        check_ppl(3, n);
}
