import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell
import Foundation

/// `fieldbook db get`
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints a document as JSON, or the bytes of one of its blobs.")

    @OptionGroup var folder: DatabaseOptions

    @Argument(help: "scope.collection")
    var collection: CollectionName

    @Argument(help: "The document's id.")
    var id: String

    @Option(help: ArgumentHelp("Print this blob's bytes instead.", valueName: "property"))
    var blob: String?

    func run() throws {
        let database = try folder.open(creates: false)
        guard let document = try database.existingCollection(collection).document(id: id) else {
            throw CommandFailure("There is no document '\(id)' in \(collection).")
        }
        guard let blob else { return StandardOutput.json(DocumentText.line(document)) }
        guard let content = document.blob(forKey: blob)?.contentStream else {
            throw CommandFailure("The document '\(id)' has no blob '\(blob)' here.")
        }
        try copy(content)
    }

    private func copy(_ content: InputStream) throws {
        content.open()
        defer { content.close() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = content.read(&buffer, maxLength: buffer.count)
            guard count >= 0 else {
                throw CommandFailure(
                    "The blob cannot be read: \(content.streamError.map { "\($0)" } ?? "unknown error").")
            }
            guard count > 0 else { return }
            try FileHandle.standardOutput.write(contentsOf: Data(buffer[..<count]))
        }
    }
}
