/* SPDX-License-Identifier: MIT
 *
 * Damaged studies: bits flipped, files cut short, pages swapped, zeroed, overwritten and doubled,
 * tables dropped, rows made impossible; with and without a write-ahead log beside the file.
 *   damage COUNT [SEED]
 *
 * Each damaged file is either refused with a reason or opened right: every trial on a page that
 * came through is there as it was, and no trial is impossible. --salvage keeps every trial on a
 * page that came through, and the study then does the others: in the end it has all trials, and
 * those that differ from the undamaged study stood on a damaged page, changed into others that are
 * possible too (nothing in a row tells that 1234 events were once 1235).
 */
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ringleader/study.h"

enum { PAGE = 4096, MOST_TRIALS = 4096, LOG_HEAD = 32, FRAME_HEAD = 24 };

/* Three plans: points with faults, with a limit and of two protocols; the text of the third goes on
 * on another page. */
static const char *const PLANS[] = {
    "n = 16, 24, 32; start = random, leaderless; trials = 150; claim = O(nN)",
    "protocol = prl-dummy; n = 12, 20; max-steps = 3000; trials = 100; seed = 3\n"
    "fault = none, 2@500+30%@900",
    NULL,
};
static const char THIRD_PLAN[] = "n = 16, 48; trials = 200; until-error = none\n";

struct bytes {
    unsigned char *at;
    size_t size;
};

static const char *what; /* the damage at hand, for complaints */
static char study_path[80], log_path[96], saved_path[80];
static struct rl_random dice;

static struct {
    struct rl_plan plan;
    struct rl_trial trials[MOST_TRIALS];
    size_t count;
    struct bytes file, log;
    bool on[MOST_TRIALS][1024]; /* whether a trial stands on a page, of the file and then the log */
} whole;

static struct {
    uint64_t refused, opened, saved, hopeless, intact, changed, impossible;
} counts;

__attribute__((format(printf, 2, 3))) static void require(bool condition, const char *format, ...)
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

static size_t below(size_t bound)
{
    return (size_t)rl_random_below(&dice, bound);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static struct bytes load(const char *path)
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

static void save(const char *path, struct bytes bytes)
{
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes.at, 1, bytes.size, file) == bytes.size, "cannot write %s", path);
    require(fclose(file) == 0, "cannot write %s", path);
}

static void remove_all(const char *path)
{
    static const char *const SUFFIXES[] = {"", "-wal", "-shm", "-journal"};
    char name[112];
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, SUFFIXES[i]);
        unlink(name);
    }
}

static void execute(const char *path, const char *sql)
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

static bool holds(const unsigned char *page, const unsigned char *body, size_t length)
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

static size_t pages_of_file(void)
{
    return whole.file.size / PAGE;
}

static size_t pages_of_log(void)
{
    return whole.log.size < LOG_HEAD ? 0 : (whole.log.size - LOG_HEAD) / (PAGE + FRAME_HEAD);
}

static const unsigned char *page_at(struct bytes file, struct bytes log, size_t page)
{
    const size_t in_log = page - pages_of_file();
    if (page < pages_of_file())
        return (page + 1) * PAGE <= file.size ? file.at + page * PAGE : NULL;
    const size_t at = LOG_HEAD + in_log * (PAGE + FRAME_HEAD) + FRAME_HEAD;
    return at + PAGE <= log.size ? log.at + at : NULL;
}

static void find_pages(void)
{
    require(pages_of_file() + pages_of_log() <= 1024, "too many pages");
    for (size_t i = 0; i < whole.count; i++) {
        unsigned char body[512];
        const size_t length = begin_of_row(&whole.trials[i], body);
        bool found = false;
        for (size_t page = 0; page < pages_of_file() + pages_of_log(); page++)
            found |= whole.on[i][page] = holds(page_at(whole.file, whole.log, page), body, length);
        require(found, "trial %zu stands on no page", i);
    }
}

/* A study in a file or, `logged`, half of it still in the log. */
static void make_whole(bool logged)
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

/* ---- damage -----------------------------------------------------------------------------------
 */

