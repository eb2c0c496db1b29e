/* SPDX-License-Identifier: MIT
 *
 * A configuration as a ring. The golden picture is made by
 *     echo '0LBs 1B 2b 3! 0L 1! 2!' | ringleader draw --ring - -n 7 -o FILE.svg
 */
#include "picture.h"
#include "core/inside.h"

static void draw_golden(enum rl_pen_format format, struct bytes *bytes)
{
    FREED(rl_ring) ring = test_ring("prl", 7, 7);
    test_fill(&ring, "0LBs 1B 2b 3! 0L 1! 2!");
    assert_int_equal(rl_ringpicture_draw(&ring, "prl, n = 7, N = 7, start from a file, seed 1",
                                         format, put_bytes, bytes),
                     RL_OK);
}

TEST(a_ring_is_drawn_as_blessed)
{
    FREED(bytes) bytes = {0};
    draw_golden(RL_PEN_SVG, &bytes);
    assert_golden(&bytes, "ring.svg");
}

TEST(the_png_of_a_ring_has_its_size_and_colours)
{
    FREED(bytes) bytes = {0};
    draw_golden(RL_PEN_PNG, &bytes);
    cairo_surface_t *surface = read_png(&bytes);
    assert_int_equal(cairo_image_surface_get_width(surface), 528);
    assert_true(count_pixels(surface, COLOUR_LEADER) > 800);
    assert_true(count_pixels(surface, COLOUR_SHIELD) > 100);
    assert_true(count_pixels(surface, COLOUR_LIVE) > 100);
    cairo_surface_destroy(surface);
}

/* The longest there is: of an undirected ring. The margin on its right stays empty. */
TEST(a_long_title_fits)
{
    FREED(bytes) bytes = {0};
    FREED(rl_ring) ring = test_ring("prl", 7, 7);
    const char *title = "ppl-undirected, n = 1,000,000, psi = 20, kmax = 80, orientation = aaf, "
                        "start oriented, seed 12345678";
    assert_int_equal(rl_ringpicture_draw(&ring, title, RL_PEN_PNG, put_bytes, &bytes), RL_OK);
    cairo_surface_t *surface = read_png(&bytes);
    const int width = cairo_image_surface_get_width(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    const unsigned char *data = cairo_image_surface_get_data(surface);
    for (int y = 0; y < 40; y++)
        for (int x = width - 8; x < width; x++)
            assert_memory_equal(data + y * stride + 4 * x, data, 3);
    cairo_surface_destroy(surface);
}

TEST(the_last_agent_stands_beside_the_first)
{
    FREED(rl_ring) ring = test_ring("prl", 5000, 5000);
    FREED(bytes) bytes = {0};
    rl_ring_set(&ring, 4999, rl_look_crowned(ring.protocol, &ring.params, 0, true));
    assert_int_equal(rl_ringpicture_draw(&ring, "", RL_PEN_PNG, put_bytes, &bytes), RL_OK);
    cairo_surface_t *surface = read_png(&bytes);
    const int middle = cairo_image_surface_get_width(surface) / 2;
    const uint32_t *pixels = (const uint32_t *)cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface) / 4;
    bool crowned = false;
    for (int y = 40; y < 120; y++)
        for (int x = middle - 4; x <= middle + 4; x++)
            crowned |= (pixels[y * stride + x] & 0xffffff) == COLOUR_LEADER;
    assert_true(crowned);
    cairo_surface_destroy(surface);
}

/* A ring whose agents all take `left` for their right, with a bullet and a signal at the top. */
static char *draw_oriented(bool left)
{
    FREED(rl_ring) ring = test_oriented("prl-undirected", 7, left);
    const struct rl_look look = rl_look_of(ring.protocol);
    struct bytes bytes = {0};
    const rl_state with_signal = rl_variable_set(look.signal, rl_ring_get(&ring, 0), 1);
    rl_ring_set(&ring, 0, rl_variable_set(look.bullet, with_signal, 2));
    assert_int_equal(rl_ringpicture_draw(&ring, "", RL_PEN_SVG, put_bytes, &bytes), RL_OK);
    put_bytes(&bytes, "", 1);
    return bytes.at;
}

/* The bullet's path begins at its back, the signal's after it at its tip; the middle is at 264. */
TEST(bullets_and_signals_point_the_way_that_agents_chose)
{
    for (int left = 0; left <= 1; left++) {
        char *svg = draw_oriented(left);
        double bullet, signal;
        const char *path = strstr(svg, "<path d=");
        assert_int_equal(sscanf(path, "<path d=\"M%lf", &bullet), 1);
        assert_int_equal(sscanf(strstr(path + 1, "<path d="), "<path d=\"M%lf", &signal), 1);
        assert_near(bullet, left ? 272 : 256, 0.01);
        assert_true(left ? signal > 264 : signal < 264);
        free(svg);
    }
}
