/* SPDX-License-Identifier: MIT
 *
 * The page with one more protocol. The page is one HTML file that contains our C as WebAssembly in
 * base64. Beside it is the same C as an object before the last link. It is linked again with the
 * user's file, compiled the same way, and the new module replaces the old one. Nothing else of the
 * page changes: the module tells it which protocols there are.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own/parts.h"

/* Of a text that is shown in the page. */
enum { MOST_SHOWN = 100000, MOST_PAGE = 64 << 20, BASE64 = sodium_base64_VARIANT_ORIGINAL };

/* Every WebAssembly module begins with these bytes, here in base64. */
static const char BEGIN[] = "AGFzbQEAAA";

/* ---- compiling ---- */

static const char NO_TOOLS[] = "a page needs clang and lld: '%s' cannot be run; install both (on "
                               "Debian: apt install clang lld)";

static enum rl_status compile(struct making *making, const struct rl_protocol *protocol)
{
    struct command *command = &making->command;
    char macro[2 * PATH];
    command_add_words(command, "clang --target=wasm32 -ffreestanding -fno-builtin -std=gnu11 -O3 "
                               "-ffp-contract=off -mbulk-memory -w "
                               "-Werror=implicit-function-declaration -Werror=return-type");
    snprintf(macro, sizeof macro, "-DOWN_TEXT=\"%s\"", making->file[TEXT]);
    command_add(command, "", macro);
    snprintf(macro, sizeof macro, "-DOWN_HASH=\"%s\"", protocol->hash);
    command_add(command, "", macro);
    snprintf(macro, sizeof macro, "-isystem%s/libc", making->places.page);
    command_add(command, "", macro);
    making->with_n = !protocol->without_n;
    making->for_page = true;
    own_making_add(making, "/simulate/own_page.c");
    command_add(command, "", "-c");
    command_add(command, "-o", making->file[OBJECT]);
    return own_making_run(making, "/dev/null", NO_TOOLS);
}

static enum rl_status join(struct making *making)
{
    struct command *command = &making->command;
    *command = (struct command){0};
    command_add_words(command, "wasm-ld --no-entry --gc-sections --strip-all -z stack-size=131072");
    command_add(command, making->places.page, "/ringleader.o");
    command_add(command, "", making->file[OBJECT]);
    command_add(command, "-o", making->file[MODULE]);
    return own_making_run(making, "/dev/null", NO_TOOLS);
}

/* The text as an array of C. */
static bool write_text(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");
    if (!stream)
        return false;
    fputs("static const char own_text[] = {", stream);
    for (const char *at = text; *at; at++)
        fprintf(stream, "%d,\n", (signed char)*at);
    fputs("0};\n", stream);
    const bool failed = ferror(stream);
    return fclose(stream) == 0 && !failed;
}

/* ---- the page ---- */

/* The page with this module instead of its own. */
static bool splice(const char *html, const char *module, size_t size, struct rl_own_page *page)
{
    const char *begin = strstr(html, BEGIN);
    if (!begin)
        return false;
    const char *rest = begin + strspn(begin, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                             "0123456789+/=");
    const size_t front = (size_t)(begin - html);
    const size_t room = sodium_base64_encoded_len(size, BASE64); /* with a zero at its end */
    page->size = front + room - 1 + strlen(rest);
    page->html = malloc(page->size + 1);
    if (!page->html)
        return false;
    memcpy(page->html, html, front);
    sodium_bin2base64(page->html + front, room, (const unsigned char *)module, size, BASE64);
    strcpy(page->html + front + room - 1, rest);
    return true;
}

static enum rl_status pack(const struct making *making, struct rl_own_page *page)
{
    char name[PATH + 40], *html = NULL, *module = NULL;
    size_t size;
    snprintf(name, sizeof name, "%s/ringleader.html", making->places.page);
    const bool done = !own_read(name, MOST_PAGE, &html, &size, NULL) &&
                      !own_read(making->file[MODULE], MOST_PAGE, &module, &size, NULL) &&
                      splice(html, module, size, page);
    free(html);
    free(module);
    return done ? RL_OK
                : rl_error_set(making->error, RL_IO, "%s is not a page of this program", name);
}

/* ---- all of it ---- */

static enum rl_status make(struct making *making, const struct rl_protocol *protocol,
                           struct rl_own_page *page)
{
    const char *file = making->file[TEXT];
    char ours[PATH + 40];
    snprintf(ours, sizeof ours, "%s/ringleader.o", making->places.page);
    if (access(ours, R_OK) != 0)
        return rl_error_set(making->error, RL_IO,
                            "the page for %s was not built: run make web before make install",
                            making->path);
    if (strlen(protocol->text) > MOST_SHOWN)
        return own_refuse(making->path, making->error,
                          "it has more than 100,000 bytes, which is too much for a page");
    enum rl_status status = write_text(file, protocol->text)
                                ? RL_OK
                                : rl_error_set(making->error, RL_IO, "%s cannot be written", file);
    if (!status)
        status = compile(making, protocol);
    if (!status)
        status = join(making);
    return status ? status : pack(making, page);
}

enum rl_status rl_own_page_make(struct rl_own_page *page, const struct rl_protocol *protocol,
                                const struct rl_own_tools *tools, struct rl_error *error)
{
    /* Nothing of it is kept. */
    const struct rl_own_tools uncached = {.temporary = tools->temporary};
    struct making making;
    *page = (struct rl_own_page){0};
    enum rl_status status = own_making_init(&making, protocol->path, &uncached, error);
    if (!status)
        status = make(&making, protocol, page);
    page->messages = making.messages;
    making.messages = NULL;
    own_making_free(&making);
    return status;
}

void rl_own_page_free(struct rl_own_page *page)
{
    free(page->html);
    free(page->messages);
    *page = (struct rl_own_page){0};
}
