/* SPDX-License-Identifier: MIT
 *
 * What keeps a ring out of every set with exactly one leader: the first two obstacles of protocols
 * that have such a set only. Those of their own follow, as bits from OTHERS on.
 *
 * One walk says whether a ring is in the target and, if there are `flags` to set (not NULL), where
 * it is not.
 */

enum { NO_LEADER = 1, RIVAL = 2, OTHERS = 4 };

/* Rivals keep it out of this set and those after it. */
#define LEADER_OBSTACLES(set)                                                                      \
    {"no leader", "there is no leader on the ring: the protocol will notice", 0},                  \
    {                                                                                              \
        "rival", "a leader that is not the only one: bullets will kill all but one", set           \
    }

/* What a target and its overlay are, from the walk is_NAME(ring, flags). */
#define TARGET(name)                                                                               \
    static bool name##_contains(const struct rl_ring *ring)                                        \
    {                                                                                              \
        return is_##name(ring, NULL);                                                              \
    }                                                                                              \
    static void obstruct(const struct rl_ring *ring, uint8_t *flags_out)                           \
    {                                                                                              \
        is_##name(ring, flags_out);                                                                \
    }

/* Sets a flag at u_i. The ring is not in the target: false. */
static inline bool flag(uint8_t *flags, uint32_t i, uint32_t obstacle)
{
    if (flags)
        flags[i] |= (uint8_t)obstacle;
    return false;
}

/* Flags every agent if there is no leader, every leader if there are several, and says whether
 * there is exactly one. */
static bool flag_leaders(const struct rl_ring *ring, uint8_t *flags)
{
    if (!flags)
        return has_one_leader(ring);
    const uint32_t n = ring->params.n, leaders = rl_ring_leaders(ring);
    for (uint32_t i = 0; i < n; i++) {
        const bool leads = agent_at(ring, i).leader;
        flags[i] = leaders == 0 ? NO_LEADER : leaders > 1 && leads ? RIVAL : 0;
    }
    return leaders == 1;
}
