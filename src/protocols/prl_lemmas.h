/* SPDX-License-Identifier: MIT
 *
 * The paper's lemmas for P_RL, as the verifier checks them: what one interaction does, and expected
 * steps. Part of prl.c.
 *
 * Sets of agents are masks (rings of at most 64 agents). A bullet at the initiator moves to the
 * responder, unless that is a leader, becomes one, or has a bullet: then it disappears.
 */

/* ---- what the sets and the lemmas see of an agent ---- */

/* Nothing looks at a follower's shield. A leader with a signal fires anew before anything else
 * happens, so its shield tells nothing (its bullet is not peaceful anyway), and its bullet only
 * whether it is live. */
static struct agent without_hidden(struct agent u)
{
    if (!u.leader || u.signal)
        u.shield = 0;
    if (u.leader && u.signal && u.bullet == 1)
        u.bullet = 0;
    return u;
}

/* C_PB does not look at dist. */
static rl_state sees_bullets(const struct rl_params *params, rl_state state)
{
    (void)params;
    struct agent u = without_hidden(unpack(state));
    u.dist = 0;
    return pack(u);
}

/* Of a leader's dist, the lemmas only see whether it is 0. */
static rl_state sees_all(const struct rl_params *params, rl_state state)
{
    (void)params;
    struct agent u = without_hidden(unpack(state));
    u.dist = u.leader && u.dist > 0 ? 1 : u.dist;
    return pack(u);
}

/* With an insecure leader, or a live bullet at a leader where it is not peaceful, a configuration
 * is outside C_NI, whatever else there is. */
static rl_state sees_security(const struct rl_params *params, rl_state state)
{
    const struct agent u = unpack(sees_all(params, state));
    const bool hopeless = u.leader && (u.dist > 0 || (u.bullet == 2 && (u.signal || !u.shield)));
    return hopeless ? pack((struct agent){.leader = 1, .dist = 1}) : pack(u);
}

static rl_state sees_leaders(const struct rl_params *params, rl_state state)
{
    (void)params;
    return pack((struct agent){.leader = unpack(state).leader});
}

static rl_sight *const SET_SEES[] = {sees_bullets, sees_security, sees_security};

/* ---- masks ---- */

/* Of a ring: the agents with a live bullet, with a peaceful and with a modest one, and the secure
 * ones; without a leader no bullet is good and nobody secure. */
struct masks {
    uint32_t n, N, words[64];
    uint64_t live, peaceful, modest, secure;
};

/* Several lemmas ask about a ring before an interaction, for every arc, and after it: what was
 * found last is kept. */
static const struct masks *masks_of(const struct rl_ring *ring, bool after)
{
    static _Thread_local struct masks kept[2];
    const uint32_t n = ring->params.n, N = ring->params.value[PARAMETER_N];
    struct masks *const masks = &kept[after];
    uint32_t differs = (masks->n ^ n) | (masks->N ^ N);
    for (uint32_t i = 0; i < n; i++)
        differs |= masks->words[i] ^ (uint32_t)rl_ring_get(ring, i);
    if (!differs)
        return masks;
    uint8_t flags[64];
    obstruct(ring, flags);
    masks->n = n;
    masks->N = N;
    masks->live = masks->peaceful = masks->modest = masks->secure = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t flaws = flags[i] & NO_LEADER ? NOT_PEACEFUL | INSECURE : flags[i];
        const uint64_t live = (uint64_t)(agent_at(ring, i).bullet == 2) << i;
        masks->words[i] = (uint32_t)rl_ring_get(ring, i);
        masks->live |= live;
        masks->peaceful |= flaws & NOT_PEACEFUL ? 0 : live;
        masks->modest |= flaws & (NOT_PEACEFUL | NOT_MODEST) ? 0 : live;
        masks->secure |= (uint64_t) !(flaws & INSECURE) << i;
    }
    return masks;
}

/* ---- lemmas about interactions ---- */

/* The two agents of an interaction, before and after it. */
struct meeting {
    uint32_t l_at, r_at;
    struct agent l, r, l_after, r_after;
};

static struct meeting meeting_at(const struct rl_ring *before, uint32_t arc,
                                 const struct rl_ring *after)
{
    struct meeting m = {.l_at = arc, .r_at = rl_ring_right(before, arc)};
    m.l = agent_at(before, m.l_at);
    m.r = agent_at(before, m.r_at);
    m.l_after = agent_at(after, m.l_at);
    m.r_after = agent_at(after, m.r_at);
    return m;
}

static bool fires_live(const struct meeting *m)
{
    return m->l.leader && m->l.signal;
}

/* Lemma 1 rests on two facts. First: a bullet that moves comes to an agent with a larger dist. */
static enum rl_verdict a_move_raises_dist(const struct rl_ring *before, uint32_t arc,
                                          const struct rl_ring *after)
{
    const struct meeting m = meeting_at(before, arc, after);
    const uint32_t dist = m.l.leader ? 0 : m.l.dist;
    const uint32_t bullet = fires_live(&m) ? 2 : m.l.bullet;
    if (bullet == 0 || m.r.leader || m.r.bullet > 0 ||
        dist + 1 >= before->params.value[PARAMETER_N])
        return RL_NOT_CONCERNED;
    const bool moved = m.r_after.bullet == bullet && !m.r_after.leader && m.l_after.bullet == 0;
    return moved && m.r_after.dist == dist + 1 ? RL_HOLDS : RL_VIOLATED;
}

