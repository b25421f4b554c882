import Foundation
import SQLiteStorage

extension FileLock {
    /// A lock on a file in a folder of ours.
    ///
    /// - Returns: `nil` if another process (or another holder in this one) has kept it for `timeout`, in seconds.
    package static func take(_ file: URL, mode: Mode, timeout: TimeInterval) throws -> FileLock? {
        do throws(FileLockError) { return try take(file.path, mode: mode, timeout: .seconds(timeout)) } catch {
            throw switch error.step {
            case .open: StoreError.posix(error.code, message: "The folder's lock cannot be opened.", file: file)
            case .lock: StoreError.posix(error.code, message: "The folder cannot be locked.", file: file)
            }
        }
    }
}
