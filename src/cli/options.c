/* SPDX-License-Identifier: MIT
 *
 * Options. The arguments are looked up in the command's table, and everything the table knows is
 * checked before the command sees them: names, values, and which options make sense together. So a
 * command reads only what it understands, and nothing is ignored.
 */
#include "cli/cli.h"

static const struct option RING_OPTIONS[] = {
    {"n", "COUNT", VALUE_COUNT, "agents on the ring: 2 to 2^27 - 1", .least = 2,
     .most = RL_MAX_AGENTS},
    {"protocol", "NAME", VALUE_PROTOCOL, "a name (default prl; see `protocols`), or a file FILE.c",
     .letter = 'p'},
    {"N", "COUNT", VALUE_PARAMETER, "the bound N that agents know (default n; may be 2n)"},
    {"NAME", "COUNT", VALUE_PARAMETER, "another parameter of the protocol, such as --k of aaf08"},
    {"undirected", NULL, VALUE_NONE, "on an undirected ring; --orientation aaf or por (default)"},
    {"oracle", "delay=COUNT", VALUE_TEXT, "steps without a leader before it reports (default 0)"},
};
const struct option_group ring_options = {NULL, RING_OPTIONS, OPTION_COUNT(RING_OPTIONS)};
const struct option_group rings_options = {NULL, RING_OPTIONS + 1, OPTION_COUNT(RING_OPTIONS) - 1};

const struct option *option_at(const struct command *command, size_t index)
{
    for (size_t i = 0; i < MOST_GROUPS && command->groups[i]; i++) {
        if (index < command->groups[i]->count)
            return &command->groups[i]->options[index];
        index -= command->groups[i]->count;
    }
    return NULL;
}

const char *dashed(const char *name)
{
    static char texts[2][64];
    static unsigned next;
    char *text = texts[next++ % 2];
    snprintf(text, sizeof texts[0], "%s%s", name[1] ? "--" : "-", name);
    return text;
}

/* ---- names ---- */

bool is_parameter_row(const struct option *option)
{
    return !option->is_word && strcmp(option->name, "NAME") == 0;
}

bool find_option(const struct command *command, const char *name, bool is_letter, struct given *out)
{
    const struct option *option, *parameters = NULL;
    for (size_t i = 0; (option = option_at(command, i)); i++) {
        const bool by_letter = is_letter && option->letter;
        *out = (struct given){option, option->name, ""};
        if (is_parameter_row(option))
            parameters = option;
        else if (!option->is_word &&
                 (by_letter ? option->letter == name[0] : strcmp(option->name, name) == 0))
            return true;
    }
    *out = (struct given){parameters, name, ""};
    return parameters && rl_protocol_any_parameter(name);
}

_Noreturn static void unknown_option(const struct command *command, const char *word)
{
    struct rl_nearest nearest = {.word = word + strspn(word, "-")};
    const struct option *option;
    for (size_t i = 0; (option = option_at(command, i)); i++)
        rl_nearest_try(&nearest, option->name);
    die(EXIT_REQUEST, "%s has no option '%s'%s (see ringleader %s --help)", command->name, word,
        nearest.hint, command->name);
}

/* ---- what is given ---- */

static void take(struct arguments *arguments, struct given given)
{
    if (given.option->kind == VALUE_PROTOCOL)
        load_protocols(given.value);
    arguments->given[arguments->count++] = given;
}

static void take_word(struct arguments *arguments, const char *word)
{
    const struct option *row;
    size_t i = 0;
    while ((row = option_at(arguments->command, i)) && !row->is_word)
        i++;
    if (!row)
        die(EXIT_REQUEST, "%s takes only options, not '%s'", arguments->command->name, word);
    take(arguments, (struct given){row, row->name, word});
}

/* The option at argv[*i], and its value, which may be the next word. At the first look one that is
 * not known may still be a parameter of a protocol that is yet to be loaded. */
static void take_option(struct arguments *arguments, int argc, char **argv, int *i, bool first)
{
    const char *word = argv[*i];
    const bool is_letter = word[1] != '-';
    char *name = strcpy(claim(strlen(word), NULL), word + (is_letter ? 1 : 2));
    const size_t length = is_letter ? 1 : strcspn(name, "=");
    const char *value = name[length] ? word + (is_letter ? 2 : length + 3) : NULL;
    struct given given;
    name[length] = '\0';
    if (!find_option(arguments->command, name, is_letter, &given)) {
        if (!first)
            unknown_option(arguments->command, word);
        return;
    }
    if (value && !given.option->argument)
        die(EXIT_REQUEST, "option %s takes no value", dashed(given.name));
    if (!value && given.option->argument) { /* the next word, unless that is an option */
        if (*i + 1 == argc || strncmp(argv[*i + 1], "--", 2) == 0)
            die(EXIT_REQUEST, "option %s needs a value: %s", word, given.option->argument);
        value = argv[++*i];
    }
    given.value = value ? value : "";
    take(arguments, given);
}