/* Second: while a follower has a bullet, its dist does not change. */
static enum rl_verdict a_wait_keeps_dist(const struct rl_ring *before, uint32_t arc,
                                         const struct rl_ring *after)
{
    const struct meeting m = meeting_at(before, arc, after);
    if (m.r.leader || m.r.bullet == 0 || m.r_after.leader)
        return RL_NOT_CONCERNED;
    return m.r_after.bullet == m.r.bullet && m.r_after.dist == m.r.dist ? RL_HOLDS : RL_VIOLATED;
}

/* Where the live bullets of `mask` are after the interaction, those that disappear left out. */
static uint64_t follow_bullets(const struct meeting *m, uint64_t mask, uint64_t live_after)
{
    const uint64_t l = UINT64_C(1) << m->l_at, r = UINT64_C(1) << m->r_at;
    uint64_t there = mask & ~l & live_after;
    if (mask & l && !m->r.leader && m->r.bullet == 0 && !m->r_after.leader)
        there |= r;
    return there;
}

static enum rl_verdict stay_good(const struct rl_ring *before, uint32_t arc,
                                 const struct rl_ring *after, bool modest)
{
    const struct masks *was = masks_of(before, false);
    const uint64_t good = modest ? was->modest : was->peaceful;
    if (good == 0)
        return RL_NOT_CONCERNED;
    const struct meeting m = meeting_at(before, arc, after);
    const struct masks *is = masks_of(after, true);
    const uint64_t there = follow_bullets(&m, good, is->live);
    return there & ~(modest ? is->modest : is->peaceful) ? RL_VIOLATED : RL_HOLDS;
}

static enum rl_verdict peaceful_stay_peaceful(const struct rl_ring *before, uint32_t arc,
                                              const struct rl_ring *after)
{
    return stay_good(before, arc, after, false);
}

static enum rl_verdict modest_stay_modest(const struct rl_ring *before, uint32_t arc,
                                          const struct rl_ring *after)
{
    return stay_good(before, arc, after, true);
}

/* Fired by a leader with a signal, or by a leader that has just been created. */
static enum rl_verdict new_bullets_are_modest(const struct rl_ring *before, uint32_t arc,
                                              const struct rl_ring *after)
{
    const struct meeting m = meeting_at(before, arc, after);
    const bool created = !m.r.leader && m.r_after.leader;
    const bool fired = fires_live(&m) && !m.r.leader && m.r.bullet == 0;
    if (!created && !fired)
        return RL_NOT_CONCERNED;
    return masks_of(after, true)->modest >> m.r_at & 1 ? RL_HOLDS : RL_VIOLATED;
}

/* Where all live bullets are modest, a secure agent becomes insecure only at r, of an insecure l.
 */
static enum rl_verdict security_is_lost_from_the_left(const struct rl_ring *before, uint32_t arc,
                                                      const struct rl_ring *after)
{
    const struct masks *was = masks_of(before, false);
    const uint64_t secure = was->secure;
    if (secure == 0 || was->live != was->modest)
        return RL_NOT_CONCERNED;
    const uint64_t r = UINT64_C(1) << rl_ring_right(before, arc);
    const uint64_t lost = secure & ~masks_of(after, true)->secure;
    return lost & ~r || (lost && secure >> arc & 1) ? RL_VIOLATED : RL_HOLDS;
}

static enum rl_verdict no_leader_from_c_ni(const struct rl_ring *before, uint32_t arc,
                                           const struct rl_ring *after)
{
    if (!c_ni_contains(before))
        return RL_NOT_CONCERNED;
    const struct meeting m = meeting_at(before, arc, after);
    const bool created = (!m.l.leader && m.l_after.leader) || (!m.r.leader && m.r_after.leader);
    return created ? RL_VIOLATED : RL_HOLDS;
}

static const struct rl_lemma LEMMAS[] = {
    {"a bullet that moves raises dist by one", a_move_raises_dist, sees_all},
    {"a bullet that waits keeps its follower's dist", a_wait_keeps_dist, sees_all},
    {"peaceful bullets stay peaceful", peaceful_stay_peaceful, sees_all},
    {"modest bullets stay modest", modest_stay_modest, sees_all},
    {"a newly fired live bullet is modest", new_bullets_are_modest, sees_all},
    {"security is lost only to an insecure left neighbour", security_is_lost_from_the_left,
     sees_all},
    {"no leader is created from C_NI", no_leader_from_c_ni, sees_all},
};

/* ---- lemmas about expected steps ---- */

static bool has_no_leader(const struct rl_ring *ring)
{
    return first_leader(ring) == ring->params.n;
}

static bool has_a_leader(const struct rl_ring *ring)
{
    return !has_no_leader(ring);
}

static bool is_any(const struct rl_ring *ring)
{
    (void)ring;
    return true;
}

static bool has_two_leaders_in_c_ni(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 2 && c_ni_contains(ring);
}

static uint64_t n_times_N(const struct rl_params *params)
{
    return (uint64_t)params->n * params->value[PARAMETER_N];
}

static uint64_t n_squared(const struct rl_params *params)
{
    return (uint64_t)params->n * params->n;
}

/* In the lemma "killed", two leaders are all three of its leaders, and n(d_1 + d_2) = n^2. */
static const struct rl_claim CLAIMS[] = {
    {"a leader is created where there is none", has_no_leader, has_a_leader, sees_leaders,
     n_times_N, "nN", 3},
    {"C_NI is reached from everywhere", is_any, c_ni_contains, sees_security, n_times_N, "nN", 0},
    {"one of two leaders in C_NI is killed", has_two_leaders_in_c_ni, s_rl_contains, sees_security,
     n_squared, "n^2", 0},
    {"S_RL is reached from C_NI", c_ni_contains, s_rl_contains, sees_security, n_squared, "n^2", 0},
};
