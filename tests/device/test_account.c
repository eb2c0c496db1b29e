/* SPDX-License-Identifier: MIT
 *
 * The account of a ring, from logs of an execution that is known: nothing that fits is an anomaly,
 * and everything that does not is one.
 */
#include "test.h"

#include "net/account.h"

enum { N = 5, STEPS = 400 };

static struct rl_rules rules;
static struct rl_journal journals[N];
static struct rl_ring ring;
static uint64_t tickets[N];
static struct rl_random random_arcs;

static void add(uint32_t v, struct rl_entry entry)
{
    assert_int_equal(rl_journal_add(&journals[v], &entry), RL_OK);
}

static void begin(void)
{
    const struct rl_params params = {.n = N, .value = {N}};
    assert_int_equal(rl_rules_init(&rules, rl_protocol_named("prl"), &params, NULL), RL_OK);
    ring = test_ring("prl", N, N);
    rl_random_init(&random_arcs, 7, 0, RL_PURPOSE_SCHEDULE);
    rl_ring_randomize(&ring, &random_arcs);
    for (uint32_t v = 0; v < N; v++) {
        journals[v] = (struct rl_journal){0};
        tickets[v] = 1000 * v;
        add(v, (struct rl_entry){.kind = RL_JOURNAL_BOOT, .r = rl_ring_get(&ring, v)});
    }
}

/* An interaction that both log, or of which l has not heard yet. */
static void interact(uint32_t arc, bool heard)
{
    const uint32_t right = rl_ring_right(&ring, arc);
    struct rl_entry entry = {.kind = RL_JOURNAL_DONE,
                             .ticket = tickets[arc]++,
                             .l = rl_ring_get(&ring, arc),
                             .r = rl_ring_get(&ring, right)};
    rl_ring_interact(&ring, arc);
    entry.l_after = rl_ring_get(&ring, arc);
    entry.r_after = rl_ring_get(&ring, right);
    add(right, entry);
    entry.kind = RL_JOURNAL_HEARD;
    entry.r = entry.r_after = 0;
    if (heard)
        add(arc, entry);
}

static void run(int steps)
{
    for (int i = 0; i < steps; i++)
        interact(rl_random_below(&random_arcs, N), true);
}

static void strike(uint32_t v, enum rl_journal_kind kind)
{
    rl_ring_set(&ring, v, rl_protocol_random_state(ring.protocol, &ring.params, &random_arcs));
    add(v, (struct rl_entry){.kind = kind, .r = rl_ring_get(&ring, v)});
    tickets[v] += 1 << 20;
    tickets[rl_ring_left(&ring, v)] += 1 << 20;
}

static struct rl_account settle(void)
{
    struct rl_account account;
    assert_int_equal(rl_account_init(&account, &rules, journals, N), RL_OK);
    return account;
}

static void end(struct rl_account *account)
{
    rl_account_free(account);
    for (uint32_t v = 0; v < N; v++)
        rl_journal_free(&journals[v]);
    rl_ring_free(&ring);
}

static void assert_same_end(const struct rl_account *account)
{
    for (uint32_t v = 0; v < N; v++)
        assert_int_equal(account->end[v], rl_ring_get(&ring, v));
}

TEST(an_execution_is_accounted_for_from_its_start)
{
    begin();
    run(STEPS);
    struct rl_account account = settle();
    assert_int_equal(account.anomalies, 0);
    assert_int_equal(account.lost, 0);
    assert_int_equal(account.interactions, STEPS);
    assert_int_equal(account.arc_count, STEPS);
    for (uint32_t v = 0; v < N; v++)
        assert_int_equal(account.start[v], journals[v].entries[0].r);
    assert_same_end(&account);
    end(&account);
}

TEST(a_decision_not_heard_of_at_the_end_has_happened)
{
    begin();
    run(STEPS);
    interact(1, false);
    interact(3, false);
    struct rl_account account = settle();
    assert_int_equal(account.anomalies, 0);
    assert_int_equal(account.arc_count, STEPS + 2);
    assert_same_end(&account);
    end(&account);
}

