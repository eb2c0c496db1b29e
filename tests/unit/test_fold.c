/* SPDX-License-Identifier: MIT
 *
 * Folding rows of numbers: that it can be undone, that equal rows and only they fold to the same,
 * and that what changed in two places folds as if folded anew.
 */
#include "test.h"
#include "verify/explore/explorer.h"

enum { MOST = 32 };

static void draw_row(struct rl_random *random, uint32_t length, uint32_t *row_out)
{
    for (uint32_t i = 0; i < length; i++)
        row_out[i] = rl_random_below(random, 5);
}

TEST(a_row_unfolds_to_itself)
{
    int64_t allowance = 1 << 24;
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    for (uint32_t length = 2; length <= MOST; length++) {
        FREED(rl_interned) pairs = {.allowance = &allowance};
        uint32_t rows[100][2 * MOST], again[2 * MOST];
        uint64_t folded[100];
        for (int i = 0; i < 100; i++) {
            draw_row(&random, length, rows[i]);
            folded[i] = rl_fold(&pairs, rows[i], length);
        }
        for (int i = 0; i < 100; i++) {
            rl_unfold(&pairs, folded[i], length, again);
            assert_memory_equal(again, rows[i], length * sizeof *again);
            for (int j = 0; j < i; j++)
                assert_int_equal(folded[i] == folded[j],
                                 memcmp(rows[i], rows[j], length * sizeof *again) == 0);
        }
    }
}

TEST(what_changes_is_folded_as_if_anew)
{
    int64_t allowance = 1 << 24;
    struct rl_random random = test_random(2, 0, RL_PURPOSE_START);
    for (uint32_t length = 2; length <= MOST; length++) {
        FREED(rl_interned) pairs = {.allowance = &allowance};
        uint32_t row[2 * MOST], anew[2 * MOST];
        draw_row(&random, length, row);
        rl_fold(&pairs, row, length);
        for (uint32_t i = 0; i < 10 * length; i++) {
            const uint32_t l = i % length, r = (i + 1) % length;
            row[l] = rl_random_below(&random, 5);
            row[r] = rl_random_below(&random, 5);
            memcpy(anew, row, length * sizeof *row);
            assert_true(rl_refold(&pairs, row, length, l, r) == rl_fold(&pairs, anew, length));
        }
    }
}

TEST(keys_are_numbered_in_their_order_and_within_the_allowance)
{
    int64_t allowance = 100000;
    FREED(rl_interned) keys = {.allowance = &allowance};
    uint64_t i = 0;
    while (rl_interned_add(&keys, i * i) == i && allowance >= 0)
        i++;
    /* 4096 keys take 32 KB and their table 32 KB; the next table does not fit beside them. */
    assert_int_equal(i, 4096);
    assert_int_equal(keys.count, 4096);
    assert_true(allowance < 0);
    for (uint64_t k = 0; k < i; k++) {
        assert_int_equal(keys.keys[k], k * k);
        assert_int_equal(rl_interned_add(&keys, k * k), k);
    }
}
