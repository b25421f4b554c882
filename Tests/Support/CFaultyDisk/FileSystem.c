#include "Disk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// A file of SQLite's with the disk that it lies on; the usual file system's own follows it in memory.
typedef struct {
    sqlite3_file base;
    faulty_disk *disk;
    tracked *tracked;
    sqlite3_file *real;
} faulty_file;

static sqlite3_vfs *usual;

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

// MARK: - Files

static int close_file(sqlite3_file *file) {
    sqlite3_file *opened = real(file);
    return opened->pMethods == NULL ? SQLITE_OK : opened->pMethods->xClose(opened);
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

/// What a change of so many bytes takes away.
static int before(sqlite3_file *file, sqlite3_int64 offset, sqlite3_int64 count, change *change) {
    int error = real(file)->pMethods->xFileSize(real(file), &change->length);
    if (error != SQLITE_OK) return error;
    sqlite3_int64 there = change->length - offset;
    if (there > count) there = count;
    if (there <= 0) return SQLITE_OK;
    change->before = malloc((size_t)there);
    if (change->before == NULL) return SQLITE_IOERR_NOMEM;
    change->before_count = (int)there;
    return read_file(file, change->before, (int)there, offset);
}

static int give_up(change *change, int error) {
    free(change->before);
    free(change->after);
    return error;
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    faulty_file *faulty = (faulty_file *)file;
    if (faulty->disk == NULL) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    int fault = disk_write_fault(faulty->disk);
    // A write that fails may have been done in part.
    if (fault != SQLITE_OK) count /= 2;
    change change = {.offset = offset, .after_count = count};
    int error = before(file, offset, count, &change);
    if (error != SQLITE_OK) return give_up(&change, error);
    change.after = malloc((size_t)count + 1);
    if (change.after == NULL) return give_up(&change, SQLITE_IOERR_NOMEM);
    memcpy(change.after, bytes, (size_t)count);
    error = disk_note(faulty->disk, faulty->tracked, change);
    if (error != SQLITE_OK) return give_up(&change, error);
    error = real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    return fault != SQLITE_OK ? fault : error;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 length) {
    faulty_file *faulty = (faulty_file *)file;
    if (faulty->disk != NULL) {
        change change = {.offset = length};
        int error = before(file, length, INT32_MAX, &change);
        if (error == SQLITE_OK) error = disk_note(faulty->disk, faulty->tracked, change);
        if (error != SQLITE_OK) return give_up(&change, error);
    }
    return real(file)->pMethods->xTruncate(real(file), length);
}

static int sync_file(sqlite3_file *file, int flags) {
    faulty_file *faulty = (faulty_file *)file;
    if (faulty->disk == NULL) return real(file)->pMethods->xSync(real(file), flags);
    int fault = disk_sync_fault(faulty->disk);
    if (fault != SQLITE_OK) return fault;
    // The machine itself is not to lose its power: keeping the account is enough, and much faster.
    disk_synced(faulty->disk, faulty->tracked);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int check_reserved_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int device_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int shm_unmap(sqlite3_file *file, int deletes) { return real(file)->pMethods->xShmUnmap(real(file), deletes); }

/// Without memory-mapped reading, which goes past the writes.
static const sqlite3_io_methods methods = {
    2,         close_file,   read_file,   write_file,          truncate_file, sync_file,
    file_size, lock_file,    unlock_file, check_reserved_lock, file_control,  sector_size,
    device_characteristics,  shm_map,     shm_lock,            shm_barrier,   shm_unmap,
    NULL,      NULL,
};

// MARK: - The file system

static int open_file(sqlite3_vfs *system, const char *path, sqlite3_file *file, int flags, int *opened_flags) {
    faulty_file *faulty = (faulty_file *)file;
    memset(faulty, 0, sizeof *faulty);
    faulty->real = (sqlite3_file *)(faulty + 1);
    int error = usual->xOpen(usual, path, faulty->real, flags, opened_flags);
    if (faulty->real->pMethods == NULL) return error;
    faulty->base.pMethods = &methods;
    if (error == SQLITE_OK && path != NULL && (faulty->disk = disk_of(path)) != NULL) {
        faulty->tracked = disk_track(faulty->disk, path);
        if (faulty->tracked == NULL) error = SQLITE_NOMEM;
    }
    return error;
}

static int delete_file(sqlite3_vfs *system, const char *path, int syncs) {
    disk_forget(path);
    return usual->xDelete(usual, path, syncs);
}

static int access_file(sqlite3_vfs *system, const char *path, int flags, int *result) {
    return usual->xAccess(usual, path, flags, result);
}

static int full_path(sqlite3_vfs *system, const char *path, int count, char *full) {
    return usual->xFullPathname(usual, path, count, full);
}

static int randomness(sqlite3_vfs *system, int count, char *bytes) { return usual->xRandomness(usual, count, bytes); }

static int sleep_for(sqlite3_vfs *system, int microseconds) { return usual->xSleep(usual, microseconds); }

static int current_time(sqlite3_vfs *system, double *time) { return usual->xCurrentTime(usual, time); }

static int last_error(sqlite3_vfs *system, int count, char *text) { return usual->xGetLastError(usual, count, text); }

static int current_time_64(sqlite3_vfs *system, sqlite3_int64 *time) {
    return usual->xCurrentTimeInt64(usual, time);
}

static sqlite3_vfs file_system = {
    .iVersion = 2,
    .zName = "fieldbook-faulty-disk",
    .xOpen = open_file,
    .xDelete = delete_file,
    .xAccess = access_file,
    .xFullPathname = full_path,
    .xRandomness = randomness,
    .xSleep = sleep_for,
    .xCurrentTime = current_time,
    .xGetLastError = last_error,
    .xCurrentTimeInt64 = current_time_64,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int installed = 1;

static void install(void) {
    usual = sqlite3_vfs_find(NULL);
    if (usual == NULL) return;
    file_system.szOsFile = (int)sizeof(faulty_file) + usual->szOsFile;
    file_system.mxPathname = usual->mxPathname;
    installed = sqlite3_vfs_register(&file_system, 1) == SQLITE_OK ? 0 : 1;
}

/// At the start of the program: a file system that encrypts may come before this one later, and never behind it, where
/// this one would see plain bytes.
__attribute__((constructor)) int faulty_disk_install(void) {
    pthread_once(&once, install);
    return installed;
}
