/* SPDX-License-Identifier: MIT
 *
 * Numbers as C writes them.
 */
#include "base/plain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* "C" is always there, so newlocale can only be out of memory; then it stays as it is. */
struct plain plain_begin(void)
{
    struct plain plain = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    plain.before = plain.plain ? uselocale(plain.plain) : (locale_t)0;
    return plain;
}

void plain_end(struct plain plain)
{
    if (!plain.plain)
        return;
    uselocale(plain.before);
    freelocale(plain.plain);
}

void plain_print(char *text, size_t size, const char *format, ...)
{
    const struct plain plain = plain_begin();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    plain_end(plain);
}

double plain_read(const char *text, char **end_out)
{
    const struct plain plain = plain_begin();
    const double value = strtod(text, end_out);
    plain_end(plain);
    return value;
}
