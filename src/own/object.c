/* SPDX-License-Identifier: MIT
 *
 * The shared object of a protocol's file, opened. It calls the library that opens it: so that it
 * finds it, a library that was opened for somebody alone (as Python opens modules) is first opened
 * once more, for everybody.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "own/parts.h"
#include "simulate/own.h"

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
    if (!symbol)
        return rl_error_set(error, RL_IO, "%s", why);
    char what[160];
    struct rl_text text = rl_text_into(what, sizeof what);
    rl_text_format(&text, "there is no function %s", symbol + strlen(MISSING));
    return own_refuse(path, what, error);
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
        own_object_close(object);
        return rl_error_set(error, RL_IO, "%s was compiled for another version of the library",
                            path);
    }
    object->protocol = *protocol;
    object->without_n = *without_n;
    memcpy(&object->leaves, &leaves, sizeof object->leaves);
    return RL_OK;
}

void own_object_close(struct own_object *object)
{
    if (object->handle)
        dlclose(object->handle);
    *object = (struct own_object){0};
}
