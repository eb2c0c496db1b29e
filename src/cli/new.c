/* SPDX-License-Identifier: MIT
 *
 * ringleader new: writes a protocol file to start from.
 */
#include <ctype.h>
#include <errno.h>

#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"NAME", "NAME", VALUE_TEXT, "its name: letters, digits, - and _", .is_word = true,
     .missing = "which name? give one, as in ringleader new ripple",
     .too_many = "new takes only one name"},
    {"like", "PROTOCOL", VALUE_PROTOCOL,
     "start from one of ours, such as fj06, not from the example"},
};

/* The example, with the name for each @. It is a whole protocol: one follower in the middle of
 * nothing but followers learns so and becomes a leader. */
static void write_example(FILE *stream, const char *name, const char *sources)
{
    char path[8192];
    size_t size;
    snprintf(path, sizeof path, "%s/../examples/protocols/first.c", sources);
    for (const char *at = file_text(path, &size); *at; at++)
        if (*at == '@')
            fputs(name, stream);
        else
            fputc(*at, stream);
}

/* ---- one of ours ------------------------------------------------------------------------------
 *
 * Its rules stand in the new file, also those that it includes. What the first change to them would
 * make false is not declared: is_active, which is only fast, and the sets, lemmas and words that
 * have files of their own (starts and others may still use what is in those).
 */
struct copy {
    const char *sources, *name;
    FILE *stream;
    bool without_sets, without_words, inside_active;
    char comment[2000]; /* the last one, until it is known what it is about */
};

/* One entry of FIELDS: "LISTED(set, SETS)" or ".check = check". */
static bool is_left_behind(const struct copy *copy, const char *entry)
{
    static const char *const SETS[] = {"LISTED(set", ".target", ".set_sees", "LISTED(lemma",
                                       "LISTED(claim"};
    static const char *const WORDS[] = {".explain", ".describe", "LISTED(obstacle", ".obstruct"};
    bool left = rl_text_after(entry, ".is_active") != NULL;
    for (size_t i = 0; copy->without_sets && i < sizeof SETS / sizeof SETS[0]; i++)
        left = left || rl_text_after(entry, SETS[i]);
    for (size_t i = 0; copy->without_words && i < sizeof WORDS / sizeof WORDS[0]; i++)
        left = left || rl_text_after(entry, WORDS[i]);
    return left;
}

/* The macro FIELDS, from the line after its name on. */
static void copy_fields(struct copy *copy, FILE *ours)
{
    char line[1024], all[8192] = "", *rest = all;
    bool more = true;
    while (more && fgets(line, sizeof line, ours)) {
        char *end = line + strcspn(line, "\\\n");
        more = *end == '\\';
        *end = '\0';
        strncat(all, line, sizeof all - strlen(all) - 1);
    }
    const char *before = "#define FIELDS ";
    while (*rest) {
        rest += strspn(rest, " ,");
        size_t length = 0;
        for (int depth = 0; rest[length] && (rest[length] != ',' || depth > 0); length++)
            depth += (rest[length] == '(') - (rest[length] == ')');
        while (length > 0 && rest[length - 1] == ' ')
            rest[--length] = '\0';
        if (rest[length])
            rest[length++] = '\0';
        if (*rest && !is_left_behind(copy, rest)) {
            fprintf(copy->stream, "%s%s", before, rest);
            before = ", ";
        }
        rest += length;
    }
    fputc('\n', copy->stream);
}

static bool copy_file(struct copy *copy, const char *file, bool included);

/* A line that includes rules of ours, which are put in its place; false if it is something else. */
static bool copy_include(struct copy *copy, const char *line)
{
    const char *file = rl_text_after(line, "#include \"protocols/");
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file ? file : "", "\""), file ? file : "");
    const bool words = ends_in(name, "_words.h");
    const bool sets = ends_in(name, "_sets.h") || ends_in(name, "_lemmas.h");
    copy->without_sets = copy->without_sets || sets;
    copy->without_words = copy->without_words || sets || words;
    return file && !words && !sets && !ends_in(name, "_starts.h") && !ends_in(name, "_bullets.h") &&
           copy_file(copy, name, true);
}

