import Foundation
import Glibc

/// The system's notices of what happens in a folder, by inotify.
package enum FolderNotices {
    /// - Returns: the descriptor that they are read from; `nil` where a person's programs have used up what the system allows
    ///   them, which are 128 by default: then somebody has to look at the folder from time to time.
    /// - Throws: `StoreError` for a folder that is not there or that nobody may read.
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

    /// What of the system's is used up. It says of too many watches what it says of a full disk, and of a program's own files
    /// what it says of too many that wait for notices.
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
