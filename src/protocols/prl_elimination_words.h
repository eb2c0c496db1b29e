/* SPDX-License-Identifier: MIT
 *
 * Lines 6-19 of Algorithm 1 in words, with their numbers, for every protocol that has them
 * (prl_elimination.h): each guard is asked in the paper's order.
 */

static const char *bullet_name(uint32_t bullet)
{
    return bullet == 2 ? "live" : "dummy";
}

/* Lines 6-11, which it also does to l and r: who received a signal fires. */
static void explain_firing(struct agent *l, struct agent *r, uint32_t l_index, uint32_t r_index,
                           struct rl_text *text)
{
    if (l->leader && l->signal) {
        rl_text_format(text, "u_%u fired a live bullet and %s its shield: lines 6-8\n", l_index,
                       l->shield ? "kept" : "raised");
        l->bullet = 2, l->shield = 1, l->signal = 0;
    }
    if (r->leader && r->signal) {
        rl_text_format(text, "u_%u fired a dummy bullet and %s: lines 9-11\n", r_index,
                       r->shield ? "lowered its shield" : "stays without a shield");
        r->bullet = 1, r->shield = 0, r->signal = 0;
    }
}

/* Line 13 at work on r, a leader that a bullet has reached. */
static bool kills(struct agent l, struct agent r)
{
    return LINE_13 && l.bullet == 2 && r.shield == 0;
}

/* Lines 12-18, which it also does to l and r. */
static void explain_flight(struct agent *l, struct agent *r, uint32_t l_index, uint32_t r_index,
                           struct rl_text *text)
{
    const char *kind = bullet_name(l->bullet);
    if (l->bullet == 0)
        return;
    if (r->leader && kills(*l, *r)) {
        rl_text_format(text,
                       "the live bullet of u_%u hit u_%u, which had no shield: u_%u is no "
                       "longer a leader: lines 12-14\n",
                       l_index, r_index, r_index);
        r->leader = 0;
    } else if (r->leader) {
        rl_text_format(text, "the %s bullet of u_%u ended at the leader u_%u%s: lines 12-14\n",
                       kind, l_index, r_index, l->bullet == 2 ? ", whose shield held" : "");
    } else {
        if (r->bullet)
            rl_text_format(text,
                           "the %s bullet of u_%u ran into the bullet at u_%u and disappeared",
                           kind, l_index, r_index);
        else
            rl_text_format(text, "a %s bullet moved from u_%u to u_%u", kind, l_index, r_index);
        rl_text_format(text, "%s: lines 15-18\n",
                       r->signal ? ", and removed the bullet-absence signal there" : "");
        r->signal = 0;
    }
}

/* Lines 6-19. */
static void explain_elimination(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                                struct rl_text *text)
{
    explain_firing(&l, &r, l_index, r_index, text);
    explain_flight(&l, &r, l_index, r_index, text);
    if (l.signal == 0 && r.leader)
        rl_text_format(text, "the leader u_%u sent a bullet-absence signal to u_%u: line 19\n",
                       r_index, l_index);
    else if (l.signal == 0 && r.signal)
        rl_text_format(text, "the bullet-absence signal of u_%u spread to u_%u: line 19\n", r_index,
                       l_index);
}
