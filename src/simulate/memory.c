/* SPDX-License-Identifier: MIT
 *
 * Memory on huge pages: whole ones, aligned to their size, for every large array. Where malloc puts
 * an array, up to two huge pages' worth of it would lie on small ones.
 */
#define _DEFAULT_SOURCE
#include "simulate/inside.h"

#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

void *rl_large_alloc(size_t bytes)
{
    const size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (bytes < HUGE_PAGE / 2 || whole < bytes) /* small, or more than there can be */
        return malloc(bytes);
    void *memory = aligned_alloc(HUGE_PAGE, whole);
    if (memory)
        (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}
#else
void *rl_large_alloc(size_t bytes)
{
    return malloc(bytes);
}
#endif
