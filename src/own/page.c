/* SPDX-License-Identifier: MIT
 *
 * The page with one protocol more. The page is one HTML file in which our C stands as WebAssembly
 * in base64; beside it lies that C as an object before the last link. With the user's file compiled
 * the same way it is linked again, and the new module takes the place of the old one. Nothing else
 * of the page changes: it learns from the module which protocols there are.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own/command.h"
#include "own/parts.h"
#include "own/inside.h"

/* Of a text that is shown in the page. */
enum { MOST_SHOWN = 100000, MOST_PAGE = 64 << 20 };

/* Every WebAssembly module begins with these bytes, here in base64. */
static const char BEGIN[] = "AGFzbQEAAA";

struct bench {
    const struct rl_protocol *protocol;
    const char *path;
    struct rl_own_places places;
    struct command command;
    char libc[PATH + 40]; /* the page's: its headers */
    char directory[PATH]; /* with these in it: */
    char text[PATH + 40], object[PATH + 40], module[PATH + 40], errors[PATH + 40];
};

/* ---- compiling --------------------------------------------------------------------------------
 */

static enum rl_status say_failure(const struct bench *bench, int ended, char **messages_out,
                                  struct rl_error *error)
{
    size_t size;
    if (ended == NOT_RUN)
        return rl_error_set(error, RL_IO,
                            "a page needs clang and lld: '%s' cannot be run; install both (on "
                            "Debian: apt install clang lld)",
                            bench->command.word[0]);
    (void)own_read(bench->errors, MOST_TEXT, messages_out, &size); /* or the next line must do */
    return rl_error_set(error, RL_BAD_PROTOCOL, "%s does not become WebAssembly with %s",
                        bench->path, bench->command.word[0]);
}

static enum rl_status run(struct bench *bench, char **messages_out, struct rl_error *error)
{
    const int ended = command_run(&bench->command, "/dev/null", bench->errors);
    return ended == 0 ? RL_OK : say_failure(bench, ended, messages_out, error);
}

static enum rl_status compile(struct bench *bench, char **messages_out, struct rl_error *error)
{
    struct command *command = &bench->command;
    char macro[2 * PATH];
    *command = (struct command){0};
    command_add_words(command, "clang --target=wasm32 -ffreestanding -fno-builtin -std=gnu11 -O3 "
                               "-ffp-contract=off -mbulk-memory -w "
                               "-Werror=implicit-function-declaration -Werror=return-type");
    command_add_file(command, bench->path);
    if (!bench->protocol->without_n)
        command_add(command, "", WITH_N);
    snprintf(macro, sizeof macro, "-DOWN_TEXT=\"%s\"", bench->text);
    command_add(command, "", macro);
    snprintf(macro, sizeof macro, "-DOWN_HASH=\"%s\"", bench->protocol->hash);
    command_add(command, "", macro);
    command_add(command, "-isystem", bench->libc);
    command_add(command, "-I", bench->places.headers);
    command_add(command, "-I", bench->places.sources);
    command_add(command, "", "-c");
    command_add(command, bench->places.sources, "/simulate/own_page.c");
    command_add(command, "-o", bench->object);
    return run(bench, messages_out, error);
}

static enum rl_status join(struct bench *bench, char **messages_out, struct rl_error *error)
{
    struct command *command = &bench->command;
    *command = (struct command){0};
    command_add_words(command, "wasm-ld --no-entry --gc-sections --strip-all -z stack-size=131072");
    command_add(command, bench->places.page, "/ringleader.o");
    command_add(command, "", bench->object);
    command_add(command, "-o", bench->module);
    return run(bench, messages_out, error);
}

/* The text as a string of C, a line each. */
static bool write_text(const struct bench *bench)
{
    FILE *stream = fopen(bench->text, "w");
    if (!stream)
        return false;
    fputs("static const char own_text[] = \"", stream);
    for (const char *at = bench->protocol->text; *at; at++)
        if (*at == '\n')
            fputs("\\n\"\n\"", stream);
        else
            fprintf(stream, strchr("\"\\?", *at) || (unsigned char)*at < ' ' ? "\\%03o" : "%c",
                    (unsigned char)*at);
    fputs("\";\n", stream);
    const bool failed = ferror(stream);
    return fclose(stream) == 0 && !failed;
}

/* ---- the page ---------------------------------------------------------------------------------
 */

