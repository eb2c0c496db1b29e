/* SPDX-License-Identifier: MIT
 *
 * The user's own protocols: what the caller gets, and what can be refused before anything runs.
 *
 * The declaration is a copy of the one in the object, with the text and its hash, and with a target
 * if the file declares no sets.
 */
#define _GNU_SOURCE
#include "ringleader/own.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/inside.h"
#include "own/parts.h"
#include "simulate/own.h"

struct rl_own_inside {
    struct rl_protocol protocol; /* the first: what finds it finds the rest */
    struct rl_parameter parameters[RL_MAX_PARAMETERS];
    char hash[HASH_DIGITS];
    char *text;
    char *path;
    struct own_object object;
};

enum rl_status own_refuse(const char *path, struct rl_error *error, const char *format, ...)
{
    if (error) {
        struct rl_text text = rl_text_into(error->text, sizeof error->text);
        text.longest_string = sizeof error->text / 8;
        rl_text_format(&text, "%s: ", path);
        text.longest_string = 0;
        va_list arguments;
        va_start(arguments, format);
        rl_text_formatv(&text, format, arguments);
        va_end(arguments);
    }
    return RL_BAD_PROTOCOL;
}

/* ---- the file ---- */

bool rl_own_is_file(const char *name)
{
    const size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".c") == 0;
}

void own_absolute(const char *path, char path_out[2 * PATH])
{
    char here[PATH] = "";
    if (path[0] != '/' && !getcwd(here, sizeof here))
        here[0] = '\0';
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    snprintf(path_out, 2 * PATH, "%s%s%.4000s", here, here[0] ? "/" : "", path);
}

static enum rl_status check_file(const char *path, struct rl_error *error)
{
    struct stat about;
    char absolute[2 * PATH];
    own_absolute(path, absolute);
    if (stat(path, &about) != 0 || access(path, R_OK) != 0)
        return rl_error_set(error, RL_BAD_PROTOCOL, "the protocol %s cannot be read: %s", path,
                            strerror(errno));
    const char *what = !S_ISREG(about.st_mode)       ? "is no file"
                       : about.st_size == 0          ? "is empty (see ringleader new --help)"
                       : about.st_size > MOST_TEXT   ? "has more than a million bytes"
                       : !rl_own_is_file(path)       ? "must have a name that ends in .c"
                       : strpbrk(absolute, "\"\\\n") ? "has a quote or a backslash in its path"
                                                     : NULL;
    return what ? rl_error_set(error, RL_BAD_PROTOCOL, "the protocol %s %s", path, what) : RL_OK;
}

/* ---- the object ---- */

/* It calls the library that opens it: so that it finds it, a library that was opened for somebody
 * alone (as Python opens modules) is first opened once more, for everybody. */
static void show_library(void)
{
    char library[PATH];
    void *again =
        own_library(library) ? dlopen(library, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) : NULL;
    if (again)
        dlclose(again); /* what it is open for stays */
}

/* A function that is declared in agent.h and that the file does not define. */
static enum rl_status say_why(const char *why, const char *path, struct rl_error *error)
{
    static const char MISSING[] = "undefined symbol: ";
    const char *symbol = strstr(why, MISSING);
    return symbol ? own_refuse(path, error, "there is no function %s", symbol + strlen(MISSING))
                  : rl_error_set(error, RL_IO, "%s", why);
}

static void close_object(struct own_object *object)
{
    if (object->handle)
        dlclose(object->handle);
    *object = (struct own_object){0};
}

enum rl_status own_object_open(struct own_object *object, const char *file, const char *path,
                               struct rl_error *error)
{
    show_library();
    *object = (struct own_object){.handle = dlopen(file, RTLD_NOW | RTLD_LOCAL)};
    if (!object->handle)
        return say_why(dlerror(), path, error);
    const struct rl_protocol *const *protocol = dlsym(object->handle, "rl_protocol_own");
    const unsigned *form = dlsym(object->handle, "rl_own_form");
    const struct rl_without_n *const *without_n = dlsym(object->handle, "rl_own_without_n");
    void *leaves = dlsym(object->handle, "rl_own_leaves");
    if (!protocol || !leaves || !without_n || !form || *form != RL_OWN_FORM) {
        close_object(object);
        return rl_error_set(error, RL_IO, "%s was compiled for another version of the library",
                            path);
    }
    object->protocol = *protocol;
    object->without_n = *without_n;
    memcpy(&object->leaves, &leaves, sizeof object->leaves);
    return RL_OK;
}

/* ---- the declaration ---- */

static void declare(struct rl_own_inside *inside)
{
    inside->protocol = *inside->object.protocol;
    inside->protocol.without_n = inside->object.without_n; /* whatever its FIELDS say */
    inside->protocol.hash = inside->hash;
    inside->protocol.text = inside->text;
    inside->protocol.path = inside->path;
    rl_protocol_settle(&inside->protocol, inside->parameters);
}

/* The same file may be in the list already, another of its name may not. */
static enum rl_status check_name(const struct rl_protocol *protocol, const char *path,
                                 struct rl_error *error)
{
    const struct rl_protocol *listed = rl_protocol_named(protocol->name);
    if (!listed || (listed->hash && strcmp(listed->hash, protocol->hash) == 0))
        return RL_OK;
    return own_refuse(path, error,
                      "another protocol is already called %s: rename the file, or #define NAME",
                      protocol->name);
}

enum rl_status rl_own_load(struct rl_own *own, const char *path, const struct rl_own_tools *tools,
                           struct rl_error *error)
{
    *own = (struct rl_own){0};
    enum rl_status status = check_file(path, error);
    if (status)
        return status;
    struct rl_own_inside *inside = own->inside = calloc(1, sizeof *inside);
    if (!inside || !(inside->path = strdup(path)))
        return RL_NO_MEMORY;
    struct making making;
    status = own_making_init(&making, path, tools, error);
    if (!status)
        status = own_make(&making, &inside->object);
    own_shop_close(&making);
    own->warning = making.warning;
    own->messages = making.messages;
    inside->text = making.text;
    if (status)
        return status;
    hash_of(making.text, making.size, inside->hash);
    declare(inside);
    own->protocol = &inside->protocol;
    return check_name(own->protocol, path, error);
}

void rl_own_free(struct rl_own *own)
{
    if (own->inside) {
        close_object(&own->inside->object);
        free(own->inside->text);
        free(own->inside->path);
    }
    free(own->inside);
    free(own->messages);
    free(own->warning);
    *own = (struct rl_own){0};
}
