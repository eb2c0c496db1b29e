/* SPDX-License-Identifier: MIT
 *
 * Space-time pictures: nothing that leads is lost by sampling, and the files are what they should
 * be. The golden picture is made by
 *     ringleader draw -n 6 --start opposite --seed 3 --fault 3@20 --dist -o FILE.svg
 * (see tests/golden/pictures); look at it before you bless it.
 */
#include "picture.h"
#include "draw/inside.h"

static void start_run(struct rl_run *run, uint32_t n, const char *start, uint64_t seed)
{
    struct rl_experiment options = test_options("prl", n, n, start);
    options.seed = seed;
    assert_int_equal(rl_run_init(run, &options, NULL), RL_OK);
}

/* ---- an oracle: who led when, kept in full ---- */

struct reign {
    uint32_t agent;
    uint64_t from, to; /* steps; both ends are inside */
};

struct chronicle {
    struct reign reigns[20000];
    size_t count;
    int64_t open[512]; /* index of the reign that goes on, or -1 */
};

static void begin_reign(struct chronicle *chronicle, uint32_t agent, uint64_t step)
{
    assert_true(chronicle->count < 20000);
    chronicle->open[agent] = (int64_t)chronicle->count;
    chronicle->reigns[chronicle->count++] = (struct reign){agent, step, RL_NEVER};
}

static void watch_agent(struct chronicle *chronicle, const struct rl_run *run, uint32_t agent,
                        uint64_t step)
{
    const bool leads = run->ring.protocol->leads(rl_ring_get(&run->ring, agent));
    if (leads && chronicle->open[agent] < 0)
        begin_reign(chronicle, agent, step);
    if (!leads && chronicle->open[agent] >= 0) {
        chronicle->reigns[chronicle->open[agent]].to = step - 1;
        chronicle->open[agent] = -1;
    }
}

static void chronicle_began(void *user, struct rl_run *run)
{
    struct chronicle *chronicle = user;
    for (uint32_t i = 0; i < run->ring.params.n; i++) {
        chronicle->open[i] = -1;
        watch_agent(chronicle, run, i, 0);
    }
}

static void chronicle_batch(void *user, struct rl_run *run)
{
    for (size_t i = 0; i < run->batch.count; i++) {
        rl_batch_seek(&run->batch, &run->ring, i + 1);
        const struct rl_event *event = &run->batch.events[i];
        watch_agent(user, run, rl_ring_initiator(&run->ring, event->arc), event->step);
        watch_agent(user, run, rl_ring_responder(&run->ring, event->arc), event->step);
    }
    rl_batch_seek(&run->batch, &run->ring, run->batch.count);
}

/* Did an agent of the column lead at some step of the row? */
static bool somebody_led(const struct chronicle *chronicle, const struct rl_spacetime *picture,
                         size_t row, uint32_t column)
{
    const uint64_t from = picture->at[row];
    const uint64_t to = row + 1 < picture->rows ? picture->at[row + 1] - 1 : RL_NEVER;
    for (size_t i = 0; i < chronicle->count; i++) {
        const struct reign *reign = &chronicle->reigns[i];
        if ((uint64_t)reign->agent * picture->columns / picture->params.n == column &&
            reign->from <= to && reign->to >= from)
            return true;
    }
    return false;
}

static void check_sampling(uint32_t n, const char *start,
                           const struct rl_spacetime_options *options)
{
    FREED(rl_run) run;
    FREED(rl_spacetime) picture;
    static struct chronicle chronicle;
    chronicle = (struct chronicle){0};
    start_run(&run, n, start, 5);
    assert_int_equal(rl_spacetime_init(&picture, &run.ring, options), RL_OK);
    rl_spacetime_watch(&picture, &run);
    rl_run_observe(&run, (struct rl_observer){.user = &chronicle,
                                              .began = chronicle_began,
                                              .batch = chronicle_batch});
    test_finish(&run);
    rl_spacetime_end(&picture, run.step, run.events);
    assert_true(picture.rows <= options->rows && picture.rows >= options->rows / 2);
    assert_true(picture.columns <= options->columns);
    for (size_t row = 0; row < picture.rows; row++)
        for (uint32_t c = 0; c < picture.columns; c++) {
            const bool shown = picture.cells[row * picture.columns + c] & RL_MARK_LEADER;
            if (shown != somebody_led(&chronicle, &picture, row, c))
                fail_msg("row %zu (step %llu), column %u: shown %d", row,
                         (unsigned long long)picture.at[row], c, shown);
        }
}

TEST(a_cell_shows_a_leader_if_and_only_if_one_led_there)
{
    check_sampling(
        200, "random",
        &(struct rl_spacetime_options){.scale = RL_SCALE_STEPS, .columns = 13, .rows = 16});
    check_sampling(
        200, "leaders",
        &(struct rl_spacetime_options){.scale = RL_SCALE_LOG, .columns = 50, .rows = 40});
    check_sampling(
        60, "leaderless",
        &(struct rl_spacetime_options){.scale = RL_SCALE_STEPS, .columns = 60, .rows = 64});
}

TEST(rows_of_an_event_picture_count_events)
{
    FREED(rl_run) run;
    FREED(rl_spacetime) picture;
    const struct rl_spacetime_options options = {.scale = RL_SCALE_EVENTS, .rows = 100};
    start_run(&run, 30, "random", 2);
    assert_int_equal(rl_spacetime_init(&picture, &run.ring, &options), RL_OK);
    rl_spacetime_watch(&picture, &run);
    test_finish(&run);
    rl_spacetime_end(&picture, run.step, run.events);
    assert_int_equal(picture.end, run.events);
    assert_true(picture.at[picture.rows - 1] <= run.events);
    assert_int_equal(picture.note_count, 3);
    assert_string_equal(picture.notes[2].label, "S_RL");
    assert_int_equal(picture.notes[2].at, run.events);
}

