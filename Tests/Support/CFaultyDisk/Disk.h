#ifndef FIELDBOOK_FAULTY_DISK_INTERNAL_H
#define FIELDBOOK_FAULTY_DISK_INTERNAL_H

#include <stdbool.h>
#include <sqlite3.h>

#include "CFaultyDisk.h"

/// What a write or a truncation did to a file, and what was there before.
typedef struct {
    sqlite3_int64 offset;
    /// Bytes that are there since; NULL for a truncation to `offset`.
    unsigned char *after;
    int after_count;
    /// Bytes that were there.
    unsigned char *before;
    int before_count;
    /// How long the file was.
    sqlite3_int64 length;
} change;

/// The changes of a file since it was synced.
typedef struct tracked {
    char *path;
    change *changes;
    int count;
    int room;
    struct tracked *next;
} tracked;

/// The disk that a path lies on, or NULL.
faulty_disk *disk_of(const char *path);

/// The file's changes; NULL without memory.
tracked *disk_track(faulty_disk *disk, const char *path);

/// Whether this write or sync is to fail, and how: an error of SQLite's, or `SQLITE_OK`.
int disk_write_fault(faulty_disk *disk);
int disk_sync_fault(faulty_disk *disk);

/// Takes over the buffers of the change.
int disk_note(faulty_disk *disk, tracked *file, change change);
void disk_synced(faulty_disk *disk, tracked *file);
/// The file is gone.
void disk_forget(const char *path);

#endif
