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

/* ---- keeping ---- */

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

void store_keep_own(struct rl_store *store, const struct rl_plan *plan)
{
    const struct rl_protocol *last = NULL;
    for (size_t i = 0; i < plan->count; i++) {
        const struct rl_protocol *protocol = plan->points[i].run.protocol;
        char sheet[SHEET];
        struct rl_text text = rl_text_into(sheet, sizeof sheet);
        if (protocol != last && protocol->hash) {
            print_sheet(protocol, &text);
            store_execute(store, "INSERT OR IGNORE INTO own VALUES (%Q, %Q, %Q, %Q)",
                          protocol->name, protocol->hash, protocol->text, sheet);
        }
        last = protocol;
    }
}

/* ---- what stands for a protocol without its file ---- */

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

/* A line: what it is about, a name, and perhaps choices. */
static bool read_line(struct stand_in *it, char *line)
{
    struct rl_protocol *protocol = &it->protocol;
    const char *kind = rl_text_take(&line, " "), *name = rl_text_take(&line, " ");
    if (!name || !rl_text_is_name(name))
        return false;
    if (strcmp(kind, "parameter") == 0 && protocol->parameter_count < RL_MAX_PARAMETERS) {
        const char **choices = it->choices[protocol->parameter_count];
        for (size_t k = 0; k < MOST_NAMES && (choices[k] = rl_text_take(&line, " ")); k++)
            if (!rl_text_is_name(choices[k]))
                return false;
        it->parameters[protocol->parameter_count++] =
            (struct rl_parameter){.name = name,
                                  .meaning = "",
                                  .choices = choices[0] ? choices : NULL,
                                  .default_for = no_default};
    } else if (strcmp(kind, "start") == 0 && protocol->start_count < MOST_NAMES) {
        it->starts[protocol->start_count++] = (struct rl_start){.name = name, .meaning = ""};
    } else if (strcmp(kind, "set") == 0 && protocol->set_count < RL_MAX_SETS) {
        it->sets[protocol->set_count++].name = name;
    } else if (strcmp(kind, "target") == 0) {
        protocol->target = strtoul(name, NULL, 10);
    }
    return true;
}

/* The sheet must be, to the letter, what we write about what we read in it. */
static bool read_sheet(struct stand_in *it, char *sheet, const char *original)
{
    char again[SHEET];
    struct rl_text text = rl_text_into(again, sizeof again);
    bool fine = rl_text_is_name(it->protocol.name);
    for (char *line; fine && (line = rl_text_take(&sheet, "\n")) && *line;)
        fine = read_line(it, line);
    print_sheet(&it->protocol, &text);
    return fine && it->protocol.target < it->protocol.set_count && strcmp(again, original) == 0;
}

/* What stands for the protocol of a row, as the row says; NULL: the row is no such thing. */
static struct stand_in *make_stand_in(struct rl_store *store, sqlite3_stmt *row)
{
    const char *const source = store_text(row, TEXT);
    char digits[HASH_DIGITS];
    size_t room = 0;
    hash_of(source, strlen(source), digits);
    if (!store_is_text(row, HASH, digits))
        return NULL;
    for (int i = 0; i < COLUMNS; i++)
        room += strlen(store_text(row, i)) + 1;
    struct stand_in *it = calloc(1, sizeof *it + room);
    if (!it) {
        store->status = RL_NO_MEMORY;
        return NULL;
    }
    char *columns[COLUMNS], *at = it->texts;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = strcpy(at, store_text(row, i));
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
    if (read_sheet(it, columns[A_SHEET], store_text(row, A_SHEET)))
        return it;
    free(it);
    return NULL;
}

/* Puts it into the list, unless the protocol itself is there. */
static void list_stand_in(struct rl_store *store, struct stand_in *it)
{
    const char *name = it->protocol.name;
    const struct rl_protocol *listed = rl_protocol_named(name);
    if (!store->status && !listed && rl_protocol_add(&it->protocol))
        return;
    const bool same = listed && listed->hash && strcmp(listed->hash, it->protocol.hash) == 0;
    if (!listed)
        store_fail(store, RL_BAD_STUDY, "%s: there are too many protocols from files", store->path);
    else if (!same && store->mode == RL_STORE_WRITE)
        store_fail(store, RL_BAD_PARAMETER,
                   "protocol %s has changed since this study began: rename its file, or begin "
                   "another study",
                   name);
    else if (!same)
        store_fail(
            store, RL_BAD_STUDY,
            "%s and the files before it have different protocols called %s: make a report of each",
            store->path, name);
    free(it);
}

void store_recall_own(struct rl_store *store, struct rl_store *from)
{
    sqlite3_stmt *rows = store_ask(from, "SELECT * FROM own", NULL);
    while (!store->status && store_next(from, rows)) {
        struct stand_in *it = make_stand_in(store, rows);
        if (it)
            list_stand_in(store, it);
        else if (store == from)
            store_say_damaged(store, "a protocol's text or sheet has been changed");
    }
    sqlite3_finalize(rows);
}
