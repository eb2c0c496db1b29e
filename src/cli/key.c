/* SPDX-License-Identifier: MIT
 *
 * ringleader key: a key for the nodes of a ring.
 */
#include "cli/cli.h"

#include "net/key.h"

static const char HELP[] =
    "usage: ringleader key FILE\n"
    "\n"
    "Makes a key for the nodes of a ring, in a new file that only its owner can read. Every node "
    "of\n"
    "the ring is given the same key (`ringleader node --key FILE`); who does not have it cannot\n"
    "speak to them.\n"
    "\n"
    "Exit status: 0 done, 2 the request was wrong, 3 the file could not be made (a file that is\n"
    "there already is never overwritten).\n"
    "\n"
    "examples:\n"
    "  ringleader key ring.key\n";

static const struct option OPTIONS[] = {{NULL, 0, NULL}};

static int run_key(int argc, char **argv)
{
    struct arguments arguments;
    struct rl_error error = {0};
    const int failed = read_arguments(&arguments, &command_key, OPTIONS, argc, argv);
    if (failed >= 0)
        return failed;
    if (arguments.word_count != 1)
        return complain(EXIT_REQUEST, "key wants one FILE to write (see ringleader key --help)");
    const enum rl_status status = rl_key_make(arguments.words[0], &error);
    return status ? complain_status(status, &error, NULL) : EXIT_DONE;
}

const struct command command_key = {
    .name = "key",
    .summary = "a key for the nodes of a real ring",
    .help = HELP,
    .run = run_key,
};