static void flip(struct bytes *b, size_t from, size_t length)
{
    b->at[from + below(length)] ^= (unsigned char)(1 << below(8));
}
static void flip_a_bit(struct bytes *b)
{
    flip(b, 0, b->size);
}
static void flip_twenty_bits(struct bytes *b)
{
    for (int i = 0; i < 20; i++)
        flip(b, 0, b->size);
}
static void flip_in_the_head(struct bytes *b)
{
    flip(b, 0, 100);
}
static void flip_in_a_page_head(struct bytes *b)
{
    flip(b, PAGE * below(b->size / PAGE), 64);
}
static void cut_anywhere(struct bytes *b)
{
    b->size = below(b->size);
}
static void cut_at_a_page(struct bytes *b)
{
    b->size = PAGE * below(b->size / PAGE);
}
static void swap_pages(struct bytes *b)
{
    unsigned char held[PAGE];
    unsigned char *one = b->at + PAGE * below(b->size / PAGE);
    unsigned char *other = b->at + PAGE * below(b->size / PAGE);
    memcpy(held, one, PAGE);
    memmove(one, other, PAGE);
    memcpy(other, held, PAGE);
}
static void double_a_page(struct bytes *b)
{
    memmove(b->at + PAGE * below(b->size / PAGE), b->at + PAGE * below(b->size / PAGE), PAGE);
}
static void zero_a_page(struct bytes *b)
{
    memset(b->at + PAGE * below(b->size / PAGE), 0, PAGE);
}
static void fill(unsigned char *at, size_t length)
{
    for (size_t i = 0; i < length; i++)
        at[i] = (unsigned char)below(256);
}
static void fill_a_page(struct bytes *b)
{
    fill(b->at + PAGE * below(b->size / PAGE), PAGE);
}
static void overwrite_a_stretch(struct bytes *b)
{
    const size_t length = 1 + below(600);
    fill(b->at + below(b->size - length), length);
}

/* By SQL, which has a file whose structure is right and whose contents are not. */
static void by_sql(struct bytes *b, const char *sql)
{
    save(study_path, *b);
    free(b->at);
    if (whole.log.size > 0)
        save(log_path, whole.log);
    execute(study_path, sql);
    *b = load(study_path);
    remove_all(study_path);
}
static void drop_a_table(struct bytes *b)
{
    static const char *const DROPS[] = {"DROP TABLE plan",    "DROP TABLE point",
                                        "DROP TABLE trial",   "DROP VIEW trials",
                                        "DROP TABLE session", "DROP TABLE share"};
    by_sql(b, DROPS[below(6)]);
}
static void make_rows_impossible(struct bytes *b)
{
    static const char *const VALUES[] = {
        "leader = 4294967173",
        "leader = -1",
        "leaders = 99",
        "leaders = -1",
        "steps = -5",
        "steps = steps + 1",
        "events = steps + 1",
        "stream_version = 3",
        "reached = 1 - reached",
        "reached = 7",
        "hits = '{}'",
        "hits = replace(hits, ':', ': ')",
        "hits = x'00'",
        "faults = '[{\"step\":5}]'",
        "hits = '{\"C_PB\":9,\"C_NI\":8,\"S_RL\":' || steps || '}'",
        "wall_seconds = -1",
        "wall_seconds = 'long'",
        "trial = trial + 100000",
        "trial = -trial - 1",
        "trial = trial + 4294967296",
        "point = 77",
        "point = -1",
        "steps = 1e300",
        "program_version = x'01'",
        "faults = 'none'",
    };
    char sql[256];
    const size_t value = below(sizeof VALUES / sizeof VALUES[0]);
    snprintf(sql, sizeof sql, "UPDATE trial SET %s WHERE point = %zu AND trial %% 7 = %zu",
             VALUES[value], 1 + below(whole.plan.count), below(7));
    by_sql(b, sql);
}
static void make_a_point_impossible(struct bytes *b)
{
    static const char *const VALUES[] = {
        "spec = 'garbage'",
        "spec = replace(spec, 'N=', 'N=9')",
        "n = n + 1",
        "parameters = '{}'",
        "trials = trials / 2",
        "trials = -1",
        "seed = 9",
        "start = 'nowhere'",
        "until_error = 7",
        "target = 'none'",
        "id = id + 50",
    };
    char sql[160];
    snprintf(sql, sizeof sql, "UPDATE point SET %s WHERE id = %zu",
             VALUES[below(sizeof VALUES / sizeof VALUES[0])], 1 + below(whole.plan.count));
    by_sql(b, sql);
}

static const struct {
    const char *name;
    void (*strike)(struct bytes *b);
} DAMAGES[] = {
    {"a bit flipped", flip_a_bit},
    {"twenty bits flipped", flip_twenty_bits},
    {"a bit flipped in the head", flip_in_the_head},
    {"a bit flipped in the head of a page", flip_in_a_page_head},
    {"cut anywhere", cut_anywhere},
    {"cut at a page", cut_at_a_page},
    {"two pages swapped", swap_pages},
    {"a page doubled", double_a_page},
    {"a page zeroed", zero_a_page},
    {"a page filled", fill_a_page},
    {"a stretch overwritten", overwrite_a_stretch},
    {"a table dropped", drop_a_table},
    {"impossible rows", make_rows_impossible},
    {"an impossible point", make_a_point_impossible},
};

