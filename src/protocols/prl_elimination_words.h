/* SPDX-License-Identifier: MIT
 *
 * Lines 6-19 of Algorithm 1 in words, with their numbers, for every protocol that has them
 * (prl_elimination.h): each guard is asked in the paper's order.
 */

static void explain_elimination(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                                struct rl_text *text)
{
    if (l.leader && l.signal) {
        rl_text_format(text, "u_%u fired a live bullet and %s its shield: lines 6-8\n", l_index,
                       l.shield ? "kept" : "raised");
        l.bullet = 2, l.signal = 0;
    }
    if (r.leader && r.signal) {
        rl_text_format(text, "u_%u fired a dummy bullet and %s: lines 9-11\n", r_index,
                       r.shield ? "lowered its shield" : "stays without a shield");
        r.bullet = 1, r.shield = 0, r.signal = 0;
    }
    const char *kind = l.bullet == 2 ? "live" : "dummy";
    if (LINE_13 && l.bullet == 2 && r.leader && !r.shield) {
        rl_text_format(text,
                       "the live bullet of u_%u hit u_%u, which had no shield: u_%u is no "
                       "longer a leader: lines 12-14\n",
                       l_index, r_index, r_index);
        r.leader = 0;
    } else if (l.bullet && r.leader) {
        rl_text_format(text, "the %s bullet of u_%u ended at the leader u_%u%s: lines 12-14\n",
                       kind, l_index, r_index, l.bullet == 2 ? ", whose shield held" : "");
    } else if (l.bullet) {
        rl_text_format(text,
                       r.bullet
                           ? "the %s bullet of u_%u ran into the bullet at u_%u and disappeared"
                           : "a %s bullet moved from u_%u to u_%u",
                       kind, l_index, r_index);
        rl_text_format(text, "%s: lines 15-18\n",
                       r.signal ? ", and removed the bullet-absence signal there" : "");
        r.signal = 0;
    }
    if (l.signal == 0 && (r.leader || r.signal))
        rl_text_format(text,
                       r.leader ? "the leader u_%u sent a bullet-absence signal to u_%u: line 19\n"
                                : "the bullet-absence signal of u_%u spread to u_%u: line 19\n",
                       r_index, l_index);
}
