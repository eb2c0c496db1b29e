/* SPDX-License-Identifier: MIT
 *
 * The program, started once and asked often: with words it is `ringleader WORDS`; without any it
 * answers requests in children that are forked when everything is loaded. Under the sanitizers
 * loading takes five times as long as most bad requests do.
 *
 * A request on standard input is a length, in the machine's own bytes, and as many bytes: texts
 * that each end in a zero byte, namely a directory to be in, files for standard output and standard
 * error, and the words. The answer on standard output is a line with the child's number as soon as
 * it runs, and one with its exit status, minus the signal if one ended it.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int ringleader_main(int argc, char **argv);

enum { BYTES = 1 << 16, WORDS = 64 };

struct request {
    char text[BYTES];
    char *words[WORDS]; /* directory, output, error, then the command's own */
    int count;
};

static bool read_all(void *memory, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t got = read(STDIN_FILENO, (char *)memory + done, size - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool read_request(struct request *request)
{
    uint32_t size;
    if (!read_all(&size, sizeof size) || size > BYTES || !read_all(request->text, size))
        return false;
    request->count = 0;
    for (char *word = request->text; word < request->text + size; word += strlen(word) + 1) {
        if (request->count == WORDS - 1)
            return false;
        request->words[request->count++] = word;
    }
    request->words[request->count] = NULL;
    return request->count > 3;
}

static bool put_in_place(const char *path, int flags, int descriptor)
{
    const int opened = open(path, flags, 0600);
    return opened >= 0 && dup2(opened, descriptor) == descriptor && close(opened) == 0;
}

static int answer(struct request *request)
{
    if (chdir(request->words[0]) || !put_in_place("/dev/null", O_RDONLY, STDIN_FILENO) ||
        !put_in_place(request->words[1], O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) ||
        !put_in_place(request->words[2], O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO))
        return 96;
    return ringleader_main(request->count - 3, request->words + 3);
}

int main(int argc, char **argv)
{
    static struct request request;
    if (argc > 1)
        return ringleader_main(argc, argv);
    while (read_request(&request)) {
        const pid_t child = fork();
        if (child == 0)
            exit(answer(&request));
        int status = 0;
        dprintf(STDOUT_FILENO, "%d\n", (int)child);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        dprintf(STDOUT_FILENO, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }
    return 0;
}
