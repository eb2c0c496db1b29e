/* SPDX-License-Identifier: MIT
 *
 * The safe predicate of fences (section 5 of its specification), twice: as written (the oracle,
 * O(n^3)) and fast. Part of fences.c.
 *
 * S_F is closed and inside the safe configurations, but not all of them, so measured hits are upper
 * bounds. Agents are counted here from the one leader: u_0 is the leader, w[1..n-1] the word of
 * the letters to its right.
 *
 * Facts that shaped the fast form. The messages of a feed lie between a pointer and the source
 * before it, and so does the rest of its feed, up to the fence: all feeds together have at most 2n
 * letters, so everything but square-freeness takes O(n). For that, a square of period m makes m
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

/* ---- as the specification has it ---- */

/* The number of fences at u_{from+1} .. u_to. */
static uint32_t fences_in(const struct view *view, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t i = from + 1; i <= to; i++)
        count += seen(view, i).fence;
    return count;
}

/* (a) w has no square: no s and m with w[s..s+m-1] = w[s+m..s+2m-1]. */
static bool has_square_at(const struct view *view, uint32_t s, uint32_t m)
{
    for (uint32_t i = s; i < s + m; i++)
        if (w(view, i) != w(view, i + m))
            return false;
    return true;
}

static bool is_square_free(const struct view *view)
{
    for (uint32_t s = 1; s < view->n; s++)
        for (uint32_t m = 1; s + 2 * m <= view->n; m++)
            if (has_square_at(view, s, m))
                return false;
    return true;
}

static bool no_scrambler(const struct view *view)
{
    for (uint32_t i = 0; i < view->n; i++)
        if (seen(view, i).slot == SCRAMBLER)
            return false;
    return true;
}

/* (b) The i-th letter from the pointer at `a`, now at u_at, is as it should be. */
static bool letter_is_right(const struct view *view, uint32_t a, uint32_t i, uint32_t at)
{
    const struct agent x = seen(view, a), u = seen(view, at);
    const uint32_t e = unsent(x, a);
    if (u.slot == JOKER || e < i + 1 || letter_of(u.slot) != w(view, e - i))
        return false;
    if (!is_last(u.slot))
        return true;
    return i == 1 && x.slot != READY && seen(view, a + 1).fence && fences_in(view, a + 1, at) == 0;
}

/* (b) The messages between the source at `a` and the next one. */
static bool messages_are_right(const struct view *view, uint32_t a)
{
    const struct agent x = seen(view, a);
    uint32_t jokers = 0, letters = 0;
    for (uint32_t at = a + 1; at < view->n && !is_source(seen(view, at)); at++) {
        const uint32_t slot = seen(view, at).slot;
        if (!is_message(slot))
            continue;
        if (slot == JOKER)
            jokers++;
        else
            letters++;
        if (is_pointer(x.slot) && !letter_is_right(view, a, jokers + letters, at))
            return false;
    }
    if (x.leader)
        return letters == 0;
    return x.slot != WIPER || jokers == 0 || letters == 0;
}

/* (c) The k-th message (from 0) that the pointer at `p` will meet, as a slot; EMPTY: none. */
static uint32_t feed(const struct view *view, uint32_t p, uint32_t k)
{
    uint32_t a = p - 1;
    for (; !is_source(seen(view, a)); a--) {
        const uint32_t slot = seen(view, a).slot;
        if (is_message(slot) && k-- == 0)
            return is_last(slot) && fences_in(view, a, p) > 0 ? PLAIN + letter_of(slot) : slot;
    }
    const struct agent x = seen(view, a);
    if (!is_pointer(x.slot) || fences_in(view, a, p) != 1)
        return EMPTY;
    uint32_t q = a + 1;
    while (!seen(view, q).fence)
        q++;
    const uint32_t at = unsent(x, a) + k;
    return at >= q ? EMPTY : (at == q - 1 ? LAST : PLAIN) + w(view, at);
}

/* (c) No run of matches brings the pointer at `p` to a last letter. */
static bool pointer_is_safe(const struct view *view, uint32_t p)
{
    const uint32_t x = seen(view, p).slot == GO ? p + 1 : p;
    for (uint32_t k = 0; x + k < view->n; k++) {
        const uint32_t m = feed(view, p, k);
        if (m == EMPTY || (m != JOKER && letter_of(m) != w(view, x + k)))
            return true;
        if (is_last(m))
            return false;
    }
    return true;
}

static bool s_f_by_definition(const struct rl_ring *ring)
{
    if (rl_ring_leaders(ring) != 1)
        return false;
    const struct view view = {ring, ring->params.n, rl_ring_first_leader(ring)};
    /* (d) is c_pb. */
    if (!is_square_free(&view) || !no_scrambler(&view) || !c_pb_by_definition(ring))
        return false;
    for (uint32_t i = 0; i < view.n; i++) {
        const struct agent u = seen(&view, i);
        if (is_source(u) && !messages_are_right(&view, i))
            return false;
        if (is_pointer(u.slot) && !pointer_is_safe(&view, i))
            return false;
    }
    return true;
}

/* ---- fast ---- */

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

static bool is_square_free_fast(const struct view *view)
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

/* Is `slot`, the newest message of the stretch, as (b) demands? */
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

/* (c) of the pointer at `p`, which ends the stretch `s`; the fence at p is counted in it. */
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
           is_square_free_fast(&view);
}

static const struct rl_set SETS[] = {
    {"S_F", "one leader, a square-free word, no check that can succeed, peaceful live bullets",
     s_f_contains, s_f_by_definition},
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