/* ---- what came through ------------------------------------------------------------------------
 */

static struct {
    bool pages[1024];
    bool trials[MOST_TRIALS]; /* on such a page */
    bool points, plans;       /* a page with such rows did */
} through;

/* A page came through if its bytes stand on some page of the damaged file, or in the log. */
static void see_what_came_through(struct bytes damaged)
{
    memset(&through, 0, sizeof through);
    for (size_t page = 0; page < pages_of_file() + pages_of_log(); page++) {
        const unsigned char *was = page_at(whole.file, whole.log, page);
        through.pages[page] = page >= pages_of_file();
        for (size_t at = 0; at + PAGE <= damaged.size && !through.pages[page]; at += PAGE)
            through.pages[page] = memcmp(damaged.at + at, was, PAGE) == 0;
        const bool leaf = through.pages[page] && was[0] == 13;
        through.points |= leaf && holds(was, (const unsigned char *)"protocol=", 9);
        through.plans |= leaf && holds(was, (const unsigned char *)"trials = ", 9);
        for (size_t i = 0; i < whole.count; i++)
            through.trials[i] |= through.pages[page] && whole.on[i][page];
    }
}

/* ---- what is there ----------------------------------------------------------------------------
 */

static struct {
    const struct rl_plan *plan;
    bool seen[MOST_TRIALS];
    uint64_t changed;
} there;

static bool same_trial(const struct rl_trial *a, const struct rl_trial *b)
{
    bool same = a->steps == b->steps && a->events == b->events && a->leaders == b->leaders &&
                memcmp(a->hits, b->hits, sizeof a->hits) == 0 &&
                (a->leader == b->leader || a->leaders > 1) && a->fault_count == b->fault_count;
    for (size_t i = 0; same && i < a->fault_count; i++)
        same = a->faults[i].step == b->faults[i].step &&
               a->faults[i].recovered_after == b->faults[i].recovered_after;
    return same;
}

/* Said once more, in other words than the library's. */
static void require_possible(const struct rl_point *point, const struct rl_trial *trial)
{
    const uint64_t target = trial->hits[point->protocol->target];
    uint64_t last = 0;
    require(trial->trial < point->trials, "there is a trial %llu of %llu",
            (unsigned long long)trial->trial, (unsigned long long)point->trials);
    require(trial->leaders <= point->params.n && trial->leader <= point->params.n, "a leader >= n");
    require(trial->steps <= point->max_steps && trial->steps < RL_NEVER / 2, "too many steps");
    require(trial->events <= trial->steps, "more events than steps");
    for (size_t i = 0; i < point->protocol->set_count; i++) {
        require(trial->hits[i] >= last, "hits are out of order");
        require(trial->hits[i] == RL_NEVER || trial->hits[i] <= trial->steps,
                "a hit after the end");
        last = trial->hits[i];
    }
    require(target == RL_NEVER || target == trial->steps, "it goes on after the target");
    require(trial->wall_seconds >= 0, "time ran backwards");
}

static void look_at_trial(void *user, const struct rl_trial *trial)
{
    (void)user;
    const struct rl_point *point = &there.plan->points[trial->point];
    require_possible(point, trial);
    const struct rl_point *was = rl_plan_find(&whole.plan, point);
    for (size_t i = 0; was && i < whole.count; i++) {
        const struct rl_trial *original = &whole.trials[i];
        if (&whole.plan.points[original->point] != was || original->trial != trial->trial)
            continue;
        require(!there.seen[i], "trial %zu is there twice", i);
        there.seen[i] = true;
        const bool same = same_trial(original, trial);
        require(same || !through.trials[i], "trial %zu came through and is another now", i);
        there.changed += !same;
    }
}

/* Everything in a file; false if it is refused, which takes a reason. */
static bool look(const char *path, enum rl_store_mode mode, bool all)
{
    struct rl_store *store;
    struct rl_plan plan = {0};
    struct rl_error error = {0};
    memset(&there, 0, sizeof there);
    there.plan = &plan;
    enum rl_status status = rl_store_open(&store, path, mode, &error);
    if (!status)
        status = rl_store_points(store, &plan, &error);
    if (!status)
        status = rl_store_trials(store, &plan, look_at_trial, NULL, &error);
    require(!status || status == RL_IO || status == RL_BAD_STUDY, "status %s: %s",
            rl_status_name(status), error.text);
    require(!status || error.text[0], "refused without a reason");
    for (size_t i = 0; i < whole.count && !status; i++)
        require(there.seen[i] || !(all || through.trials[i]), "trial %zu came through and is lost",
                i);
    rl_store_close(store);
    rl_plan_free(&plan);
    return !status;
}

