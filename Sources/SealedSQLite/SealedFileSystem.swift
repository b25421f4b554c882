import GRDBSQLite
import Glibc

/// A file system for SQLite in front of the usual one: it seals the databases of which it knows keys, their logs, and the
/// temporary files of the process. All other files it leaves to the usual one.
///
/// It is SQLite's default from the first sealed database on, because GRDB cannot choose one, and finds the keys by the paths.
/// Temporary files have no name by which those of a sealed database could be known, so it seals all of them.
enum SealedFileSystem {
    /// The default of before. The memory of both is never released.
    nonisolated(unsafe) static let usual = sqlite3_vfs_find(nil)!

    private static let installation: CInt = {
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: sqlite3_vfs())
        system.pointee.iVersion = min(usual.pointee.iVersion, 2)
        system.pointee.szOsFile = CInt(OpenFile.size) + usual.pointee.szOsFile
        system.pointee.mxPathname = usual.pointee.mxPathname
        // As long as the process.
        system.pointee.zName = UnsafePointer(strdup("fieldbook-sealed"))
        system.pointee.xOpen = { _, path, file, flags, outFlags in
            SealedFileSystem.open(path, as: file!, flags: flags, outFlags: outFlags)
        }
        forwardFiles(of: system)
        forwardLibraries(of: system)
        forwardSystem(of: system)
        return sqlite3_vfs_register(system, 1)
    }()

    /// - Throws: `.sqlite` if SQLite does not take it.
    static func install() throws(SealedFileError) {
        guard installation == SQLITE_OK else { throw SealedFileError(.sqlite(installation)) }
    }

    /// As SQLite spells a path when it opens the file.
    static func fullPath(_ path: String) throws(SealedFileError) -> [UInt8] {
        var full = [CChar](repeating: 0, count: Int(usual.pointee.mxPathname) + 1)
        let result = usual.pointee.xFullPathname(usual, path, CInt(full.count), &full)
        // A symbolic link on the way, which is followed.
        guard result == SQLITE_OK || result == SQLITE_OK | (2 << 8) else { throw SealedFileError(.sqlite(result)) }
        return full.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }

    // MARK: Opening

    private static func open(
        _ path: UnsafePointer<CChar>?, as file: UnsafeMutablePointer<sqlite3_file>, flags: CInt,
        outFlags: UnsafeMutablePointer<CInt>?
    ) -> CInt {
        let kind: Kind
        switch Kind(path, flags: flags) {
        case .usual: return usual.pointee.xOpen(usual, path, file, flags, outFlags)
        case .refused:
            file.pointee.pMethods = nil
            return SQLITE_CANTOPEN
        case let sealed: kind = sealed
        }
        let real = OpenFile.usual(file)
        real.pointee.pMethods = nil
        let result = usual.pointee.xOpen(usual, path, real, flags, outFlags)
        guard result == SQLITE_OK else {
            if let methods = real.pointee.pMethods { _ = methods.pointee.xClose(real) }
            file.pointee.pMethods = nil
            return result
        }
        OpenFile.begin(file, content: kind.content(of: UsualFile(file: real)))
        return SQLITE_OK
    }

    /// What a file is, by its name and by what SQLite opens it for.
    private enum Kind {
        case usual
        case refused
        case pages(FileSealing)
        case log(FileSealing)
        case scratch

        init(_ path: UnsafePointer<CChar>?, flags: CInt) {
            guard let path else {
                self = .scratch
                return
            }
            if flags & SQLITE_OPEN_MAIN_DB != 0, let sealing = KeyedFiles.sealing(at: path) {
                self = .pages(sealing)
            } else if flags & SQLITE_OPEN_WAL != 0, let sealing = Self.sealing(ofDatabaseOf: path) {
                self = .log(sealing)
            } else if flags & SQLITE_OPEN_MAIN_JOURNAL != 0, let sealing = Self.sealing(ofDatabaseOf: path) {
                self = sealing.isDraft ? .scratch : .refused
            } else {
                self = .usual
            }
        }

        /// A log belongs to the open file of its database, also when no more connections may be opened by the path.
        ///
        /// - Parameter path: of a log or a journal, as SQLite gives it.
        private static func sealing(ofDatabaseOf path: UnsafePointer<CChar>) -> FileSealing? {
            sqlite3_database_file_object(path).flatMap { OpenFile.sealing(of: $0) }
        }

        func content(of file: UsualFile) -> any SealedContent {
            switch self {
            case .pages(let sealing): SealedPages(file, sealing: sealing)
            case .log(let sealing): SealedLog(file, sealing: sealing)
            case .usual, .refused, .scratch: SealedScratch(file)
            }
        }
    }

    // MARK: What the usual file system does

    private static func forwardFiles(of system: UnsafeMutablePointer<sqlite3_vfs>) {
        system.pointee.xDelete = { SealedFileSystem.usual.pointee.xDelete(SealedFileSystem.usual, $1, $2) }
        system.pointee.xAccess = { SealedFileSystem.usual.pointee.xAccess(SealedFileSystem.usual, $1, $2, $3) }
        system.pointee.xFullPathname = {
            SealedFileSystem.usual.pointee.xFullPathname(SealedFileSystem.usual, $1, $2, $3)
        }
    }

    private static func forwardLibraries(of system: UnsafeMutablePointer<sqlite3_vfs>) {
        // A file system may have no libraries.
        guard SealedFileSystem.usual.pointee.xDlOpen != nil else { return }
        system.pointee.xDlOpen = { SealedFileSystem.usual.pointee.xDlOpen(SealedFileSystem.usual, $1) }
        system.pointee.xDlError = { SealedFileSystem.usual.pointee.xDlError(SealedFileSystem.usual, $1, $2) }
        system.pointee.xDlSym = { SealedFileSystem.usual.pointee.xDlSym(SealedFileSystem.usual, $1, $2) }
        system.pointee.xDlClose = { SealedFileSystem.usual.pointee.xDlClose(SealedFileSystem.usual, $1) }
    }

    private static func forwardSystem(of system: UnsafeMutablePointer<sqlite3_vfs>) {
        system.pointee.xRandomness = { SealedFileSystem.usual.pointee.xRandomness(SealedFileSystem.usual, $1, $2) }
        system.pointee.xSleep = { SealedFileSystem.usual.pointee.xSleep(SealedFileSystem.usual, $1) }
        system.pointee.xCurrentTime = { SealedFileSystem.usual.pointee.xCurrentTime(SealedFileSystem.usual, $1) }
        system.pointee.xGetLastError = { SealedFileSystem.usual.pointee.xGetLastError(SealedFileSystem.usual, $1, $2) }
        system.pointee.xCurrentTimeInt64 = {
            SealedFileSystem.usual.pointee.xCurrentTimeInt64(SealedFileSystem.usual, $1)
        }
    }
}
