import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db ls`
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists a collection's documents, or the collections.")

    @Argument(help: "The database folder.")
    var dir: String

    @Argument(help: "scope.collection")
    var collection: CollectionName?

    @Flag(help: "One whole object a line.")
    var json = false

    func run() throws {
        let database = try DatabaseFolder.open(dir, creates: false)
        guard let collection else { return try listCollections(database) }
        let documents = try database.existingCollection(collection)
        if json {
            try documents.forEachDocument { StandardOutput.line(DocumentText.line($0)) }
        } else {
            for id in try documents.documentIDs() { StandardOutput.line(id) }
        }
    }

    private func listCollections(_ database: Database) throws {
        for collection in try database.allCollections() {
            let object: JSONObject = [
                "collection": .string(collection.fullName), "documents": .number(JSONNumber(collection.count)),
            ]
            StandardOutput.line(json ? object.description : collection.fullName)
        }
    }
}