/* Holds a comment back until the line after it; true if the line is of one. */
static bool hold_comment(struct copy *copy, const char *line)
{
    const bool goes_on = copy->comment[0] && !strstr(copy->comment, "*/");
    if (!goes_on && strncmp(line, "/*", 2) != 0)
        return false;
    if (!goes_on) {
        fputs(copy->comment, copy->stream);
        copy->comment[0] = '\0';
    }
    strncat(copy->comment, line, sizeof copy->comment - strlen(copy->comment) - 1);
    return true;
}

static bool copy_file(struct copy *copy, const char *file, bool included)
{
    char path[8192], line[1024];
    snprintf(path, sizeof path, "%s/protocols/%s", copy->sources, file);
    FILE *ours = fopen(path, "r");
    bool head = included; /* its licence and what the file is for, which are said already */
    while (ours && fgets(line, sizeof line, ours)) {
        if (head) {
            head = strncmp(line, " */", 3) != 0;
            continue;
        }
        if (hold_comment(copy, line))
            continue;
        copy->inside_active = copy->inside_active || strstr(line, "bool is_active(");
        if (!copy->inside_active)
            fputs(copy->comment, copy->stream);
        copy->comment[0] = '\0';
        if (copy->inside_active)
            copy->inside_active = line[0] != '}';
        else if (strncmp(line, "#define NAME ", 13) == 0)
            fprintf(copy->stream, "#define NAME  \"%s\"\n", copy->name);
        else if (strncmp(line, "#define PROVENANCE ", 19) == 0)
            fputs("#define PROVENANCE \"own\"\n", copy->stream);
        else if (strncmp(line, "#define FIELDS", 14) == 0)
            copy_fields(copy, ours);
        else if (!copy_include(copy, line))
            fputs(line, copy->stream);
    }
    const bool found = ours != NULL;
    if (found)
        fclose(ours);
    return found;
}

static bool is_name(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
            return false;
    return length > 0 && length < 40 && name[0] != '-';
}

static int run_new(struct arguments *arguments)
{
    char path[64], ours[64];
    const char *name = argument(arguments, "NAME"), *like = argument(arguments, "like");
    struct rl_own_places places;
    if (!is_name(name))
        die(EXIT_REQUEST, "'%s' is not a name: use letters, digits, - and _, at most 39", name);
    if (rl_protocol_named(name))
        die(EXIT_REQUEST, "there already is a protocol %s: choose another name", name);
    snprintf(path, sizeof path, "%s.c", name);
    if (access(path, F_OK) == 0)
        die(EXIT_REQUEST, "%s already exists and was not changed", path);
    if (!rl_own_find(&places))
        die(EXIT_OUTSIDE, "the sources that protocols are compiled with are not installed");
    struct rl_new_file *file = new_file(path);
    struct copy copy = {.sources = places.sources, .name = name, .stream = file->stream};
    snprintf(ours, sizeof ours, "%.40s.c", like ? like : "");
    if (!like)
        write_example(file->stream, name, places.sources);
    else if (!rl_protocol_named(like) || !copy_file(&copy, ours, false))
        die(EXIT_REQUEST, "there is no protocol '%s' that has its own file", like);
    keep_file(file);
    printf("%s is written; try: ringleader elect -p %s -n 100\n", path, path);
    return EXIT_DONE;
}

const struct command command_new = {
    .name = "new",
    .summary = "write a file to start your own protocol from",
    .usage = "ringleader new NAME [--like PROTOCOL]",
    .about = "Writes NAME.c, a small protocol that works, with comments that explain the form of "
             "such\na file. You can then use -p NAME.c wherever the name of a protocol works: the "
             "file is\ncompiled with your C compiler (CC), tried out, and kept in the cache.\n",
    .groups = {GROUP(OPTIONS)},
    .status = "0 written, 2 the request was wrong (an existing file is never changed), 3 "
              "something\noutside failed.",
    .examples = "  ringleader new ripple\n"
                "  ringleader new mine --like fj06\n",
    .run = run_new,
};
