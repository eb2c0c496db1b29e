/* SPDX-License-Identifier: MIT
 *
 * FJ06 in words: what an interaction does, with the lines of the listing in docs/protocols/fj06.md.
 * Part of fj06.c.
 */

static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const struct agent l = agent_at(ring, l_index), r = agent_at(ring, r_index);
    if (no_leader)
        rl_text_format(text,
                       "the oracle says that there is no leader: u_%u became one, with a bullet "
                       "and a shield: line 1\n",
                       r_index);
    else if (r.shield) {
        rl_text_format(text,
                       l.shield ? "the shield of u_%u joined that of u_%u"
                                : "a shield moved from u_%u to u_%u",
                       r_index, l_index);
        if (l.bullet)
            rl_text_string(text, " and absorbed the bullet there");
        if (r.leader && !r.bullet)
            rl_text_format(text, ", and the leader u_%u fired", r_index);
        rl_text_string(text, ": line 2\n");
    } else if (l.bullet)
        rl_text_format(text,
                       r.leader ? "the bullet of u_%u hit u_%u, who is no longer a leader: line 3\n"
                       : r.bullet ? "the bullet of u_%u joined that of u_%u: line 3\n"
                                  : "a bullet moved from u_%u to u_%u: line 3\n",
                       l_index, r_index);
    else
        rl_text_format(text, "the leader u_%u fired: line 4\n", r_index);
}
