/* SPDX-License-Identifier: MIT
 *
 * Text in XML and HTML.
 */
#ifndef RINGLEADER_DRAW_XML_H
#define RINGLEADER_DRAW_XML_H

#include <stddef.h>

/* What to write instead of a character, or NULL: itself. Control characters are not allowed in XML
 * at all: the replacement character stands for them. */
static inline const char *xml_entity(char c)
{
    if ((unsigned char)c < ' ' && c != '\n' && c != '\t')
        return "\xef\xbf\xbd";
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : NULL;
}

#endif
