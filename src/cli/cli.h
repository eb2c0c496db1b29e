/* SPDX-License-Identifier: MIT
 *
 * What the commands share: options, files, JSON, progress. Only the command line prints, reads the
 * environment and exits.
 */
#ifndef RINGLEADER_CLI_H
#define RINGLEADER_CLI_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_list.h"
#include "ringleader.h"
#include "core/inside.h"
#include "draw/inside.h"
#include "own/inside.h"
#include "simulate/inside.h"
#include "study/inside.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/new_file.h"
#include "base/read_file.h"

/* Exit status, as the design has it. */
enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_REQUEST = 2, EXIT_OUTSIDE = 3 };

/* ---- the table of options ---------------------------------------------------------------------
 *
 * Everything there is to know about an option stands in its row: the help, the completions and the
 * checks are made from it.
 */

/* What a value is. Counts, reals and choices are checked where the options are read; the rest by
 * whoever knows the protocol, the ring or the file. */
enum value_kind {
    VALUE_NONE,      /* a flag */
    VALUE_COUNT,     /* from `least` to `most` */
    VALUE_REAL,      /* above 0, from `least_real` to `most_real`, perhaps with its unit */
    VALUE_SHARE,     /* from 0 to 1, or in percent */
    VALUE_CHOICE,    /* one of `choices` */
    VALUE_CHOICES,   /* some of them, with commas */
    VALUE_PROTOCOL,  /* a name, or several with commas */
    VALUE_PARAMETER, /* the protocol's: -N, and NAME for all others */
    VALUE_PRESET,    /* a name */
    VALUE_SET,       /* a name, or what else the meaning says */
    VALUE_TEXT,      /* of its own form, said by the meaning */
    /* Files; is_read and is_written (files.c) go by this order. */
    VALUE_START,     /* a name, or a file that is read; or several with commas */
    VALUE_INPUT,     /* is read; - is standard input */
    VALUE_FILE,      /* is read and written */
    VALUE_OUTPUT,    /* is written; - is standard output */
    VALUE_DIRECTORY, /* is written into */
};

struct option {
    const char *name;     /* without dashes; in capitals: a word that needs no dashes, or `NAME` */
    const char *argument; /* what the help calls the value; NULL: a flag */
    enum value_kind kind;
    const char *meaning;  /* for the help; NULL: the usage tells it */
    char letter;          /* 0: none */
    uint64_t least, most; /* of a count; most 0: any */
    double least_real, most_real;
    const char *unit;           /* that may stand behind a real, or NULL */
    const char *const *choices; /* NULL after the last */
    bool repeatable;
    bool is_word;
    const char *missing;  /* the complaint where it is not given, if it must be */
    const char *needs;    /* has no meaning without one of these: names with spaces between */
    const char *not_with; /* has no meaning beside any of these */
};

/* Options that the help tells together, under a heading (may be NULL). Several commands may have
 * one group. */
struct option_group {
    const char *heading;
    const struct option *options;
    size_t count;
};

/* Of an array of options. */
#define OPTION_COUNT(options) (sizeof(options) / sizeof(options)[0])
#define GROUP(options)        (&(const struct option_group){NULL, options, OPTION_COUNT(options)})

/* -n, -p, the parameters, --undirected and --oracle (options.c), and these without -n; start to
 * fault (elect.c). */
extern const struct option_group ring_options, rings_options, election_options;

/* ---- commands (main.c) ---- */

enum { MOST_GROUPS = 6 };

struct arguments;
struct command {
    const char *name;
    const char *summary; /* one line for `ringleader --help` */
    const char *usage;   /* lines without "usage: " */
    const char *about;   /* what it does */
    const struct option_group *groups[MOST_GROUPS];
    const char *status;                      /* what its exit status says */
    const char *examples;                    /* lines */
    int (*run)(struct arguments *arguments); /* answers the exit status */
    bool in_ranks; /* what mpirun starts is one command, which complains once */
};

/* The commands in the order of the help; NULL after the last. */
const struct command *command_at(size_t index);

#define COMMAND(name) extern const struct command command_##name;
COMMAND_LIST(COMMAND)
#undef COMMAND

/* ---- the end of a command (main.c) ------------------------------------------------------------
 *
 * A command ends by returning, or with one of these from anywhere in it, in its main thread. In a
 * process that it has forked they end that process, and leave alone what is its parent's.
 */