const char *argument(const struct arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (strcmp(arguments->given[i].name, name) == 0)
            return arguments->given[i].value;
    return NULL;
}

const char **list_words(const struct arguments *arguments, size_t *count_out)
{
    const char **words = claim((arguments->count + 1) * sizeof *words, NULL);
    *count_out = 0;
    for (size_t i = 0; i < arguments->count; i++)
        if (arguments->given[i].option->is_word)
            words[(*count_out)++] = arguments->given[i].value;
    return words;
}

/* ---- company ---- */

/* Something given that one of `names` stands for; NAME stands for any parameter. */
static const struct given *given_among(const struct arguments *arguments, const char *names)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct given *given = &arguments->given[i];
        const char *name = given->option->name;
        for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ')
            if (strcspn(at, " ") == strlen(name) && strncmp(at, name, strlen(name)) == 0)
                return given;
    }
    return NULL;
}

static const char *shown(const struct given *given)
{
    return given->option->is_word ? given->value : dashed(given->name);
}

static void check_company(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct given *given = &arguments->given[i], *other = NULL;
        for (size_t k = 0; k < i && !given->option->repeatable; k++)
            if (strcmp(arguments->given[k].name, given->name) == 0)
                die(EXIT_REQUEST, "%s is given twice",
                    given->option->is_word ? given->name : dashed(given->name));
        if (given->option->not_with)
            other = given_among(arguments, given->option->not_with);
        if (other)
            die(EXIT_REQUEST, "%s and %s cannot be combined", shown(given), shown(other));
        const char *needs = given->option->needs;
        if (needs && !given_among(arguments, needs))
            die(EXIT_REQUEST, strchr(needs, ' ') ? "%s needs one of: %s" : "%s needs %s",
                shown(given), strchr(needs, ' ') ? needs : dashed(needs));
    }
}

static void check_missing(const struct arguments *arguments)
{
    const struct option *option;
    for (size_t i = 0; (option = option_at(arguments->command, i)); i++)
        if (option->missing && !argument(arguments, option->name))
            die(EXIT_REQUEST, "%s", option->missing);
}

/* ---- values ---- */

static void check_count(const struct given *given)
{
    const struct option *option = given->option;
    uint64_t count;
    check(rl_text_parse_count(given->value, 0, &count, why()), dashed(given->name));
    if (!option->most && count < option->least)
        die(EXIT_REQUEST, "%s must be %llu or more, not %s", dashed(given->name),
            (unsigned long long)option->least, given->value);
    if (option->most && (count < option->least || count > option->most))
        die(EXIT_REQUEST, "%s must be %llu to %llu, not %s", dashed(given->name),
            (unsigned long long)option->least, (unsigned long long)option->most, given->value);
}

/* A number, perhaps with its unit behind it; a percent is a hundredth. */
static double real_of(const char *text, char **end_out)
{
    const double number = strtod(text, end_out);
    return *end_out > text && **end_out == '%' ? number / 100 : number;
}

static void check_real(const struct given *given)
{
    const struct option *option = given->option;
    const bool is_share = option->kind == VALUE_SHARE;
    const char *unit = is_share ? "%" : option->unit ? option->unit : "";
    const double least = option->least_real, most = is_share ? 1 : option->most_real;
    char *end;
    const double value = real_of(given->value, &end);
    if (end == given->value || (*end && strcmp(end, unit) != 0) || !(value >= least) ||
        value > most || (value == 0 && !is_share))
        die(EXIT_REQUEST,
            *unit ? "%s must be a number between %g and %g (or in %s), not '%s'"
                  : "%s must be a number between %g and %g%s, not '%s'",
            dashed(given->name), least, most, unit, given->value);
}

/* One of the choices, or some of them with commas between. */
static void check_choices(const struct given *given)
{
    const char *const *choices = given->option->choices;
    const char *const separator = given->option->kind == VALUE_CHOICES ? "," : "";
    for (const char *at = given->value;; at++) {
        const size_t length = strcspn(at, separator);
        char list[160];
        struct rl_text names = rl_text_into(list, sizeof list);
        bool found = false;
        for (size_t i = 0; choices[i]; i++) {
            found |= strlen(choices[i]) == length && memcmp(choices[i], at, length) == 0;
            rl_text_format(&names, i == 0 ? "%s" : choices[i + 1] ? ", %s" : " or %s", choices[i]);
        }
        if (!found)
            die(EXIT_REQUEST, "%s takes %s, not '%.60s'", dashed(given->name), list, at);
        at += length;
        if (!*at)
            return;
    }
}

