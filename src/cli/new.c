/* SPDX-License-Identifier: MIT
 *
 * ringleader new: a protocol's file to begin with.
 */
#include <ctype.h>
#include <errno.h>

#include "cli/cli.h"

/* Up to where the name stands, and from there on. It is a whole protocol: one follower in the
 * middle of nothing but followers learns so and becomes a leader. */
static const char TEXT[] =
    "/* @: say here in one line what it does.\n"
    " *\n"
    " *     ringleader elect -p @.c -n 100        one election\n"
    " *     ringleader verify -p @.c -n 3         every configuration of a ring of three\n"
    " *\n"
    " * Leaders shoot to the right; a bullet that reaches a leader kills it, unless it has a "
    "shield.\n"
    " * `dist` counts the distance to the nearest leader on the left: who counts to N becomes "
    "one.\n"
    " */\n"
    "#define TITLE \"my first protocol\"\n"
    "\n"
    "/* What every agent knows: the name, its default on a ring of n agents, what it is. */\n"
    "#define PARAMETERS(P) P(N, n, \"a bound on the number of agents\")\n"
    "\n"
    "/* The variables of an agent. SYMBOLS: a text for each value; NUMBER: how many values, how "
    "many\n"
    " * there can be at most, and what is written before the number. */\n"
    "#define VARIABLES(NUMBER, SYMBOLS) \\\n"
    "    NUMBER(dist, N + 1, 1 << 20, \"\") \\\n"
    "    SYMBOLS(leader, \"\", \"L\") \\\n"
    "    SYMBOLS(bullet, \"\", \"b\", \"B\") /* none, harmless, deadly */ \\\n"
    "    SYMBOLS(shield, \"\", \"s\") \\\n"
    "    SYMBOLS(signal, \"\", \"!\") /* no bullet ahead: fire again */\n"
    "#include \"ringleader/agent.h\"\n"
    "\n"
    "/* l meets its right neighbour r. */\n"
    "static inline void meet(struct world world, struct agent *l, struct agent *r)\n"
    "{\n"
    "    if (l->leader) l->dist = 0;\n"
    "    if (r->leader) r->dist = 0;\n"
    "    else if (!r->bullet) r->dist = l->dist + 1 < world.N ? l->dist + 1 : world.N;\n"
    "    if (r->dist == world.N) *r = (struct agent){.leader = 1, .bullet = 2, .shield = 1};\n"
    "\n"
    "    if (l->leader && l->signal) { l->bullet = 2; l->shield = 1; l->signal = 0; }\n"
    "    if (r->leader && r->signal) { r->bullet = 1; r->shield = 0; r->signal = 0; }\n"
    "    if (l->bullet && r->leader) {\n"
    "        if (l->bullet == 2 && !r->shield) r->leader = 0;\n"
    "        l->bullet = 0;\n"
    "    } else if (l->bullet) {\n"
    "        if (!r->bullet) r->bullet = l->bullet;\n"
    "        l->bullet = 0;\n"
    "        r->signal = 0;\n"
    "    }\n"
    "    if (r->signal || r->leader) l->signal = 1;\n"
    "}\n"
    "\n"
    "static inline bool leads(struct agent agent)\n"
    "{\n"
    "    return agent.leader;\n"
    "}\n"
    "\n"
    "/* All else is optional: see include/ringleader/agent.h. Without named sets an election goes "
    "on\n"
    " * until one agent leads and no output has changed for long. */\n"
    "static enum rl_status check(const struct rl_params *params, struct rl_error *error)\n"
    "{\n"
    "    if (params->value[PARAMETER_N] < params->n)\n"
    "        return rl_error_set(error, RL_UNPROMISED, \"N must be at least n\");\n"
    "    return RL_OK;\n"
    "}\n"
    "\n"
    "/* Two ways to begin; `random` is there without them. */\n"
    "START_ALIKE(leaderless, .leader = 0)\n"
    "START_ALIKE(leaders, .leader = 1)\n"
    "static const struct rl_start STARTS[] = {\n"
    "    {\"leaderless\", \"nobody leads\", start_leaderless},\n"
    "    {\"leaders\", \"everybody leads\", start_leaders},\n"
    "};\n"
    "\n"
    "#define FIELDS .check = check, LISTED(start, STARTS)\n";

static const struct option OPTIONS[] = {
    {.name = "NAME",
     .is_word = true,
     .argument = "NAME",
     .kind = VALUE_TEXT,
     .missing = "how shall it be called? give a name, as in ringleader new ripple",
     .too_many = "one name is enough",
     .meaning = "its name: letters, digits, - and _"},
    {.name = "like",
     .argument = "PROTOCOL",
     .kind = VALUE_PROTOCOL,
     .meaning = "begin with one of ours, such as fj06, instead of the example"},
};

/* The example, with the name for each @. */
static void write_example(FILE *stream, const char *name)
{
    for (const char *at = TEXT; *at; at++)
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

static void write_like(FILE *stream, const char *name, const char *like)
{
    struct rl_own_places places;
    char file[64];
    struct copy copy = {.sources = places.sources, .name = name, .stream = stream};
    snprintf(file, sizeof file, "%.40s.c", like);
    if (!rl_protocol_named(like) || !rl_own_find(&places) || !copy_file(&copy, file, false))
        die(EXIT_REQUEST, "there is no protocol '%s' with a file of its own", like);
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
    char path[64];
    const char *name = argument(arguments, "NAME"), *like = argument(arguments, "like");
    if (!is_name(name))
        die(EXIT_REQUEST, "'%s' is not a name: use letters, digits, - and _, at most 39", name);
    if (rl_protocol_named(name))
        die(EXIT_REQUEST, "there is a protocol %s already: choose another name", name);
    snprintf(path, sizeof path, "%s.c", name);
    if (access(path, F_OK) == 0)
        die(EXIT_REQUEST, "%s is there already, and stays as it is", path);
    struct rl_new_file *file = new_file(path);
    if (like)
        write_like(file->stream, name, like);
    else
        write_example(file->stream, name);
    keep_file(file);
    printf("%s is written; try: ringleader elect -p %s -n 100\n", path, path);
    return EXIT_DONE;
}

const struct command command_new = {
    .name = "new",
    .summary = "a file to begin a protocol of your own with",
    .usage = "ringleader new NAME [--like PROTOCOL]",
    .about =
        "Writes NAME.c, a small protocol that works, with comments that teach the form of such\n"
        "a file. -p NAME.c then works wherever the name of a protocol does: the file is\n"
        "compiled with the machine's C compiler (CC), tried, and kept in the cache.\n",
    .groups = {GROUP(OPTIONS)},
    .status =
        "0 written, 2 the request was wrong (a file that is there is left alone), 3 something\n"
        "outside failed.",
    .examples = "  ringleader new ripple\n"
                "  ringleader new mine --like fj06\n",
    .run = run_new,
};