/* Prints "ringleader: ..." on stderr, in one line whatever stands in it, and ends the command. */
#define die(status, ...) (complain(__VA_ARGS__), leave(status))
/* Where the library is to say what is wrong: empty, and read by the next `check`. */
struct rl_error *why(void);
/* Ends the command so if the library failed; `what` (may be NULL) says in which file or option. */
void check(enum rl_status status, const char *what);
/* Ends the command without a word. */
_Noreturn void leave(int status);
/* Zeroed memory of the command's. When the command ends, however it does, `end` (may be NULL) is
 * given it, and it is freed, the last claimed first. What must not be left half-written, or
 * allocated, is claimed; and it is nobody's local variable. Dies without memory. */
void *claim(size_t size, void (*end)(void *thing));

/* Control characters would break the line, or the terminal: they are shown as \\n or \\x1b. */
void put_in_one_line(const char *text, FILE *stream);
/* Prints "ringleader: ..." and goes on. */
RL_FORMAT(1, 2) void complain(const char *format, ...);

/* ---- reading options (options.c) ---- */

struct arguments {
    const struct command *command;
    size_t count;
    struct given {
        const struct option *option; /* the row, shared by all parameters but N */
        const char *name;  /* of the option or parameter; of a word, its name in the row */
        const char *value; /* "" for a flag */
    } * given;             /* claimed */
};

/* What follows ends the command where something is wrong. */

/* Reads the command line and checks all that the table says; shows the help if that is asked for.
 */
void read_arguments(struct arguments *arguments, const struct command *command, int argc,
                    char **argv);
/* What a name (without dashes), or a letter, stands for: an option, or a parameter. */
bool find_option(const struct command *command, const char *name, bool is_letter,
                 struct given *out);
/* The value given, or NULL. */
const char *argument(const struct arguments *arguments, const char *name);
/* The words given, claimed, and how many. */
const char **list_words(const struct arguments *arguments, size_t *count_out);
/* A count, or what it is otherwise; `n` as in rl_text_parse_count. A real or a share that the table
 * has checked. --jobs, or the processors. */
uint64_t read_count(const struct arguments *arguments, const char *name, uint64_t n,
                    uint64_t otherwise);
double read_real(const struct arguments *arguments, const char *name, double otherwise);
unsigned choose_jobs(const struct arguments *arguments);
/* -p, -n, the protocol's parameters, --start, --seed, --until and what else an experiment has, as
 * far as the command has them; .unpromised: --force was given, and needed. `n` stands for -n where
 * that is not an option, or was not given; else NULL. */
void read_ring(const struct arguments *arguments, const char *n, struct rl_experiment *out);
/* The same without -n, for `prove`: the parameters that are given, and (in `given_out`) which
 * these are. */
void read_rings(const struct arguments *arguments, struct rl_experiment *out,
                bool given_out[RL_MAX_PARAMETERS]);
/* Whether its value is, or may be, the name of a file (files.c). */
bool names_file(const struct given *given);
/* No output may be an input or another output, under whatever name (files.c). */
void check_files(const struct arguments *arguments);
/* "-n" or "--seed", in static memory. */
const char *dashed(const char *name);
/* The rows of a command, one after another; NULL after the last. */
const struct option *option_at(const struct command *command, size_t index);
/* Whether it is the row NAME, which stands for every parameter that has no row of its own. */
bool is_parameter_row(const struct option *option);

/* ---- protocols of one's own (own.c) ---- */

/* Compiles, tries and loads FILE.c, and adds what it declares to the list. */
const struct rl_protocol *load_protocol(const char *path);
/* The same of the files among a value of -p, "a.c,prl". */
void load_protocols(const char *names);
/* CC, the user's cache directory, TMPDIR; in static memory. */
struct rl_own_tools own_tools(void);
/* Beside an execution or a certificate, -p has a meaning for such a protocol only. */
void check_own_only(const struct arguments *arguments);
/* A protocol from a file may crash although it was tried: from now on the program then says which
 * one and ends (crash.c). */
void catch_crashes(void);
/* The same for one that has not come back from a meeting for so many seconds of processor time. */
void catch_hangs(unsigned seconds);

/* ---- help (help.c) ---- */

void print_help(const struct command *command);

/* A value of a parameter as people read it, in static memory. */
const char *parameter_text(const struct rl_parameter *parameter, uint32_t value);

/* What can follow the words given, for shells (complete.c); an exit status. */
int complete(int argc, char **argv);

