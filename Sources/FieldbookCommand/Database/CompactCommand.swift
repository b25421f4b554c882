import ArgumentParser
import Fieldbook
import FieldShell

/// `fieldbook db compact`
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Makes a database folder smaller.",
        discussion: """
            Removes blobs that no document refers to, and writes the file again without its unused parts, which needs as much \
            room for a moment as the file has. A blob of the last hour stays: its document may be about to be saved.
            """)

    @OptionGroup var folder: DatabaseOptions

    @Flag(help: "Also build the indexes again, and count what they have, so that queries are planned by it.")
    var full = false

    func run() throws {
        try folder.use { database in
            let before = try database.diskUse()
            if full { try database.performMaintenance(type: .reindex) }
            try database.performMaintenance(type: .compact)
            if full { try database.performMaintenance(type: .fullOptimize) }
            StandardOutput.line(Self.text(before, after: try database.diskUse()))
        }
    }

    private static func text(_ before: DiskUse, after: DiskUse) -> String {
        let rest = "The database takes \(after.total) bytes now."
        guard after.total < before.total else { return "There was nothing to free. \(rest)" }
        let count = before.blobCount - after.blobCount
        let blobs = count > 0 ? ", with \(count) blob\(count == 1 ? "" : "s")" : ""
        return "Freed \(before.total - after.total) bytes\(blobs). \(rest)"
    }
}
