import DocumentValues
import GRDB

/// Blobs that lost their last reference while their storage was locked: without its key their files cannot be found. The next
/// opening with the key removes them.
struct ReleasedBlobs {
    private let db: GRDB.Database
    private static let key = "released_blobs"

    init(_ db: GRDB.Database) { self.db = db }

    static func areThere(_ db: GRDB.Database) throws -> Bool { try PropertyTable(db).contains(key) }

    func note(_ digests: Set<BlobDigest>) throws {
        let lines = try all().union(digests).map(\.text).sorted { $0.isExactlyBefore($1) }
        try PropertyTable(db).set(Self.key, to: Array(lines.joined(separator: "\n").utf8))
    }

    func all() throws -> Set<BlobDigest> {
        let lines = try PropertyTable(db).value(of: Self.key) ?? []
        return Set(
            lines.split(separator: UInt8(ascii: "\n")).compactMap { BlobDigest(String(decoding: $0, as: UTF8.self)) })
    }

    func forget() throws { try PropertyTable(db).remove(Self.key) }
}