TEST(no_more_is_noted_than_there_is_room_for)
{
    FREED(rl_ring) ring = test_ring("prl", 5, 5);
    FREED(rl_spacetime) picture;
    const struct rl_spacetime_options options = {.rows = 100};
    assert_int_equal(rl_spacetime_init(&picture, &ring, &options), RL_OK);
    for (uint32_t i = 0; i < RL_SPACETIME_NOTES + 5; i++)
        rl_spacetime_note(&picture, i, true, "a fault");
    assert_int_equal(picture.note_count, RL_SPACETIME_NOTES);
    assert_int_equal(picture.notes[RL_SPACETIME_NOTES - 1].at, RL_SPACETIME_NOTES - 1);
}

/* ---- files ---- */

static void draw_golden(enum rl_pen_format format, struct bytes *bytes)
{
    FREED(rl_run) run;
    FREED(rl_spacetime) picture;
    const struct rl_fault fault = {.step = 20, .agents = 3};
    struct rl_experiment options = test_options("prl", 6, 6, "opposite");
    options.seed = 3;
    options.faults = &fault;
    options.fault_count = 1;
    const struct rl_spacetime_options how = {.dist = true, .columns = 400, .rows = 400};
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    assert_int_equal(rl_spacetime_init(&picture, &run.ring, &how), RL_OK);
    rl_spacetime_watch(&picture, &run);
    test_finish(&run);
    rl_spacetime_end(&picture, run.step, run.events);
    assert_int_equal(rl_spacetime_draw(&picture, "prl, n = 6, N = 6, start opposite, seed 3",
                                       format, bytes ? put_bytes : refuse_bytes, bytes),
                     bytes ? RL_OK : RL_IO);
}

TEST(a_small_execution_is_drawn_as_blessed)
{
    FREED(bytes) bytes = {0};
    draw_golden(RL_PEN_SVG, &bytes);
    assert_golden(&bytes, "spacetime.svg");
}

TEST(axes_have_room_for_a_long_count_and_round_steps)
{
    FREED(bytes) bytes = {0};
    FREED(rl_ring) ring = test_ring("prl", 40, 40);
    FREED(rl_spacetime) picture;
    const struct rl_spacetime_options options = {.rows = 100};
    assert_int_equal(rl_spacetime_init(&picture, &ring, &options), RL_OK);
    rl_spacetime_end(&picture, 10, 10);
    picture.at[picture.rows - 1] = 123456789; /* 11 letters */
    assert_int_equal(rl_spacetime_draw(&picture, "", RL_PEN_SVG, put_bytes, &bytes), RL_OK);
    put_bytes(&bytes, "", 1);
    assert_non_null(strstr(bytes.at, "<rect x=\"96.6\" y=\"62\""));
    assert_non_null(strstr(bytes.at, ">35</tspan>")); /* u_0, u_5, ... u_35 */
}

TEST(the_png_has_its_size_and_all_its_colours)
{
    FREED(bytes) bytes = {0};
    draw_golden(RL_PEN_PNG, &bytes);
    cairo_surface_t *surface = read_png(&bytes);
    assert_int_equal(cairo_image_surface_get_width(surface), 640);
    assert_in_range(cairo_image_surface_get_height(surface), 300, 800);
    const uint32_t colours[] = {COLOUR_LEADER, COLOUR_SHIELD, COLOUR_LIVE, COLOUR_DUMMY,
                                COLOUR_FAINT_SIGNAL};
    for (size_t i = 0; i < 5; i++)
        assert_true(count_pixels(surface, colours[i]) > 100);
    cairo_surface_destroy(surface);
}

/* The lowest line of a PNG with ink on it, of a text whose base is line 30. */
static int lowest(const char *text)
{
    FREED(bytes) bytes = {0};
    struct rl_pen pen;
    rl_pen_open(&pen, RL_PEN_PNG, 120, 60, NULL);
    rl_pen_rect(&pen, 0, 0, 120, 60, 0xffffff);
    rl_pen_text(&pen, 10, 30, RL_PEN_LEFT, 20, false, 0, text);
    assert_int_equal(rl_pen_close(&pen, put_bytes, &bytes), RL_OK);
    cairo_surface_t *surface = read_png(&bytes);
    const int width = cairo_image_surface_get_width(surface);
    const uint32_t *pixels = (const uint32_t *)cairo_image_surface_get_data(surface);
    int at = cairo_image_surface_get_height(surface) * width;
    while (at > 0 && (pixels[at - 1] & 0xffffff) == 0xffffff)
        at--;
    cairo_surface_destroy(surface);
    return at / width;
}

TEST(an_index_stands_below_the_line)
{
    assert_in_range(lowest("SRL"), 25, 70);
    assert_true(lowest("S_RL") > lowest("SRL") + 2);
    assert_int_equal(lowest("E^2"), lowest("E"));
}

TEST(a_file_that_cannot_be_written_is_reported)
{
    draw_golden(RL_PEN_SVG, NULL);
    draw_golden(RL_PEN_PNG, NULL);
    struct rl_pen pen;
    rl_pen_open(&pen, RL_PEN_PNG, 40000, 10, NULL); /* more than Cairo's images have */
    assert_int_equal(rl_pen_close(&pen, refuse_bytes, NULL), RL_NO_MEMORY);
}
