/* SPDX-License-Identifier: MIT
 *
 * Plots: axes, and one plot of everything, byte for byte and as a PDF.
 */
#include "test.h"

#include "picture.h"

#include <math.h>

TEST(an_axis_widens_to_its_values_and_a_logarithmic_one_ignores_the_rest)
{
    struct rl_plot_axis axis = {.low = 1, .high = 0};
    rl_plot_widen(&axis, (double[]){3, -2, NAN, 5}, 4);
    assert_near(axis.low, -2, 0);
    assert_near(axis.high, 5, 0);
    axis = (struct rl_plot_axis){.low = 1, .high = 0, .logarithmic = true};
    rl_plot_widen(&axis, (double[]){0, -2, INFINITY, 5, 7}, 5);
    assert_near(axis.low, 5, 0);
    assert_near(axis.high, 7, 0);
}

static double X[] = {10, 100, 1000}, Y[] = {30, 350, 2800}, LOW[] = {20, 300, 2500},
              HIGH[] = {45, 420, 3100};
static struct rl_plot_series SERIES[] = {
    {RL_PLOT_POINTS, 0, "points <&>", X, Y, LOW, HIGH, 3},
    {RL_PLOT_POINTS, 5, "hollow", X, HIGH, NULL, NULL, 3},
    {RL_PLOT_LINE, 1, "a line", X, Y, NULL, NULL, 3},
    {RL_PLOT_STAIRS, 2, "", X, LOW, NULL, NULL, 3},
    {RL_PLOT_POINTS, 2, "triangles", X, LOW, NULL, NULL, 2},
    {RL_PLOT_POINTS, 3, "diamonds", X, (double[]){25, 400, 2600}, NULL, NULL, 3},
};
static const struct rl_plot PLOT = {.title = "n against \"steps\"",
                                    .x = {"n (agents)", true, 10, 1000},
                                    .y = {"steps", true, 20, 3100},
                                    .series = SERIES,
                                    .count = 6};

TEST(a_plot_is_drawn_as_it_was)
{
    FREED(bytes) bytes = {0};
    assert_int_equal(rl_plot_draw(&PLOT, RL_PEN_SVG, put_bytes, &bytes), RL_OK);
    assert_golden(&bytes, "plot.svg");
}

/* In a figure as wide as a column of print. */
TEST(a_long_label_is_not_cut_off_at_its_end)
{
    struct bytes bytes = {0};
    struct rl_plot_series series = SERIES[0];
    struct rl_plot plot = PLOT;
    strcpy(series.label, "a protocol, N=n, from a start with a long name (observed, not proved)");
    strcpy(plot.y.label, "mean steps to the target (or observed) / claimed");
    plot.series = &series;
    plot.count = 1;
    plot.width = 240;
    assert_int_equal(rl_plot_draw(&plot, RL_PEN_SVG, put_bytes, &bytes), RL_OK);
    assert_true(put_bytes(&bytes, "", 1));
    const char *text = bytes.at, *turned = strstr(text, "rotate(-90 12 ");
    assert_non_null(strstr(text, " ... "));
    assert_non_null(strstr(text, "not proved)<"));
    assert_non_null(turned);
    /* Letters of 8 pt are half as wide: it takes so much above its middle. */
    assert_true(strtod(turned + strlen("rotate(-90 12 "), NULL) >= 4 * 48 / 2.0);
    free(bytes.at);
}

TEST(no_plot_is_narrower_than_160_points)
{
    FREED(bytes) bytes = {0};
    struct rl_plot plot = PLOT;
    plot.width = 100;
    assert_int_equal(rl_plot_draw(&plot, RL_PEN_SVG, put_bytes, &bytes), RL_OK);
    assert_true(put_bytes(&bytes, "", 1));
    assert_non_null(strstr(bytes.at, " width=\"160pt\""));
}

TEST(a_pdf_is_one_and_a_refused_one_is_said_to_be)
{
    FREED(bytes) bytes = {0};
    assert_int_equal(rl_plot_draw(&PLOT, RL_PEN_PDF, put_bytes, &bytes), RL_OK);
    assert_memory_equal(bytes.at, "%PDF-", 5);
    assert_int_equal(rl_plot_draw(&PLOT, RL_PEN_PDF, refuse_bytes, NULL), RL_IO);
}

/* The pieces of a text: raised ones behind a ^, lowered ones behind a _. */
static void assert_pieces(const char *text, const char *expected)
{
    char pieces[80] = "";
    for (struct rl_formula at = {.text = text, .next = text}; rl_formula_next(&at);)
        snprintf(pieces + strlen(pieces), sizeof pieces - strlen(pieces), "%s%.*s|",
                 at.level > 0   ? "^"
                 : at.level < 0 ? "_"
                                : "",
                 (int)at.length, at.piece);
    assert_string_equal(pieces, expected);
}

TEST(formulas_are_set_and_names_are_not)
{
    assert_pieces("", "");
    assert_pieces("mean steps to S_RL / n^2", "mean steps to S|_RL| / n|^2|");
    assert_pieces("Theta(n^1.5 log n).", "Θ|(n|^1.5| log n).|");
    assert_pieces("times n^3. 2·10^-6", "times n|^3|. 2·10|^-6|");
    assert_pieces("1.7^n; 2^(n/2)", "1.7|^n|; 2^(n/2)|");
    assert_pieces("my_file, 5_000, _x, a_, ^word", "my_file, 5_000, _x, a_, ^word|");
}
