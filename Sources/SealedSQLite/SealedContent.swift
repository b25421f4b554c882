import GRDBSQLite

/// The content of an open file of SQLite's, as SQLite sees it. The results are SQLite's numbers.
///
/// Used by one thread at a time, as the connection is to which the file belongs.
protocol SealedContent: AnyObject {
    /// Bytes behind the end of the file are zeros; then the result is `FileFailure.shortRead`.
    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> CInt
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> CInt
    func truncate(to length: Int64) -> CInt
    func length(_ length: inout Int64) -> CInt
}

/// A file of the usual file system's, under a sealed one.
struct UsualFile {
    let file: UnsafeMutablePointer<sqlite3_file>

    private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }

    func read(_ target: UnsafeMutableRawPointer, count: Int, at offset: Int64) -> CInt {
        methods.xRead(file, target, CInt(count), offset)
    }

    func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) -> CInt {
        methods.xWrite(file, bytes, CInt(count), offset)
    }

    func truncate(to length: Int64) -> CInt { methods.xTruncate(file, length) }

    func length(_ length: inout Int64) -> CInt { methods.xFileSize(file, &length) }
}

extension UnsafeRawBufferPointer {
    /// Whether there is no byte but zeros.
    var isZero: Bool { allSatisfy { $0 == 0 } }
}
