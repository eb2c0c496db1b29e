/* SPDX-License-Identifier: MIT
 *
 * ringleader page: makes the page with the user's own protocol on it.
 */
#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"protocol", "FILE.c", VALUE_INPUT, "the protocol file, such as ringleader new writes",
     .letter = 'p',
     .missing = "which protocol? give its file: ringleader page -p FILE.c -o FILE.html"},
    {"output", "FILE.html", VALUE_OUTPUT,
     "the page, as one file that needs no others; - is standard output", .letter = 'o',
     .missing = "where to? ringleader page -p FILE.c -o FILE.html"},
};

static void free_page(void *page)
{
    rl_own_page_free(page);
}

static int run_page(struct arguments *arguments)
{
    const struct rl_own_tools tools = own_tools();
    const char *path = argument(arguments, "output"), *own = argument(arguments, "protocol");
    struct rl_new_file *file = new_file(path);
    struct rl_own_page *page = claim(sizeof *page, free_page);
    const enum rl_status status = rl_own_page_make(page, load_protocol(own), &tools, why());
    if (status && page->messages)
        fputs(page->messages, stderr);
    check(status, NULL);
    fwrite(page->html, 1, page->size, file->stream);
    keep_files();
    if (path[0] != '-')
        printf("%s: %s bytes; open it in a browser\n", path, grouped(page->size));
    return EXIT_DONE;
}

const struct command command_page = {
    .name = "page",
    .summary = "make the page for a browser, with your own protocol on it",
    .usage = "ringleader page -p FILE.c -o FILE.html",
    .about =
        "Makes a copy of the page with your protocol added to ours. The page shows yours first, "
        "with its variables, its log in words, its rule and links. The file is compiled to "
        "WebAssembly, so you need clang and lld. The page is one file and needs nothing else.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 written, 2 the request or the protocol was wrong, 3 something outside failed: "
              "clang or lld is missing, the page was not built.",
    .examples = "  ringleader page -p ripple.c -o ripple.html\n"
                "  ringleader page -p ripple.c -o - >/srv/www/ripple.html\n",
    .run = run_page,
};
