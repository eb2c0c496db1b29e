/* SPDX-License-Identifier: MIT
 *
 * The little of a C library that WebAssembly lacks.
 *
 * An execution takes all its memory when it is opened and gives it back when the next one is, so
 * memory is a stack that `memory_reset` empties; `free` has nothing to do.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "web/libc/memory.h"

extern unsigned char __heap_base; /* where the linker says free memory begins */

enum { PAGE = 1 << 16, ALIGNMENT = 16 };

static uintptr_t top;

void memory_reset(void)
{
    top = 0;
}

/* Each block is preceded by its size, for realloc. */
void *malloc(size_t size)
{
    if (top == 0)
        top = ((uintptr_t)&__heap_base + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const uintptr_t block = top + ALIGNMENT;
    const uintptr_t end = block + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const uintptr_t have = __builtin_wasm_memory_size(0) * (uintptr_t)PAGE;
    if (end < block ||
        (end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == SIZE_MAX))
        return NULL;
    *(size_t *)top = size;
    top = end;
    return (void *)block;
}

void *realloc(void *memory, size_t size)
{
    void *larger = malloc(size);
    if (larger && memory) {
        const size_t old = *(size_t *)((uintptr_t)memory - ALIGNMENT);
        memcpy(larger, memory, old < size ? old : size);
    }
    return larger;
}

void free(void *memory)
{
    (void)memory;
}

/* The compiler turns these two into single instructions (-mbulk-memory). */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return __builtin_memcpy(to, from, size);
}

void *memset(void *at, int byte, size_t size)
{
    return __builtin_memset(at, byte, size);
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

size_t strlen(const char *string)
{
    size_t length = 0;
    while (string[length])
        length++;
    return length;
}
