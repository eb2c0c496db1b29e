/* SPDX-License-Identifier: MIT
 *
 * The tables of a study, made from the fields of an experiment, and the view for people.
 *
 * The very statements that make them are in the file, where SQLite keeps them; a file whose
 * statements are others is not ours. Tables are STRICT, so that SQLite's own check finds values of
 * other types and missing ones.
 */
#include <string.h>

#include "study/store_sqlite.h"

static const struct {
    const char *name, *columns;
} TABLES[] = {
    {"plan", "id INTEGER PRIMARY KEY, text TEXT NOT NULL, asks TEXT NOT NULL,"
             " added TEXT NOT NULL, program_version TEXT NOT NULL) STRICT"},
    {"point", NULL},
    {"trial",
     "point INTEGER NOT NULL REFERENCES point, trial INTEGER NOT NULL, reached INTEGER NOT NULL,"
     " steps INTEGER NOT NULL, hits TEXT NOT NULL, events INTEGER NOT NULL,"
     " leaders INTEGER NOT NULL, leader INTEGER, faults TEXT NOT NULL,"
     " stream_version INTEGER NOT NULL, program_version TEXT NOT NULL, wall_seconds REAL NOT NULL,"
     " curve TEXT,"
     " PRIMARY KEY (point, trial)) STRICT, WITHOUT ROWID"},
    {"own", "protocol TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL,"
            " sheet TEXT NOT NULL) STRICT"},
    {"start", "name TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT"},
    {"share", "share INTEGER NOT NULL, shares INTEGER NOT NULL,"
              " CHECK (share BETWEEN 1 AND shares)) STRICT"},
    {"session", "id INTEGER PRIMARY KEY, program_version TEXT NOT NULL, workers INTEGER NOT NULL,"
                " began TEXT NOT NULL, wrote TEXT NOT NULL, trials INTEGER NOT NULL,"
                " ended INTEGER NOT NULL) STRICT"},
    {"hunt", "request TEXT NOT NULL, batch INTEGER NOT NULL, steps BLOB NOT NULL,"
             " PRIMARY KEY (request, batch)) STRICT, WITHOUT ROWID"},
};

/* "max_steps" of the field max-steps. */
static const char *column_of(const struct rl_field *field, char name[RL_PLAN_NAME])
{
    snprintf(name, RL_PLAN_NAME, "%s", field->key);
    for (char *dash; (dash = strchr(name, '-'));)
        *dash = '_';
    return name;
}

static const char *type_of(const struct rl_field *field)
{
    if (field->kind == RL_FIELD_N || field->kind == RL_FIELD_COUNT)
        return field->most == RL_NEVER ? "INTEGER" : "INTEGER NOT NULL";
    return field->kind == RL_FIELD_UNTIL_ERROR ? "REAL NOT NULL" : "TEXT NOT NULL";
}

char *store_table(size_t index, const char **name_out)
{
    if (index >= sizeof TABLES / sizeof TABLES[0])
        return NULL;
    *name_out = TABLES[index].name;
    if (TABLES[index].columns)
        return sqlite3_mprintf("CREATE TABLE %s (%s", TABLES[index].name, TABLES[index].columns);
    sqlite3_str *sql = sqlite3_str_new(NULL);
    const struct rl_field *field;
    char name[RL_PLAN_NAME];
    sqlite3_str_appendall(sql, "CREATE TABLE point (id INTEGER PRIMARY KEY,"
                               " spec TEXT NOT NULL UNIQUE, spelling TEXT NOT NULL");
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        sqlite3_str_appendf(sql, ", %s %s", column_of(field, name), type_of(field));
    sqlite3_str_appendall(sql, ", target TEXT NOT NULL) STRICT");
    return sqlite3_str_finish(sql);
}

/* ---- the view ---- */

static const char *const COLUMNS[] = {
    "target",         "trial",           "reached",      "steps",  "parallel_time",
    "hits",           "events",          "leaders",      "leader", "faults",
    "stream_version", "program_version", "wall_seconds", "point",  "curve_values",
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

/* SQL does not tell n from N. */
static bool is_taken(const char *name)
{
    const struct rl_field *field;
    char column[RL_PLAN_NAME];
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (sqlite3_stricmp(COLUMNS[i], name) == 0)
            return true;
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        if (sqlite3_stricmp(column_of(field, column), name) == 0)
            return true;
    return false;
}

static bool has_point(const struct rl_plan *plan, const struct rl_protocol *protocol)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].protocol == protocol)
            return true;
    return false;
}

/* Whether a protocol before number `end` of the list has the parameter, and points. */
static bool was_before(const struct rl_plan *plan, size_t end, const char *name)
{
    for (size_t p = 0; p < end; p++)
        if (rl_protocol_parameter(rl_protocol_at(p), name) >= 0 &&
            has_point(plan, rl_protocol_at(p)))
            return true;
    return false;
}

/* A column for each parameter of a protocol of the plan, in the order of the list. One whose name
 * is taken is parameter_NAME. */
static void append_parameters(sqlite3_str *sql, const struct rl_plan *plan)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t k = 0; k < protocol->parameter_count && has_point(plan, protocol); k++) {
            const char *name = protocol->parameters[k].name;
            if (!was_before(plan, p, name))
                sqlite3_str_appendf(sql, ", parameters->>%Q AS \"%s%w\"", name,
                                    is_taken(name) ? "parameter_" : "", name);
        }
}

char *store_view(const struct rl_plan *plan)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    const struct rl_field *field;
    char name[RL_PLAN_NAME];
    sqlite3_str_appendall(sql, "CREATE VIEW trials AS SELECT");
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        sqlite3_str_appendf(sql, "%s point.%s", i ? "," : "", column_of(field, name));
    append_parameters(sql, plan);
    sqlite3_str_appendall(
        sql, ", target, trial.trial, reached, CASE WHEN reached THEN steps END AS steps,"
             " CASE WHEN reached THEN steps * 1.0 / n END AS parallel_time, hits, events, leaders,"
             " leader, faults, stream_version, program_version, wall_seconds, trial.point,"
             " trial.curve AS curve_values"
             " FROM trial JOIN point ON point.id = trial.point");
    return sqlite3_str_finish(sql);
}
