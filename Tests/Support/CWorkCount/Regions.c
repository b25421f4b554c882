#include "CWorkCount.h"

#include <stddef.h>

// Code that is built with `-profile-generate`, as `make growth` does, counts how often each of its regions is run, in an
// array between these. The functions are there only then.
extern char *__llvm_profile_begin_counters(void) __attribute__((weak));
extern char *__llvm_profile_end_counters(void) __attribute__((weak));

int work_count_sees_regions(void) {
    return __llvm_profile_begin_counters != NULL && __llvm_profile_end_counters != NULL;
}

uint64_t work_count_regions(void) {
    if (!work_count_sees_regions()) return 0;
    uint64_t sum = 0;
    const uint64_t *end = (const uint64_t *)__llvm_profile_end_counters();
    for (const uint64_t *count = (const uint64_t *)__llvm_profile_begin_counters(); count < end; count++) sum += *count;
    return sum;
}
