/* SPDX-License-Identifier: MIT
 *
 * ringleader draw: an execution as a space-time picture, or one configuration as a ring.
 */
#include "cli/election.h"

static const char *const SCALES[] = {"steps", "events", "log", NULL};

static const struct option OPTIONS[] = {
    {"FILE", NULL, VALUE_INPUT, NULL, .is_word = true,
     .not_with =
         "ring n N NAME undirected oracle start seed trial engine until max-steps schedule fault"},
    {"output", "FILE", VALUE_OUTPUT, "the picture; its name must end in .svg, .png or .pdf",
     .letter = 'o', .missing = "where to? give -o FILE.svg, FILE.png or FILE.pdf"},
    {"scale", "NAME", VALUE_CHOICE, "what goes down: steps (default), events, or log (log steps)",
     .choices = SCALES},
    {"dist", NULL, VALUE_NONE, "shade followers by their dist"},
    {"columns", "COUNT", VALUE_COUNT, "at most this many columns (default 1000 in a PNG, else 400)",
     .least = 2, .most = 20000},
    {"rows", "COUNT", VALUE_COUNT, "at most this many rows (same defaults)", .least = 2,
     .most = 20000},
    {"ring", "CONFIG", VALUE_START,
     "draw this configuration file (- is standard input, or the name of a start) instead of an "
     "execution",
     .not_with = "scale dist columns rows start engine until max-steps schedule fault"},
};

/* ---- pictures, also those of `elect --picture` ---- */

enum rl_pen_format format_of(const char *path)
{
    if (ends_in(path, ".svg"))
        return RL_PEN_SVG;
    if (ends_in(path, ".png"))
        return RL_PEN_PNG;
    if (!ends_in(path, ".pdf"))
        die(EXIT_REQUEST, "'%s': the name of a picture must end in .svg, .png or .pdf", path);
    return RL_PEN_PDF;
}

/* "prl, n = 100, N = 100, start random, seed 1" */
static void title_election(const struct election *election, char *memory, size_t size)
{
    const struct rl_experiment *experiment = &election->experiment;
    const struct rl_protocol *protocol = experiment->protocol;
    struct rl_text text = rl_text_into(memory, size);
    rl_text_format(&text, "%s, n = %s", protocol->name, grouped(experiment->params.n));
    for (size_t i = 0; i < protocol->parameter_count; i++)
        rl_text_format(&text, ", %s = %s", protocol->parameters[i].name,
                       parameter_text(&protocol->parameters[i], experiment->params.value[i]));
    rl_text_format(&text, ", start %s, seed %llu",
                   experiment->configuration ? "from a file" : experiment->start,
                   (unsigned long long)experiment->seed);
}

void write_picture(const struct election *election, struct rl_new_file *file,
                   enum rl_pen_format format)
{
    char title[160];
    title_election(election, title, sizeof title);
    check(rl_spacetime_draw(&election->picture, title, format, rl_new_file_put, file->stream),
          file->path);
}

/* ---- reading the request ---- */

static uint32_t read_limit(const struct arguments *arguments, const char *name,
                           enum rl_pen_format format)
{
    return (uint32_t)read_count(arguments, name, 0, format == RL_PEN_PNG ? 1000 : 400);
}

static enum rl_scale scale_of(const char *name)
{
    return !name || name[0] == 's' ? RL_SCALE_STEPS
           : name[0] == 'e'        ? RL_SCALE_EVENTS
                                   : RL_SCALE_LOG;
}

/* ---- drawing ---- */

static void draw_election(struct election *election, const struct arguments *arguments,
                          struct rl_new_file *file, enum rl_pen_format format)
{
    const struct rl_spacetime_options options = {.columns =
                                                     read_limit(arguments, "columns", format),
                                                 .rows = read_limit(arguments, "rows", format),
                                                 .scale = scale_of(argument(arguments, "scale")),
                                                 .dist = argument(arguments, "dist")};
    begin_election(election);
    picture_election(election, &options);
    finish_election(election);
    write_picture(election, file, format);
}

static void draw_ring(struct election *election, struct rl_new_file *file,
                      enum rl_pen_format format)
{
    char title[160];
    if (election->experiment.params.n > RL_RINGPICTURE_AGENTS)
        die(EXIT_REQUEST,
            "a ring of more than %s agents is too large to draw: draw an election in space and "
            "time",
            grouped(RL_RINGPICTURE_AGENTS));
    begin_election(election);
    title_election(election, title, sizeof title);
    check(rl_ringpicture_draw(&election->run.ring, title, format, rl_new_file_put, file->stream),
          NULL);
}

static int run_draw(struct arguments *arguments)
{
    const enum rl_pen_format format = format_of(argument(arguments, "output"));
    const char *ring = argument(arguments, "ring"), *trace = argument(arguments, "FILE");
    if (trace)
        check_own_only(arguments);
    /* A ring is what an election from there would start with. */
    for (size_t i = 0; i < arguments->count; i++)
        if (strcmp(arguments->given[i].name, "ring") == 0)
            arguments->given[i].name = "start";
    struct election *election = trace ? read_execution(trace, false) : read_election(arguments);
    struct rl_new_file *file = new_file(argument(arguments, "output"));
    if (ring)
        draw_ring(election, file, format);
    else
        draw_election(election, arguments, file, format);
    keep_files();
    return EXIT_DONE;
}

const struct command command_draw = {
    .name = "draw",
    .summary = "draw an execution in space and time, or a configuration as a ring",
    .usage = "ringleader draw -n COUNT [options] -o FILE     an election\n"
             "ringleader draw FILE -o FILE                   what `elect --trace` wrote\n"
             "ringleader draw --ring CONFIG -n COUNT -o FILE one configuration",
    .about = "Agents across, steps down. Rings of any size and executions of any length fit: if "
             "there are too many rows or columns, they are sampled. A cell shows a leader if one "
             "of its agents led at any of its steps.",
    .groups = {GROUP(OPTIONS), &ring_options, &election_options},
    .status = "0 drawn, 1 interrupted, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader draw -n 2000 --start leaders -o leaders.png\n"
                "  ringleader draw -n 40 --start safe --fault 20@2000 --dist -o healing.svg\n"
                "  echo '0LBs 1B 2 3! 0L 1! 2!' | ringleader draw --ring - -n 7 -o ring.svg\n",
    .run = run_draw,
};
