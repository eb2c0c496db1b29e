/* SPDX-License-Identifier: MIT
 *
 * Expected steps gather values from all over arrays of hundreds of megabytes. With pages of 4 kB
 * nearly every load misses the processor's table of pages; with pages of 2 MB few do: a load at
 * random from 500 MB, the vector of n = N = 5, took 29 ns with small pages and 15 with large ones.
 * Linux gives them to aligned memory that asks for them. Elsewhere, and for small arrays, this is
 * calloc.
 */
#define _DEFAULT_SOURCE
#include "verify/huge_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)1 << 21)

void *rl_huge_pages_calloc(size_t count, size_t size)
{
#ifdef MADV_HUGEPAGE
    void *memory;
    if (count > SIZE_MAX / size)
        return NULL;
    if (count * size >= 4 * HUGE_PAGE && posix_memalign(&memory, HUGE_PAGE, count * size) == 0) {
        madvise(memory, count * size, MADV_HUGEPAGE); /* if it cannot, pages are just small */
        return memset(memory, 0, count * size);
    }
#endif
    return calloc(count, size);
}
