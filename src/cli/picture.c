/* SPDX-License-Identifier: MIT
 *
 * What elect and draw share of pictures: formats, titles, writing the file.
 */
#include <string.h>

#include "cli/election.h"

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

void choose_format(const char *path, enum rl_pen_format *format_out)
{
    if (ends_in(path, ".svg"))
        *format_out = RL_PEN_SVG;
    else if (ends_in(path, ".png"))
        *format_out = RL_PEN_PNG;
    else if (ends_in(path, ".pdf"))
        *format_out = RL_PEN_PDF;
    else
        die(EXIT_REQUEST, "'%s': a picture's name ends in .svg, .png or .pdf", path);
}

void title_election(const struct election *election, char *memory, size_t size)
{
    const struct rl_protocol *protocol = election->options.protocol;
    struct rl_text text = rl_text_into(memory, size);
    rl_text_format(&text, "%s, n = %s", protocol->name, grouped(election->options.params.n));
    for (size_t i = 0; i < protocol->parameter_count; i++)
        rl_text_format(&text, ", %s = %s", protocol->parameters[i].name,
                       parameter_text(&protocol->parameters[i], election->options.params.value[i]));
    rl_text_format(&text, ", start %s, seed %llu",
                   election->start_is_file ? "from a file" : election->start,
                   (unsigned long long)election->options.seed);
}

void write_picture(const struct election *election, struct rl_new_file *file,
                   enum rl_pen_format format)
{
    char title[160];
    title_election(election, title, sizeof title);
    check(rl_spacetime_draw(&election->picture, title, format, rl_new_file_put, file->stream), NULL,
          file->path);
}
