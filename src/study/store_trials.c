/* SPDX-License-Identifier: MIT
 *
 * The trials of a study, and the sessions in which they were done.
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/run.h"
#include "base/json.h"
#include "study/store_sqlite.h"
#include "study/inside.h"

/* ---- writing ---- */

/* A column that is JSON. The longest is a curve: every number has up to ten digits and a comma. */
struct words {
    char text[11 * RL_CURVE_STEPS + RL_PLAN_NAME + 16];
};
enum { HITS = 4, FAULTS = 8, CURVE = 12 };

/* {"leaders":[9,7,...]} is what the gauge showed at each step of a curve. */
static struct words words_of(int column, const struct rl_point *point, const struct rl_trial *trial)
{
    struct words out = {.text = ""};
    struct rl_text text = rl_text_into(out.text, sizeof out.text);
    struct rl_json json = {.text = &text};
    if (column == HITS) {
        rl_json_hits(&json, NULL, point->run.protocol, trial->hits);
        return out;
    }
    if (column == CURVE)
        rl_json_open(&json, NULL, '{');
    rl_json_open(&json, column == CURVE ? point->curve : NULL, '[');
    for (size_t i = 0; column == CURVE && i < trial->curve_count; i++)
        rl_json_count(&json, NULL, trial->curve[i]);
    for (size_t i = 0; column == FAULTS && i < trial->fault_count; i++)
        rl_json_fault(&json, trial->faults[i].step, trial->faults[i].agents,
                      trial->faults[i].recovered_after);
    rl_json_close(&json, ']');
    if (column == CURVE)
        rl_json_close(&json, '}');
    return out;
}

static void bind_trial(sqlite3_stmt *statement, const struct rl_point *point,
                       const struct rl_trial *trial)
{
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)trial->point + 1);
    store_bind_count(statement, 2, trial->trial);
    sqlite3_bind_int(statement, 3, rl_trial_reached(point, trial));
    store_bind_count(statement, 4, trial->steps);
    store_bind_text(statement, 5, words_of(HITS, point, trial).text);
    store_bind_count(statement, 6, trial->events);
    sqlite3_bind_int64(statement, 7, trial->leaders);
    store_bind_count(statement, 8, trial->leaders == 1 ? trial->leader : RL_NEVER);
    store_bind_text(statement, 9, words_of(FAULTS, point, trial).text);
    sqlite3_bind_int(statement, 10, RL_STREAM_VERSION);
    store_bind_text(statement, 11, rl_version());
    sqlite3_bind_double(statement, 12, trial->wall_seconds);
    sqlite3_bind_null(statement, 13);
    if (point->curve[0] && trial->curve_count)
        store_bind_text(statement, 13, words_of(CURVE, point, trial).text);
}

void store_insert_trial(struct rl_store *store, const struct rl_point *point,
                        const struct rl_trial *trial)
{
    store_begin(store);
    if (!store->insert)
        store->insert =
            store_ask(store,
                      "INSERT INTO trial VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO"
                      " UPDATE SET curve = excluded.curve WHERE steps = excluded.steps",
                      NULL);
    if (store->status)
        return;
    bind_trial(store->insert, point, trial);
    store_run_once(store, store->insert);
}

/* ---- reading ---- */

