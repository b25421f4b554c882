import ArgumentParser
import DocumentValues
import Fieldbook

/// `fieldbook db rm`
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Deletes a document; the deletion replicates.")

    @OptionGroup var folder: DatabaseOptions

    @Argument(help: "scope.collection")
    var collection: CollectionName

    @Argument(help: "The document's id.")
    var id: String

    @Flag(help: "Remove the document from this folder only; no deletion replicates.")
    var purge = false

    func run() throws {
        // Purged documents have to leave the disk, and closing the database sees to that.
        try folder.use { try remove(from: $0.existingCollection(collection)) }
    }

    private func remove(from documents: Fieldbook.Collection) throws {
        if purge { return try documents.purge(id: id) }
        guard let document = try documents.document(id: id) else {
            throw CommandFailure("There is no document '\(id)' in \(collection).")
        }
        try documents.delete(document: document)
    }
}