static bool go_on(void *user)
{
    (void)user;
    return true;
}

/* Does what is missing. */
static void finish(const char *path)
{
    struct rl_store *store;
    struct rl_plan plan;
    struct rl_queue queue;
    struct rl_crew crew;
    struct rl_error error = {0};
    bool finished;
    require(!rl_store_open(&store, path, RL_STORE_WRITE, &error), "saved, but: %s", error.text);
    require(!rl_store_points(store, &plan, &error), "saved, but: %s", error.text);
    require(!rl_queue_init(&queue, &plan, 0, 1), "out of memory");
    require(!rl_study_resume(store, &queue, &error), "saved, but: %s", error.text);
    require(!rl_crew_threads(&crew, &plan, 1), "no worker");
    struct rl_study study = {store, &plan, &queue, &crew, NULL, go_on};
    require(!rl_study_work(&study, &finished, &error), "saved, but: %s", error.text);
    require(finished, "not finished");
    crew.stop(crew.self);
    rl_queue_free(&queue);
    rl_plan_free(&plan);
    rl_store_close(store);
}

static void salvage(void)
{
    struct rl_store *store;
    struct rl_store_salvaged salvaged;
    struct rl_error error = {0};
    remove_all(saved_path);
    require(!rl_store_open(&store, saved_path, RL_STORE_WRITE, NULL), "no new file");
    const enum rl_status status = rl_store_salvage(store, study_path, &salvaged, &error);
    rl_store_close(store);
    if (status) {
        require(status == RL_IO && error.text[0], "salvage gives up without a reason");
        require(!through.points && !through.plans, "salvage gives up: %s", error.text);
        counts.hopeless++;
        return;
    }
    counts.saved++;
    counts.impossible += salvaged.dropped;
    require(look(saved_path, RL_STORE_READ, false), "what was saved is refused");
    counts.changed += there.changed;
    finish(saved_path);
    require(look(saved_path, RL_STORE_READ, through.points), "the end is refused");
}

static void damage_one(size_t index, bool logged)
{
    static char name[160];
    const size_t kind = index % (sizeof DAMAGES / sizeof DAMAGES[0]);
    struct bytes damaged = {malloc(whole.file.size + 1), whole.file.size};
    require(damaged.at, "out of memory");
    memcpy(damaged.at, whole.file.at, whole.file.size);
    snprintf(name, sizeof name, "damaged study %zu (%s%s)", index, DAMAGES[kind].name,
             logged ? ", with a log" : "");
    what = name;
    remove_all(study_path);
    DAMAGES[kind].strike(&damaged);
    see_what_came_through(damaged);
    for (size_t i = 0; i < whole.count; i++)
        counts.intact += through.trials[i];
    for (int mode = 0; mode < 2; mode++) {
        remove_all(study_path);
        save(study_path, damaged);
        if (logged)
            save(log_path, whole.log);
        if (mode == 0)
            salvage();
        else
            *(look(study_path, RL_STORE_READ, false) ? &counts.opened : &counts.refused) += 1;
    }
    free(damaged.at);
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 50;
    /* In memory, where it can be: nothing here is about the disk. */
    char directory[64];
    snprintf(directory, sizeof directory, "%s/ringleader-damage-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    what = "the undamaged study";
    require(mkdtemp(directory) != NULL, "no directory");
    snprintf(study_path, sizeof study_path, "%s/study.db", directory);
    snprintf(log_path, sizeof log_path, "%s-wal", study_path);
    snprintf(saved_path, sizeof saved_path, "%s/saved.db", directory);
    rl_random_init(&dice, argc > 2 ? strtoul(argv[2], NULL, 10) : 1, 0, RL_PURPOSE_FAULT);
    /* One in five with a log beside it. */
    for (int logged = 0; logged < 2; logged++) {
        make_whole(logged);
        for (size_t i = logged ? count - count / 5 : 0; i < (logged ? count : count - count / 5);
             i++)
            damage_one(i, logged);
    }
    printf(
        "%zu damaged studies of %zu trials: %llu refused by name, %llu opened right; %llu saved, "
        "%llu had neither plan nor points left\n"
        "%llu intact trials, none lost; %llu impossible rows dropped; %llu rows on damaged pages "
        "changed into possible ones\n",
        count, whole.count, (unsigned long long)counts.refused, (unsigned long long)counts.opened,
        (unsigned long long)counts.saved, (unsigned long long)counts.hopeless,
        (unsigned long long)counts.intact, (unsigned long long)counts.impossible,
        (unsigned long long)counts.changed);
    remove_all(study_path);
    remove_all(saved_path);
    rmdir(directory);
    free(whole.file.at);
    free(whole.log.at);
    rl_plan_free(&whole.plan);
    return 0;
}
