/* SPDX-License-Identifier: MIT
 *
 * The account of a ring: finds partners, and reads the logs backwards from their ends.
 *
 * Invariant: the partner of an entry is the place of the same interaction in the neighbour's
 * journal (the left neighbour's for `done`, the right one's for `heard`), or NOBODY. An interaction
 * that is the last one in both journals is the last of all, or may be treated as such: it is taken
 * off both. Everything that can be taken off this way is the longest complete end of the execution.
 */
#include "net/account.h"

#include <stdlib.h>

#include "simulate/inside.h"

#define NOBODY SIZE_MAX

struct work {
    const struct rl_rules *rules;
    struct rl_journal *journals;
    uint32_t n;
    size_t *left; /* how many entries of each journal are left */
    struct rl_account *account;
};

static uint32_t right_of(const struct work *work, uint32_t v)
{
    return v + 1 == work->n ? 0 : v + 1;
}

/* The node's own state before and after an entry. */
static rl_state before(const struct rl_entry *entry)
{
    return entry->kind == RL_JOURNAL_HEARD ? entry->l : entry->r;
}

static rl_state after(const struct rl_entry *entry)
{
    switch (entry->kind) {
    case RL_JOURNAL_HEARD:
        return entry->l_after;
    case RL_JOURNAL_DONE:
        return entry->r_after;
    default:
        return entry->r;
    }
}

static bool is_mark(const struct rl_entry *entry)
{
    return entry->kind != RL_JOURNAL_DONE && entry->kind != RL_JOURNAL_HEARD;
}

/* ---- partners ---- */

/* A stretch of a journal in which no interaction of an arc has its partner. */
struct stretch {
    size_t open; /* entries of that kind */
    size_t last; /* the last of them */
    bool marked; /* the node was struck or began anew */
};

static struct stretch look(const struct rl_journal *journal, size_t from, size_t to,
                           enum rl_journal_kind kind)
{
    struct stretch stretch = {0, 0, false};
    for (size_t i = from; i < to; i++) {
        const struct rl_entry *entry = &journal->entries[i];
        stretch.marked |= i > 0 && is_mark(entry);
        if (entry->kind == kind) {
            stretch.open++;
            stretch.last = i;
        }
    }
    return stretch;
}

/* Books what stayed open at both ends of an arc. */
static void book(struct work *work, struct stretch l, struct stretch r)
{
    if (l.marked || r.marked)
        work->account->lost += l.open + r.open;
    else
        work->account->anomalies += l.open + r.open;
}

static size_t find_done(const struct rl_journal *journal, size_t from, const struct rl_entry *heard)
{
    for (size_t k = from; k < journal->count; k++) {
        const struct rl_entry *entry = &journal->entries[k];
        if (entry->kind == RL_JOURNAL_DONE && entry->ticket == heard->ticket &&
            entry->l_after == heard->l_after)
            return k;
    }
    return NOBODY;
}

/* The one decision at the end of which l has not heard: it has happened, so l's journal gets it. */
static enum rl_status add_pending(struct work *work, uint32_t v, size_t done)
{
    const uint32_t w = right_of(work, v);
    struct rl_entry entry = work->journals[w].entries[done];
    entry.kind = RL_JOURNAL_HEARD;
    entry.partner = done;
    work->journals[w].entries[done].partner = work->journals[v].count;
    return rl_journal_add(&work->journals[v], &entry);
}

static enum rl_status match_arc(struct work *work, uint32_t v)
{
    const uint32_t w = right_of(work, v);
    struct rl_journal *left = &work->journals[v], *right = &work->journals[w];
    size_t l_from = 0, r_from = 0;
    for (size_t i = 0; i < left->count; i++) {
        struct rl_entry *heard = &left->entries[i];
        const size_t k = heard->kind == RL_JOURNAL_HEARD ? find_done(right, r_from, heard) : NOBODY;
        if (k == NOBODY)
            continue;
        book(work, look(left, l_from, i, RL_JOURNAL_HEARD),
             look(right, r_from, k, RL_JOURNAL_DONE));
        work->account->anomalies += heard->l != right->entries[k].l;
        heard->partner = k;
        right->entries[k].partner = i;
        l_from = i + 1;
        r_from = k + 1;
    }
    const struct stretch l = look(left, l_from, left->count, RL_JOURNAL_HEARD);
    const struct stretch r = look(right, r_from, right->count, RL_JOURNAL_DONE);
    if (l.open == 0 && r.open == 1 && !l.marked && !r.marked)
        return add_pending(work, v, r.last);
    book(work, l, r);
    return RL_OK;
}

/* ---- each journal in itself ---- */

static bool is_interaction(const struct rl_rules *rules, const struct rl_entry *done)
{
    rl_state l = done->l, r = done->r;
    rules->link.interact(rules, &l, &r);
    return l == done->l_after && r == done->r_after;
}

static void check_journal(struct work *work, const struct rl_journal *journal)
{
    for (size_t i = 0; i < journal->count; i++) {
        const struct rl_entry *entry = &journal->entries[i];
        const bool follows = i > 0 && entry[-1].kind != RL_JOURNAL_GAP && !is_mark(entry);
        work->account->anomalies += follows && before(entry) != after(entry - 1);
        if (entry->kind != RL_JOURNAL_DONE)
            continue;
        work->account->interactions++;
        work->account->anomalies += !is_interaction(work->rules, entry);
    }
}

