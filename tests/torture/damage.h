/* SPDX-License-Identifier: MIT
 *
 * What the files of the damaged-study generator share.
 */
#ifndef RINGLEADER_TORTURE_DAMAGE_H
#define RINGLEADER_TORTURE_DAMAGE_H

#include "ringleader/study.h"

enum { PAGE = 4096, MOST_TRIALS = 4096, MOST_PAGES = 1024 };

struct bytes {
    unsigned char *at;
    size_t size;
};

/* ---- the undamaged study (damage_whole.c) -----------------------------------------------------
 */

extern const char *what; /* the damage at hand, for complaints */
extern char study_path[80], log_path[96];

struct whole {
    struct rl_plan plan;
    struct rl_trial trials[MOST_TRIALS];
    size_t count;
    struct bytes file, log;
    bool on[MOST_TRIALS][MOST_PAGES]; /* whether a trial stands on a page, of the file and then the
                                         log */
};
extern struct whole whole;

/* Says what does not hold, of which damage, and ends the program. */
__attribute__((format(printf, 2, 3))) void require(bool condition, const char *format, ...);

struct bytes load(const char *path);
void save(const char *path, struct bytes bytes);
void remove_all(const char *path); /* the log beside it, too */
void execute(const char *path, const char *sql);

/* Makes the study in a file or, `logged`, half of it still in the log. */
void make_whole(bool logged);

/* The pages of the file and then those of the log. */
size_t pages_of_file(void);
size_t pages_of_log(void);
const unsigned char *page_at(struct bytes file, struct bytes log, size_t page);
bool holds(const unsigned char *page, const unsigned char *body, size_t length);

/* ---- damage (damage_kinds.c) ------------------------------------------------------------------
 */

void throw_dice(uint64_t seed);
/* Does damage of the index-th kind, in turn, to the bytes of the study; its name. */
const char *strike(size_t index, struct bytes *study);

#endif
