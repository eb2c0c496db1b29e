/* SPDX-License-Identifier: MIT
 *
 * The library's random numbers against the table of known answers, whose path is the argument.
 */
#include <inttypes.h>

#include "test.h"

static const char *table;

struct row {
    char kind[16];
    uint64_t seed, trial, purpose;
    char argument[48];
    char outputs[4][48];
};

static struct rl_random stream_of(const struct row *row)
{
    struct rl_random random;
    if (strcmp(row->kind, "state") == 0)
        return (struct rl_random){
            .s = {row->seed, row->trial, row->purpose, strtoull(row->argument, NULL, 10)}};
    rl_random_init(&random, row->seed, row->trial, (enum rl_purpose)row->purpose);
    return random;
}

static void assert_answer(const struct row *row, struct rl_random *random, const char *expected)
{
    uint64_t answer, successes, trials;
    if (strcmp(row->kind, "exponential") == 0) {
        const double value = strtod(expected, NULL);
        assert_near(rl_random_exponential(random), value, 2e-16 + 4e-16 * value);
        return;
    }
    if (strcmp(row->kind, "below") == 0) {
        answer = rl_random_below(random, strtoull(row->argument, NULL, 10));
    } else if (strcmp(row->kind, "geometric") == 0) {
        assert_int_equal(sscanf(row->argument, "%" SCNu64 "/%" SCNu64, &successes, &trials), 2);
        answer = rl_random_geometric(random, successes, trials);
    } else {
        answer = rl_random_next(random);
    }
    if (answer != strtoull(expected, NULL, 10))
        fail_msg("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %s: %" PRIu64 ", not %s", row->kind,
                 row->seed, row->trial, row->purpose, row->argument, answer, expected);
}

static void the_numbers_are_those_of_the_table(void **state)
{
    (void)state;
    FILE *stream = fopen(table, "r");
    assert_non_null(stream);
    char line[512];
    size_t rows = 0;
    while (fgets(line, sizeof line, stream)) {
        struct row row;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line,
                                "%15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %47s %47s %47s %47s %47s",
                                row.kind, &row.seed, &row.trial, &row.purpose, row.argument,
                                row.outputs[0], row.outputs[1], row.outputs[2], row.outputs[3]),
                         9);
        struct rl_random random = stream_of(&row);
        for (int i = 0; i < 4; i++)
            assert_answer(&row, &random, row.outputs[i]);
        rows++;
    }
    fclose(stream);
    assert_true(rows >= 90);
}

int main(int argc, char **argv)
{
    table = argc > 1 ? argv[1] : "tests/known/random.txt";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_are_those_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
