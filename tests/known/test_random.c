/* SPDX-License-Identifier: MIT
 *
 * The library's random numbers and waiting times against the known answers that random.py printed
 * into the file that is the argument.
 */
#define TEST_MAIN_BELOW
#include <inttypes.h>

#include "test.h"

static const char *table;

struct row {
    char kind[16];
    char seed[3][32]; /* seed, trial, purpose; dashes: go on */
    char argument[48];
    char outputs[4][48];
};

static uint64_t number(const char *text)
{
    return strtoull(text, NULL, 10);
}

static bool is(const struct row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

static void begin_stream(const struct row *row, struct rl_random *random)
{
    const uint64_t seed[3] = {number(row->seed[0]), number(row->seed[1]), number(row->seed[2])};
    if (is(row, "state"))
        *random = (struct rl_random){.s = {seed[0], seed[1], seed[2], number(row->argument)}};
    else if (row->seed[0][0] != '-')
        rl_random_init(random, seed[0], seed[1], (enum rl_purpose)seed[2]);
}

static uint64_t answer(const struct row *row, struct rl_random *random)
{
    uint64_t successes, trials;
    struct rl_wait wait;
    if (is(row, "below"))
        return rl_random_below(random, number(row->argument));
    if (!is(row, "geometric"))
        return rl_random_next(random);
    assert_int_equal(sscanf(row->argument, "%" SCNu64 "/%" SCNu64, &successes, &trials), 2);
    rl_wait_init(&wait, trials);
    return rl_wait_geometric(&wait, random, rl_wait_per_unit(&wait, successes));
}

static void assert_answer(const struct row *row, struct rl_random *random, const char *expected)
{
    if (is(row, "exponential")) {
        struct rl_wait wait;
        rl_wait_init(&wait, 2);
        assert_near(rl_wait_exponential(&wait, random), strtod(expected, NULL), 1e-12);
    } else {
        const uint64_t given = answer(row, random);
        if (given != number(expected))
            fail_msg("%s %s %s %s %s: %" PRIu64 ", not %s", row->kind, row->seed[0], row->seed[1],
                     row->seed[2], row->argument, given, expected);
    }
}

TEST(the_numbers_are_those_of_the_table)
{
    FILE *stream = fopen(table, "r");
    assert_non_null(stream);
    char line[512];
    size_t rows = 0;
    struct rl_random random = {{0}};
    while (fgets(line, sizeof line, stream)) {
        struct row row;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%15s %31s %31s %31s %47s %47s %47s %47s %47s", row.kind,
                                row.seed[0], row.seed[1], row.seed[2], row.argument, row.outputs[0],
                                row.outputs[1], row.outputs[2], row.outputs[3]),
                         9);
        begin_stream(&row, &random);
        for (int i = 0; i < 4; i++)
            assert_answer(&row, &random, row.outputs[i]);
        rows++;
    }
    fclose(stream);
    assert_true(rows >= 130);
}

int main(int argc, char **argv)
{
    table = argv[argc - 1];
    return test_all(NULL, NULL);
}
