import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db ls`
struct DatabaseListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists a collection's documents, or the collections.")

    @OptionGroup var folder: DatabaseOptions

    @Argument(help: "scope.collection")
    var collection: CollectionName?

    @Flag(help: "Whole documents, one JSON object a line.")
    var json = false

    func run() throws {
        let database = try folder.open(creates: false)
        guard let collection else { return try listCollections(database) }
        let documents = try database.existingCollection(collection)
        if json {
            try list(documents)
        } else {
            StandardOutput.lines(try documents.documentIDs().map(\.printableLine))
        }
    }

    private func list(_ documents: Collection) throws {
        var lines: [String] = []
        try documents.forEachDocument { document in
            lines.append(DocumentText.line(document).printableJSON)
            guard lines.count == DatabaseCommandLimits.linesAtOnce else { return }
            StandardOutput.lines(lines)
            lines.removeAll(keepingCapacity: true)
        }
        StandardOutput.lines(lines)
    }

    private func listCollections(_ database: Database) throws {
        for collection in try database.allCollections() {
            let object: JSONObject = [
                "collection": .string(collection.fullName), "documents": .number(JSONNumber(collection.count)),
            ]
            StandardOutput.line(json ? object.description.printableJSON : collection.fullName.printableLine)
        }
    }
}
