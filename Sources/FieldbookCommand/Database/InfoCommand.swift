import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db info`
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows what is in a database folder, and how much of the disk it takes.",
        discussion: """
            Sizes are in bytes. 'unused' is room in the database's file that new documents take, and that 'compact' gives \
            back; 'log' is what was saved and is not copied into the file yet; 'reserve' is set aside for deleting, purging and \
            compacting on a full disk. Where bytes of it are missing, the disk is full or was full.
            """)

    @OptionGroup var folder: DatabaseOptions

    @Flag(help: "All of it as one JSON object.")
    var json = false

    func run() throws {
        try folder.use { database in
            let (summary, disk) = (try database.summary(), try database.diskUse())
            if json { return StandardOutput.json(Self.object(summary, disk: disk).description) }
            StandardOutput.lines(Self.lines(summary, disk: disk))
        }
    }

    private static func object(_ summary: DatabaseSummary, disk: DiskUse) -> JSONObject {
        [
            "schema": .int(summary.schema),
            "bytes": [
                "database": .int(disk.database), "unused": .int(disk.unused),
                "log": .int(disk.log), "blobs": .int(disk.blobs), "reserve": .int(disk.reserve),
                "missing_reserve": .int(disk.missingReserve),
            ],
            "blobs": .int(disk.blobCount),
            "collections": .array(summary.collections.map { .object(object($0)) }),
            "outbox": .int(summary.outbox), "conflicts": .int(summary.conflicts),
            "quarantine": .int(summary.quarantine),
        ]
    }

    private static func object(_ collection: CollectionSummary) -> JSONObject {
        [
            "collection": .string(collection.name.description),
            "documents": .int(collection.documents),
            "deleted": .int(collection.deleted),
            "sequence": .int(collection.sequence),
            "indexes": .array(collection.indexes.map { .string($0) }),
        ]
    }

    private static func lines(_ summary: DatabaseSummary, disk: DiskUse) -> [String] {
        let facts = [
            ["schema", "\(summary.schema)"],
            ["database", "\(disk.database) bytes, \(disk.unused) of them unused"],
            ["log", "\(disk.log) bytes"],
            ["blobs", "\(disk.blobs) bytes in \(disk.blobCount) file\(disk.blobCount == 1 ? "" : "s")"],
            ["reserve", "\(disk.reserve) bytes\(disk.missingReserve > 0 ? ", \(disk.missingReserve) missing" : "")"],
            ["outbox", "\(summary.outbox)"], ["conflicts", "\(summary.conflicts)"],
            ["quarantine", "\(summary.quarantine)"],
        ]
        let collections = summary.collections.map { collection in
            [
                collection.name.description, "\(collection.documents)", "\(collection.deleted)",
                "\(collection.sequence)", collection.indexes.map(\.printableLine).joined(separator: ", "),
            ]
        }
        return aligned(facts) + [""]
            + aligned([["collection", "documents", "deleted", "sequence", "indexes"]] + collections)
    }

    /// Pads the columns to their widest cells.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let columns = rows.first?.indices ?? 0..<0
        var width = 0
        let starts = columns.map { column in
            defer { width += 2 + (rows.map { $0[column].displayWidth }.max() ?? 0) }
            return width
        }
        return rows.map { row in
            var line = ""
            for column in columns where !row[column].isEmpty {
                line += String(repeating: " ", count: max(0, starts[column] - line.displayWidth)) + row[column]
            }
            return line
        }
    }
}
