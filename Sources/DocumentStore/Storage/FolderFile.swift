import Foundation
import Glibc
import SQLiteStorage

/// Reads the small files of a database's folder whole.
package enum FolderFile {
    /// - Parameters:
    ///   - limit: bytes; of a longer file, so many.
    ///   - refusal: for a file that the system does not open or read.
    /// - Throws: `StoreError`, also for a link and a pipe.
    package static func bytes(of file: URL, upTo limit: Int, orRefusal refusal: String) throws -> [UInt8] {
        let descriptor: Int32
        do throws(OwnFileError) { descriptor = try OwnFile.open(file.path, flags: O_RDONLY) } catch {
            throw StoreError.own(error, message: refusal, file: file)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do { return Array(try handle.read(upToCount: limit) ?? Data()) } catch {
            throw StoreError.file(error, message: refusal, file: file)
        }
    }
}
