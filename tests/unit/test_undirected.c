/* SPDX-License-Identifier: MIT
 *
 * The layers of an undirected ring, line by line: every branch of colouring, of both orientations
 * and of what joins them to a directed protocol. With fj06 as that protocol, whose bullets (B) move
 * to the right and so show which way round two agents meet.
 */
#include "test.h"

struct example {
    const char *before;
    const char *after;
};

/* Colours: nothing, @ and @@; f the marks, ~ the coin. */
static const struct example COLOURING[] = {
    {"- @", "f2~ @f1"},   {"@f4~ @@f2", "@ @@"}, {"f2 @", "~ @"},       {"f2~ @", "@ @"},
    {"~ @f3", "@f2 @f3"}, {"@@f1~ -", "- -"},    {"@f1 @", "@f3~ @f2"}, {"f6~ @f4", "@f4 @f4"},
};

/* > the colour ahead, < the colour behind. */
static const struct example AAF[] = {
    {"@<2 @@", "@<2 @@>1"},         {"@>2 @@", "@>2 @@<1"},         {"@>2 @@>1", "@>2 @@>1<1"},
    {"@>1<1 @@<2", "@>1<2 @@>1<2"}, {"@>2<2 @@<2", "@>2<2 @@>1<2"},
};

/* * an agent that is strong. */
static const struct example POR[] = {
    {"@ @@", "@>2 @@<1*"},       {"@>1 @@<1", "@>2<1 @@<1"},  {"@<2 @@>2", "@<2 @@>1<2"},
    {"@>2* @@<1*", "@>2 @@<1*"}, {"@<2* @@>1*", "@<2* @@>1"}, {"@<2* @@<1*", "@<2* @@<1*"},
    {"@>2 @@>1", "@>2 @@<1*"},   {"@>2* @@>1*", "@>2 @@<1*"}, {"@>2 @@>1*", "@<2* @@>1"},
    {"@>2* @@>1", "@>2 @@<1*"},
};

static const struct example JOINED[] = {
    {"B@>2 @@<1", "@>2 B@@<1"},       {"@<2 B@@>1", "B@<2 @@>1"},
    {"B@<2 @@>1", "B@<2 @@>1"},       {"@>2 B@@<1", "@>2 B@@<1"},
    {"B@<2 @@<1", "B@<2 @@<1"},       {"@<2 B@@<1", "@<2 B@@<1"},
    {"B@>2<2 @@<1", "B@>2<2 @@<1"},   {"@<2 B@@>1<1", "@<2 B@@>1<1"},
    {"B@>2 @@>1<1*", "B@<2* @@>1<1"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Of what an interaction does, only the given variables are looked at. */
static void check(const struct example *examples, size_t count, uint32_t orientation,
                  const char *const *variables)
{
    struct rl_ring ring = test_ring("fj06-undirected", 2, 0);
    ring.params.value[rl_protocol_parameter(ring.protocol, "orientation")] = orientation;
    rl_state seen = 0;
    for (; *variables; variables++)
        for (size_t v = 0; v < ring.protocol->variable_count; v++) {
            const struct rl_variable *variable = &ring.protocol->variables[v];
            if (strcmp(variable->name, *variables) == 0)
                seen |= ((UINT64_C(1) << variable->width) - 1) << variable->shift;
        }
    for (size_t i = 0; i < count; i++) {
        test_fill(&ring, examples[i].before);
        rl_ring_interact(&ring, 0);
        for (uint32_t u = 0; u < 2; u++)
            rl_ring_set(&ring, u, rl_ring_get(&ring, u) & seen);
        if (strcmp(test_text(&ring), examples[i].after) != 0)
            fail_msg("%s became %s, not %s", examples[i].before, test_text(&ring),
                     examples[i].after);
    }
    test_done(&ring);
}

static void neighbours_of_one_colour_find_out(void **state)
{
    (void)state;
    static const char *const seen[] = {"colour", "marks", "coin", NULL};
    check(COLOURING, COUNT(COLOURING), 0, seen);
    check(COLOURING, COUNT(COLOURING), 1, seen);
}

static void agents_agree_on_a_direction(void **state)
{
    (void)state;
    static const char *const seen[] = {"colour", "ahead", "behind", "strong", NULL};
    check(AAF, COUNT(AAF), 0, seen);
    check(POR, COUNT(POR), 1, seen);
}

static void the_directed_protocol_meets_from_behind(void **state)
{
    (void)state;
    static const char *const seen[] = {"leader", "bullet", "shield", "colour",
                                       "ahead",  "behind", "strong", NULL};
    check(JOINED, COUNT(JOINED), 1, seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_of_one_colour_find_out),
        cmocka_unit_test(agents_agree_on_a_direction),
        cmocka_unit_test(the_directed_protocol_meets_from_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
