#ifndef FIELDBOOK_C_FAULTY_DISK_H
#define FIELDBOOK_C_FAULTY_DISK_H

#include <stdint.h>

/// A folder whose SQLite files lie on a disk that fails when a test says so, and forgets at a power cut what was not
/// synced. Files of other folders are left alone.
typedef struct faulty_disk faulty_disk;

typedef enum {
    FAULTY_DISK_FULL,
    FAULTY_DISK_WRITE,
    FAULTY_DISK_SYNC,
} faulty_disk_fault;

/// Puts the disks before SQLite's usual one, for all databases; done when the program starts. 0 if that
/// worked.
int faulty_disk_install(void);

/// A disk for the files under a folder, whose path has no symbolic link in it; NULL without memory.
faulty_disk *faulty_disk_new(const char *folder);

/// No file of it may be open any more.
void faulty_disk_free(faulty_disk *disk);

/// After so many writes or syncs more, the next ones fail.
void faulty_disk_fail(faulty_disk *disk, faulty_disk_fault fault, int after, int count);

/// Nothing is to fail any more.
void faulty_disk_heal(faulty_disk *disk);

/// How many writes and syncs have failed.
int faulty_disk_failures(faulty_disk *disk);

/// How many writes would not outlive a power cut.
int faulty_disk_unsynced(faulty_disk *disk);

/// Copies a file as a power cut would leave it: each write since its last sync has reached the disk, wholly, in part, or
/// not at all, as the seed says. 0 if that worked.
int faulty_disk_copy_after_power_cut(faulty_disk *disk, const char *path, const char *copy, uint64_t seed);

#endif
