/* SPDX-License-Identifier: MIT
 *
 * The safe predicate of fences (section 5 of its specification). Part of fences.c.
 *
 * S_F is closed and inside the safe configurations, but not all of them, so measured hits are upper
 * bounds. Agents are counted here from the one leader: u_0 is the leader, w[1..n-1] the word of
 * the letters to its right.
 *
 * Facts that shaped it. The messages of a feed lie between a pointer and the source before it, and
 * so does the rest of its feed, up to the fence: all feeds together have at most 2n letters, so
 * everything but square-freeness takes O(n). For that, a square of period m makes m
 * matches w[j] = w[j+m] in a row, one of them at a multiple of m: so n/m places are looked at for
 * each m, n log n in all, and a match is followed to both sides. In the worst case that is O(n^2);
 * the word of start `clean` takes 408 comparisons at n = 64 and 96,312 at n = 4096, 2 n log2 n.
 */

static inline uint32_t w(const struct view *view, uint32_t i)
{
    return seen(view, i).label;
}

/* Leader, pointers and wipers. */
static inline bool is_source(struct agent u)
{
    return u.leader || is_pointer(u.slot) || u.slot == WIPER;
}

/* Where the letters that a pointer at `a` has not yet sent begin. */
static inline uint32_t unsent(struct agent u, uint32_t a)
{
    return u.slot == READY ? a : a + 1;
}

static bool no_scrambler(const struct view *view)
{
    for (uint32_t i = 0; i < view->n; i++)
        if (seen(view, i).slot == SCRAMBLER)
            return false;
    return true;
}

/* The matches w[i] = w[i+m] in a row around i = j, going left or right; stops at m of them. */
static uint32_t matches_around(const struct view *view, uint32_t j, uint32_t m)
{
    uint32_t count = 0;
    for (uint32_t i = j; i >= 1 && count < m && w(view, i) == w(view, i + m); i--)
        count++;
    for (uint32_t i = j + 1; i + m < view->n && count < m && w(view, i) == w(view, i + m); i++)
        count++;
    return count;
}

/* (a) w has no square: no s and m with w[s..s+m-1] = w[s+m..s+2m-1]. */
static bool is_square_free(const struct view *view)
{
    for (uint32_t m = 1; 2 * m < view->n; m++)
        for (uint32_t j = m; j + m < view->n; j += m)
            if (w(view, j) == w(view, j + m) && matches_around(view, j, m) == m)
                return false;
    return true;
}

/* What a walk to the right knows of the stretch since the last source, exclusive. */
struct stretch {
    struct agent source;
    uint32_t from;    /* its place */
    uint32_t fences;  /* so far */
    uint32_t fence;   /* place of the first one */
    uint32_t jokers;  /* so far */
    uint32_t letters; /* so far */
};

/* (b) The newest message of the stretch is as it should be: after a leader jokers only, after a
 * wiper not both kinds; after a pointer the letters that it has sent, the last of which may be
 * flagged if it went over the fence just behind the pointer. */
static bool message_fits(const struct view *view, const struct stretch *s, uint32_t slot)
{
    if (s->source.leader)
        return slot == JOKER;
    if (s->source.slot == WIPER)
        return s->jokers == 0 || s->letters == 0;
    const uint32_t e = unsent(s->source, s->from);
    if (slot == JOKER || e <= s->letters || letter_of(slot) != w(view, e - s->letters))
        return false;
    return !is_last(slot) || (s->letters == 1 && s->source.slot != READY && s->fences == 1 &&
                              s->fence == s->from + 1);
}

/* (c) No run of matches brings the pointer at `p` to a last letter: it meets the messages on their
 * way and then, if there is one fence between them, what the pointer before it has yet to send. It
 * ends the stretch `s`; the fence at p is counted in it. */
static bool feed_is_safe(const struct view *view, const struct stretch *s, uint32_t p)
{
    struct agent u = seen(view, p);
    uint32_t x = u.slot == GO ? p + 1 : p;
    bool fenced = u.fence;
    for (uint32_t at = p - 1; at > s->from && x < view->n; at--) {
        u = seen(view, at);
        if (is_message(u.slot)) {
            if (u.slot != JOKER && letter_of(u.slot) != w(view, x))
                return true;
            if (is_last(u.slot) && !fenced)
                return false;
            x++;
        }
        fenced |= u.fence;
    }
    if (!is_pointer(s->source.slot) || s->fences != 1)
        return true;
    for (uint32_t at = unsent(s->source, s->from); at < s->fence && x < view->n; at++, x++) {
        if (w(view, at) != w(view, x))
            return true;
        if (at + 1 == s->fence)
            return false;
    }
    return true;
}

static bool checks_are_safe(const struct view *view)
{
    struct stretch s = {.source = seen(view, 0)};
    for (uint32_t i = 1; i < view->n; i++) {
        const struct agent u = seen(view, i);
        if (u.fence && s.fences++ == 0)
            s.fence = i;
        if (u.slot == JOKER)
            s.jokers++;
        else if (is_message(u.slot))
            s.letters++;
        if (is_message(u.slot) && !message_fits(view, &s, u.slot))
            return false;
        if (is_pointer(u.slot) && !feed_is_safe(view, &s, i))
            return false;
        if (is_source(u))
            s = (struct stretch){.source = u, .from = i};
    }
    return true;
}

static bool s_f_contains(const struct rl_ring *ring)
{
    if (!has_one_leader(ring))
        return false;
    const struct view view = {ring, ring->params.n, rl_ring_first_leader(ring)};
    return no_scrambler(&view) && c_pb_contains(ring) && checks_are_safe(&view) &&
           is_square_free(&view);
}

static const struct rl_set SETS[] = {
    {"S_F", "one leader, a square-free word, no check that can succeed, peaceful live bullets",
     s_f_contains, NULL},
};

/* ---- gauges ---- */

#define GAUGES                                                                                     \
    "fences", "pointers", "messages", "wipers", "scramblers", "live_bullets", "dummy_bullets",     \
        "signals"

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    for (size_t i = 0; i < 5; i++)
        values_out[i] = 0;
    measure_bullets(ring, values_out + 5);
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const struct agent u = agent_at(ring, i);
        values_out[0] += u.fence;
        values_out[1] += is_pointer(u.slot);
        values_out[2] += is_message(u.slot);
        values_out[3] += u.slot == WIPER;
        values_out[4] += u.slot == SCRAMBLER;
    }
}
