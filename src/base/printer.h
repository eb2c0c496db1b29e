/* SPDX-License-Identifier: MIT
 *
 * Text in pieces through somebody's `put`.
 */
#ifndef RINGLEADER_BASE_PRINTER_H
#define RINGLEADER_BASE_PRINTER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ringleader/status.h"

struct printer {
    void *user;
    rl_put put;
    bool failed;
};

static inline void print_text(struct printer *printer, const char *text)
{
    printer->failed = printer->failed || !printer->put(printer->user, text, strlen(text));
}

/* A piece has at most 511 bytes. */
RL_FORMAT(2, 3) static inline void print(struct printer *printer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printer->failed = printer->failed || length < 0 || (size_t)length >= sizeof text;
    print_text(printer, text);
}

#endif
