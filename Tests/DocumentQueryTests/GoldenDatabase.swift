import DocumentStore
import DocumentValues
import Foundation
import Testing

/// A database with the documents that the recordings are of, in a folder that is removed with it.
final class GoldenDatabase: Sendable {
    let database: Database
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = DatabaseConfiguration()
        configuration.directory = folder.path
        database = try Database(name: "golden", config: configuration)
        let lines = try RecordedQuery.dataset()
        try database.inBatch { for line in lines { try load(line) } }
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private func load(_ line: JSONObject) throws {
        let collection = try collection(try #require(line["collection"]?.stringValue))
        guard let id = line["id"]?.stringValue else { return }
        let document = try MutableDocument(id: id, json: try #require(line["body"]).description)
        for member in line["blobs"]?.objectValue?.members ?? [] {
            let type = try #require(member.value["content_type"]?.stringValue)
            let text = try #require(member.value["text"]?.stringValue)
            document.setBlob(Blob(contentType: type, data: Data(text.utf8)), forKey: member.key)
        }
        try collection.save(document: document)
        if line["deleted"] == true { try collection.delete(document: document) }
        if let expires = line["expires"]?.integerValue {
            // What has expired long ago was purged before the recording.
            guard expires > 1_000_000_000_000 else { return try collection.purge(document: document) }
            try collection.setDocumentExpiration(
                id: id, expiration: Date(timeIntervalSince1970: Double(expires) / 1000))
        }
    }

    /// By `name` or `scope.name`; made if it does not exist.
    func collection(_ name: String) throws -> DocumentStore.Collection {
        let parts = name.split(separator: ".").map(String.init)
        return parts.count == 1
            ? try database.createCollection(name: name)
            : try database.createCollection(name: parts[1], scope: parts[0])
    }
}
