import Foundation
import Glibc
import SQLiteStorage

extension StoreError {
    /// A failed call of the system, in our terms.
    package static func posix(_ code: Int32, message: String, file: URL) -> StoreError {
        let context = ["path": file.path, "errno": "\(code)", "reason": String(cString: strerror(code))]
        switch code {
        case ENOSPC, EDQUOT:
            // The name of a temporary file does not help the reader.
            return StoreError(
                .diskFull, message: "The disk is full. \(message)",
                hint: "Free some space and try again: all earlier saves are whole.")
        case EROFS: return StoreError(.notWritable, message: message, context: context, hint: readOnlyDisk)
        case EACCES, EPERM:
            return StoreError(
                .notWritable, message: message, context: context, hint: hint(notWritable: file.path))
        case ENOENT, ENOTDIR:
            return StoreError(.cannotOpenFile, message: message, context: context, hint: "Check the path.")
        default: return StoreError(.ioError, message: message, context: context)
        }
    }

    /// The system does that to a disk on which it finds errors.
    private static let readOnlyDisk =
        "The system allows no writes to this disk, perhaps because it fails. Copy the folder to another disk at once, and "
        + "use the copy."

    /// What a person can do about a file that cannot be written.
    static func hint(notWritable path: String) -> String {
        var disk = statvfs()
        let isReadOnly = statvfs(path, &disk) == 0 && disk.f_flag & UInt(ST_RDONLY) != 0
        return isReadOnly
            ? readOnlyDisk : "Check the owner and the permissions of the folder and of the files in it."
    }

    /// A file of a database's folder that was not opened.
    static func own(_ error: OwnFileError, message: String, file: URL) -> StoreError {
        switch error {
        case .system(let number): posix(number, message: message, file: file)
        case .notRegular:
            StoreError(
                .cannotOpenFile, message: "In the folder of the database, a link or a pipe has the name of a file.",
                context: ["path": file.path], hint: "Move it to another folder, and open the database again.")
        }
    }

    /// What compacting has freed until then stays free.
    static func noRoomForSmallerFile(_ path: String) -> StoreError {
        StoreError(
            .diskFull,
            message: "The log and attachments that nothing names are compacted, but the disk has no room to write the "
                + "database again without its unused parts. New documents take these.",
            context: ["path": path],
            hint: "Free as much room as the documents take, in the folder and in that for temporary files, and compact "
                + "again.")
    }

    /// An error of Foundation's file functions, in our terms.
    package static func file(_ error: any Error, message: String, file: URL) -> StoreError {
        if let error = error as? StoreError { return error }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = [error as NSError, underlying].compactMap { $0 }
            .first { $0.domain == NSPOSIXErrorDomain }?.code
        if let code { return posix(Int32(code), message: message, file: file) }
        switch (error as? CocoaError)?.code {
        case .fileWriteOutOfSpace: return posix(ENOSPC, message: message, file: file)
        case .fileWriteVolumeReadOnly: return posix(EROFS, message: message, file: file)
        case .fileWriteNoPermission, .fileReadNoPermission:
            return posix(EACCES, message: message, file: file)
        case .fileNoSuchFile, .fileReadNoSuchFile: return posix(ENOENT, message: message, file: file)
        default: return StoreError(.ioError, message: message, context: ["path": file.path], underlying: error)
        }
    }
}
