/* SPDX-License-Identifier: MIT
 *
 * Progress on a terminal, Ctrl-C, and numbers for people.
 */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "cli/cli.h"

static volatile sig_atomic_t interrupt_count;

static void on_interrupt(int number)
{
    interrupt_count++;
    if (interrupt_count > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

bool takes_escapes(int descriptor)
{
    const char *kind = getenv("TERM");
    return kind && kind[0] && strcmp(kind, "dumb") != 0 && isatty(descriptor);
}

struct progress progress_begin(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    const double now = seconds_now();
    return (struct progress){
        .began = now, .shown = now + 0.9, .pause = 0.1, .terminal = takes_escapes(STDERR_FILENO)};
}

bool progress_due(struct progress *progress)
{
    if (!progress->terminal)
        return false;
    const double now = seconds_now();
    if (now < progress->shown + progress->pause)
        return false;
    progress->shown = now;
    return true;
}

unsigned terminal_columns(int descriptor)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    const int width = columns ? atoi(columns) : 0;
    if (width > 0)
        return (unsigned)width;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* A line that is too long would go on in the next one, where it is not cleared: it ends with the
 * last word that fits. */
void progress_show(struct progress *progress, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const size_t room = terminal_columns(STDERR_FILENO) - 1;
    if (strlen(line) > room) {
        char *end = line + room;
        while (end > line && *end != ' ')
            end--;
        (end > line ? end : line + room)[0] = '\0'; /* a word that is longer is cut */
    }
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    progress->visible = true;
    progress->pause = fmax(0.1, 20 * (seconds_now() - progress->shown));
}

double progress_end(struct progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
    return seconds_now() - progress->began;
}

bool interrupted(void)
{
    return interrupt_count > 0;
}

const char *grouped(uint64_t number)
{
    static struct rl_text_grouped buffers[8];
    static unsigned next;
    struct rl_text_grouped *buffer = &buffers[next++ % 8];
    *buffer = rl_text_grouped(number);
    return buffer->text;
}

const char *counted(uint64_t number, const char *thing)
{
    static char texts[4][48];
    static unsigned next;
    char *text = texts[next++ % 4];
    snprintf(text, sizeof texts[0], "%s %s%s", grouped(number), thing, number == 1 ? "" : "s");
    return text;
}
