#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

typedef atomic_uint_fast64_t counter;

extern struct counters {
    counter allocations, allocated_bytes, touched_bytes, retains, sqlite_hundreds;
    // How many measure just now.
    atomic_int measuring;
} counters;

static inline int is_counting(void) {
    return atomic_load_explicit(&counters.measuring, memory_order_relaxed) > 0;
}

static inline void add(counter *count, uint64_t number) {
    atomic_fetch_add_explicit(count, number, memory_order_relaxed);
}

// Sanitizers replace these functions themselves, and other C libraries have no second name for their allocator.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#define COUNTS_MEMORY 1
#else
#define COUNTS_MEMORY 0
#endif

#endif
