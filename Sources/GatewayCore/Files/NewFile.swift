// The members of `stat` come from whichever of these modules the build reads first.
import CoreFoundation
import Foundation
import Glibc

/// Makes files that other accounts must not read, not even for a moment. Foundation first makes a file readable for all, and
/// restricts it only after writing.
package enum NewFile {
    /// Writes a new file, and synchronizes it.
    ///
    /// - Throws: `CocoaError`, with the number of the system's error underneath; nothing is left of the file then.
    package static func write(_ bytes: [UInt8], to path: String, mode: Int) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw failure(path) }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try give(descriptor, mode: mode_t(mode), path: path)
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
            try file.close()
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Sets the requested permissions for the owner, even if the process's mask has removed some.
    private static func give(_ descriptor: Int32, mode: mode_t, path: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & 0o777 != mode else { return }
        guard fchmod(descriptor, mode) == 0 else { throw failure(path) }
    }

    package static func isOutOfSpace(_ error: any Error) -> Bool {
        (error as? CocoaError)?.code == .fileWriteOutOfSpace
    }

    private static func failure(_ path: String) -> CocoaError {
        let number = errno
        let code: CocoaError.Code = [ENOSPC, EDQUOT].contains(number) ? .fileWriteOutOfSpace : .fileWriteUnknown
        let cause = POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
        return CocoaError(code, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: cause])
    }
}
