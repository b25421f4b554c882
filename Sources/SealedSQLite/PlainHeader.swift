import GRDBSQLite
import SodiumCrypto

/// What SQLite sees at the beginning of a sealed database: the first 24 bytes of its header, which no file has on the disk,
/// since they are the same in all.
enum PlainHeader {
    static let magic = Array("SQLite format 3\0".utf8)
    /// Bytes at the end of each page that SQLite leaves to us: nonce and tag.
    static let reserved = SecretKey.sealingOverhead
    /// Where the number of the reserved bytes is.
    static let reservedIndex = 20

    /// With the log (2) for reading and writing, whatever SQLite writes: a sealed database has no rollback journal.
    static func bytes(pageSize: Int) -> [UInt8] {
        magic + size(pageSize) + [2, 2, UInt8(reserved), 64, 32, 32]
    }

    /// 64 KiB do not fit into the two bytes, and are written as 1.
    private static func size(_ pageSize: Int) -> [UInt8] {
        pageSize == 65_536 ? [0, 1] : [UInt8(pageSize >> 8), UInt8(pageSize & 0xFF)]
    }

    /// Whether SQLite writes a page that can be sealed: of the right size, with the reserved bytes.
    static func fits(_ page: UnsafeRawBufferPointer, pageSize: Int) -> Bool {
        page.count == pageSize && page[16...17].elementsEqual(size(pageSize)) && page[reservedIndex] == reserved
    }

    /// The only page of a database without tables.
    static func emptyDatabase(pageSize: Int) -> [UInt8] {
        var page = bytes(pageSize: pageSize) + [UInt8](repeating: 0, count: pageSize - SealedHead.length)
        // The counter of changes, the number of pages, and the change at which that number was valid.
        for index in [27, 31, 95] { page[index] = 1 }
        let version = UInt32(sqlite3_libversion_number())
        for index in 0..<4 { page[96 + index] = UInt8(truncatingIfNeeded: version >> (24 - 8 * UInt32(index))) }
        // A leaf of the table of tables, without rows: its cells would begin at the end of what SQLite may use.
        let usable = pageSize - reserved
        page[100] = 0x0D
        page[105] = UInt8(usable >> 8)
        page[106] = UInt8(usable & 0xFF)
        return page
    }
}