/* ---- one order ---- */

/* Takes the last interaction off the journals of v and its partner, if it is the last in both, and
 * no earlier than `since`. NULL: it is in no account, and what stands alone goes, too. */
static bool take_last(struct work *work, uint32_t v, const size_t *since)
{
    struct rl_account *account = work->account;
    if (work->left[v] <= (since ? since[v] : 0))
        return false;
    const struct rl_entry *entry = &work->journals[v].entries[work->left[v] - 1];
    const bool alone = is_mark(entry) || entry->partner == NOBODY;
    const uint32_t other = right_of(work, v);
    if (alone ? since != NULL
              : entry->kind != RL_JOURNAL_HEARD || work->left[other] != entry->partner + 1 ||
                    (since && entry->partner < since[other]))
        return false;
    work->left[v]--;
    work->left[other] -= !alone;
    if (since)
        account->arcs[account->arc_count++] = v;
    return true;
}

static void take_all(struct work *work, const size_t *since)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t v = 0; v < work->n; v++)
            while (take_last(work, v, since))
                moved = true;
    }
}

static rl_state state_at_cut(const struct work *work, uint32_t v)
{
    const struct rl_journal *journal = &work->journals[v];
    const size_t cut = work->left[v];
    if (cut > 0 && journal->entries[cut - 1].kind != RL_JOURNAL_GAP)
        return after(&journal->entries[cut - 1]);
    return cut < journal->count ? before(&journal->entries[cut]) : 0;
}

static void put_in_order(struct work *work, const size_t *since)
{
    struct rl_account *account = work->account;
    for (uint32_t v = 0; v < work->n; v++)
        work->left[v] = work->journals[v].count;
    take_all(work, since);
    for (size_t i = 0; i < account->arc_count / 2; i++) {
        const uint32_t arc = account->arcs[i];
        account->arcs[i] = account->arcs[account->arc_count - 1 - i];
        account->arcs[account->arc_count - 1 - i] = arc;
    }
    for (uint32_t v = 0; v < work->n; v++)
        account->start[v] = state_at_cut(work, v);
    take_all(work, NULL);
    for (uint32_t v = 0; v < work->n; v++) /* a circle of logs that contradict each other */
        account->anomalies += work->left[v];
}

/* The order is an execution of the protocol that ends as the nodes did. */
static enum rl_status replay(struct work *work)
{
    const struct rl_protocol *protocol = work->rules->protocol;
    struct rl_account *account = work->account;
    struct rl_ring ring = {.protocol = protocol, .params = work->rules->params};
    ring.params.n = work->n;
    ring.agents = malloc(rl_ring_bytes(protocol, work->n));
    if (!ring.agents)
        return RL_NO_MEMORY;
    for (uint32_t v = 0; v < work->n; v++)
        rl_ring_set(&ring, v, account->start[v]);
    rl_hits_forget(account->hits);
    account->one_leader = RL_NEVER;
    for (size_t step = 0; step <= account->arc_count; step++) {
        if (step > 0 && !rl_ring_interact(&ring, account->arcs[step - 1]))
            continue;
        rl_hits_note(account->hits, &ring, step);
        if (rl_ring_leaders(&ring) != 1)
            account->one_leader = RL_NEVER;
        else if (account->one_leader == RL_NEVER)
            account->one_leader = step;
    }
    for (uint32_t v = 0; v < work->n; v++) {
        const struct rl_journal *journal = &work->journals[v];
        account->end[v] = rl_ring_get(&ring, v);
        if (journal->count > 0 && journal->entries[journal->count - 1].kind != RL_JOURNAL_GAP)
            account->anomalies += account->end[v] != after(&journal->entries[journal->count - 1]);
    }
    free(ring.agents);
    return RL_OK;
}

/* ---- all of it ---- */

static enum rl_status settle(struct work *work, const size_t *since)
{
    struct rl_account *account = work->account;
    enum rl_status status = RL_OK;
    size_t entries = 1;
    for (uint32_t v = 0; v < work->n; v++) {
        const struct rl_journal *journal = &work->journals[v];
        for (size_t i = 0; i < journal->count; i++)
            journal->entries[i].partner = NOBODY;
        entries += journal->count + 1; /* one may be added */
    }
    work->left = calloc(work->n, sizeof *work->left);
    account->arcs = calloc(entries, sizeof *account->arcs);
    account->start = calloc(work->n, sizeof *account->start);
    account->end = calloc(work->n, sizeof *account->end);
    if (!work->left || !account->arcs || !account->start || !account->end)
        return RL_NO_MEMORY;
    for (uint32_t v = 0; v < work->n && !status; v++)
        status = match_arc(work, v);
    if (status)
        return status;
    for (uint32_t v = 0; v < work->n; v++)
        check_journal(work, &work->journals[v]);
    put_in_order(work, since);
    return replay(work);
}

enum rl_status rl_account_init(struct rl_account *account, const struct rl_rules *rules,
                               struct rl_journal *journals, uint32_t n, const size_t *since)
{
    *account = (struct rl_account){0};
    struct work work = {.rules = rules, .journals = journals, .n = n, .account = account};
    const enum rl_status status = settle(&work, since);
    free(work.left);
    return status;
}

void rl_account_free(struct rl_account *account)
{
    free(account->start);
    free(account->end);
    free(account->arcs);
    *account = (struct rl_account){0};
}
