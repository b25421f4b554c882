import Foundation
import Glibc

/// Files and folders of a database that have to be on the disk, or off it.
enum DurableFile {
    /// Waits until a file, or the list of a folder's files, is on the disk.
    static func synchronize(_ file: URL) throws {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(file) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(file) }
    }

    /// Waits until a folder with all that is below it is on the disk.
    ///
    /// - Parameter synchronize: waits for one file, or the list of one folder's files.
    static func synchronizeAll(in folder: URL, by synchronize: (URL) throws -> Void = DurableFile.synchronize) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            try synchronize(folder.appendingPathComponent(path))
        }
        try synchronize(folder)
    }

    /// Overwrites all files of a folder with zeros. A disk that writes a file's bytes where they are has nothing of the former
    /// ones then. An SSD, and a file system that writes changed bytes elsewhere or has snapshots, may keep them for a time,
    /// though in no file.
    static func overwriteAll(in folder: URL) throws {
        let zeros = [UInt8](repeating: 0, count: StoreLimits.overwritePortion)
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            try overwrite(folder.appendingPathComponent(path), with: zeros)
        }
    }

    private static func overwrite(_ file: URL, with zeros: [UInt8]) throws {
        var status = stat()
        // A link in the folder may lead to a file of another one.
        guard lstat(file.path, &status) == 0 else { throw failure(file) }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        let descriptor = open(file.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(file) }
        defer { close(descriptor) }
        var offset = 0
        while offset < Int(status.st_size) {
            let written = pwrite(descriptor, zeros, min(zeros.count, Int(status.st_size) - offset), off_t(offset))
            guard written > 0 else { throw failure(file) }
            offset += written
        }
        guard fsync(descriptor) == 0 else { throw failure(file) }
    }

    private static func failure(_ file: URL) -> StoreError {
        StoreError.posix(errno, message: "A file of the database cannot be written.", file: file)
    }
}
