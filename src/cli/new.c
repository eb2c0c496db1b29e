/* SPDX-License-Identifier: MIT
 *
 * ringleader new: writes a protocol file to start from.
 */
#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"NAME", "NAME", VALUE_TEXT, "its name: letters, digits, - and _", .is_word = true,
     .missing = "which name? give one, as in ringleader new ripple"},
    {"like", "PROTOCOL", VALUE_PROTOCOL,
     "start from one of ours, such as fj06, not from the example"},
};

/* Copies one of our files. Its rules stand in the new file, also those that it includes. What the
 * first change to them would make false stands there between #ifndef COPY and #else or #endif, and
 * is left behind. */
static bool copy_file(FILE *stream, const char *name, const char *sources, const char *file,
                      bool included)
{
    char path[8192], line[1024], rules[256];
    snprintf(path, sizeof path, "%s/protocols/%s", sources, file);
    FILE *ours = fopen(path, "r");
    if (!ours)
        return false;
    bool head = included; /* its licence and what the file is for, which are said already */
    enum { NOWHERE, LEFT_BEHIND, COPIED } inside = NOWHERE;
    while (fgets(line, sizeof line, ours)) {
        const char *include = rl_text_after(line, "#include \"protocols/");
        snprintf(rules, sizeof rules, "%.*s", (int)strcspn(include ? include : "", "\""),
                 include ? include : "");
        if (head)
            head = strncmp(line, " */", 3) != 0;
        else if (strncmp(line, "#ifndef COPY", 12) == 0)
            inside = LEFT_BEHIND;
        else if (inside && (line[0] == '#' && line[1] == 'e'))
            inside = line[2] == 'l' ? COPIED : NOWHERE;
        else if (inside == LEFT_BEHIND)
            continue;
        else if (strncmp(line, "#define NAME ", 13) == 0)
            fprintf(stream, "#define NAME  \"%s\"\n", name);
        else if (strncmp(line, "#define PROVENANCE ", 19) == 0)
            fputs("#define PROVENANCE \"own\"\n", stream);
        else if (!(ends_in(rules, ".c") || ends_in(rules, "_creation.h") ||
                   ends_in(rules, "_elimination.h")) ||
                 !copy_file(stream, name, sources, rules, true))
            fputs(line, stream);
    }
    fclose(ours);
    return true;
}

static int run_new(struct arguments *arguments)
{
    char path[64], ours[64] = "../../examples/protocols/first.c";
    const char *name = argument(arguments, "NAME"), *like = argument(arguments, "like");
    struct rl_own_places places;
    if (!rl_text_is_name(name) || strpbrk(name, ".+") || strlen(name) >= 40)
        die(EXIT_REQUEST, "'%s' is not a name: use letters, digits, - and _, at most 39", name);
    if (rl_protocol_named(name))
        die(EXIT_REQUEST, "there already is a protocol %s: choose another name", name);
    snprintf(path, sizeof path, "%s.c", name);
    if (access(path, F_OK) == 0)
        die(EXIT_REQUEST, "%s already exists and was not changed", path);
    if (!rl_own_find(&places))
        die(EXIT_OUTSIDE, "the sources that protocols are compiled with are not installed");
    struct rl_new_file *file = new_file(path);
    if (like)
        snprintf(ours, sizeof ours, "%.40s.c", like);
    if ((like && !rl_protocol_named(like)) ||
        !copy_file(file->stream, name, places.sources, ours, false))
        die(EXIT_REQUEST, "there is no protocol '%s' that has its own file", like ? like : ours);
    keep_files();
    printf("%s is written; try: ringleader elect -p %s -n 100\n", path, path);
    return EXIT_DONE;
}

const struct command command_new = {
    .name = "new",
    .summary = "write a file to start your own protocol from",
    .usage = "ringleader new NAME [--like PROTOCOL]",
    .about = "Writes NAME.c, a small protocol that works, with comments that explain the form of "
             "such a file. You can then use -p NAME.c wherever the name of a protocol works: the "
             "file is compiled with your C compiler (CC), tried out, and kept in the cache.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 written, 2 the request was wrong (an existing file is never changed), 3 something "
              "outside failed.",
    .examples = "  ringleader new ripple\n"
                "  ringleader new mine --like fj06\n",
    .run = run_new,
};
