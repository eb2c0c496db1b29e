/* SPDX-License-Identifier: MIT
 *
 * The layers of an undirected ring, line by line: every branch of colouring, of both orientations
 * and of what joins them to a directed protocol. With fj06 as that protocol, whose bullets (B) move
 * to the right and so show which way round two agents meet.
 */
#include "examples.h"

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

static void check(const struct example *examples, size_t count, uint32_t orientation,
                  const char *const *variables)
{
    FREED(rl_ring) ring = test_ring("fj06-undirected", 2, 0);
    ring.params.value[rl_protocol_parameter(ring.protocol, "orientation")] = orientation;
    check_examples(&ring, examples, count, variables);
}

TEST(neighbours_of_one_colour_find_out)
{
    static const char *const seen[] = {"colour", "marks", "coin", NULL};
    check(COLOURING, EXAMPLE_COUNT(COLOURING), 0, seen);
    check(COLOURING, EXAMPLE_COUNT(COLOURING), 1, seen);
}

TEST(agents_agree_on_a_direction)
{
    static const char *const seen[] = {"colour", "ahead", "behind", "strong", NULL};
    check(AAF, EXAMPLE_COUNT(AAF), 0, seen);
    check(POR, EXAMPLE_COUNT(POR), 1, seen);
}

TEST(the_directed_protocol_meets_from_behind)
{
    static const char *const seen[] = {"leader", "bullet", "shield", "colour",
                                       "ahead",  "behind", "strong", NULL};
    check(JOINED, EXAMPLE_COUNT(JOINED), 1, seen);
}
