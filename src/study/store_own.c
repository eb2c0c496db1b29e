/* SPDX-License-Identifier: MIT
 *
 * The protocols in a study that came from files: text, hash, and a sheet of the names in them.
 *
 * The sheet is what a report needs of a protocol, so that one can be made when the file is gone: a
 * line for each parameter (with its choices), start and set, and the target's place. It comes from
 * the file, which may be a stranger's: every line must be as print_sheet writes it, every name a
 * name, and the text what its hash says.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "study/store_sqlite.h"
#include "core/inside.h"
#include "study/inside.h"

enum { SHEET = 8192, MOST_NAMES = 32 };

enum { NAME, HASH, TEXT, A_SHEET, COLUMNS };

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

static enum rl_status say_changed(const char *name, struct rl_error *error)
{
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "protocol %s has changed since this study began: --extend takes the new "
                        "one in beside it",
                        name);
}

enum rl_status store_keep_own(struct rl_store *store, const struct rl_plan *plan,
                              struct rl_error *error)
{
    enum rl_status status = RL_OK;
    const struct rl_protocol *last = NULL;
    for (size_t i = 0; i < plan->count && !status; i++) {
        const struct rl_protocol *protocol = plan->points[i].protocol;
        if (protocol != last && protocol->hash)
            status = keep(store, protocol, error);
        last = protocol;
    }
    return status;
}

/* ---- what stands for a protocol without its file ------------------------------------------------
 */

/* Never freed: it is one of the list. */
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

/* Ends the word at `*at` and goes to what is behind it; NULL if it is no name. */
static const char *take_name(char **at)
{
    char *name = *at, *space = strchr(name, ' ');
    *at = space ? space + 1 : name + strlen(name);
    if (space)
        *space = '\0';
    return rl_text_is_name(name) ? name : NULL;
}

static bool read_parameter(struct stand_in *it, char *rest)
{
    const size_t at = it->protocol.parameter_count++;
    size_t count = 0;
    const char *name = take_name(&rest), *choice = "";
    if (at >= RL_MAX_PARAMETERS || !name)
        return false;
    it->parameters[at] =
        (struct rl_parameter){.name = name, .meaning = "", .default_for = no_default};
    for (; *rest && count < MOST_NAMES && choice; count++)
        choice = it->choices[at][count] = take_name(&rest);
    it->parameters[at].choices = count > 0 ? it->choices[at] : NULL;
    return choice && !*rest;
}

static bool read_line(struct stand_in *it, char *line)
{
    struct rl_protocol *protocol = &it->protocol;
    char *rest = line;
    const char *kind = take_name(&rest);
    uint64_t target;
    if (!kind)
        return false;
    if (strcmp(kind, "parameter") == 0)
        return read_parameter(it, rest);
    if (strcmp(kind, "start") == 0 && protocol->start_count < MOST_NAMES) {
        it->starts[protocol->start_count++] =
            (struct rl_start){.name = rest, .meaning = "", .fill = fill_nothing};
        return rl_text_is_name(rest);
    }
    if (strcmp(kind, "set") == 0 && protocol->set_count < RL_MAX_SETS) {
        it->sets[protocol->set_count++].name = rest;
        return rl_text_is_name(rest);
    }
    if (strcmp(kind, "target") != 0 || rl_text_parse_count(rest, 0, &target, NULL))
        return false;
    protocol->target = (size_t)target;
    return target < protocol->set_count;
}

/* The sheet must be, to the letter, what we write about what we read in it. */
static bool read_sheet(struct stand_in *it, char *sheet, const char *original)
{
    char again[SHEET];
    struct rl_text text = rl_text_into(again, sizeof again);
    bool fine = rl_text_is_name(it->protocol.name);
    for (char *line = sheet, *next; fine && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        fine = next && read_line(it, line);
    }
    if (!fine || it->protocol.set_count == 0)
        return false;
    print_sheet(&it->protocol, &text);
    return strcmp(again, original) == 0;
}

/* Whether the text came through whole. */
static bool has_its_hash(sqlite3_stmt *row)
{
    char digits[HASH_DIGITS];
    struct hash hash = hash_begin();
    hash_add(&hash, sqlite3_column_text(row, TEXT), (size_t)sqlite3_column_bytes(row, TEXT));
    hash_end(&hash, digits);
    return strcmp((const char *)sqlite3_column_text(row, HASH), digits) == 0;
}

/* What stands for the protocol of a row, as the row says; NULL in `out`: the row is no such thing.
 */
