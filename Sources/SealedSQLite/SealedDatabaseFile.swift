import GRDBSQLite
import Glibc

/// The file of a sealed database before SQLite opens it.
package enum SealedDatabaseFile {
    /// Makes a database without tables, which appears under its path when it is whole. It replaces another file.
    ///
    /// - Throws: `.system` with the system's number.
    package static func make(_ path: String, sealing: FileSealing) throws(SealedFileError) {
        let codec = PageCodec(sealing)
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: codec.pageSize, alignment: 16)
        defer { page.deallocate() }
        PlainHeader.emptyDatabase(pageSize: codec.pageSize).withUnsafeBytes {
            codec.seal($0.baseAddress!, number: 1, into: page.baseAddress!)
        }
        let draft = path + "-new"
        do throws(SealedFileError) { try write(UnsafeRawBufferPointer(page), to: draft) } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else { throw SealedFileError(.system(errno)) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(SealedFileError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SealedFileError(.system(errno)) }
        defer { close(descriptor) }
        // A file of one page is written at once, or the disk is full.
        let written = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        guard written == bytes.count else { throw SealedFileError(.system(written < 0 ? errno : ENOSPC)) }
        guard fsync(descriptor) == 0 else { throw SealedFileError(.system(errno)) }
    }

    /// The keys of a database that is there.
    ///
    /// - Throws: the errors of its head and of the secret; `.sqlite` with SQLite's number if it cannot be read.
    package static func open(_ path: String, secret: SealingSecret) throws(SealedFileError) -> FileSealing {
        let start = try FileStart.read(path, count: SealedHead.length)
        return try FileSealing(SealedHead(start), secret: secret)
    }

    /// The pages that the database has by its header; `nil` if its first page is damaged.
    package static func pageCount(_ path: String, sealing: FileSealing) throws(SealedFileError) -> Int? {
        let codec = PageCodec(sealing)
        let sealed = try FileStart.read(path, count: codec.pageSize)
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: codec.pageSize, alignment: 16)
        defer { page.deallocate() }
        guard sealed.count == page.count else { return nil }
        guard sealed.withUnsafeBytes({ codec.open($0.baseAddress!, number: 1, into: page.baseAddress!) }) else {
            return nil
        }
        return page[28..<32].reduce(0) { $0 << 8 | Int($1) }
    }
}
