#include "Disk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct faulty_disk {
    char *folder;
    tracked *files;
    faulty_disk_fault fault;
    int after;
    int count;
    int failures;
    struct faulty_disk *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faulty_disk *disks;

faulty_disk *faulty_disk_new(const char *folder) {
    faulty_disk *disk = calloc(1, sizeof *disk);
    if (disk == NULL) return NULL;
    disk->folder = strdup(folder);
    if (disk->folder == NULL) {
        free(disk);
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&mutex);
    return disk;
}

static void clear(tracked *file) {
    for (int index = 0; index < file->count; index++) {
        free(file->changes[index].after);
        free(file->changes[index].before);
    }
    file->count = 0;
}

void faulty_disk_free(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    for (faulty_disk **link = &disks; *link != NULL; link = &(*link)->next) {
        if (*link != disk) continue;
        *link = disk->next;
        break;
    }
    pthread_mutex_unlock(&mutex);
    while (disk->files != NULL) {
        tracked *file = disk->files;
        disk->files = file->next;
        clear(file);
        free(file->changes);
        free(file->path);
        free(file);
    }
    free(disk->folder);
    free(disk);
}

// MARK: - Faults

void faulty_disk_fail(faulty_disk *disk, faulty_disk_fault fault, int after, int count) {
    pthread_mutex_lock(&mutex);
    disk->fault = fault;
    disk->after = after;
    disk->count = count;
    pthread_mutex_unlock(&mutex);
}

void faulty_disk_heal(faulty_disk *disk) { faulty_disk_fail(disk, FAULTY_DISK_FULL, 0, 0); }

int faulty_disk_failures(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    int failures = disk->failures;
    pthread_mutex_unlock(&mutex);
    return failures;
}

static bool is_due(faulty_disk *disk) {
    if (disk->count == 0) return false;
    if (disk->after > 0) {
        disk->after -= 1;
        return false;
    }
    disk->count -= 1;
    disk->failures += 1;
    return true;
}

