/* SPDX-License-Identifier: MIT
 *
 * A program that uses the library in the locale of its environment, and writes what it makes into a
 * directory. Prints how the locale writes a half.
 *   locale DIRECTORY
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader.h"
#include "base/json.h"

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static bool put(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size;
}

static FILE *opened(const char *directory, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *stream = fopen(path, "w");
    require(stream != NULL, "a file cannot be written");
    return stream;
}

static void draw_ring(const char *directory)
{
    FILE *stream = opened(directory, "ring.svg");
    struct rl_random random;
    struct rl_ring ring = {.protocol = rl_protocol_named("prl"), .params = {.n = 9, .value = {9}}};
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    ring.agents = malloc(rl_ring_bytes(ring.protocol, 9));
    require(ring.agents && !rl_ring_start(&ring, "random", &random, NULL), "no ring");
    require(!rl_ringpicture_draw(&ring, "ring", RL_PEN_SVG, put, stream), "no picture");
    free(ring.agents);
    fclose(stream);
}

static void write_json(const char *directory)
{
    struct rl_json json = {.stream = opened(directory, "real.json")};
    rl_json_open(&json, NULL, '{');
    rl_json_real(&json, "half", 0.5);
    rl_json_close(&json, '}');
    fclose(json.stream);
}

static void study_and_report(const char *directory)
{
    char path[512];
    struct rl_error error = {0};
    struct rl_report report;
    bool finished;
    snprintf(path, sizeof path, "%s.db", directory);
    const struct rl_study_options options = {
        .path = path,
        .jobs = 1,
        .plan = "n = 8..40x1.5; trials = 60; until-error = 12.5%; max-steps = 100000"};
    require(!rl_study_run(&options, &finished, &error) && finished, error.text);
    const char *const paths[] = {path};
    require(!rl_report_load(&report, paths, 1, &error), error.text);
    require(
        !rl_report_write(&report, directory, &(struct rl_report_looks){"locale", 0}, NULL, &error),
        error.text);
    FILE *stream = opened(directory, "growth.json");
    rl_report_growth_json(&report, stream);
    fclose(stream);
    rl_report_free(&report);
}

int main(int argc, char **argv)
{
    require(argc == 2 && setlocale(LC_ALL, "") != NULL, "no such locale");
    study_and_report(argv[1]);
    draw_ring(argv[1]);
    write_json(argv[1]);
    printf("%.1f\n", 0.5);
    return 0;
}
