/* SPDX-License-Identifier: MIT
 *
 * Memory that fails on demand, under a running interpreter: preloaded, it makes the k-th allocation
 * that our library asks for fail, and none of the interpreter's own. See starve.py.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void failing_begin(size_t k);
bool failing_end(void);

static uintptr_t first, last; /* of the library's code */
static atomic_size_t asked, failing;

static int find_library(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    if (!strstr(info->dlpi_name, "libringleader.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            last = first + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

/* The k-th from here on fails, from 1. */
void failing_begin(size_t k)
{
    dl_iterate_phdr(find_library, NULL);
    asked = 0;
    failing = k;
}

/* Whether it came to that. */
bool failing_end(void)
{
    const bool reached = asked >= failing;
    failing = 0;
    return reached;
}

static bool fails(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    return failing && at >= first && at < last && ++asked == failing;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
