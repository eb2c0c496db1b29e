/* SPDX-License-Identifier: MIT
 *
 * Memory that fails on demand: the k-th allocation of a piece of work fails, for every k.
 *
 * Linked with --wrap for malloc, calloc, realloc, aligned_alloc, strdup, open_memstream and free,
 * so it sees what our code asks for, and not what libc does inside.
 */
#ifndef RINGLEADER_TEST_FAILING_H
#define RINGLEADER_TEST_FAILING_H

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *string);
FILE *__real_open_memstream(char **text_out, size_t *size_out);
FILE *__wrap_open_memstream(char **text_out, size_t *size_out);
void __wrap_free(void *memory);

/* Threads ask, too. */
static struct {
    atomic_int counting;   /* the process that is counted, not its children; 0: none is */
    atomic_size_t asked;   /* allocations so far */
    atomic_size_t failing; /* the one that fails, from 1; 0: none */
    atomic_bool failed;    /* it was reached */
    atomic_long live;      /* allocated and not freed */
} memory;

static bool fails(void)
{
    if (memory.counting != getpid() || ++memory.asked != memory.failing)
        return false;
    memory.failed = true;
    return true;
}

static void *counted(void *allocated)
{
    memory.live += memory.counting && allocated;
    return allocated;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    memory.live -= memory.counting && old;
    return counted(__real_realloc(old, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *string)
{
    char *copy = __wrap_malloc(strlen(string) + 1);
    return copy ? strcpy(copy, string) : NULL;
}

/* Its text is ours to free. */
FILE *__wrap_open_memstream(char **text_out, size_t *size_out)
{
    FILE *stream = fails() ? NULL : __real_open_memstream(text_out, size_out);
    memory.live += memory.counting && stream;
    return stream;
}

void __wrap_free(void *allocated)
{
    memory.live -= memory.counting && allocated;
    __real_free(allocated);
}

/* Under the sanitizers, which are slow, every 17th: without them each one is tried. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
enum { APART = __has_feature(address_sanitizer) ? 17 : 1 };

/* Runs `work` with its first, second, ... allocation failing, until none is left to fail. It must
 * answer `refusal` exactly when one failed, 0 otherwise, and leave nothing allocated. Returns the
 * number of allocations. */
#define fail_each_allocation(work, refusal) fail_each_allocation_of(#work, work, refusal)
static size_t fail_each_allocation_of(const char *name, int (*work)(void), int refusal)
{
    for (size_t failing = 1;; failing += APART) {
        memory.asked = 0;
        memory.live = 0;
        memory.failed = false;
        memory.failing = failing;
        memory.counting = getpid();
        const int answer = work();
        memory.counting = 0;
        if (answer != (memory.failed ? refusal : 0))
            fail_msg("%s: allocation %zu %s, and the answer was %d", name, failing,
                     memory.failed ? "failed" : "was never asked for", answer);
        if (memory.live != 0)
            fail_msg("%s: allocation %zu failed, and %ld stayed allocated", name, failing,
                     (long)memory.live);
        if (!memory.failed)
            return memory.asked;
    }
}

#endif
