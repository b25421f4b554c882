import DocumentValues
import Foundation

/// Where the attachments and rows are whose key is lost.
package struct LockedAttachments: Sendable, Hashable {
    package let folder: URL
    /// Entries of the quarantine.
    package let rows: Int
}

extension Database {
    /// Moves everything that is sealed with a lost key aside, so that the folder can have a new one: the folder of the blobs
    /// becomes `attachments-locked-N`, and the sealed rows of the quarantine become a file in it. Nothing is destroyed. The
    /// next replication compares everything, and so brings the blobs that its remote has.
    ///
    /// For a database that is not open anywhere else: see ``DatabaseConfiguration/isExclusive``.
    package func moveLockedAttachments() throws -> LockedAttachments {
        let core = try core()
        return try core.call { try Self.moveLockedAttachments(of: core) }
    }

    private static func moveLockedAttachments(of core: StoreCore) throws -> LockedAttachments {
        let attachments = BlobFolder(core.folder.attachments)
        let count = try core.write { transaction in
            let quarantine = QuarantineTable(transaction.db, sealer: nil)
            let sealed = try quarantine.sealedRows()
            // The file is written before the rows leave the table: after a crash they may be in both, but never in
            // neither.
            if !sealed.isEmpty { try write(sealed.map { $0.row }, into: attachments) }
            for entry in sealed { _ = try quarantine.remove(entry.id) }
            try CheckpointGeneration.forgetCheckpoints(transaction.db)
            return sealed.count
        }
        // Last: until then the old key still opens the blobs.
        let folder = core.folder.unusedForLocked
        try attachments.move(to: folder)
        return LockedAttachments(folder: folder, rows: count)
    }

    private static func write(_ rows: [JSONObject], into attachments: BlobFolder) throws {
        let file = DatabaseFolder.firstUnused { attachments.url.appendingPathComponent("quarantine-\($0).json") }
        let draft = try attachments.newFile()
        defer { draft.discard() }
        for row in rows { try draft.write(row.bytes + [UInt8(ascii: "\n")]) }
        try attachments.install(draft, at: file)
    }
}

extension DatabaseFolder {
    /// `attachments-locked-1`, or the next number that is free.
    fileprivate var unusedForLocked: URL {
        Self.firstUnused { url.appendingPathComponent("attachments-locked-\($0)", isDirectory: true) }
    }

    fileprivate static func firstUnused(_ file: (Int) -> URL) -> URL {
        var number = 1
        while isThere(file(number)) { number += 1 }
        return file(number)
    }
}
