/* SPDX-License-Identifier: MIT
 *
 * The account of a ring: partners are found, a consistent cut is made, what is after it is put into
 * one order and replayed.
 *
 * Invariant: partners[v][i] is the place of the same interaction in the neighbour's journal (the
 * left neighbour's for `done`, the right one's for `heard`), or NOBODY. The cut is consistent when
 * each interaction after it is after it in both journals; it is found by moving it on until that is
 * so.
 */
#include "net/account.h"

#include <stdlib.h>
#include <string.h>

#include "ringleader/ring.h"

#define NOBODY SIZE_MAX

struct work {
    const struct rl_rules *rules;
    struct rl_journal *journals;
    uint32_t n;
    size_t **partners;
    size_t *cut;
    struct rl_account *account;
};

static uint32_t right_of(const struct work *work, uint32_t v)
{
    return v + 1 == work->n ? 0 : v + 1;
}

static uint32_t left_of(const struct work *work, uint32_t v)
{
    return v == 0 ? work->n - 1 : v - 1;
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
    work->partners[v][work->journals[v].count] = done;
    work->partners[w][done] = work->journals[v].count;
    return rl_journal_add(&work->journals[v], &entry);
}

static enum rl_status match_arc(struct work *work, uint32_t v)
{
    const uint32_t w = right_of(work, v);
    const struct rl_journal *left = &work->journals[v], *right = &work->journals[w];
    size_t l_from = 0, r_from = 0;
    for (size_t i = 0; i < left->count; i++) {
        const struct rl_entry *heard = &left->entries[i];
        const size_t k = heard->kind == RL_JOURNAL_HEARD ? find_done(right, r_from, heard) : NOBODY;
        if (k == NOBODY)
            continue;
        book(work, look(left, l_from, i, RL_JOURNAL_HEARD),
             look(right, r_from, k, RL_JOURNAL_DONE));
        work->account->anomalies += heard->l != right->entries[k].l;
        work->partners[v][i] = k;
        work->partners[w][k] = i;
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

/* ---- the cut ---- */

/* Is an entry after the cut without a partner after the cut? */
static bool stands_alone(const struct work *work, uint32_t v, size_t i)
{
    const struct rl_entry *entry = &work->journals[v].entries[i];
    const size_t partner = work->partners[v][i];
    if (is_mark(entry))
        return i > 0;
    const uint32_t other = entry->kind == RL_JOURNAL_HEARD ? right_of(work, v) : left_of(work, v);
    return partner == NOBODY || partner < work->cut[other];
}

/* Moves the cut of v past the last entry that stands alone; says whether it moved. */
static bool move_cut(struct work *work, uint32_t v)
{
    size_t i = work->journals[v].count;
    while (i > work->cut[v] && !stands_alone(work, v, i - 1))
        i--;
    const bool moved = i > work->cut[v];
    work->cut[v] = i;
    return moved;
}

static void make_cut(struct work *work, const size_t *since)
{
    bool moved = true;
    for (uint32_t v = 0; v < work->n; v++) {
        const struct rl_journal *journal = &work->journals[v];
        work->cut[v] = since ? since[v] : 0;
        if (work->cut[v] == 0 && journal->count > 0 && is_mark(&journal->entries[0]))
            work->cut[v] = 1;
    }
    while (moved) {
        moved = false;
        for (uint32_t v = 0; v < work->n; v++)
            moved |= move_cut(work, v);
    }
}

static rl_state state_at_cut(const struct work *work, uint32_t v)
{
    const struct rl_journal *journal = &work->journals[v];
    const size_t cut = work->cut[v];
    if (cut > 0 && journal->entries[cut - 1].kind != RL_JOURNAL_GAP)
        return after(&journal->entries[cut - 1]);
    return cut < journal->count ? before(&journal->entries[cut]) : 0;
}

/* ---- one order ---- */

/* If the next entry of v is the next of its partner too, that interaction comes now. */
static bool advance(struct work *work, uint32_t v)
{
    struct rl_account *account = work->account;
    const size_t i = work->cut[v];
    if (i == work->journals[v].count)
        return false;
    const bool heard = work->journals[v].entries[i].kind == RL_JOURNAL_HEARD;
    const uint32_t other = heard ? right_of(work, v) : left_of(work, v);
    if (work->cut[other] != work->partners[v][i])
        return false;
    account->arcs[account->arc_count++] = heard ? v : other;
    work->cut[v]++;
    work->cut[other]++;
    return true;
}

static void put_in_order(struct work *work)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t v = 0; v < work->n; v++)
            while (advance(work, v))
                moved = true;
    }
    for (uint32_t v = 0; v < work->n; v++) /* a circle of logs that contradict each other */
        work->account->anomalies += work->journals[v].count - work->cut[v];
}

