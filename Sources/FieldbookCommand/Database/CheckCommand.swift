import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Looks for damage: in the file, in each document and in each blob.",
        discussion: """
            Reads everything, blobs to their end; writing goes on meanwhile. Each problem is a line of standard output. \
            Exit status 1 where there is one.
            """)

    @Argument(help: "The database folder.")
    var dir: String

    func run() throws {
        let database = try CommandDatabase.open(dir, creates: false)
        let count = try database.check { StandardOutput.line($0.printableLine) }
        guard count == 0 else {
            throw CommandFailure(
                "The database is damaged: \(count) problem\(count == 1 ? "" : "s").",
                hint: "Keep a copy of the folder, then restore it from a backup or sync into a new one.")
        }
        try database.close()
        StandardOutput.line("There is no damage.")
    }
}
