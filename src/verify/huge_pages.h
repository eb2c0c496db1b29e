/* SPDX-License-Identifier: MIT
 *
 * Large arrays that are read at random: in huge pages, where the system has them.
 */
#ifndef RINGLEADER_VERIFY_HUGE_PAGES_H
#define RINGLEADER_VERIFY_HUGE_PAGES_H

#include <stddef.h>

/* `count` elements of `size` bytes, all zero; NULL if there is no memory. Free with free. */
void *rl_huge_pages_calloc(size_t count, size_t size);

#endif
