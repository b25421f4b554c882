import Foundation
import Glibc

/// Makes files that others must not read, not even for a moment: Foundation makes them readable for all, and changes that when
/// they are written.
package enum NewFile {
    /// Writes a file that is not there yet, and synchronizes it.
    ///
    /// - Throws: `CocoaError`, with the number of the system's error underneath; nothing is left of the file then.
    package static func write(_ bytes: [UInt8], to path: String, mode: Int) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw failure(path) }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            // Whatever the process's mask takes away, the owner has what was asked for.
            guard fchmod(descriptor, mode_t(mode)) == 0 else { throw failure(path) }
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
            try file.close()
        } catch {
            unlink(path)
            throw error
        }
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
