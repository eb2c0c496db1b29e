/* SPDX-License-Identifier: MIT
 *
 * Plots as SVG, written directly: text stays text, and classes let a page colour it for light and
 * dark. Cairo's SVG has neither.
 */
#include "draw/plot_canvas.h"

static const char CSS_LIGHT[] =
    ".plot text{font:9px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#1a1a1a}"
    ".plot .l{fill:none;stroke-linejoin:round}"
    ".plot .i1{stroke:#444;fill:#444}.plot .i2{stroke:#ddd;fill:#ddd}"
    ".plot .s0{stroke:#0072b2;fill:#0072b2}.plot .s1{stroke:#d55e00;fill:#d55e00}"
    ".plot .s2{stroke:#009e73;fill:#009e73}.plot .s3{stroke:#cc79a7;fill:#cc79a7}"
    ".plot .s4{stroke:#e69f00;fill:#e69f00}.plot .s5{stroke:#56b4e9;fill:#56b4e9}"
    ".plot .s6{stroke:#000;fill:#000}.plot .s7{stroke:#b8a800;fill:#b8a800}"
    ".plot .o{fill:#fff}.plot .l{fill:none}";

/* Blue and black change most: they are dark themselves. */
static const char CSS_PAGE[] =
    ".plot text{font:9px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:var(--text)}"
    ".plot .i1{stroke:var(--soft);fill:var(--soft)}.plot .i2{stroke:var(--rule);fill:var(--rule)}"
    ".plot .s0{stroke:var(--s0);fill:var(--s0)}.plot .s1{stroke:var(--s1);fill:var(--s1)}"
    ".plot .s2{stroke:var(--s2);fill:var(--s2)}.plot .s3{stroke:var(--s3);fill:var(--s3)}"
    ".plot .s4{stroke:var(--s4);fill:var(--s4)}.plot .s5{stroke:var(--s5);fill:var(--s5)}"
    ".plot .s6{stroke:var(--s6);fill:var(--s6)}.plot .s7{stroke:var(--s7);fill:var(--s7)}"
    ".plot .o{fill:var(--paper)}.plot .l{fill:none;stroke-linejoin:round}"
    ":root{--paper:#fff;--text:#1a1a1a;--soft:#555;--rule:#ddd;--link:#0072b2;--s0:#0072b2;"
    "--s1:#d55e00;--s2:#009e73;--s3:#cc79a7;--s4:#e69f00;--s5:#56b4e9;--s6:#000;--s7:#b8a800}"
    "@media(prefers-color-scheme:dark){:root{--paper:#16191d;--text:#e8e8e8;--soft:#a8a8a8;"
    "--rule:#383d44;--link:#6cb8f0;--s0:#3d9be0;--s1:#f07a28;--s2:#1fbf92;--s3:#dc92ba;"
    "--s4:#efb02f;--s5:#86caf2;--s6:#f4f4f4;--s7:#e5da4a}}"
    "@media print{:root{--paper:#fff;--text:#1a1a1a;--soft:#555;--rule:#ddd;--s0:#0072b2;"
    "--s1:#d55e00;--s2:#009e73;--s3:#cc79a7;--s4:#e69f00;--s5:#56b4e9;--s6:#000;--s7:#b8a800}}";

const char *rl_plot_css(void)
{
    return CSS_PAGE;
}

static void write_escaped(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '<')
            fputs("&lt;", stream);
        else
            fputc(*text, stream);
    }
}

static void write_class(FILE *stream, int ink, const char *extra, const char *role)
{
    if (ink < INK_SERIES)
        fprintf(stream, "class=\"%si%d %s\"", extra, ink, role);
    else
        fprintf(stream, "class=\"%ss%d %s\"", extra, ink - INK_SERIES, role);
}

static void write_path(FILE *stream, const double *xy, size_t count)
{
    fputs(" d=\"", stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%c%.2f %.2f", i ? 'L' : 'M', xy[2 * i], xy[2 * i + 1]);
}

static void svg_line(void *self, int ink, double width, unsigned dash, const char *role,
                     const double *xy, size_t count)
{
    FILE *stream = self;
    const double *lengths;
    const size_t dashes = plot_dash(dash, &lengths);
    fputs("<path ", stream);
    write_class(stream, ink, "l ", role);
    fprintf(stream, " stroke-width=\"%.1f\"", width);
    for (size_t i = 0; i < dashes; i++)
        fprintf(stream, "%s%g%s", i ? " " : " stroke-dasharray=\"", lengths[i],
                i + 1 == dashes ? "\"" : "");
    write_path(stream, xy, count);
    fputs("\"/>\n", stream);
}

static void svg_shape(void *self, int ink, bool open, const char *role, const double *xy,
                      size_t count)
{
    FILE *stream = self;
    fputs("<path ", stream);
    write_class(stream, ink, open ? "o " : "", role);
    fprintf(stream, " stroke-width=\"%s\"", open ? "1.2" : "0.3");
    write_path(stream, xy, count);
    fputs("Z\"/>\n", stream);
}

static void svg_text(void *self, double x, double y, enum plot_anchor anchor, bool upright,
                     const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    FILE *stream = self;
    if (!text || !text[0])
        return;
    fprintf(stream, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\"", x, y, anchors[anchor]);
    if (upright)
        fprintf(stream, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    fputc('>', stream);
    write_escaped(stream, text);
    fputs("</text>\n", stream);
}

void rl_plot_svg(const struct rl_plot *plot, bool inside_page, FILE *stream)
{
    const struct plot_size size = plot_layout(plot);
    const struct plot_canvas canvas = {stream, svg_line, svg_shape, svg_text};
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" "
            "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f%s\" height=\"%.0f%s\">\n<title>",
            size.width, size.height, size.width, inside_page ? "" : "pt", size.height,
            inside_page ? "" : "pt");
    write_escaped(stream, plot->title);
    fputs("</title>\n", stream);
    if (!inside_page)
        fprintf(stream,
                "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                CSS_LIGHT);
    plot_draw(plot, &canvas);
    fputs("</svg>\n", stream);
}
