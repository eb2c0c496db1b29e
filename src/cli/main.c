/* SPDX-License-Identifier: MIT
 *
 * The command line: which command runs, how it ends, and how errors are printed.
 *
 * A command ends where something goes wrong, with `die`, or by returning. In both cases everything
 * it has claimed is released, the last first. Then `main` goes on (longjmp) with the exit status.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>

#include "cli/cli.h"

static const struct command *running;

static const struct command *const commands[] = {
#define POINTER(name) &command_##name,
    COMMAND_LIST(POINTER)
#undef POINTER
};

const struct command *command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}

void put_in_one_line(const char *text, FILE *stream)
{
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\\n", stream);
        else if ((unsigned char)*text < 32 || *text == 127)
            fprintf(stream, "\\x%02x", (unsigned char)*text);
        else
            fputc(*text, stream);
    }
}

/* As mpirun tells each process, before MPI is woken. */
static int rank_of_process(void)
{
    const char *ours = getenv("OMPI_COMM_WORLD_RANK"), *theirs = getenv("PMI_RANK");
    return ours ? atoi(ours) : theirs ? atoi(theirs) : 0;
}

void complain(const char *format, ...)
{
    char text[1 << 14];
    va_list arguments;
    if (running && running->in_ranks && rank_of_process() > 0)
        sleep(10); /* the first rank says the same, and with it all end */
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("ringleader: ", stderr);
    put_in_one_line(text, stderr);
    fputc('\n', stderr);
}

/* ---- the end of a command ---- */

/* What was claimed, the last first. */
struct claimed {
    struct claimed *before;
    void (*end)(void *thing);
    alignas(max_align_t) char thing[];
};

static struct {
    struct claimed *last;
    jmp_buf main;
    int status;
    pid_t process;
} command_end;

void *claim(size_t size, void (*end)(void *thing))
{
    struct claimed *claimed = calloc(1, sizeof *claimed + size);
    if (!claimed)
        die(EXIT_OUTSIDE, "out of memory");
    claimed->before = command_end.last;
    claimed->end = end;
    command_end.last = claimed;
    return claimed->thing;
}

void leave(int status)
{
    if (getpid() != command_end.process)
        _exit(status);
    while (command_end.last) {
        struct claimed *claimed = command_end.last;
        command_end.last = claimed->before;
        if (claimed->end)
            claimed->end(claimed->thing);
        free(claimed);
    }
    command_end.status = status;
    longjmp(command_end.main, 1);
}

static struct rl_error reason;

struct rl_error *why(void)
{
    reason = (struct rl_error){0};
    return &reason;
}

void check(enum rl_status status, const char *what)
{
    const char *text = reason.text[0] ? reason.text : rl_status_message(status);
    const bool outside = status == RL_NO_MEMORY || status == RL_NO_THREAD || status == RL_IO ||
                         status == RL_TOO_LARGE;
    char place[48] = "";
    if (reason.line > 0)
        snprintf(place, sizeof place, "line %u, column %u: ", reason.line, reason.column);
    if (status)
        die(outside ? EXIT_OUTSIDE : EXIT_REQUEST, "%s%s%s%s", what ? what : "", what ? ": " : "",
            place, text);
    why();
}

/* ---- which command ---- */

static void show_help(void)
{
    puts("Ringleader: run, check and show self-stabilizing leader election on rings.\n\nusage: "
         "ringleader COMMAND [options]\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\nexamples:\n"
         "  ringleader elect -n 1000                 one election on a ring of 1000 agents\n"
         "  ringleader elect -n 100 --start paper    the paper's example\n"
         "  ringleader help elect                    everything `elect` can do");
}

static const struct command *find_command(const char *name)
{
    const struct command *command;
    struct rl_nearest nearest = {.word = name};
    for (size_t i = 0; (command = command_at(i)); i++) {
        if (strcmp(name, command->name) == 0)
            return command;
        rl_nearest_try(&nearest, command->name);
    }
    die(EXIT_REQUEST, "there is no command '%s'%s (see ringleader --help)", name, nearest.hint);
}

static int run(int argc, char **argv)
{
    const char *word = argc < 2 ? "--help" : argv[1];
    struct arguments arguments;
    if (strcmp(word, "--complete") == 0 && argc > 2)
        return complete(argc - 2, argv + 2);
    if (strcmp(word, "help") == 0 && argc == 3)
        print_help(find_command(argv[2]));
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        show_help();
    else if (strcmp(word, "--version") == 0)
        printf("ringleader %s, stream version %d\n", rl_version(), RL_STREAM_VERSION);
    else {
        running = find_command(word);
        read_arguments(&arguments, running, argc - 2, argv + 2);
        return running->run(&arguments);
    }
    return argc < 2 ? EXIT_REQUEST : EXIT_DONE;
}

/* Streams that are closed would give their numbers to the files opened next, and what is meant for
 * the stream would be written there. Nothing can be written to what takes their places. */
static void reserve_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

int main(int argc, char **argv)
{
    reserve_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is told as a full disk is */
    command_end.process = getpid();
    if (setjmp(command_end.main) == 0)
        leave(run(argc, argv));
    const bool unwritten = fflush(stdout) || ferror(stdout);
    if (unwritten && command_end.status != EXIT_OUTSIDE)
        complain("standard output could not be written");
    return unwritten ? EXIT_OUTSIDE : command_end.status;
}