/* ---- answers (answer.c) -----------------------------------------------------------------------
 *
 * An answer is rows, told in one of two ways: to people, or to programs as one JSON object. `tell`
 * is for both. Rows for programs alone are `put`, or written with rl_json_... to `json`, where
 * nothing is written for people; those for people alone are written with `say` and `line`, which
 * write nothing for programs.
 */

struct answer {
    bool people;
    struct rl_json json;
    const char *title; /* of the table that is open */
    bool in_row;
};

struct answer answer_begin(bool json);
void answer_end(struct answer *answer);
/* For people: "label    text", with further lines below the text, none wider than 80 columns. */
RL_FORMAT(3, 4)
void say(const struct answer *answer, const char *label, const char *format, ...);
/* For people: just that, such as a row of a table. */
RL_FORMAT(2, 3) void line(const struct answer *answer, const char *format, ...);

/* For both: fields as in rl_json_put; for people each is "key    value", or a cell of the open row.
 */
RL_FORMAT(2, 3) void tell(struct answer *answer, const char *fields, ...);
/* A list of numbers; for people only if it has some. */
void tell_numbers(struct answer *answer, const char *key, const uint32_t *numbers, size_t count);
/* A list or an object of rows; for people a table, unless it is too wide. */
void open_rows(struct answer *answer, const char *key, char mark);
void close_rows(struct answer *answer, char mark);
/* A row, which is an object: under its name, or with the name as its first field. */
void open_row(struct answer *answer, const char *key, const char *name);
void close_row(struct answer *answer);

/* Words, and a new line where the next one does not fit into 80 columns: from this column on, and
 * in the next lines behind so many spaces. The end of a line in the text is a space. */
void print_wrapped(const char *text, size_t column, size_t indent);

/* For programs: fields as in rl_json_put; the brackets of an object or a list. */
#define put(answer, ...)            rl_json_put(&(answer)->json, __VA_ARGS__)
#define put_open(answer, key, mark) rl_json_open(&(answer)->json, key, mark)
#define put_close(answer, mark)     rl_json_close(&(answer)->json, mark)

/* ---- files (files.c) ---- */

/* A whole file in memory, claimed, with a zero behind it; "-" is standard input. */
char *file_text(const char *path, size_t *size_out);
/* A file that appears only when it is complete (base/new_file.h), claimed; "-" is standard output.
 * NULL: none, and its stream is NULL. */
struct rl_new_file *new_file(const char *path);
/* All of them that are open appear, or none. */
void keep_files(void);

/* Whether a name ends so, as in ".svg". */
bool ends_in(const char *text, const char *end);

/* ---- rings and executions (rings.c) ---- */

/* Which ring: for programs protocol, n, and the protocol's parameters, each under its name; for
 * people "prl on a ring of n = 100 agents, N = 100" without the end of the line. `which` is "a" or
 * "every". */
void tell_heading(struct answer *answer, const struct rl_protocol *protocol,
                  const struct rl_params *params, const char *which);

/* The states of at most RL_VERIFY_AGENTS agents as text, in static memory. */
const char *states_text(const struct rl_protocol *protocol, const rl_state *states, uint32_t n);
/* If the start is no name of one, it is a file, whose configuration is claimed. */
void choose_start(struct rl_experiment *experiment);
/* A configuration as a line of text, which --start reads. */
void write_configuration(const struct rl_ring *ring, FILE *stream);

/* ---- progress (progress.c) ---- */

struct progress {
    double began; /* seconds */
    double shown;
    double pause;  /* from one line to the next */
    bool terminal; /* one that can clear a line */
    bool visible;
};

/* From here on Ctrl-C makes `interrupted` true; a second one ends the program at once. */
struct progress progress_begin(void);
bool interrupted(void);
/* True when a new line should be shown: on a terminal, after the first second, ten times a second;
 * less often where making the line takes long, so that it takes one twentieth of the time at most.
 */
bool progress_due(struct progress *progress);
/* Replaces the line. */
RL_FORMAT(2, 3) void progress_show(struct progress *progress, const char *format, ...);
/* Clears the line; the seconds since it began. */
double progress_end(struct progress *progress);
/* Whether a descriptor is a terminal that can clear a line and colour it, as TERM says. */
bool takes_escapes(int descriptor);
/* The width of the terminal that a descriptor is; COLUMNS says it too. */
unsigned terminal_columns(int descriptor);

/* "12,345,678" or, of a thing, "1 point" and "20 points"; in one of a few static buffers. */
const char *grouped(uint64_t number);
const char *counted(uint64_t number, const char *thing);

#endif
