/* SPDX-License-Identifier: MIT
 *
 * Where the library itself is.
 */
#ifndef RINGLEADER_OWN_PLACES_H
#define RINGLEADER_OWN_PLACES_H

#include "ringleader/own.h"

/* The shared library's file, as the dynamic linker knows it; "" if it is a part of the program. */
const char *own_library(void);

#endif
