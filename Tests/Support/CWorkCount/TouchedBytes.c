#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "Counters.h"

#if COUNTS_MEMORY

// The C library's own do the work. Until they are looked up, in the program's first moments, loops do; `volatile` keeps
// the compiler from making calls of these very functions out of them.

static void *first_move(void *to, const void *from, size_t size) {
    volatile uint8_t *target = to;
    const volatile uint8_t *source = from;
    if ((uintptr_t)target <= (uintptr_t)source) {
        for (size_t index = 0; index < size; index++) target[index] = source[index];
    } else {
        for (size_t index = size; index > 0; index--) target[index - 1] = source[index - 1];
    }
    return to;
}

static void *first_set(void *block, int byte, size_t size) {
    volatile uint8_t *target = block;
    for (size_t index = 0; index < size; index++) target[index] = (uint8_t)byte;
    return block;
}

// How many bytes are alike from the beginning.
static size_t common(const void *one, const void *other, size_t size) {
    const volatile uint8_t *first = one, *second = other;
    size_t index = 0;
    while (index < size && first[index] == second[index]) index++;
    return index;
}

static int first_compare(const void *one, const void *other, size_t size) {
    size_t alike = common(one, other, size);
    return alike == size ? 0 : (int)((const uint8_t *)one)[alike] - (int)((const uint8_t *)other)[alike];
}

static void *first_find(const void *block, int byte, size_t size) {
    const volatile uint8_t *bytes = block;
    for (size_t index = 0; index < size; index++) {
        if (bytes[index] == (uint8_t)byte) return (void *)((uintptr_t)block + index);
    }
    return NULL;
}

static void *(*copying)(void *, const void *, size_t) = first_move;
static void *(*moving)(void *, const void *, size_t) = first_move;
static void *(*setting)(void *, int, size_t) = first_set;
static int (*comparing)(const void *, const void *, size_t) = first_compare;
static void *(*finding)(const void *, int, size_t) = first_find;

__attribute__((constructor)) static void look_up(void) {
    void *found;
    if ((found = dlsym(RTLD_NEXT, "memcpy"))) copying = (void *(*)(void *, const void *, size_t))found;
    if ((found = dlsym(RTLD_NEXT, "memmove"))) moving = (void *(*)(void *, const void *, size_t))found;
    if ((found = dlsym(RTLD_NEXT, "memset"))) setting = (void *(*)(void *, int, size_t))found;
    if ((found = dlsym(RTLD_NEXT, "memcmp"))) comparing = (int (*)(const void *, const void *, size_t))found;
    if ((found = dlsym(RTLD_NEXT, "memchr"))) finding = (void *(*)(const void *, int, size_t))found;
}

static inline void note(size_t bytes) {
    if (is_counting()) add(&counters.touched_bytes, bytes);
}

void *memcpy(void *to, const void *from, size_t size) {
    note(size);
    return copying(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
    note(size);
    return moving(to, from, size);
}

void *memset(void *block, int byte, size_t size) {
    note(size);
    return setting(block, byte, size);
}

// Comparing ends at the first difference, and searching where something is found: so does what is counted.

int memcmp(const void *one, const void *other, size_t size) {
    int order = comparing(one, other, size);
    if (is_counting()) note(order == 0 ? size : common(one, other, size) + 1);
    return order;
}

int bcmp(const void *one, const void *other, size_t size) { return memcmp(one, other, size); }

void *memchr(const void *block, int byte, size_t size) {
    void *found = finding(block, byte, size);
    note(found == NULL ? size : (size_t)((uintptr_t)found - (uintptr_t)block) + 1);
    return found;
}

#endif
