/* SPDX-License-Identifier: MIT
 *
 * Text in XML and HTML.
 */
#ifndef RINGLEADER_DRAW_XML_H
#define RINGLEADER_DRAW_XML_H

#include <stddef.h>

/* What to write instead of a character, or NULL: itself. */
static inline const char *xml_entity(char c)
{
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : NULL;
}

#endif
