/* SPDX-License-Identifier: MIT
 *
 * Where the library itself is, and from there what a protocol's file is compiled with.
 */
#define _GNU_SOURCE
#include "own/parts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file that this code was loaded from, if it is a library and not the program. */
bool own_library(char path_out[PATH])
{
    static const char here[] = "";
    char program[PATH];
    Dl_info info;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    struct stat about, of_program;
    if (!dladdr(here, &info) || !info.dli_fname || stat(info.dli_fname, &about) != 0 ||
        stat(program, &of_program) != 0 ||
        (about.st_dev == of_program.st_dev && about.st_ino == of_program.st_ino)) {
        snprintf(path_out, PATH, "%s", program);
        return false;
    }
    snprintf(path_out, PATH, "%.2000s", info.dli_fname);
    return true;
}

/* The directory of the program or of the library. */
static bool find_home(char path_out[PATH])
{
    (void)own_library(path_out);
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

/* What is below `root`. */
static bool look_below(const char *root, const char *sources, struct rl_own_places *places_out)
{
    snprintf(places_out->headers, PATH, "%.4000s/include", root);
    snprintf(places_out->sources, PATH, "%.4000s/%s", root, sources);
    return has(places_out->headers, "ringleader/agent.h") &&
           has(places_out->sources, "simulate/own.c");
}

/* The tree that this was built from: a file beside the program names it, or above the tests. */
static bool find_tree(const char *home, struct rl_own_places *places_out)
{
    static const char *const UP[] = {".", "..", "../.."};
    for (size_t i = 0; i < sizeof UP / sizeof UP[0]; i++) {
        char name[2 * PATH], root[PATH];
        snprintf(name, sizeof name, "%.2000s/%s/ringleader-sources", home, UP[i]);
        FILE *stream = fopen(name, "r");
        const bool read = stream && fgets(root, sizeof root, stream);
        if (stream)
            fclose(stream);
        if (!read)
            continue;
        root[strcspn(root, "\n")] = '\0';
        snprintf(places_out->page, PATH, "%.2000s/%s/web", home, UP[i]);
        return look_below(root, "src", places_out);
    }
    return false;
}

bool rl_own_find(struct rl_own_places *places_out)
{
    /* From PREFIX/bin, PREFIX/lib and PREFIX/lib/MACHINE to PREFIX. */
    static const char *const UP[] = {"..", "../.."};
    char home[PATH], root[PATH];
    if (!find_home(home))
        return false;
    for (size_t i = 0; i < sizeof UP / sizeof UP[0]; i++) {
        snprintf(root, sizeof root, "%.2000s/%s", home, UP[i]);
        snprintf(places_out->page, PATH, "%.3000s/share/ringleader/page", root);
        if (look_below(root, "share/ringleader/src", places_out))
            return true;
    }
    return find_tree(home, places_out);
}

bool rl_own_has_page(const struct rl_own_places *places)
{
    return has(places->page, "ringleader.html") && has(places->page, "ringleader.o");
}
