/* SPDX-License-Identifier: MIT
 *
 * Tests with a study: each has a path of its own, where nothing is yet.
 */
#define TEST_MAIN_BELOW
#include "test.h"

#include <unistd.h>

#include "study/store_sqlite.h"

static char path[64];

static int fresh_file(void **state)
{
    (void)state;
    strcpy(path, "/tmp/ringleader-study-XXXXXX");
    close(mkstemp(path));
    return unlink(path);
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static inline struct rl_store *opened(enum rl_store_mode mode)
{
    struct rl_store *store;
    assert_ok(rl_store_open(&store, path, mode, &error));
    return store;
}

static inline enum rl_status write_trials(struct rl_store *store, const struct rl_trial *trials,
                                          size_t count, struct rl_error *error)
{
    store_enter(store, error);
    for (size_t i = 0; i < count; i++)
        store_insert_trial(store, &rl_store_points(store)->points[trials[i].point], &trials[i]);
    return store_commit(store);
}

int main(void)
{
    return test_all(fresh_file, remove_file);
}
