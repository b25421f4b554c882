import GRDBSQLite
import Glibc

/// The first bytes of a database file as they are on the disk, read through SQLite's file system.
///
/// The system drops all locks that a process has on a file when the process closes one of its descriptors, also one that it
/// has only read from. SQLite's file system keeps such a descriptor until the locks are not needed any more.
package enum FileStart {
    /// Fewer bytes than `count` if the file is shorter.
    ///
    /// - Throws: `.sqlite` with SQLite's number.
    package static func read(_ path: String, count: Int) throws(SealedFileError) -> [UInt8] {
        let system = SealedFileSystem.usual
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(system.pointee.szOsFile), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(system.pointee.szOsFile))
        defer { memory.deallocate() }
        let file = memory.assumingMemoryBound(to: sqlite3_file.self)
        guard let name = sqlite3_create_filename(path, "", "", 0, nil) else {
            throw SealedFileError(.sqlite(SQLITE_NOMEM))
        }
        defer { sqlite3_free_filename(name) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
        let result = system.pointee.xOpen(system, name, file, flags, nil)
        defer { if let methods = file.pointee.pMethods { _ = methods.pointee.xClose(file) } }
        guard result == SQLITE_OK else { throw SealedFileError(.sqlite(result)) }
        return try read(file, count: count)
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>, count: Int
    ) throws(SealedFileError) -> [UInt8] {
        var size: Int64 = 0
        var result = file.pointee.pMethods.pointee.xFileSize(file, &size)
        guard result == SQLITE_OK else { throw SealedFileError(.sqlite(result)) }
        var bytes = [UInt8](repeating: 0, count: min(count, Int(size)))
        result = file.pointee.pMethods.pointee.xRead(file, &bytes, CInt(bytes.count), 0)
        guard result == SQLITE_OK else { throw SealedFileError(.sqlite(result)) }
        return bytes
    }
}
