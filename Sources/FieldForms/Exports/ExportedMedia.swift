import DocumentStore
import DocumentValues
import FieldRecords
import Foundation

/// Copies the files of filled forms into `media`.
struct ExportedMedia {
    let folder: ExportFolder
    let database: Database
    /// As file systems see them that ignore case.
    private var taken: Set<Name> = []
    private(set) var copied = 0
    /// `response-…: name` of files that are not on this laptop.
    private(set) var missing: [String] = []

    init(folder: ExportFolder, database: Database) {
        self.folder = folder
        self.database = database
    }

    /// - Returns: the file's name in `media`; its own where it is not here.
    mutating func copy(_ value: JSONValue, of record: String, uuid: String) throws -> (name: String, isCopied: Bool) {
        let name = value["name"]?.stringValue ?? ""
        guard let blob = value["blob"]?.objectValue.flatMap({ BlobMetadata($0) }),
            let reader = try database.blobStorage().reader(for: blob.digest)
        else {
            missing.append("\(record): \(name)")
            return (name, false)
        }
        defer { reader.close() }
        let free = unused(name.fileName, uuid: uuid)
        let file = try folder.newFile("media/" + free)
        while let portion = try reader.read(upTo: FieldRecordsLimits.attachmentPortion) {
            try file.write(contentsOf: Data(portion))
        }
        try file.close()
        copied += 1
        return (free, true)
    }

    private mutating func unused(_ name: String, uuid: String) -> String {
        if taken.insert(Name(name.lowercased())).inserted { return name }
        let other = FileNameParts("\(uuid.fileName)-\(name)")
        return other.firstUnused(from: 2) { !taken.insert(Name($0.lowercased())).inserted }
    }
}