static enum rl_status make_stand_in(sqlite3_stmt *row, struct stand_in **out)
{
    size_t room = 0;
    *out = NULL;
    for (int i = 0; i < COLUMNS; i++) {
        if (sqlite3_column_type(row, i) != SQLITE_TEXT)
            return RL_OK;
        room += strlen((const char *)sqlite3_column_text(row, i)) + 1;
    }
    if (!has_its_hash(row))
        return RL_OK;
    struct stand_in *it = calloc(1, sizeof *it + room);
    if (!it)
        return RL_NO_MEMORY;
    char *columns[COLUMNS], *at = it->texts;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = strcpy(at, (const char *)sqlite3_column_text(row, i));
        at += strlen(at) + 1;
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
    if (read_sheet(it, columns[A_SHEET], (const char *)sqlite3_column_text(row, A_SHEET)))
        *out = it;
    else
        free(it);
    return RL_OK;
}

/* Puts it into the list, unless the protocol itself is there. */
static enum rl_status list_stand_in(const struct rl_store *store, struct stand_in *it,
                                    struct rl_error *error)
{
    const struct rl_protocol *listed = rl_protocol_named(it->protocol.name);
    if (!listed && rl_protocol_add(&it->protocol))
        return RL_OK;
    const bool same = listed && listed->hash && strcmp(listed->hash, it->protocol.hash) == 0;
    enum rl_status status = RL_OK;
    if (!listed)
        status = rl_error_set(error, RL_BAD_STUDY, "%s: there are too many protocols from files",
                              store->path);
    else if (!same && store->mode == RL_STORE_WRITE)
        status = say_changed(it->protocol.name, error);
    else if (!same)
        status = rl_error_set(error, RL_BAD_STUDY,
                              "%s has another protocol called %s than the files before it (its "
                              "text differs): make a report of each",
                              store->path, it->protocol.name);
    free(it);
    return status;
}

enum rl_status store_recall_own(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *rows = NULL;
    enum rl_status status = store_prepare(store, STORE_OWN_ROWS, &rows, error);
    while (store_next(store, rows, &status, error)) {
        struct stand_in *it;
        status = make_stand_in(rows, &it);
        if (!status && it)
            status = list_stand_in(store, it, error);
        else if (!status)
            status = store_say_damaged(store, "a protocol's text or sheet is not what was written",
                                       error);
    }
    sqlite3_finalize(rows);
    return status;
}

enum rl_status store_keep_own_row(struct rl_store *store, sqlite3_stmt *row, struct rl_error *error)
{
    struct stand_in *it;
    enum rl_status status = make_stand_in(row, &it);
    if (status || !it)
        return status ? status : RL_BAD_STUDY;
    status = store_execute(store, error, "INSERT OR IGNORE INTO own VALUES (%Q, %Q, %Q, %Q)",
                           sqlite3_column_text(row, NAME), sqlite3_column_text(row, HASH),
                           sqlite3_column_text(row, TEXT), sqlite3_column_text(row, A_SHEET));
    if (status) {
        free(it);
        return status;
    }
    return list_stand_in(store, it, error);
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* The first protocol of which the question, with a ? in it, is true; false if there is none. */
static bool find(sqlite3 *database, const char *sql, const char *text, char name_out[RL_STORE_NAME])
{
    sqlite3_stmt *row = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(database, sql, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
        found = sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) == SQLITE_TEXT &&
                rl_text_is_name((const char *)sqlite3_column_text(row, 0));
    }
    if (found)
        snprintf(name_out, RL_STORE_NAME, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return found;
}

void rl_store_name_protocol(const char *path, const struct rl_protocol *protocol, bool extend,
                            char name_out[RL_STORE_NAME])
{
    sqlite3 *database = NULL;
    char name[STORE_NAME];
    snprintf(name, sizeof name, "%s%s", path[0] == '/' ? "" : "./", path);
    snprintf(name_out, RL_STORE_NAME, "%s", protocol->name);
    if (sqlite3_open_v2(name, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
        sqlite3_exec(database, "PRAGMA trusted_schema=OFF", NULL, NULL, NULL);
        if (!find(database, "SELECT protocol FROM own WHERE hash = ?", protocol->hash, name_out) &&
            extend &&
            find(database, "SELECT protocol FROM own WHERE protocol = ?", protocol->name, name_out))
            snprintf(name_out, RL_STORE_NAME, "%.32s-%.8s", protocol->name, protocol->hash);
    }
    sqlite3_close(database);
}
