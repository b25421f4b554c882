import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell
import Foundation

/// `fieldbook db put`
struct PutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Saves the JSON object on standard input.")

    @OptionGroup var folder: DatabaseOptions

    @Argument(help: "scope.collection")
    var collection: CollectionName

    @Argument(help: "The document's id; not with --lines.")
    var id: String?

    @Option(
        name: .customLong("blob"),
        help: ArgumentHelp(
            "A file to be stored as a blob; may be given several times.", valueName: "property=file,content-type"))
    var blobs: [BlobArgument] = []

    @Flag(help: "One object a line, its id in _id.")
    var lines = false

    func validate() throws {
        if lines, id != nil || !blobs.isEmpty { throw ValidationError("--lines goes with neither an id nor --blob.") }
        if !lines, id == nil { throw ValidationError("Give the document's id, or --lines.") }
    }

    func run() throws {
        let database = try folder.open(creates: true)
        let target = try database.createdCollection(collection)
        if let id { try putOne(id, in: target) } else { try LineImport(target, database: database).run() }
        try database.close()
    }

    private func putOne(_ id: String, in target: Fieldbook.Collection) throws {
        let input = try FileHandle.standardInput.readToEnd() ?? Data()
        let (named, body) = try DocumentText.read(Array(input))
        guard named.map({ $0.isExactly(id) }) ?? true else {
            throw CommandFailure("The object's _id is '\(named ?? "")', but '\(id)' is to be saved. Nothing was saved.")
        }
        let document = MutableDocument(id: id, body: body)
        for blob in blobs {
            let url = URL(fileURLWithPath: blob.file)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: blob.file, isDirectory: &isFolder), !isFolder.boolValue else {
                throw CommandFailure("There is no file \(blob.file) to be stored as \(blob.property).")
            }
            document.setBlob(try Blob(contentType: blob.contentType, fileURL: url), forKey: blob.property)
        }
        try target.save(document: document)
        StandardOutput.json(
            JSONValue.object([
                "_id": .string(id), "_rev": document.revisionID.map { .string($0) } ?? .null,
                "_sequence": .number(JSONNumber(document.sequence)),
            ]).description)
    }
}

/// `PROPERTY=FILE,CONTENT-TYPE`
struct BlobArgument: ExpressibleByArgument {
    let property: String
    let file: String
    let contentType: String

    init?(argument: String) {
        // The name of a file may contain `=` and commas. A property has no `=`, and a content type has no comma.
        let bytes = argument.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), let comma = bytes.lastIndex(of: UInt8(ascii: ",")),
            equals < comma
        else { return nil }
        property = String(argument[..<equals])
        file = String(argument[bytes.index(after: equals)..<comma])
        contentType = String(argument[bytes.index(after: comma)...])
        guard !property.isEmpty, !file.isEmpty, !contentType.isEmpty else { return nil }
    }
}
