/* SPDX-License-Identifier: MIT
 *
 * ringleader export: a small ring as a model for another program.
 */
#include "cli/verification.h"

static const char *const FORMATS[] = {"prism", NULL};

static const struct option OPTIONS[] = {
    {"format", "prism", VALUE_CHOICE, "the language: prism, that of the PRISM model checker",
     .choices = FORMATS, .missing = "which language? give --format prism"},
    {"output", "FILE", VALUE_OUTPUT, "the file to write (default: standard output)", .letter = 'o'},
    {"force", NULL, VALUE_NONE, "also if the protocol promises nothing, as for N < n"},
};

static int run_export(struct arguments *arguments)
{
    const char *output = argument(arguments, "output");
    struct rl_experiment experiment;
    read_ring(arguments, NULL, &experiment);
    struct rl_new_file *file = new_file(output ? output : "-");
    check(rl_prism_write(experiment.protocol, &experiment.params, file->stream, rl_new_file_put,
                         why()),
          NULL);
    keep_files();
    return EXIT_DONE;
}

const struct command command_export = {
    .name = "export",
    .summary = "write a small ring as a model for another model checker",
    .usage = "ringleader export -n COUNT --format prism [options]",
    .about = "Writes a model of a small ring, with its agents, interactions and named sets, in the "
             "language of another model checker.",
    .groups = {&ring_options, GROUP(OPTIONS)},
    .status = "0 written, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader export -n 2 --format prism > prl-2.pm\n"
                "  ringleader export -p fj06 -n 4 --format prism -o fj06-4.pm\n",
    .run = run_export,
};