/* A column that is a count; above INT64_MAX if somebody made it negative. */
static uint64_t number(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

/* The first numbers in a column of JSON that we wrote, RL_NEVER for null, and how many. (If another
 * wrote it, that shows when it is written again.) */
static size_t read_numbers(sqlite3_stmt *row, int column, size_t most, uint64_t *numbers_out)
{
    size_t count = 0;
    for (const char *at = store_text(row, column); *at && count < most; at++) {
        const bool digit = isdigit((unsigned char)at[1]);
        if (strchr("[:,", *at) && (digit || at[1] == 'n'))
            numbers_out[count++] = digit ? strtoull(at + 1, NULL, 10) : RL_NEVER;
    }
    return count;
}

/* Hits, faults and curve; false unless hits and faults are written as we write them. A curve that
 * is not, or of another gauge than the point has by now, is as good as none. */
static bool read_texts(sqlite3_stmt *row, const struct rl_point *point, struct rl_trial *out)
{
    enum { OF_A_FAULT = 3 };
    uint64_t numbers[RL_CURVE_STEPS];
    rl_hits_forget(out->hits);
    read_numbers(row, HITS, RL_MAX_SETS, out->hits);
    const size_t faults = read_numbers(row, FAULTS, OF_A_FAULT * RL_PLAN_FAULTS, numbers);
    out->fault_count = (uint32_t)(faults / OF_A_FAULT);
    for (size_t i = 0; i < out->fault_count; i++)
        out->faults[i] = (struct rl_fault){.step = numbers[OF_A_FAULT * i],
                                           .agents = (uint32_t)numbers[OF_A_FAULT * i + 1],
                                           .recovered_after = numbers[OF_A_FAULT * i + 2]};
    out->curve_count = (uint32_t)read_numbers(row, CURVE, RL_CURVE_STEPS, numbers);
    for (size_t i = 0; i < out->curve_count; i++)
        out->curve[i] = (uint32_t)numbers[i];
    if (!point->curve[0] || !store_is_text(row, CURVE, words_of(CURVE, point, out).text))
        out->curve_count = 0;
    return store_is_text(row, HITS, words_of(HITS, point, out).text) &&
           store_is_text(row, FAULTS, words_of(FAULTS, point, out).text);
}

bool store_read_trial(sqlite3_stmt *row, const struct rl_point *point, struct rl_trial *trial_out)
{
    const uint32_t n = point->run.params.n;
    const bool alone = sqlite3_column_type(row, 7) != SQLITE_NULL;
    const uint64_t leaders = number(row, 6), leader = alone ? number(row, 7) : n;
    *trial_out = (struct rl_trial){.trial = number(row, 1),
                                   .steps = number(row, 3),
                                   .events = number(row, 5),
                                   .leaders = (uint32_t)leaders,
                                   .leader = (uint32_t)leader,
                                   .wall_seconds = sqlite3_column_double(row, 11)};
    return leaders <= n && leader <= n && alone == (leaders == 1) &&
           number(row, 9) == RL_STREAM_VERSION && read_texts(row, point, trial_out) &&
           number(row, 2) == rl_trial_reached(point, trial_out) &&
           rl_trial_possible(point, trial_out);
}

enum rl_status rl_store_trials(struct rl_store *store,
                               void (*visit)(void *user, const struct rl_trial *trial), void *user,
                               struct rl_error *error)
{
    store_enter(store, error);
    store->dropped = 0;
    sqlite3_stmt *row = store_ask(store, "SELECT * FROM trial ORDER BY point, trial", NULL);
    sqlite3_stmt *drop = store_ask(store, "DELETE FROM trial WHERE (point, trial) = (?, ?)", NULL);
    while (store_next(store, row)) {
        struct rl_trial trial;
        const uint64_t point = number(row, 0) - 1;
        if (point < store->plan.count &&
            store_read_trial(row, &store->plan.points[point], &trial)) {
            trial.point = (uint32_t)point;
            visit(user, &trial);
            continue;
        }
        store->dropped++;
        if (store->mode == RL_STORE_READ)
            continue;
        store_begin(store);
        sqlite3_bind_value(drop, 1, sqlite3_column_value(row, 0));
        sqlite3_bind_value(drop, 2, sqlite3_column_value(row, 1));
        store_run_once(store, drop);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(drop);
    return store->in_transaction ? store_commit(store) : store->status;
}

uint64_t rl_store_dropped(const struct rl_store *store)
{
    return store->dropped;
}

/* ---- sessions ---- */

enum rl_status rl_store_begin_session(struct rl_store *store, uint64_t workers,
                                      struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    store_enter(store, error);
    store_execute(store, "INSERT INTO session VALUES (NULL, %Q, %lld, datetime(), 0)", rl_version(),
                  (long long)workers);
    store->session = !store->status;
    /* That somebody is at work stands in the file itself, for who copies it without its log. */
    sqlite3_exec(store->database, "PRAGMA wal_checkpoint(PASSIVE)", NULL, NULL, NULL);
    return store->status;
}
