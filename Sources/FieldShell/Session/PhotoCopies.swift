import DocumentValues
import FieldRecords
import Foundation
import Glibc
import SQLiteStorage

/// Copies of photos that another program shows, which are not sealed. Each shell has a folder for its own that only its
/// user can enter, and removes it when it ends. Copies of shells that crashed, and of single commands, which end before
/// the picture is looked at, are removed when the records are opened next.
final class PhotoCopies {
    /// Folders of copies, the one for new ones first.
    private let locations: [URL]
    private var own: (folder: URL, lock: FileLock)?

    init(of records: FieldFolder, variables: [String: String]) {
        let beside = records.url.appendingPathComponent("shown-photos", isDirectory: true)
        // Another user's stays in the environment after su.
        guard let runtime = variables["XDG_RUNTIME_DIR"], runtime.hasExactPrefix("/"),
            access(runtime, W_OK | X_OK) == 0
        else {
            locations = [beside]
            return
        }
        let folder = URL(fileURLWithPath: runtime, isDirectory: true)
        locations = [folder.appendingPathComponent("fieldbook-photos", isDirectory: true), beside]
    }

    /// A new folder for one copy.
    func makeFolder() throws -> URL {
        let folder = try ownFolder().appendingPathComponent(UUID().uuidString, isDirectory: true)
        try Self.make(folder)
        return folder
    }

    func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }

    /// - Parameter isShell: a shell ends, and its copies are removed; a command's pictures may be about to be shown by a
    ///   viewer.
    func end(isShell: Bool) {
        if isShell, let own { remove(own.folder) }
        own = nil
    }

    /// Removes copies that no process holds any more.
    func removeAbandoned(now: Date = Date()) {
        for location in locations {
            let folders = try? FileManager.default.contentsOfDirectory(
                at: location, includingPropertiesForKeys: [.contentModificationDateKey])
            for folder in folders ?? [] where Self.isAbandoned(folder, now: now) { remove(folder) }
        }
    }

    private static func isAbandoned(_ folder: URL, now: Date) -> Bool {
        let values = try? folder.resourceValues(forKeys: [.contentModificationDateKey])
        // A command has ended, and the viewer that it has started may still have to read the picture.
        guard let changed = values?.contentModificationDate,
            now.timeIntervalSince(changed) > ShellLimits.startOfViewer
        else { return false }
        // One that cannot be locked at all is kept, as one that another process holds.
        return (try? FileLock.take(folder: folder.path)) != nil
    }

    private func ownFolder() throws -> URL {
        if let own { return own.folder }
        try Self.make(locations[0])
        let folder = locations[0].appendingPathComponent(UUID().uuidString, isDirectory: true)
        try Self.make(folder)
        do throws(FileLockError) {
            // Others lock a folder only when it is older than this one.
            guard let lock = try FileLock.take(folder: folder.path) else {
                throw FileLockError(step: .lock, code: EWOULDBLOCK)
            }
            own = (folder, lock)
        } catch { throw Self.failure(folder, code: error.code) }
        return folder
    }

    private static func make(_ folder: URL) throws {
        guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw failure(folder, code: errno) }
    }

    private static func failure(_ folder: URL, code: Int32) -> NSError {
        NSError(domain: NSPOSIXErrorDomain, code: Int(code), userInfo: [NSFilePathErrorKey: folder.path])
    }
}
