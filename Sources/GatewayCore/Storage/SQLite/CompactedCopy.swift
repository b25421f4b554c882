import GRDB
import SQLiteStorage

/// A copy of a database's file without its free pages, and the disk space for making it: SQLite writes the copy to a
/// temporary file first, and then to the database by way of the log.
struct CompactedCopy {
    /// Pages that hold something.
    private let pages: Int
    private let pageSize: Int
    /// Bytes of the free ones.
    let saved: Int

    init(_ db: Database) throws {
        func number(_ pragma: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
        self.init(
            pages: try number("page_count"), free: try number("freelist_count"), pageSize: try number("page_size"))
    }

    /// - Parameters:
    ///   - pages: of the file.
    ///   - free: the empty ones of them.
    ///   - pageSize: bytes.
    init(pages: Int, free: Int, pageSize: Int) {
        self.pages = pages - free
        self.pageSize = pageSize
        saved = free * pageSize
    }

    /// Throws 507 if a disk has less space left than the copy needs there.
    ///
    /// - Parameters:
    ///   - folder: of the database.
    ///   - temporary: the folder for temporary files.
    ///   - margin: bytes of the database's disk that must stay free.
    ///   - freeSpace: bytes that the disk of a folder has left; `nil` if unknown, then only the attempt can show it.
    func checkRoom(
        in folder: String, temporary: String = TemporaryFolder.ofSQLite(), margin: Int,
        freeSpace: (_ folder: String) -> Int?
    ) throws(GatewayError) {
        for (folder, bytes) in demands(folder, temporary: temporary, margin: margin) {
            guard let left = freeSpace(folder), left < bytes else { continue }
            throw .noRoomToCompact(folder, needed: bytes, left: left)
        }
    }

    private func demands(_ folder: String, temporary: String, margin: Int) -> [(folder: String, bytes: Int)] {
        let copy = pages * pageSize
        let log = pages * (pageSize + Self.frameHeader) + margin
        return FreeSpace.isShared(by: folder, and: temporary)
            ? [(folder, log + copy)] : [(folder, log), (temporary, copy)]
    }

    /// Bytes that the log has before each page.
    private static let frameHeader = 24
}