int disk_write_fault(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    int error = SQLITE_OK;
    if (disk->fault != FAULTY_DISK_SYNC && is_due(disk)) {
        error = disk->fault == FAULTY_DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    pthread_mutex_unlock(&mutex);
    return error;
}

int disk_sync_fault(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    int error = disk->fault == FAULTY_DISK_SYNC && is_due(disk) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
    pthread_mutex_unlock(&mutex);
    return error;
}

// MARK: - What is not synced

faulty_disk *disk_of(const char *path) {
    pthread_mutex_lock(&mutex);
    faulty_disk *disk = disks;
    while (disk != NULL) {
        size_t length = strlen(disk->folder);
        if (strncmp(disk->folder, path, length) == 0 && path[length] == '/') break;
        disk = disk->next;
    }
    pthread_mutex_unlock(&mutex);
    return disk;
}

static tracked *find(faulty_disk *disk, const char *path) {
    for (tracked *file = disk->files; file != NULL; file = file->next) {
        if (strcmp(file->path, path) == 0) return file;
    }
    return NULL;
}

tracked *disk_track(faulty_disk *disk, const char *path) {
    pthread_mutex_lock(&mutex);
    tracked *file = find(disk, path);
    if (file == NULL && (file = calloc(1, sizeof *file)) != NULL) {
        file->path = strdup(path);
        file->next = disk->files;
        disk->files = file;
    }
    pthread_mutex_unlock(&mutex);
    return file;
}

int disk_note(faulty_disk *disk, tracked *file, change change) {
    pthread_mutex_lock(&mutex);
    int error = SQLITE_OK;
    if (file->count == file->room) {
        int room = file->room == 0 ? 64 : file->room * 2;
        void *grown = realloc(file->changes, (size_t)room * sizeof *file->changes);
        if (grown == NULL) {
            error = SQLITE_IOERR_NOMEM;
        } else {
            file->changes = grown;
            file->room = room;
        }
    }
    if (error == SQLITE_OK) file->changes[file->count++] = change;
    pthread_mutex_unlock(&mutex);
    return error;
}

void disk_synced(faulty_disk *disk, tracked *file) {
    pthread_mutex_lock(&mutex);
    clear(file);
    pthread_mutex_unlock(&mutex);
}

void disk_forget(const char *path) {
    faulty_disk *disk = disk_of(path);
    if (disk == NULL) return;
    pthread_mutex_lock(&mutex);
    tracked *file = find(disk, path);
    if (file != NULL) clear(file);
    pthread_mutex_unlock(&mutex);
}

int faulty_disk_unsynced(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    int count = 0;
    for (tracked *file = disk->files; file != NULL; file = file->next) count += file->count;
    pthread_mutex_unlock(&mutex);
    return count;
}

// MARK: - Power cuts

/// A file in memory.
typedef struct {
    unsigned char *bytes;
    sqlite3_int64 length;
    sqlite3_int64 room;
} image;

static bool resize(image *image, sqlite3_int64 length) {
    if (length > image->room) {
        sqlite3_int64 room = length * 2;
        unsigned char *grown = realloc(image->bytes, (size_t)room);
        if (grown == NULL) return false;
        image->bytes = grown;
        image->room = room;
    }
    if (length > image->length) memset(image->bytes + image->length, 0, (size_t)(length - image->length));
    image->length = length;
    return true;
}

static bool put(image *image, sqlite3_int64 offset, const unsigned char *bytes, int count) {
    if (count == 0) return true;
    if (image->length < offset + count && !resize(image, offset + count)) return false;
    memcpy(image->bytes + offset, bytes, (size_t)count);
    return true;
}

static bool undo(image *image, const change *change) {
    return put(image, change->offset, change->before, change->before_count) && resize(image, change->length);
}

static uint64_t next(uint64_t *seed) {
    uint64_t mixed = *seed += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

/// So many bytes of a change have reached the disk.
static bool redo(image *image, const change *change, int count) {
    if (change->after == NULL) return resize(image, change->offset);
    return put(image, change->offset, change->after, count);
}

/// Bytes of a file that the system writes to the disk as one.
enum { DISK_PAGE = 4096 };

/// Often up to a page of the disk, elsewhere up to any byte.
static int part(const change *change, uint64_t *seed) {
    int count = (int)(next(seed) % (uint64_t)(change->after_count + 1));
    if (next(seed) % 2 == 0) return count;
    int over = (int)((change->offset + count) % DISK_PAGE);
    return over <= count ? count - over : count;
}

/// All writes, or those before one of them and a part of it.
static bool redo_in_order(image *image, const tracked *file, uint64_t *seed) {
    int whole = next(seed) % 2 == 0 ? file->count : (int)(next(seed) % (uint64_t)(file->count + 1));
    for (int index = 0; index < whole; index++) {
        if (!redo(image, &file->changes[index], file->changes[index].after_count)) return false;
    }
    if (whole == file->count || file->changes[whole].after == NULL) return true;
    return redo(image, &file->changes[whole], part(&file->changes[whole], seed));
}

/// Each write, or a part of it, or nothing: a disk writes in any order.
static bool redo_some(image *image, const tracked *file, uint64_t *seed) {
    for (int index = 0; index < file->count; index++) {
        const change *change = &file->changes[index];
        uint64_t fate = next(seed) % 4;
        if (fate == 0) continue;
        if (!redo(image, change, fate == 1 ? part(change, seed) : change->after_count)) return false;
    }
    return true;
}

static bool read_image(const char *path, image *image) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    unsigned char buffer[65536];
    size_t count;
    bool works = true;
    while (works && (count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        works = put(image, image->length, buffer, (int)count);
    }
    works = works && !ferror(file);
    fclose(file);
    return works;
}

static bool write_image(const char *path, const image *image) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    bool works = fwrite(image->bytes, 1, (size_t)image->length, file) == (size_t)image->length;
    return fclose(file) == 0 && works;
}

int faulty_disk_copy_after_power_cut(faulty_disk *disk, const char *path, const char *copy, uint64_t seed) {
    image image = {0};
    bool works = read_image(path, &image);
    pthread_mutex_lock(&mutex);
    tracked *file = find(disk, path);
    if (file != NULL) {
        for (int index = file->count - 1; works && index >= 0; index--) works = undo(&image, &file->changes[index]);
        bool is_in_order = next(&seed) % 2 == 0;
        works = works && (is_in_order ? redo_in_order(&image, file, &seed) : redo_some(&image, file, &seed));
    }
    pthread_mutex_unlock(&mutex);
    works = works && write_image(copy, &image);
    free(image.bytes);
    return works ? 0 : 1;
}
