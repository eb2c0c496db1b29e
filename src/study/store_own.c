/* SPDX-License-Identifier: MIT
 *
 * The protocols in a study that came from files: text, hash, and a sheet of the names in them.
 *
 * The sheet is what a report needs of a protocol, so that one can be made when the file is gone: a
 * line for each parameter (with its choices), start and set, and the target's place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own/hash.h"
#include "study/store_sqlite.h"

enum { SHEET = 4096, MOST_NAMES = 32 };

#define TABLE                                                                                      \
    "CREATE TABLE IF NOT EXISTS own (protocol TEXT PRIMARY KEY,"                                   \
    "  hash TEXT NOT NULL, text TEXT NOT NULL, sheet TEXT NOT NULL)"

/* ---- keeping ----------------------------------------------------------------------------------
 */

static void print_sheet(const struct rl_protocol *protocol, struct rl_text *text)
{
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &protocol->parameters[i];
        rl_text_format(text, "parameter %s", parameter->name);
        for (size_t k = 0; parameter->choices && parameter->choices[k]; k++)
            rl_text_format(text, " %s", parameter->choices[k]);
        rl_text_char(text, '\n');
    }
    for (size_t i = 0; i < protocol->start_count; i++)
        rl_text_format(text, "start %s\n", protocol->starts[i].name);
    for (size_t i = 0; i < protocol->set_count; i++)
        rl_text_format(text, "set %s\n", protocol->sets[i].name);
    rl_text_format(text, "target %u\n", (unsigned)protocol->target);
}

static enum rl_status keep(struct rl_store *store, const struct rl_protocol *protocol,
                           struct rl_error *error)
{
    char sheet[SHEET];
    struct rl_text text = rl_text_into(sheet, sizeof sheet);
    print_sheet(protocol, &text);
    return store_execute(store, error, "INSERT OR IGNORE INTO own VALUES (%Q, %Q, %Q, %Q)",
                         protocol->name, protocol->hash, protocol->text, sheet);
}

/* Refuses a protocol that is in the study with another text. */
static enum rl_status compare(struct rl_store *store, const struct rl_protocol *protocol,
                              struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT hash FROM own WHERE protocol = ?", &statement, error);
    if (!status)
        store_bind_text(statement, 1, protocol->name);
    if (store_next(store, statement, &status, error) &&
        strcmp((const char *)sqlite3_column_text(statement, 0), protocol->hash) != 0)
        status = rl_error_set(error, RL_BAD_PARAMETER,
                              "protocol %s has changed since this study began: --extend takes the "
                              "new one in beside it",
                              protocol->name);
    sqlite3_finalize(statement);
    return status;
}

enum rl_status rl_store_keep_protocols(struct rl_store *store, const struct rl_plan *plan,
                                       struct rl_error *error)
{
    enum rl_status status = RL_OK;
    const struct rl_protocol *last = NULL;
    for (size_t i = 0; i < plan->count && !status; i++) {
        const struct rl_protocol *protocol = plan->points[i].protocol;
        if (protocol == last || !protocol->hash)
            continue;
        last = protocol;
        status = store_execute(store, error, TABLE);
        if (!status)
            status = compare(store, protocol, error);
        if (!status)
            status = keep(store, protocol, error);
    }
    return status;
}

/* The first protocol of which the question, with a ? in it, is true; false if there is none. */
static bool find(struct rl_store *store, const char *sql, const char *text,
                 char name_out[RL_STORE_NAME])
{
    sqlite3_stmt *row = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(store->database, sql, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
        found = sqlite3_step(row) == SQLITE_ROW;
    }
    if (found)
        snprintf(name_out, RL_STORE_NAME, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return found;
}

static const char BY_HASH[] = "SELECT protocol FROM own WHERE hash = ?";
static const char BY_NAME[] = "SELECT protocol FROM own WHERE protocol = ?";

enum rl_status rl_store_name_protocol(const char *path, const struct rl_protocol *protocol,
                                      bool extend, char name_out[RL_STORE_NAME],
                                      struct rl_error *error)
{
    struct rl_store *store = NULL;
    snprintf(name_out, RL_STORE_NAME, "%s", protocol->name);
    const enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, error);
    if (!status && !find(store, BY_HASH, protocol->hash, name_out) && extend &&
        find(store, BY_NAME, protocol->name, name_out))
        snprintf(name_out, RL_STORE_NAME, "%.32s-%.8s", protocol->name, protocol->hash);
    rl_store_close(store);
    return status;
}

/* ---- without the file -------------------------------------------------------------------------
 */

/* What stands for a protocol whose file is not there. Never freed: it is one of the list. */
struct stand_in {
    struct rl_protocol protocol;
    struct rl_parameter parameters[RL_MAX_PARAMETERS];
    const char *choices[RL_MAX_PARAMETERS][MOST_NAMES + 1];
    struct rl_start starts[MOST_NAMES];
    struct rl_set sets[RL_MAX_SETS];
    char texts[]; /* of its columns; the names are parts of the sheet */
};

static uint32_t no_default(uint32_t n)
{
    (void)n;
    return 0;
}

/* Its configurations are not known any more, nor needed. */
static enum rl_status fill_nothing(struct rl_ring *ring, struct rl_random *random,
                                   struct rl_error *error)
{
    (void)ring, (void)random, (void)error;
    return RL_OK;
}

