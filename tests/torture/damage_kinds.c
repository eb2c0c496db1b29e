/* SPDX-License-Identifier: MIT
 *
 * What can happen to a study's file: to its bytes, to its pages, and to rows that are then
 * impossible.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torture/damage.h"

static struct rl_random dice;

void throw_dice(uint64_t seed)
{
    rl_random_init(&dice, seed, 0, RL_PURPOSE_FAULT);
}

static size_t below(size_t bound)
{
    return (size_t)rl_random_below(&dice, bound);
}

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

const char *strike(size_t index, struct bytes *study)
{
    const size_t kind = index % (sizeof DAMAGES / sizeof DAMAGES[0]);
    DAMAGES[kind].strike(study);
    return DAMAGES[kind].name;
}