static void print_base64(const char *bytes, size_t size, FILE *stream)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *at = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t word = (uint32_t)at[i] << 16 |
                              (i + 1 < size ? (uint32_t)at[i + 1] << 8 : 0) |
                              (i + 2 < size ? at[i + 2] : 0);
        fputc(DIGITS[word >> 18], stream);
        fputc(DIGITS[word >> 12 & 63], stream);
        fputc(i + 1 < size ? DIGITS[word >> 6 & 63] : '=', stream);
        fputc(i + 2 < size ? DIGITS[word & 63] : '=', stream);
    }
}

/* The page with this module instead of its own. */
static bool splice(const char *html, const char *module, size_t size, struct rl_own_page *page)
{
    const char *begin = strstr(html, BEGIN);
    FILE *stream = begin ? open_memstream(&page->html, &page->size) : NULL;
    if (!stream)
        return false;
    fwrite(html, 1, (size_t)(begin - html), stream);
    print_base64(module, size, stream);
    fputs(begin +
              strspn(begin, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
          stream);
    const bool failed = ferror(stream);
    return fclose(stream) == 0 && !failed;
}

static enum rl_status pack(const struct bench *bench, struct rl_own_page *page,
                           struct rl_error *error)
{
    char name[PATH + 40], *html = NULL, *module = NULL;
    size_t size;
    snprintf(name, sizeof name, "%s/ringleader.html", bench->places.page);
    const bool done = !own_read(name, MOST_PAGE, &html, &size) &&
                      !own_read(bench->module, MOST_PAGE, &module, &size) &&
                      splice(html, module, size, page);
    free(html);
    free(module);
    return done ? RL_OK : rl_error_set(error, RL_IO, "%s is no page of this program", name);
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static enum rl_status prepare(struct bench *bench, const struct rl_own_tools *tools,
                              struct rl_error *error)
{
    if (!rl_own_find(&bench->places) || !rl_own_find_page(&bench->places))
        return rl_error_set(error, RL_IO,
                            "the page that %s would be put into was not built: make web, before "
                            "make install",
                            bench->path);
    if (strlen(bench->protocol->text) > MOST_SHOWN)
        return own_refuse(bench->path, "it has more than 100,000 bytes, too many for a page",
                          error);
    snprintf(bench->directory, PATH, "%.4000s/work.XXXXXX",
             tools->temporary ? tools->temporary : "/tmp");
    if (!mkdtemp(bench->directory))
        return rl_error_set(error, RL_IO, "there is no place to compile %s in: %s", bench->path,
                            bench->directory);
    snprintf(bench->libc, sizeof bench->libc, "%s/libc", bench->places.page);
    snprintf(bench->text, sizeof bench->text, "%s/text", bench->directory);
    snprintf(bench->object, sizeof bench->object, "%s/own.o", bench->directory);
    snprintf(bench->module, sizeof bench->module, "%s/module", bench->directory);
    snprintf(bench->errors, sizeof bench->errors, "%s/errors", bench->directory);
    return write_text(bench) ? RL_OK
                             : rl_error_set(error, RL_IO, "%s cannot be written", bench->text);
}

static void clear(const struct bench *bench)
{
    unlink(bench->text);
    unlink(bench->object);
    unlink(bench->module);
    unlink(bench->errors);
    rmdir(bench->directory);
}

static enum rl_status make(struct rl_own_page *page, const struct rl_own *own, const char *path,
                           const struct rl_own_tools *tools, struct rl_error *error)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return RL_NO_MEMORY;
    bench->protocol = own->protocol;
    bench->path = path;
    enum rl_status status = prepare(bench, tools, error);
    if (!status)
        status = compile(bench, &page->messages, error);
    if (!status)
        status = join(bench, &page->messages, error);
    if (!status)
        status = pack(bench, page, error);
    if (bench->directory[0])
        clear(bench);
    free(bench);
    return status;
}

enum rl_status rl_own_page_make(struct rl_own_page *page, const char *path,
                                const struct rl_own_tools *tools, struct rl_error *error)
{
    struct rl_own own;
    *page = (struct rl_own_page){0};
    enum rl_status status = rl_own_load(&own, path, tools, error);
    if (!status)
        status = make(page, &own, path, tools, error);
    if (!page->messages) {
        page->messages = own.messages;
        own.messages = NULL;
    }
    rl_own_free(&own);
    return status;
}

void rl_own_page_free(struct rl_own_page *page)
{
    free(page->html);
    free(page->messages);
    *page = (struct rl_own_page){0};
}
