import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Looks for damage: in the file, in each document, index and blob.",
        discussion: """
            Reads everything, blobs to their end; other programs can write at the same time. Each problem is a \
            line of standard output. Exit status 1 where there is one.
            """)

    @OptionGroup var folder: DatabaseOptions

    func run() throws {
        let database = try folder.open(creates: false)
        var count = 0
        var isOfIndexesAlone = true
        try database.check { damage in
            count += 1
            isOfIndexesAlone = isOfIndexesAlone && damage.isOfIndex
            StandardOutput.line(damage.text.printableLine)
        }
        guard count == 0 else {
            throw CommandFailure(
                "The database is damaged: \(count) problem\(count == 1 ? "" : "s").",
                hint: isOfIndexesAlone
                    ? "The documents are whole; 'compact --full' builds the indexes again."
                    : "Keep a copy of the folder, then restore it from a backup or sync into a new one.")
        }
        try database.close()
        StandardOutput.line("There is no damage.")
    }
}
