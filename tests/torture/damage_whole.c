/* SPDX-License-Identifier: MIT
 *
 * The study before it is damaged, and on which pages of its file its trials stand.
 */
#include "torture/damage.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_HEAD = 32, FRAME_HEAD = 24 };

const char *what = "the undamaged study";
char study_path[80], log_path[96];
struct whole whole;

/* Three plans: points with faults, with a limit and of two protocols; the text of the third goes on
 * on another page. */
static const char *const PLANS[] = {
    "n = 16, 24, 32; start = random, leaderless; trials = 150; claim = O(nN)",
    "protocol = prl-dummy; n = 12, 20; max-steps = 3000; trials = 100; seed = 3\n"
    "fault = none, 2@500+30%@900",
    NULL,
};
static const char THIRD_PLAN[] = "n = 16, 48; trials = 200; until-error = none\n";

void require(bool condition, const char *format, ...)
{
    va_list arguments;
    if (condition)
        return;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", what);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* ---- files ------------------------------------------------------------------------------------
 */

struct bytes load(const char *path)
{
    struct bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return bytes;
    fseek(file, 0, SEEK_END);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.at = malloc(bytes.size + 1);
    require(bytes.at && fread(bytes.at, 1, bytes.size, file) == bytes.size, "cannot read %s", path);
    fclose(file);
    return bytes;
}

void save(const char *path, struct bytes bytes)
{
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes.at, 1, bytes.size, file) == bytes.size, "cannot write %s", path);
    require(fclose(file) == 0, "cannot write %s", path);
}

void remove_all(const char *path)
{
    static const char *const SUFFIXES[] = {"", "-wal", "-shm", "-journal"};
    char name[112];
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, SUFFIXES[i]);
        unlink(name);
    }
}

void execute(const char *path, const char *sql)
{
    sqlite3 *database = NULL;
    require(!sqlite3_open(path, &database), "cannot open %s", path);
    const int code = sqlite3_exec(database, sql, NULL, NULL, NULL);
    require(code == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
}

/* ---- the undamaged study ----------------------------------------------------------------------
 */

static void add_plan(struct rl_store *store, const char *text)
{
    struct rl_plan plan;
    require(!rl_plan_parse(&plan, text, strlen(text), RL_PLAN_STRICT, NULL), "the plan is wrong");
    require(!rl_store_add_plan(store, text, &plan, NULL), "the plan is refused");
    rl_plan_free(&plan);
}

static void add_plans(struct rl_store *store)
{
    static char long_text[6000];
    for (size_t i = 0; PLANS[i]; i++)
        add_plan(store, PLANS[i]);
    strcpy(long_text, THIRD_PLAN);
    for (size_t length = strlen(long_text); length < 5000; length += 60)
        strcat(long_text, "# a remark that makes the text of the plan longer than a page\n");
    add_plan(store, long_text);
    require(!rl_store_set_share(store, 0, 1, NULL), "the share is refused");
}

static void make_trials(void)
{
    for (uint32_t i = 0; i < whole.plan.count; i++)
        for (uint64_t k = 0; k < whole.plan.points[i].trials; k++) {
            require(whole.count < MOST_TRIALS, "too many trials");
            rl_trial_run(&whole.plan.points[i], i, k, (struct rl_trial_stop){0},
                         &whole.trials[whole.count++]);
        }
}

static void append(unsigned char *body, size_t *length, uint64_t number)
{
    static const size_t WIDTHS[] = {1, 2, 3, 4, 6, 8};
    size_t width = 0;
    while (number > 1 && number >= UINT64_C(1) << (8 * WIDTHS[width] - 1))
        width++;
    for (size_t i = number > 1 ? WIDTHS[width] : 0; i > 0; i--)
        body[(*length)++] = (unsigned char)(number >> (8 * (i - 1)));
}

/* The bytes of a trial's row up to its hits, as SQLite writes them: enough to find it. */
static size_t begin_of_row(const struct rl_trial *trial, unsigned char body[512])
{
    const struct rl_protocol *protocol = whole.plan.points[trial->point].protocol;
    size_t length = 0;
    append(body, &length, trial->point + 1);
    append(body, &length, trial->trial);
    append(body, &length, trial->steps);
    for (size_t i = 0; i < protocol->set_count; i++) {
        length += (size_t)sprintf((char *)body + length, "%c\"%s\":", i ? ',' : '{',
                                  protocol->sets[i].name);
        length += trial->hits[i] == RL_NEVER ? (size_t)sprintf((char *)body + length, "null")
                                             : (size_t)sprintf((char *)body + length, "%llu",
                                                               (unsigned long long)trial->hits[i]);
    }
    body[length++] = '}';
    return length;
}

bool holds(const unsigned char *page, const unsigned char *body, size_t length)
{
    for (const unsigned char *at = page; (size_t)(page + PAGE - at) >= length; at++) {
        at = memchr(at, body[0], (size_t)(page + PAGE - at) - length + 1);
        if (!at)
            return false;
        if (memcmp(at, body, length) == 0)
            return true;
    }
    return false;
}

size_t pages_of_file(void)
{
    return whole.file.size / PAGE;
}

size_t pages_of_log(void)
{
    return whole.log.size < LOG_HEAD ? 0 : (whole.log.size - LOG_HEAD) / (PAGE + FRAME_HEAD);
}

const unsigned char *page_at(struct bytes file, struct bytes log, size_t page)
{
    const size_t in_log = page - pages_of_file();
    if (page < pages_of_file())
        return (page + 1) * PAGE <= file.size ? file.at + page * PAGE : NULL;
    const size_t at = LOG_HEAD + in_log * (PAGE + FRAME_HEAD) + FRAME_HEAD;
    return at + PAGE <= log.size ? log.at + at : NULL;
}

static void find_pages(void)
{
    require(pages_of_file() + pages_of_log() <= MOST_PAGES, "too many pages");
    for (size_t i = 0; i < whole.count; i++) {
        unsigned char body[512];
        const size_t length = begin_of_row(&whole.trials[i], body);
        bool found = false;
        for (size_t page = 0; page < pages_of_file() + pages_of_log(); page++)
            found |= whole.on[i][page] = holds(page_at(whole.file, whole.log, page), body, length);
        require(found, "trial %zu stands on no page", i);
    }
}

void make_whole(bool logged)
{
    struct rl_store *store;
    remove_all(study_path);
    memset(whole.on, 0, sizeof whole.on);
    require(!rl_store_open(&store, study_path, RL_STORE_WRITE, NULL), "cannot open it");
    add_plans(store);
    rl_plan_free(&whole.plan);
    require(!rl_store_points(store, &whole.plan, NULL), "no points");
    if (whole.count == 0)
        make_trials();
    for (size_t i = 0; i < whole.count; i += 64) {
        const size_t count = whole.count - i < 64 ? whole.count - i : 64;
        require(!rl_store_write(store, &whole.plan, whole.trials + i, count, NULL), "not written");
    }
    free(whole.file.at);
    free(whole.log.at);
    if (logged)
        whole.log = load(log_path);
    else
        whole.log = (struct bytes){0};
    if (logged)
        whole.file = load(study_path);
    rl_store_close(store);
    if (!logged) {
        execute(study_path, "VACUUM");
        whole.file = load(study_path);
    }
    find_pages();
}
