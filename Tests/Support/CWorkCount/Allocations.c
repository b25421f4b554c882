#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "Counters.h"

#if COUNTS_MEMORY

// The allocator stays the C library's, so `free` and what is not replaced here fit: a program's `malloc` goes before the
// library's, also where the library and the language's runtime call it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static inline void note(size_t bytes) {
    if (!is_counting()) return;
    add(&counters.allocations, 1);
    add(&counters.allocated_bytes, bytes);
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note(count * size);
    return __libc_calloc(count, size);
}

// What grows may be copied: it counts as though it were.
void *realloc(void *block, size_t size) {
    note(size);
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *found = memalign(alignment, size);
    if (found == NULL) return ENOMEM;
    *block = found;
    return 0;
}

#endif
