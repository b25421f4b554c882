import Foundation
import Glibc

/// The system's notices of changes in a folder, by inotify.
package enum FolderNotices {
    /// - Returns: the descriptor that they are read from; `nil` where the user's programs have used up their limit of the
    ///   system, 128 by default: then the caller has to poll the folder.
    /// - Throws: `StoreError` for a folder that does not exist or may not be read.
    package static func open(_ folder: URL, of events: UInt32) throws -> Int32? {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return try nothing(errno, of: folder) }
        guard inotify_add_watch(descriptor, folder.path, events) >= 0 else {
            let code = errno
            close(descriptor)
            return try nothing(code, of: folder)
        }
        return descriptor
    }

    /// Which limit of the system is used up. The error for too many watches is that of a full disk, and the one for too many
    /// notifiers is that of too many open files.
    static func limit(behind code: Int32) -> String {
        switch code {
        case ENOSPC: "fs.inotify.max_user_watches"
        case ENFILE: "fs.file-max"
        default: "fs.inotify.max_user_instances, or this one the files that it may open (ulimit -n)"
        }
    }

    private static func nothing(_ code: Int32, of folder: URL) throws -> Int32? {
        guard [EMFILE, ENFILE, ENOSPC].contains(code) else {
            throw StoreError.posix(code, message: "The folder cannot be watched.", file: folder)
        }
        LibraryLog.database.warning(
            "\(folder.path) is looked at from time to time: other programs use up \(limit(behind: code))")
        return nil
    }
}
