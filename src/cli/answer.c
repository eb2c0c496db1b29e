/* SPDX-License-Identifier: MIT
 *
 * The answer of a command, row by row: printed for people, or as JSON, from the same rows.
 */
#include <stdarg.h>

#include "cli/cli.h"

enum { LABEL = 9, WIDTH = 80 };

struct answer answer_begin(bool json)
{
    struct answer answer = {.people = !json};
    if (json)
        answer.json = rl_json_begin(stdout);
    return answer;
}

void answer_end(struct answer *answer)
{
    if (!answer->people)
        rl_json_end(&answer->json);
}

void tell_seconds(struct answer *answer, double seconds)
{
    put(answer, "wall_seconds=%g", seconds);
    say(answer, "time", "%.3f s", seconds);
}

void line(const struct answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (answer->people)
        vprintf(format, arguments);
    va_end(arguments);
}

void print_wrapped(const char *text, size_t column, size_t indent)
{
    for (bool first = true; *text; first = false) {
        const size_t spaces = first ? 0 : strspn(text, " \n");
        const size_t length = strcspn(text + spaces, " \n");
        const bool line_end = memchr(text, '\n', spaces);
        const size_t shown = line_end ? 1 : spaces;
        if (!first && length > 0 && column + shown + length > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (length > 0) {
            printf("%*s", (int)shown, "");
            column += shown;
        }
        fwrite(text + spaces, 1, length, stdout);
        column += length;
        text += spaces + length;
    }
    putchar('\n');
}

void say(const struct answer *answer, const char *label, const char *format, ...)
{
    static char text[1 << 16]; /* what is longer, people do not read */
    va_list arguments;
    if (!answer->people)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%-*s", LABEL, label);
    print_wrapped(text, LABEL, LABEL);
}
