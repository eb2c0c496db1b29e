/* SPDX-License-Identifier: MIT
 *
 * The account of a ring: finds partners, and reads the logs backwards from their ends.
 *
 * Invariant: the partner of an entry is the place of the same interaction in the neighbour's
 * journal (the left neighbour's for `done`, the right one's for `heard`), or NOBODY. An interaction
 * that is the last one in both journals is the last of all, or may be treated as such: it is taken
 * off both. Everything that can be taken off this way is the longest complete end of the execution.
 * Boots, strikes and gaps stand alone: what comes before them is in no account.
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

/* What has no partner on an arc since the last interaction that both ends have. */
struct open {
    size_t count;
    size_t last; /* of them: its place */
    bool marked; /* an end was struck or began anew */
};

static void leave_open(struct open *open, const struct rl_journal *journal, size_t i,
                       enum rl_journal_kind kind)
{
    open->marked |= i > 0 && is_mark(&journal->entries[i]);
    if (journal->entries[i].kind == kind) {
        open->count++;
        open->last = i;
    }
}

static void book(struct work *work, struct open *open)
{
    *(open->marked ? &work->account->lost : &work->account->anomalies) += open->count;
    *open = (struct open){0};
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
static enum rl_status add_pending(struct rl_journal *left, struct rl_entry *done, size_t place)
{
    struct rl_entry heard = *done;
    heard.kind = RL_JOURNAL_HEARD;
    heard.partner = place;
    done->partner = left->count;
    return rl_journal_add(left, &heard);
}

static enum rl_status match_arc(struct work *work, uint32_t v)
{
    struct rl_journal *left = &work->journals[v], *right = &work->journals[right_of(work, v)];
    struct open open = {0};
    size_t next = 0; /* on the right */
    for (size_t i = 0; i < left->count; i++) {
        struct rl_entry *heard = &left->entries[i];
        const size_t k = heard->kind == RL_JOURNAL_HEARD ? find_done(right, next, heard) : NOBODY;
        if (k == NOBODY) {
            leave_open(&open, left, i, RL_JOURNAL_HEARD);
            continue;
        }
        for (; next < k; next++)
            leave_open(&open, right, next, RL_JOURNAL_DONE);
        book(work, &open);
        work->account->anomalies += heard->l != right->entries[k].l;
        heard->partner = k;
        right->entries[k].partner = i;
        next = k + 1;
    }
    const bool all_heard = open.count == 0;
    for (; next < right->count; next++)
        leave_open(&open, right, next, RL_JOURNAL_DONE);
    if (all_heard && open.count == 1 && !open.marked)
        return add_pending(left, &right->entries[open.last], open.last);
    book(work, &open);
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
 * puts it into the account; or, when all that is done, into none, and what stands alone goes, too.
 */
static bool take_last(struct work *work, uint32_t v, bool done)
{
    struct rl_account *account = work->account;
    if (work->left[v] == 0)
        return false;
    const struct rl_entry *entry = &work->journals[v].entries[work->left[v] - 1];
    const bool alone = entry->partner == NOBODY;
    const uint32_t other = right_of(work, v);
    if (alone ? !done : entry->kind != RL_JOURNAL_HEARD || work->left[other] != entry->partner + 1)
        return false;
    work->left[v]--;
    work->left[other] -= !alone;
    if (!done)
        account->arcs[account->arc_count++] = v;
    return true;
}

static void take_all(struct work *work, bool done)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t v = 0; v < work->n; v++)
            while (take_last(work, v, done))
                moved = true;
    }
}

/* The last state that the first `count` entries tell of. */
static rl_state last_known(const struct rl_journal *journal, size_t count)
{
    while (count > 0 && journal->entries[count - 1].kind == RL_JOURNAL_GAP)
        count--;
    return count > 0 ? after(&journal->entries[count - 1]) : 0;
}

static void put_in_order(struct work *work)
{
    struct rl_account *account = work->account;
    for (uint32_t v = 0; v < work->n; v++)
        work->left[v] = work->journals[v].count;
    take_all(work, false);
    for (size_t i = 0; i < account->arc_count / 2; i++) {
        const uint32_t arc = account->arcs[i];
        account->arcs[i] = account->arcs[account->arc_count - 1 - i];
        account->arcs[account->arc_count - 1 - i] = arc;
    }
    for (uint32_t v = 0; v < work->n; v++) {
        const struct rl_journal *journal = &work->journals[v];
        const size_t cut = work->left[v];
        account->start[v] =
            cut < journal->count ? before(&journal->entries[cut]) : last_known(journal, cut);
    }
    take_all(work, true);
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
        account->anomalies += account->end[v] != last_known(journal, journal->count);
    }
    free(ring.agents);
    return RL_OK;
}

/* ---- all of it ---- */

static enum rl_status settle(struct work *work)
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
    put_in_order(work);
    return replay(work);
}

enum rl_status rl_account_init(struct rl_account *account, const struct rl_rules *rules,
                               struct rl_journal *journals, uint32_t n)
{
    *account = (struct rl_account){0};
    struct work work = {.rules = rules, .journals = journals, .n = n, .account = account};
    const enum rl_status status = settle(&work);
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