/* The order is an execution of the protocol that ends as the nodes did. */
static enum rl_status replay(struct work *work)
{
    const struct rl_protocol *protocol = work->rules->protocol;
    struct rl_ring ring = {.protocol = protocol, .params = work->rules->params};
    ring.params.n = work->n;
    ring.agents = malloc(rl_ring_bytes(protocol, work->n));
    if (!ring.agents)
        return RL_NO_MEMORY;
    for (uint32_t v = 0; v < work->n; v++)
        rl_ring_set(&ring, v, work->account->start[v]);
    for (size_t i = 0; i < work->account->arc_count; i++)
        rl_ring_interact(&ring, work->account->arcs[i]);
    for (uint32_t v = 0; v < work->n; v++) {
        const struct rl_journal *journal = &work->journals[v];
        work->account->end[v] = rl_ring_get(&ring, v);
        if (journal->count > 0 && journal->entries[journal->count - 1].kind != RL_JOURNAL_GAP)
            work->account->anomalies +=
                work->account->end[v] != after(&journal->entries[journal->count - 1]);
    }
    free(ring.agents);
    return RL_OK;
}

/* ---- all of it ---- */

static enum rl_status take_memory(struct work *work)
{
    size_t entries = 1;
    work->partners = calloc(work->n, sizeof *work->partners);
    work->cut = calloc(work->n, sizeof *work->cut);
    for (uint32_t v = 0; v < work->n && work->partners; v++) {
        const size_t count = work->journals[v].count + 1; /* one may be added */
        work->partners[v] = malloc(count * sizeof **work->partners);
        if (!work->partners[v])
            return RL_NO_MEMORY;
        memset(work->partners[v], 0xff, count * sizeof **work->partners); /* NOBODY */
        entries += count;
    }
    work->account->arcs = malloc(entries * sizeof *work->account->arcs);
    work->account->start = calloc(work->n, sizeof(rl_state));
    work->account->end = calloc(work->n, sizeof(rl_state));
    return work->partners && work->cut && work->account->arcs && work->account->start &&
                   work->account->end
               ? RL_OK
               : RL_NO_MEMORY;
}

static enum rl_status settle(struct work *work, const size_t *since)
{
    enum rl_status status = take_memory(work);
    for (uint32_t v = 0; v < work->n && !status; v++)
        status = match_arc(work, v);
    if (status)
        return status;
    for (uint32_t v = 0; v < work->n; v++)
        check_journal(work, &work->journals[v]);
    make_cut(work, since);
    for (uint32_t v = 0; v < work->n; v++)
        work->account->start[v] = state_at_cut(work, v);
    put_in_order(work);
    return replay(work);
}

enum rl_status rl_account_init(struct rl_account *account, const struct rl_rules *rules,
                               struct rl_journal *journals, uint32_t n, const size_t *since)
{
    *account = (struct rl_account){0};
    struct work work = {.rules = rules, .journals = journals, .n = n, .account = account};
    const enum rl_status status = settle(&work, since);
    for (uint32_t v = 0; v < n && work.partners; v++)
        free(work.partners[v]);
    free(work.partners);
    free(work.cut);
    return status;
}

void rl_account_free(struct rl_account *account)
{
    free(account->start);
    free(account->end);
    free(account->arcs);
    *account = (struct rl_account){0};
}