TEST(an_empty_log_has_the_word_0)
{
    begin();
    journals[2].count = 0;
    struct rl_account account = settle();
    assert_int_equal(account.start[2], 0);
    assert_int_equal(account.end[2], 0);
    end(&account);
}

TEST(after_a_strike_the_account_begins_anew)
{
    begin();
    run(STEPS);
    interact(1, false); /* u_1 never hears of it: it loses its memory */
    strike(1, RL_JOURNAL_BOOT);
    run(STEPS);
    strike(4, RL_JOURNAL_STRUCK);
    run(STEPS);
    struct rl_account account = settle();
    assert_int_equal(account.anomalies, 0);
    assert_int_equal(account.lost, 1);
    assert_int_equal(account.interactions, 3 * STEPS + 1);
    assert_true(account.arc_count >= STEPS - 50 && account.arc_count < 2 * STEPS);
    assert_same_end(&account);
    end(&account);
}

TEST(the_account_begins_after_gaps_in_all_logs)
{
    begin();
    run(STEPS);
    for (uint32_t v = 0; v < N; v++)
        add(v, (struct rl_entry){.kind = RL_JOURNAL_GAP});
    struct rl_account account = settle();
    assert_int_equal(account.anomalies, 0);
    assert_int_equal(account.arc_count, 0);
    assert_same_end(&account);
    rl_account_free(&account);
    run(100);
    account = settle();
    assert_int_equal(account.anomalies, 0);
    assert_int_equal(account.arc_count, 100);
    assert_same_end(&account);
    end(&account);
}

TEST(a_gap_in_a_log_is_no_anomaly)
{
    begin();
    run(STEPS);
    add(2, (struct rl_entry){.kind = RL_JOURNAL_GAP});
    /* u_2 does not write this down; its neighbours do. */
    const size_t kept = journals[2].count;
    interact(1, true);
    interact(2, true);
    journals[2].count = kept;
    const rl_state after = rl_ring_get(&ring, 2);
    run(STEPS);
    struct rl_account account = settle();
    assert_int_equal(account.anomalies, 0);
    assert_int_equal(account.lost, 2);
    assert_int_equal(account.start[2], after);
    assert_same_end(&account);
    end(&account);
}

/* Whatever one entry is changed to, or taken away, or doubled, is an anomaly. */
TEST(every_forged_entry_is_an_anomaly)
{
    for (int how = 0; how < 6; how++) {
        begin();
        run(STEPS);
        struct rl_journal *journal = &journals[how % N];
        const size_t i = journal->count / 2;
        struct rl_entry *entry = &journal->entries[i];
        switch (how) {
        case 0:
            entry->ticket += 77;
            break;
        case 1:
            entry->l_after ^= 2;
            break;
        case 2:
            *(entry->kind == RL_JOURNAL_DONE ? &entry->r_after : &entry->l_after) ^= 32;
            break;
        case 3:
            *(entry->kind == RL_JOURNAL_DONE ? &entry->r : &entry->l) ^= 8;
            break;
        case 4:
            memmove(entry, entry + 1, (--journal->count - i) * sizeof *entry);
            break;
        default:
            add(how % N, journal->entries[i]);
        }
        struct rl_account account = settle();
        if (account.anomalies == 0)
            fail_msg("forgery %d was not noticed", how);
        end(&account);
    }
}

/* Each log puts the arc on its left first: no order of all arcs agrees with all of them. */
TEST(logs_that_contradict_each_other_in_a_circle_are_anomalies)
{
    begin();
    for (uint32_t arc = 0; arc < N; arc++)
        interact(arc, true);
    struct rl_entry *entries = journals[0].entries, first = entries[1];
    entries[1] = entries[2];
    entries[2] = first;
    struct rl_account account = settle();
    assert_int_equal(account.interactions, N);
    assert_int_equal(account.arc_count, 0);
    assert_true(account.anomalies >= 2 * N);
    end(&account);
}
