/* SPDX-License-Identifier: MIT
 *
 * AAF08 in words: what an interaction does, with the lines of the listing in
 * docs/protocols/aaf08.md. Part of aaf08.c.
 */

/* Lines 3-5: a barrier stands between l and r. */
static void explain_barrier(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                            struct rl_text *text)
{
    if (l.probe)
        rl_text_format(text,
                       l.leader
                           ? "the leader u_%u absorbed the probe that reached it: line 3\n"
                           : "a probe reached the barrier without meeting a leader: u_%u became "
                             "one: line 3\n",
                       l_index);
    if (l.phase == 0)
        rl_text_format(text, "the barrier between u_%u and u_%u %s: line 4\n", l_index, r_index,
                       r.leader ? "may advance now" : "sent out a probe");
    else if (!r.probe)
        rl_text_format(text, "the barrier to the left of u_%u moved to its right%s: line 5\n",
                       r_index, r.bullet ? " and absorbed the bullet there" : "");
}

static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    (void)no_leader;
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const struct agent l = agent_at(ring, l_index), r = agent_at(ring, r_index);
    if (has_barrier(ring, l_index))
        explain_barrier(l, r, l_index, r_index, text);
    else if (r.leader && r.bullet)
        rl_text_format(text, "a bullet hit u_%u, who is no longer a leader: line 7\n", r_index);
    else if (r.leader) {
        if (!l.bullet)
            rl_text_format(text, "the leader u_%u fired a bullet to u_%u: line 8\n", r_index,
                           l_index);
        if (l.probe)
            rl_text_format(text, "the leader u_%u absorbed the probe of u_%u: line 8\n", r_index,
                           l_index);
    } else {
        if (r.bullet)
            rl_text_format(text, "a bullet moved from u_%u to u_%u: line 10\n", r_index, l_index);
        if (l.probe)
            rl_text_format(text, "a probe moved from u_%u to u_%u: line 11\n", l_index, r_index);
    }
}