static void read_parameter(struct stand_in *it, char *line)
{
    const size_t at = it->protocol.parameter_count;
    if (at == RL_MAX_PARAMETERS)
        return;
    size_t count = 0;
    it->parameters[at] =
        (struct rl_parameter){.name = strtok(line, " "), .meaning = "", .default_for = no_default};
    for (char *choice; count < MOST_NAMES && (choice = strtok(NULL, " "));)
        it->choices[at][count++] = choice;
    it->parameters[at].choices = count > 0 ? it->choices[at] : NULL;
    it->protocol.parameter_count++;
}

static void read_line(struct stand_in *it, char *line)
{
    struct rl_protocol *protocol = &it->protocol;
    char *rest = strchr(line, ' ');
    if (!rest)
        return;
    *rest++ = '\0';
    if (strcmp(line, "parameter") == 0)
        read_parameter(it, rest);
    else if (strcmp(line, "start") == 0 && protocol->start_count < MOST_NAMES)
        it->starts[protocol->start_count++] =
            (struct rl_start){.name = rest, .meaning = "", .fill = fill_nothing};
    else if (strcmp(line, "set") == 0 && protocol->set_count < RL_MAX_SETS)
        it->sets[protocol->set_count++].name = rest;
    else if (strcmp(line, "target") == 0)
        protocol->target = (size_t)atoi(rest);
}

static bool add_stand_in(sqlite3_stmt *row)
{
    enum { NAME, HASH, TEXT, A_SHEET, COLUMNS };
    if (rl_protocol_named((const char *)sqlite3_column_text(row, NAME)))
        return true;
    size_t room = 0;
    for (int i = 0; i < COLUMNS; i++)
        room += (size_t)sqlite3_column_bytes(row, i) + 1;
    struct stand_in *it = calloc(1, sizeof *it + room);
    if (!it)
        return false;
    char *columns[COLUMNS], *at = it->texts;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = strcpy(at, (const char *)sqlite3_column_text(row, i));
        at += sqlite3_column_bytes(row, i) + 1;
    }
    it->protocol = (struct rl_protocol){.name = columns[NAME],
                                        .title = "",
                                        .source = "",
                                        .assumption = "",
                                        .claim = "",
                                        .states = "",
                                        .provenance = "",
                                        .width = 8,
                                        .parameters = it->parameters,
                                        .starts = it->starts,
                                        .sets = it->sets,
                                        .hash = columns[HASH],
                                        .text = columns[TEXT]};
    for (char *line = columns[A_SHEET], *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        read_line(it, line);
    }
    return rl_protocol_add(&it->protocol);
}

enum rl_status rl_store_recall_protocols(const char *path, struct rl_error *error)
{
    struct rl_store *store = NULL;
    sqlite3_stmt *statement = NULL;
    enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, error);
    if (!status &&
        sqlite3_prepare_v2(store->database, STORE_OWN_ROWS, -1, &statement, NULL) == SQLITE_OK)
        while (sqlite3_step(statement) == SQLITE_ROW)
            if (!add_stand_in(statement))
                status = RL_NO_MEMORY;
    sqlite3_finalize(statement);
    rl_store_close(store);
    return status;
}

enum rl_status rl_store_check_protocols(struct rl_store *store, const char *path,
                                        struct rl_error *error)
{
    sqlite3_stmt *row = NULL;
    enum rl_status status = RL_OK;
    if (sqlite3_prepare_v2(store->database, "SELECT protocol, hash FROM own", -1, &row, NULL) !=
        SQLITE_OK)
        return RL_OK;
    while (!status && store_next(store, row, &status, error)) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        const char *hash = (const char *)sqlite3_column_text(row, 1);
        const struct rl_protocol *known = name ? rl_protocol_named(name) : NULL;
        if (known && hash && (!known->hash || strcmp(known->hash, hash) != 0))
            status = rl_error_set(error, RL_BAD_PARAMETER,
                                  "%s has another protocol called %s than the files before it (its "
                                  "text differs): make a report of each",
                                  path, name);
    }
    sqlite3_finalize(row);
    return status;
}

/* ---- from a damaged study ---------------------------------------------------------------------
 */

/* Whether the text came through whole. */
static bool has_its_hash(sqlite3_stmt *row)
{
    char digits[HASH_DIGITS];
    struct hash hash = hash_begin();
    hash_add(&hash, sqlite3_column_text(row, 2), (size_t)sqlite3_column_bytes(row, 2));
    hash_end(&hash, digits);
    return strcmp((const char *)sqlite3_column_text(row, 1), digits) == 0;
}

enum rl_status store_keep_own_row(struct rl_store *store, sqlite3_stmt *row, struct rl_error *error)
{
    for (int i = 0; i < 4; i++)
        if (sqlite3_column_type(row, i) != SQLITE_TEXT)
            return RL_BAD_STUDY;
    if (!has_its_hash(row))
        return RL_BAD_STUDY;
    const enum rl_status status =
        store_execute(store, error, TABLE "; INSERT OR IGNORE INTO own VALUES (%Q, %Q, %Q, %Q)",
                      sqlite3_column_text(row, 0), sqlite3_column_text(row, 1),
                      sqlite3_column_text(row, 2), sqlite3_column_text(row, 3));
    return status ? status : add_stand_in(row) ? RL_OK : RL_NO_MEMORY;
}
