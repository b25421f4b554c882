import Foundation
import Glibc
import Synchronization

/// A lock between processes on a file in a folder of ours; held until it is released or the process ends.
package final class FolderLock: Sendable {
    package enum Mode: Sendable {
        /// Others may hold it too.
        case shared
        case exclusive
    }

    private let descriptor: Mutex<Int32?>

    private init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { release() }

    package func release() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let held { close(held) }
    }

    /// Takes the lock, or returns `nil` if another process (or another holder in this one) has kept it for `timeout`.
    package static func take(_ file: URL, _ mode: Mode, timeout: TimeInterval) throws -> FolderLock? {
        let descriptor = Glibc.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.posix(errno, "The folder's lock cannot be opened.", file) }
        let lock = FolderLock(descriptor: descriptor)
        let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        let deadline = Date().addingTimeInterval(timeout)
        while flock(descriptor, operation) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw StoreError.posix(errno, "The folder cannot be locked.", file)
            }
            guard Date() < deadline else { return nil }
            usleep(5_000)
        }
        return lock
    }
}

extension StoreError {
    /// A failed call of the system, in our terms.
    package static func posix(_ code: Int32, _ message: String, _ file: URL) -> StoreError {
        let context = ["path": file.path, "errno": "\(code)", "reason": String(cString: strerror(code))]
        switch code {
        case ENOSPC, EDQUOT:
            // Which temporary file it was helps nobody.
            return StoreError(
                .diskFull, "The disk is full. \(message)",
                hint: "Free some space and try again: what was saved before is whole.")
        case EACCES, EPERM, EROFS:
            return StoreError(
                .notWritable, message, context: context,
                hint: "Check the owner and the permissions of the folder and of the files in it.")
        case ENOENT, ENOTDIR:
            return StoreError(.cannotOpenFile, message, context: context, hint: "Check the path.")
        default: return StoreError(.ioError, message, context: context)
        }
    }

    /// What Foundation's file functions threw, in our terms.
    package static func file(_ error: any Error, _ message: String, _ file: URL) -> StoreError {
        if let error = error as? StoreError { return error }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = [error as NSError, underlying].compactMap { $0 }
            .first { $0.domain == NSPOSIXErrorDomain }?.code
        if let code { return posix(Int32(code), message, file) }
        switch (error as? CocoaError)?.code {
        case .fileWriteOutOfSpace: return posix(ENOSPC, message, file)
        case .fileWriteNoPermission, .fileReadNoPermission, .fileWriteVolumeReadOnly:
            return posix(EACCES, message, file)
        case .fileNoSuchFile, .fileReadNoSuchFile: return posix(ENOENT, message, file)
        default: return StoreError(.ioError, message, context: ["path": file.path], underlying: error)
        }
    }
}
