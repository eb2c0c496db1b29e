/* SPDX-License-Identifier: MIT
 *
 * Memory on huge pages. The advice is about the whole huge pages inside what malloc has found, so
 * that free takes it as it is; a system that does not know it does without.
 */
#define _DEFAULT_SOURCE
#include "simulate/memory.h"

#include <stdint.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum { HUGE_PAGE = 2 << 20 };

void *rl_large_alloc(size_t bytes)
{
    char *memory = malloc(bytes);
#ifdef MADV_HUGEPAGE
    const size_t skipped = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (memory && bytes >= 2 * (size_t)HUGE_PAGE)
        (void)madvise(memory + skipped, (bytes - skipped) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}
