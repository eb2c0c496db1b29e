/* SPDX-License-Identifier: MIT
 *
 * ringleader new: a protocol's file to begin with.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    "#define FIELDS .check = check\n";

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
static const struct option_group GROUP = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

/* The example, with the name for each @. */
static void write_example(FILE *stream, const char *name)
{
    for (const char *at = TEXT; *at; at++)
        if (*at == '@')
            fputs(name, stream);
        else
            fputc(*at, stream);
}

/* One of ours, line by line, with its new name. */
static int write_like(FILE *stream, const char *name, const char *like)
{
    struct rl_own_places places;
    char path[8192], line[1024];
    const bool known = rl_protocol_named(like) && rl_own_find(&places);
    if (known)
        snprintf(path, sizeof path, "%s/protocols/%s.c", places.sources, like);
    FILE *ours = known ? fopen(path, "r") : NULL;
    if (!ours)
        return complain(EXIT_REQUEST, "there is no protocol '%s' with a file of its own", like);
    while (fgets(line, sizeof line, ours)) {
        const bool named = strncmp(line, "#define NAME ", 13) == 0;
        if (named)
            fprintf(stream, "#define NAME  \"%s\"\n", name);
        else
            fputs(line, stream);
    }
    fclose(ours);
    return GO_ON;
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
    struct rl_new_file file;
    char path[64];
    const char *name = argument(arguments, "NAME"), *like = argument(arguments, "like");
    if (!is_name(name))
        return complain(EXIT_REQUEST, "'%s' is no name: letters, digits, - and _, at most 39",
                        name);
    if (rl_protocol_named(name))
        return complain(EXIT_REQUEST, "there is a protocol %s already: choose another name", name);
    snprintf(path, sizeof path, "%s.c", name);
    if (access(path, F_OK) == 0)
        return complain(EXIT_REQUEST, "%s is there already, and stays as it is", path);
    int outcome = open_new_file(&file, path);
    if (outcome != GO_ON)
        return outcome;
    if (like)
        outcome = write_like(file.stream, name, like);
    else
        write_example(file.stream, name);
    if (outcome != GO_ON) {
        rl_new_file_drop(&file);
        return outcome;
    }
    outcome = keep_new_file(&file);
    if (outcome == GO_ON)
        printf("%s is written; try: ringleader elect -p %s -n 100\n", path, path);
    return outcome;
}

const struct command command_new = {
    .name = "new",
    .summary = "a file to begin a protocol of your own with",
    .usage = "ringleader new NAME [--like PROTOCOL]",
    .about =
        "Writes NAME.c, a small protocol that works, with comments that teach the form of such\n"
        "a file. -p NAME.c then works wherever the name of a protocol does: the file is\n"
        "compiled with the machine's C compiler (CC), tried, and kept in the cache.\n",
    .groups = {&GROUP},
    .status =
        "0 written, 2 the request was wrong (a file that is there is left alone), 3 something\n"
        "outside failed.",
    .examples = "  ringleader new ripple\n"
                "  ringleader new mine --like fj06\n",
    .run = run_new,
};
