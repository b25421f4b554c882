#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "Counters.h"

#if COUNTS_MEMORY

// What Swift's code calls whenever it takes a reference. A loop over elements of Swift takes some in each round where it is
// compiled without optimization, as tests are. The program's functions go before those of Swift's runtime, which do the
// work; they are looked up at the first call, which may come before this program's own beginning.

typedef void *(*retaining)(void *);

static retaining retain_object, retain_bridge;

static inline void *retain(void *object, retaining *known, const char *name) {
    if (is_counting()) add(&counters.retains, 1);
    if (*known == NULL) *known = (retaining)dlsym(RTLD_NEXT, name);
    return (*known)(object);
}

// On ARM, callers count on it that more registers are kept than a function of C keeps.
#if defined(__aarch64__)
#define KEEPING_REGISTERS __attribute__((preserve_most))
#else
#define KEEPING_REGISTERS
#endif

KEEPING_REGISTERS void *swift_retain(void *object) { return retain(object, &retain_object, "swift_retain"); }

KEEPING_REGISTERS void *swift_bridgeObjectRetain(void *object) {
    return retain(object, &retain_bridge, "swift_bridgeObjectRetain");
}

#endif
