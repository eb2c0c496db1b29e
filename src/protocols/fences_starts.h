/* SPDX-License-Identifier: MIT
 *
 * The named starts of fences. Part of fences.c.
 *
 * Two of them need words with few squares, which are found letter by letter, going back where no
 * letter fits. Words are taken up to renaming of letters: a letter not used so far is the least
 * such. Facts: the first square-free word in dictionary order needs hardly any going back, and
 * costs O(n^2) comparisons; square-free words that are square-free round the ring exist for all n
 * but 5, 7, 9, 10, 14 and 17.
 */

enum { MOST_SEARCHED = 4096, MOST_SEARCHED_ROUND = 64 };

START_ALIKE(leaderless, 0)

START_ALIKE(leaders, .leader = 1)

static uint32_t label_at(const struct rl_ring *ring, uint32_t i)
{
    return agent_at(ring, i).label;
}

static void set_label(struct rl_ring *ring, uint32_t i, uint32_t label)
{
    struct agent u = agent_at(ring, i);
    u.label = label;
    set_agent(ring, i, u);
}

/* The largest letter allowed at u_k of a word that begins at u_first. */
static uint32_t largest_letter(const struct rl_ring *ring, uint32_t first, uint32_t k)
{
    uint32_t largest = 0;
    for (uint32_t i = first; i < k && largest < 2; i++)
        if (label_at(ring, i) == largest)
            largest++;
    return largest;
}

/* Does a square of a period below `limit` end at u_k? */
static bool ends_square(const struct rl_ring *ring, uint32_t first, uint32_t k, uint32_t limit)
{
    for (uint32_t m = 1; m < limit && 2 * m <= k - first + 1; m++) {
        uint32_t i = 0;
        while (i < m && label_at(ring, k - i) == label_at(ring, k - i - m))
            i++;
        if (i == m)
            return true;
    }
    return false;
}

/* Writes, at u_first .. u_{n-1}, the first word without squares of periods below `limit` that comes
 * after the present one in dictionary order, or, with `fresh`, the first of all. */
static bool next_word(struct rl_ring *ring, uint32_t first, uint32_t limit, bool fresh)
{
    uint32_t k = fresh ? first : ring->params.n - 1;
    uint32_t letter = fresh ? 0 : label_at(ring, k) + 1;
    for (;;) {
        for (; letter <= largest_letter(ring, first, k); letter++) {
            set_label(ring, k, letter);
            if (!ends_square(ring, first, k, limit))
                break;
        }
        if (letter <= largest_letter(ring, first, k)) {
            if (++k == ring->params.n)
                return true;
            letter = 0;
        } else {
            if (k == first)
                return false;
            letter = label_at(ring, --k) + 1;
        }
    }
}

/* One leader, u_0, and a square-free word to its right. */
START(clean)
{
    if (ring->params.n > MOST_SEARCHED)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "start 'clean' searches for its word; it is for n up to %u",
                            MOST_SEARCHED);
    set_all(ring, (struct agent){0});
    set_agent(ring, 0, (struct agent){.leader = 1});
    next_word(ring, 1, ring->params.n, true);
    return RL_OK;
}

static bool next_clean(struct rl_ring *ring)
{
    return next_word(ring, 1, ring->params.n, false);
}

/* Does the word, read round and round the ring, have a square of a period below `limit`? */
static bool has_square_round(const struct rl_ring *ring, uint32_t limit)
{
    const uint32_t n = ring->params.n;
    for (uint32_t m = 1; m < limit; m++) {
        uint32_t run = 0; /* matches in a row; going round twice meets every run whole */
        for (uint32_t i = 0; i < 2 * n && run < m; i++)
            run = label_at(ring, i % n) == label_at(ring, (i + m) % n) ? run + 1 : 0;
        if (run == m)
            return true;
    }
    return false;
}

START(hard)
{
    if (ring->params.n > MOST_SEARCHED_ROUND)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "start 'hard' searches for its word; it is for n up to %u",
                            MOST_SEARCHED_ROUND);
    set_all(ring, (struct agent){0});
    for (uint32_t limit = ring->params.n;; limit--) {
        bool found = next_word(ring, 0, limit, true);
        while (found && has_square_round(ring, limit))
            found = next_word(ring, 0, limit, false);
        if (found)
            return RL_OK;
    }
}

static const struct rl_start STARTS[] = {
    {"leaderless", "all variables zero", start_leaderless},
    {"leaders", "every agent a leader, all else zero", start_leaders},
    {"clean", "one leader, no check in progress; every square-free word up to renaming (the first)",
     start_clean, next_clean},
    {"hard", "no leader, no check in progress, the word whose shortest square is longest",
     start_hard},
};
