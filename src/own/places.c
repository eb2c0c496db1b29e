/* SPDX-License-Identifier: MIT
 *
 * Where the library itself is, and from there what a protocol's file is compiled with.
 */
#define _GNU_SOURCE
#include "own/parts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

bool own_library(char path_out[PATH])
{
    static const char here[] = "";
    Dl_info library, program;
    if (dladdr(here, &library) && dladdr((void *)getauxval(AT_ENTRY), &program) &&
        library.dli_fbase != program.dli_fbase) {
        snprintf(path_out, PATH, "%.2000s", library.dli_fname);
        return true;
    }
    const ssize_t length = readlink("/proc/self/exe", path_out, PATH - 1);
    path_out[length > 0 ? length : 0] = '\0';
    return false;
}

static bool has(const char *directory, const char *file)
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    return access(path, R_OK) == 0;
}

/* What is below `root`. */
static bool look_below(const char *root, const char *sources, struct rl_own_places *places_out)
{
    snprintf(places_out->headers, PATH, "%.4000s/include", root);
    snprintf(places_out->sources, PATH, "%.4000s/%s", root, sources);
    return has(places_out->headers, "ringleader/agent.h") &&
           has(places_out->sources, "simulate/own.c");
}

/* The tree that this was built from, if a file in the directory names it. */
static bool find_tree(const char *directory, struct rl_own_places *places_out)
{
    char path[2 * PATH], root[PATH] = "";
    snprintf(path, sizeof path, "%s/ringleader-sources", directory);
    FILE *stream = fopen(path, "r");
    const bool read = stream && fgets(root, sizeof root, stream);
    if (stream)
        fclose(stream);
    root[strcspn(root, "\n")] = '\0';
    snprintf(places_out->page, PATH, "%.4000s/web", directory);
    return read && look_below(root, "src", places_out);
}

bool rl_own_find(struct rl_own_places *places_out)
{
    /* From PREFIX/bin, PREFIX/lib and PREFIX/lib/MACHINE to PREFIX; the tree is named beside the
     * program, and above the tests. */
    static const char *const UP[] = {"..", "../..", "."};
    char home[PATH], directory[PATH + 8];
    (void)own_library(home);
    home[strrchr(home, '/') ? (size_t)(strrchr(home, '/') - home) : 0] = '\0';
    for (size_t i = 0; home[0] && i < sizeof UP / sizeof UP[0]; i++) {
        snprintf(directory, sizeof directory, "%s/%s", home, UP[i]);
        snprintf(places_out->page, PATH, "%.3000s/share/ringleader/page", directory);
        if (look_below(directory, "share/ringleader/src", places_out) ||
            find_tree(directory, places_out))
            return true;
    }
    return false;
}
