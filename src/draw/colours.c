/* SPDX-License-Identifier: MIT
 *
 * The colours of plots. Series have Okabe and Ito's (2008). Their yellow is too light for thin
 * lines on white, so it is darker and comes last. On dark paper, blue and black change most,
 * because they are dark themselves.
 */
#include "draw/colours.h"

#include "ringleader/picture.h"
#include "draw/inside.h"

const struct plot_colour PLOT_COLOURS[INK_COUNT] = {
    [INK_PAPER] = {"paper", 0xffffff, 0x16191d},
    [INK_TEXT] = {"text", 0x1a1a1a, 0xe8e8e8},
    [INK_AXIS] = {"soft", 0x444444, 0xa8a8a8},
    [INK_GRID] = {"rule", 0xdddddd, 0x383d44},
    [INK_LINK] = {"link", 0x0072b2, 0x6cb8f0},
    /* After Okabe and Ito, and Tol; in grey, too, each differs from the next. */
    [INK_SERIES] = {"s0", 0x0072b2, 0x3d9be0},
    {"s1", 0xe69f00, 0xefb02f},
    {"s2", 0x332288, 0xb0a4f2},
    {"s3", 0x56b4e9, 0x86caf2},
    {"s4", 0xd55e00, 0xf07a28},
    {"s5", 0xcc79a7, 0xdc92ba},
    {"s6", 0x009e73, 0x1fbf92},
    {"s7", 0xb8a800, 0xe5da4a},
};

static void write_variables(FILE *stream, const char *condition, bool dark)
{
    fprintf(stream, "%s:root{", condition);
    for (int i = 0; i < INK_COUNT; i++)
        fprintf(stream, "--%s:#%06x;", PLOT_COLOURS[i].name,
                dark ? PLOT_COLOURS[i].dark : PLOT_COLOURS[i].light);
    fputs(condition[0] ? "}}" : "}", stream);
}

void rl_plot_css(FILE *stream)
{
    write_variables(stream, "", false);
    write_variables(stream, "@media(prefers-color-scheme:dark){", true);
    write_variables(stream, "@media print{", false);
    for (int i = INK_AXIS; i < INK_COUNT; i++)
        fprintf(stream, ".plot .%s{stroke:var(--%s);fill:var(--%s)}", PLOT_COLOURS[i].name,
                PLOT_COLOURS[i].name, PLOT_COLOURS[i].name);
    fputs(".plot text{fill:var(--text)}.plot .line,.plot .paper{fill:none}"
          ".plot .hollow{fill:var(--paper)}",
          stream);
}
