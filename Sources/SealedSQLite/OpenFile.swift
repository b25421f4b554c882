import GRDBSQLite

/// An open file as SQLite sees it: its methods, its content, and behind it in memory the file of the usual file system.
struct OpenFile {
    // The first member: SQLite has a pointer to it.
    private var base: sqlite3_file
    private let content: any SealedContent

    /// Bytes before the usual file, which has the alignment that C gives to all memory.
    static let size = (MemoryLayout<OpenFile>.size + 15) & ~15

    static func usual(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Makes a file in SQLite's memory, where the usual one is open already.
    static func begin(_ file: UnsafeMutablePointer<sqlite3_file>, content: any SealedContent) {
        let base = sqlite3_file(pMethods: UnsafePointer(content is SealedPages ? methods : withoutIndex))
        UnsafeMutableRawPointer(file).bindMemory(to: OpenFile.self, capacity: 1)
            .initialize(to: OpenFile(base: base, content: content))
    }

    /// `nil` for a file that is no sealed database.
    static func sealing(of file: UnsafeMutablePointer<sqlite3_file>) -> FileSealing? {
        guard file.pointee.pMethods == UnsafePointer(methods) else { return nil }
        return (content(file) as? SealedPages)?.sealing
    }

    private static func content(_ file: UnsafeMutablePointer<sqlite3_file>?) -> any SealedContent {
        UnsafeMutableRawPointer(file!).assumingMemoryBound(to: OpenFile.self).pointee.content
    }

    private static func end(_ file: UnsafeMutablePointer<sqlite3_file>) -> CInt {
        let real = usual(file)
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).deinitialize(count: 1)
        return real.pointee.pMethods.pointee.xClose(real)
    }

    // MARK: Methods

    /// Without memory-mapped reading, which would see the sealed bytes. The memory is never released.
    nonisolated(unsafe) private static let methods = makeMethods(version: 2)
    /// For files that are no databases, and have no index of a log beside them.
    nonisolated(unsafe) private static let withoutIndex = makeMethods(version: 1)

    private static func makeMethods(version: CInt) -> UnsafeMutablePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = version
        setContent(of: methods)
        setLocks(of: methods)
        if version > 1 { setLogIndex(of: methods) }
        return methods
    }

    private static func setContent(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xClose = { OpenFile.end($0!) }
        methods.pointee.xRead = { file, bytes, count, offset in
            OpenFile.content(file).read(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            OpenFile.content(file).write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        methods.pointee.xTruncate = { OpenFile.content($0).truncate(to: $1) }
        methods.pointee.xFileSize = { OpenFile.content($0).length(&$1!.pointee) }
        methods.pointee.xSync = { OpenFile.usual($0!).pointee.pMethods.pointee.xSync(OpenFile.usual($0!), $1) }
    }

    private static func setLocks(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xLock = { OpenFile.usual($0!).pointee.pMethods.pointee.xLock(OpenFile.usual($0!), $1) }
        methods.pointee.xUnlock = { OpenFile.usual($0!).pointee.pMethods.pointee.xUnlock(OpenFile.usual($0!), $1) }
        methods.pointee.xCheckReservedLock = {
            OpenFile.usual($0!).pointee.pMethods.pointee.xCheckReservedLock(OpenFile.usual($0!), $1)
        }
        methods.pointee.xFileControl = { OpenFile.control($0!, operation: $1, argument: $2) }
        methods.pointee.xSectorSize = { OpenFile.usual($0!).pointee.pMethods.pointee.xSectorSize(OpenFile.usual($0!)) }
        methods.pointee.xDeviceCharacteristics = {
            let disk = OpenFile.usual($0!).pointee.pMethods.pointee.xDeviceCharacteristics(OpenFile.usual($0!))
            // A disk that writes a file's pages all or none needs calls that do not go through this file. That a write leaves
            // the bytes beside it whole is SQLite's own assumption of disks: it keeps it from writing a frame in two parts.
            return disk & ~SQLITE_IOCAP_BATCH_ATOMIC | SQLITE_IOCAP_POWERSAFE_OVERWRITE
        }
    }

    private static func setLogIndex(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xShmMap = {
            OpenFile.usual($0!).pointee.pMethods.pointee.xShmMap(OpenFile.usual($0!), $1, $2, $3, $4)
        }
        methods.pointee.xShmLock = {
            OpenFile.usual($0!).pointee.pMethods.pointee.xShmLock(OpenFile.usual($0!), $1, $2, $3)
        }
        methods.pointee.xShmBarrier = { OpenFile.usual($0!).pointee.pMethods.pointee.xShmBarrier(OpenFile.usual($0!)) }
        methods.pointee.xShmUnmap = { OpenFile.usual($0!).pointee.pMethods.pointee.xShmUnmap(OpenFile.usual($0!), $1) }
    }

    private static func control(
        _ file: UnsafeMutablePointer<sqlite3_file>, operation: CInt, argument: UnsafeMutableRawPointer?
    ) -> CInt {
        switch operation {
        // The sizes are those that SQLite sees.
        case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE: SQLITE_OK
        case SQLITE_FCNTL_MMAP_SIZE: SQLITE_NOTFOUND
        default: usual(file).pointee.pMethods.pointee.xFileControl(usual(file), operation, argument)
        }
    }
}
