/* SPDX-License-Identifier: MIT
 *
 * Text in pieces through somebody's `put`.
 */
#ifndef RINGLEADER_VERIFY_PRINTER_H
#define RINGLEADER_VERIFY_PRINTER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "ringleader/status.h"

struct printer {
    void *user;
    bool (*put)(void *user, const void *bytes, size_t size);
    bool failed;
};

/* A piece has at most 511 bytes. */
RL_FORMAT(2, 3) static inline void print(struct printer *printer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text ||
        !printer->put(printer->user, text, (size_t)length))
        printer->failed = true;
}

#endif
