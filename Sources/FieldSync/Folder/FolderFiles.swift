import DocumentStore
import DocumentValues
import Foundation
import Glibc
import Synchronization

/// The files of a folder at the last look.
final class FolderFiles: Sendable {
    private struct Stamp: Equatable {
        let file: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private let folder: URL
    private let known: Mutex<[Name: Stamp]>

    /// - Throws: `StoreError` for a folder that does not exist or may not be read.
    init(_ folder: URL) throws {
        self.folder = folder
        do {
            known = Mutex(try Self.stamps(of: folder))
        } catch {
            throw StoreError.file(error, message: "The folder cannot be watched.", file: folder)
        }
    }

    /// The names of files that have been written or added since. If the folder cannot be read now, the next look tries
    /// again, because there is no caller that waits for the error.
    func changed() -> [String] {
        known.withLock { known in
            guard let present = try? Self.stamps(of: folder) else { return [] }
            let changed = present.filter { known[$0.key] != $0.value }.keys
            known = present
            return changed.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    private static func stamps(of folder: URL) throws -> [Name: Stamp] {
        var stamps: [Name: Stamp] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            var file = stat()
            // A file that is gone since is left out.
            guard lstat(folder.appendingPathComponent(name).path, &file) == 0 else { continue }
            stamps[Name(name)] = Stamp(
                file: UInt64(file.st_ino), size: Int64(file.st_size), seconds: file.st_mtim.tv_sec,
                nanoseconds: file.st_mtim.tv_nsec)
        }
        return stamps
    }
}
