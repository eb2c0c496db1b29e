/* SPDX-License-Identifier: MIT
 *
 * Where the library itself is, and from there what a protocol's file is compiled with.
 */
#define _GNU_SOURCE
#include "own/places.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = sizeof((struct rl_own_places){0}.headers) };

const char *own_library(void)
{
    static const char here[] = "";
    Dl_info info;
    void *map = NULL;
    const bool found = dladdr1(here, &info, &map, RTLD_DL_LINKMAP) != 0;
    return found && map ? ((const struct link_map *)map)->l_name : "";
}

/* The directory of the program or of the library. */
static bool find_home(char *path_out)
{
    const char *library = own_library();
    if (library[0]) {
        snprintf(path_out, PATH, "%.2000s", library);
    } else {
        const ssize_t length = readlink("/proc/self/exe", path_out, PATH - 1);
        path_out[length > 0 ? length : 0] = '\0';
    }
    char *slash = strrchr(path_out, '/');
    if (slash)
        *slash = '\0';
    return slash;
}

static bool has(const char *directory, const char *file)
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    return access(path, R_OK) == 0;
}

static bool are_there(const struct rl_own_places *places)
{
    return has(places->headers, "ringleader/agent.h") && has(places->sources, "simulate/own.c");
}

bool rl_own_find_page(struct rl_own_places *places_out)
{
    /* As installed, or in the build's directory. */
    static const char *const FROM[] = {"../share/ringleader/page", "../../share/ringleader/page",
                                       "web"};
    char home[PATH];
    for (size_t i = 0; i < sizeof FROM / sizeof FROM[0] && find_home(home); i++) {
        snprintf(places_out->page, PATH, "%.2000s/%s", home, FROM[i]);
        if (has(places_out->page, "ringleader.html") && has(places_out->page, "ringleader.o"))
            return true;
    }
    return false;
}

bool rl_own_find(struct rl_own_places *places_out)
{
    /* From PREFIX/bin, PREFIX/lib and PREFIX/lib/MACHINE to PREFIX. */
    static const char *const UP[] = {"..", "../.."};
    char home[PATH];
    for (size_t i = 0; i < sizeof UP / sizeof UP[0] && find_home(home); i++) {
        snprintf(places_out->headers, PATH, "%.2000s/%s/include", home, UP[i]);
        snprintf(places_out->sources, PATH, "%.2000s/%s/share/ringleader/src", home, UP[i]);
        if (are_there(places_out))
            return true;
    }
    snprintf(places_out->headers, PATH, "%s/include", RL_SOURCE_ROOT);
    snprintf(places_out->sources, PATH, "%s/src", RL_SOURCE_ROOT);
    return are_there(places_out);
}
