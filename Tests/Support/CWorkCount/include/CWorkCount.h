#ifndef C_WORK_COUNT_H
#define C_WORK_COUNT_H

#include <stdint.h>

/// Work of this process, all its threads together, as far as it can be counted. Everything only ever grows: who measures
/// takes the difference.
typedef struct {
    /// Blocks of memory that were asked for.
    uint64_t allocations;
    /// Their bytes.
    uint64_t allocated_bytes;
    /// Bytes that the C library copied, filled, compared or searched.
    uint64_t touched_bytes;
    /// References to Swift's objects that were taken.
    uint64_t retains;
    /// Steps of SQLite's virtual machine, in hundreds.
    uint64_t sqlite_hundreds;
    /// How often regions of code between two branches were run.
    uint64_t regions;
} work_count;

/// Whether anything but SQLite is counted: not under a sanitizer, which replaces the same functions.
int work_count_sees_memory(void);

/// Whether regions of code are counted: only in the build that `make growth` makes.
int work_count_sees_regions(void);

/// How often regions of code were run since the program's start.
uint64_t work_count_regions(void);

/// Lets SQLite count the steps of connections that are opened from now on.
void work_count_sqlite(void);

/// Counts from now on; everything gets a little slower meanwhile.
void work_count_begin(void);

/// Ends what one `work_count_begin` began.
void work_count_end(void);

/// What was counted since the program's start, while something was counting.
work_count work_count_now(void);

#endif
