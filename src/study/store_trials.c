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

/* A column that is a count of at most `most`. */
static bool read_count(sqlite3_stmt *row, int column, uint64_t most, uint64_t *out)
{
    *out = (uint64_t)sqlite3_column_int64(row, column);
    return sqlite3_column_type(row, column) == SQLITE_INTEGER && *out <= most;
}

/* The numbers in a column of JSON that we wrote, in their order, RL_NEVER for null, and how many;
 * more than `most` if there are. (If another wrote it, that shows when it is written again.) */
static size_t read_numbers(sqlite3_stmt *row, int column, size_t most, uint64_t *numbers_out)
{
    size_t count = 0;
    for (const char *at = store_text(row, column); *at && count <= most; at++) {
        const bool number = isdigit((unsigned char)at[1]);
        if (!strchr("[:,", *at) || !(number || at[1] == 'n'))
            continue;
        if (count < most)
            numbers_out[count] = number ? strtoull(at + 1, NULL, 10) : RL_NEVER;
        count++;
    }
    return count;
}

/* Hits, faults and curve; false unless they are written as we write them. A curve of another gauge
 * than the point has by now is as good as none. */
static bool read_texts(sqlite3_stmt *row, const struct rl_point *point, struct rl_trial *out)
{
    enum { OF_A_FAULT = 3 };
    uint64_t numbers[RL_CURVE_STEPS];
    rl_hits_forget(out->hits);
    const size_t hits = read_numbers(row, HITS, RL_MAX_SETS, out->hits);
    const size_t faults = read_numbers(row, FAULTS, OF_A_FAULT * RL_PLAN_FAULTS, numbers);
    if (hits > RL_MAX_SETS || faults > OF_A_FAULT * RL_PLAN_FAULTS)
        return false;
    out->fault_count = (uint32_t)(faults / OF_A_FAULT);
    for (size_t i = 0; i < out->fault_count; i++)
        out->faults[i] = (struct rl_fault){.step = numbers[OF_A_FAULT * i],
                                           .agents = (uint32_t)numbers[OF_A_FAULT * i + 1],
                                           .recovered_after = numbers[OF_A_FAULT * i + 2]};
    if (!store_is_text(row, HITS, words_of(HITS, point, out).text) ||
        !store_is_text(row, FAULTS, words_of(FAULTS, point, out).text))
        return false;
    const struct words none = words_of(CURVE, point, out); /* {"leaders":[]} */
    if (strncmp(store_text(row, CURVE), none.text, strlen(none.text) - 2) != 0)
        return true;
    out->curve_count = (uint32_t)read_numbers(row, CURVE, RL_CURVE_STEPS, numbers);
    for (size_t i = 0; i < out->curve_count && i < RL_CURVE_STEPS; i++)
        out->curve[i] = (uint32_t)numbers[i];
    return out->curve_count <= RL_CURVE_STEPS &&
           store_is_text(row, CURVE, words_of(CURVE, point, out).text);
}

bool store_read_trial(sqlite3_stmt *row, const struct rl_point *point, struct rl_trial *trial_out)
{
    uint64_t reached, leaders, leader = point->run.params.n, stream;
    *trial_out = (struct rl_trial){.wall_seconds = sqlite3_column_double(row, 11)};
    if (!read_count(row, 1, UINT32_MAX, &trial_out->trial) || !read_count(row, 2, 1, &reached) ||
        !read_count(row, 3, INT64_MAX, &trial_out->steps) ||
        !read_count(row, 5, INT64_MAX, &trial_out->events) ||
        !read_count(row, 6, UINT32_MAX, &leaders) ||
        !read_count(row, 9, RL_STREAM_VERSION, &stream) || stream != RL_STREAM_VERSION)
        return false;
    const bool alone = sqlite3_column_type(row, 7) != SQLITE_NULL;
    if (alone != (leaders == 1) || (alone && !read_count(row, 7, UINT32_MAX, &leader)))
        return false;
    trial_out->leaders = (uint32_t)leaders;
    trial_out->leader = (uint32_t)leader;
    trial_out->end = reached ? RL_REACHED : RL_LIMIT;
    return read_texts(row, point, trial_out) && reached == rl_trial_reached(point, trial_out) &&
           sqlite3_column_type(row, 11) == SQLITE_FLOAT && rl_trial_possible(point, trial_out);
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
        uint64_t id;
        if (read_count(row, 0, store->plan.count, &id) && id > 0 &&
            store_read_trial(row, &store->plan.points[id - 1], &trial)) {
            trial.point = (uint32_t)id - 1;
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
