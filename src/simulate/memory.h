/* SPDX-License-Identifier: MIT
 *
 * Large memory that is jumped about in.
 */
#ifndef RINGLEADER_SIMULATE_MEMORY_H
#define RINGLEADER_SIMULATE_MEMORY_H

#include <stdlib.h>

/* As malloc, to be freed with free; on huge pages, if there are such and the memory is large. At
 * ten million agents every event would look up a page that the processor does not remember. */
void *rl_large_alloc(size_t bytes);

#endif
