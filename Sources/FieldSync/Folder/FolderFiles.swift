import DocumentStore
import DocumentValues
import Foundation
import Glibc
import Synchronization

/// The files of a folder, as somebody has looked at them last.
final class FolderFiles: Sendable {
    private struct Stamp: Equatable {
        let file: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private let folder: URL
    private let known: Mutex<[Name: Stamp]>

    /// - Throws: `StoreError` for a folder that is not there or that nobody may read.
    init(_ folder: URL) throws {
        self.folder = folder
        do {
            known = Mutex(try Self.stamps(of: folder))
        } catch {
            throw StoreError.file(error, message: "The folder cannot be watched.", file: folder)
        }
    }

    /// The names of those that have been written or put there since. A folder that cannot be read just now is looked at
    /// once more, as nobody waits for an error here.
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
            // One that has gone since is none.
            guard lstat(folder.appendingPathComponent(name).path, &file) == 0 else { continue }
            stamps[Name(name)] = Stamp(
                file: UInt64(file.st_ino), size: Int64(file.st_size), seconds: file.st_mtim.tv_sec,
                nanoseconds: file.st_mtim.tv_nsec)
        }
        return stamps
    }
}