static void check_value(const struct given *given)
{
    const enum value_kind kind = given->option->kind;
    if (kind == VALUE_COUNT && given->option != RING_OPTIONS) /* a ring's n: in words of requests */
        check_count(given);
    else if (kind == VALUE_REAL || kind == VALUE_SHARE)
        check_real(given);
    else if (kind == VALUE_CHOICE || kind == VALUE_CHOICES)
        check_choices(given);
    else if (names_file(given) && !given->value[0])
        die(EXIT_REQUEST, "%s needs the name of a file", dashed(given->name));
}

/* All that is given; at the first look, the options that are known. */
static void look_through(struct arguments *arguments, int argc, char **argv, bool first)
{
    arguments->count = 0;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(arguments->command);
            leave(EXIT_DONE);
        }
        if (word[0] == '-' && word[1] != '\0')
            take_option(arguments, argc, argv, &i, first);
        else if (!first)
            take_word(arguments, word);
    }
}

void read_arguments(struct arguments *arguments, const struct command *command, int argc,
                    char **argv)
{
    *arguments = (struct arguments){.command = command,
                                    .given = claim((size_t)argc * sizeof *arguments->given, NULL)};
    look_through(arguments, argc, argv, true);
    look_through(arguments, argc, argv, false);
    check_company(arguments);
    for (size_t i = 0; i < arguments->count; i++)
        check_value(&arguments->given[i]);
    check_missing(arguments);
    check_files(arguments);
}

uint64_t read_count(const struct arguments *arguments, const char *name, uint64_t n,
                    uint64_t otherwise)
{
    const char *value = argument(arguments, name);
    uint64_t count = otherwise;
    if (value)
        check(rl_text_parse_count(value, n, &count, why()), dashed(name));
    return count;
}

unsigned choose_jobs(const struct arguments *arguments)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (unsigned)read_count(arguments, "jobs", 0, processors > 0 ? (uint64_t)processors : 1);
}

double read_real(const struct arguments *arguments, const char *name, double otherwise)
{
    const char *text = argument(arguments, name);
    char *end;
    return text ? real_of(text, &end) : otherwise;
}

/* ---- the request ---- */

/* What has a parameter's name belongs to no request where the command has an option of that name.
 * The culprit is the option that cannot be read, or NULL. */
static enum rl_status try_ring(const struct arguments *arguments, const char *n,
                               struct rl_experiment *out, const char **culprit_out)
{
    struct rl_item *items = claim((arguments->count + 1) * sizeof *items, NULL);
    size_t count = 0, culprit;
    for (size_t i = 0; i < arguments->count; i++) {
        const struct given *given = &arguments->given[i];
        if (given->option->kind == VALUE_PARAMETER || rl_experiment_has_key(given->name))
            items[count++] = (struct rl_item){given->name, given->value};
    }
    if (n)
        items[count++] = (struct rl_item){"n", n};
    *out = (struct rl_experiment){0};
    const enum rl_status status = rl_experiment_read(out, items, count, &culprit, why());
    *culprit_out = status == RL_BAD_TEXT && culprit < count ? dashed(items[culprit].key) : NULL;
    return status;
}

void read_ring(const struct arguments *arguments, const char *n, struct rl_experiment *out)
{
    const char *culprit;
    const enum rl_status status = try_ring(arguments, n, out, &culprit);
    out->unpromised = status == RL_UNPROMISED && argument(arguments, "force");
    check(out->unpromised ? RL_OK : status, culprit);
}

/* Some n is accepted, or else the last complaint is as good as any. */
void read_rings(const struct arguments *arguments, struct rl_experiment *out,
                bool given_out[RL_MAX_PARAMETERS])
{
    enum rl_status status = RL_BAD_PARAMETER;
    const char *culprit = NULL;
    char text[16];
    for (unsigned n = 2; n < 32 && status; n++) {
        snprintf(text, sizeof text, "%u", n);
        status = try_ring(arguments, text, out, &culprit);
    }
    check(status, culprit);
    const struct rl_protocol *protocol = out->protocol;
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        const char *value = argument(arguments, protocol->parameters[i].name);
        given_out[i] =
            value || (protocol->oracle && i == protocol->delay && argument(arguments, "oracle"));
        if (value && strchr(value, 'n') && !protocol->parameters[i].choices)
            die(EXIT_REQUEST, "%s %s: this covers all sizes, so a value cannot be written in n",
                dashed(protocol->parameters[i].name), value);
    }
}

const char *parameter_text(const struct rl_parameter *parameter, uint32_t value)
{
    const char *choice = rl_parameter_choice(parameter, value);
    return choice ? choice : grouped(value);
}
