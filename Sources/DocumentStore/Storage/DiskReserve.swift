import Foundation
import Glibc

/// A file that keeps some of the disk for the time when it is full: opening a database needs room for its log and the
/// log's index, and anybody who cannot save any more must still be able to read.
struct DiskReserve: Sendable {
    private let file: URL

    init(_ folder: DatabaseFolder) { file = folder.reserve }

    /// Opens with what the disk has left or, if that is too little, with the reserve.
    func opening<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as StoreError where error.code == .diskFull {
            guard unlink(file.path) == 0 else { throw error }
            return try body()
        }
    }

    /// Sets the space aside unless it is; a disk that has not so much left is no error.
    func fill() {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(StoreLimits.reserve)) != 0 { unlink(file.path) }
    }
}
