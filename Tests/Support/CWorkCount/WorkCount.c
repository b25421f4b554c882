#include "CWorkCount.h"

#include <stddef.h>
#include <sqlite3.h>

#include "Counters.h"

struct counters counters;

static int tick(void *context) {
    (void)context;
    if (is_counting()) add(&counters.sqlite_hundreds, 1);
    return 0;
}

static int opened(sqlite3 *connection, char **message, const void *routines) {
    (void)message;
    (void)routines;
    sqlite3_progress_handler(connection, 100, tick, NULL);
    return SQLITE_OK;
}

void work_count_sqlite(void) { sqlite3_auto_extension((void (*)(void))opened); }

int work_count_sees_memory(void) { return COUNTS_MEMORY; }

void work_count_begin(void) { atomic_fetch_add(&counters.measuring, 1); }

void work_count_end(void) { atomic_fetch_sub(&counters.measuring, 1); }

work_count work_count_now(void) {
    work_count count = {
        .allocations = atomic_load(&counters.allocations),
        .allocated_bytes = atomic_load(&counters.allocated_bytes),
        .touched_bytes = atomic_load(&counters.touched_bytes),
        .retains = atomic_load(&counters.retains),
        .sqlite_hundreds = atomic_load(&counters.sqlite_hundreds),
        .regions = work_count_regions(),
    };
    return count;
}
