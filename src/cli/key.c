/* SPDX-License-Identifier: MIT
 *
 * ringleader key: a key for the nodes of a ring.
 */
#include <sys/stat.h>

#include "cli/cli.h"

#include "net/datagram.h"

static const struct option OPTIONS[] = {
    {"FILE", NULL, VALUE_OUTPUT, NULL, .is_word = true,
     .missing = "which file? give the name of a new one: ringleader key FILE"},
};

static int run_key(struct arguments *arguments)
{
    const char *path = argument(arguments, "FILE");
    char text[RL_KEY_TEXT];
    if (strcmp(path, "-") != 0 && access(path, F_OK) == 0)
        die(EXIT_OUTSIDE, "%s: there is a file already", path);
    umask(077);
    struct rl_new_file *file = new_file(path);
    check(rl_key_text(text, why()), NULL);
    fputs(text, file->stream);
    keep_files();
    return EXIT_DONE;
}

const struct command command_key = {
    .name = "key",
    .summary = "make a key for the nodes of a real ring",
    .usage = "ringleader key FILE",
    .about =
        "Makes a key for the nodes of a ring, in a new file that only its owner can read. Give "
        "every node of the ring the same key (`ringleader node --key FILE`): nobody without it can "
        "talk to them. An existing file is never overwritten; - is standard output.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 done, 2 the request was wrong, 3 the file could not be made.",
    .examples = "  ringleader key ring.key\n",
    .run = run_key,
};
