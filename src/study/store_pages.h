/* SPDX-License-Identifier: MIT
 *
 * The rows on the pages of a SQLite file, however damaged the file is (store_pages.c).
 */
#ifndef RINGLEADER_STUDY_STORE_PAGES_H
#define RINGLEADER_STUDY_STORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/status.h"

/* Rows with more columns are nobody's here; paths are shorter, also with ./ before them. */
enum { STORE_COLUMNS = 16, STORE_PATH = 512, STORE_NAME = STORE_PATH + 2 };

struct store_value {
    enum { STORE_NULL, STORE_INTEGER, STORE_REAL, STORE_TEXT, STORE_BLOB } kind;
    int64_t integer;
    double real;
    const char *text; /* not ended by a zero byte; valid during the visit */
    size_t length;
};

struct store_row {
    bool has_id; /* a row of a table with a number; else of a table without, or of an index */
    int64_t id;
    size_t page; /* rows of one page come one after the other, in the order they have there */
    size_t count;
    struct store_value values[STORE_COLUMNS];
};

typedef void store_visit_row(void *user, const struct store_row *row);

/* Visits every row found in a file and in the log or journal beside it, page by page; the same
 * row may come twice, and some were never there. RL_IO: the file cannot be read. */
RL_MUST_CHECK enum rl_status store_read_pages(const char *path, store_visit_row *visit, void *user,
                                              struct rl_error *error);

#endif
