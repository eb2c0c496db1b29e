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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torture/damage.h"

static char saved_path[80];

static struct {
    uint64_t refused, opened, saved, hopeless, intact, changed, impossible;
} counts;

/* ---- what came through ------------------------------------------------------------------------
 */

static struct {
    bool pages[MOST_PAGES];
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
    struct bytes damaged = {malloc(whole.file.size + 1), whole.file.size};
    require(damaged.at, "out of memory");
    memcpy(damaged.at, whole.file.at, whole.file.size);
    what = "while it is damaged";
    remove_all(study_path);
    const char *kind = strike(index, &damaged);
    snprintf(name, sizeof name, "damaged study %zu (%s%s)", index, kind,
             logged ? ", with a log" : "");
    what = name;
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
    require(mkdtemp(directory) != NULL, "no directory");
    snprintf(study_path, sizeof study_path, "%s/study.db", directory);
    snprintf(log_path, sizeof log_path, "%s-wal", study_path);
    snprintf(saved_path, sizeof saved_path, "%s/saved.db", directory);
    throw_dice(argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
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
