import Foundation
import Testing

@testable import DocumentStore

/// Calls of asynchronous code that do the same as plain ones.
@Suite struct AsyncTwinTests {
    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection

    init() async throws {
        folder = try TestFolder()
        database = try await Database.async.open(name: "test", config: folder.configuration)
        notes = try await database.async.createCollection(name: "notes")
    }

    private final class Note: Codable {
        @DocumentID var id: String?
        var text: String
        var photo: Blob?

        init(id: String? = nil, text: String, photo: Blob? = nil) {
            self.text = text
            self.photo = photo
            self.id = id
        }
    }

    private struct Row: Decodable, Equatable {
        let n: Int
    }

    /// Keeps an object that no other isolation may use.
    private actor Desk {
        private let note = Note(text: "first")
        private let notes: DocumentStore.Collection

        init(_ notes: DocumentStore.Collection) { self.notes = notes }

        func save(_ text: String) async throws -> String? {
            note.text = text
            try await notes.async.save(from: note)
            return note.id
        }

        func read(_ id: String) async throws -> String? {
            try await notes.async.document(id: id, as: Note.self)?.text
        }
    }

    // MARK: Folders and collections

    @Test func databasesAreCopiedAndDeleted() async throws {
        try notes.put("a", ["n": 1])
        let path = try #require(database.path)
        try await Database.async.copy(fromPath: path, toDatabase: "copy", withConfig: folder.configuration)
        let copy = try await Database.async.open(folder: folder.databaseFolder("copy").path)
        let found = try await copy.async.collection(name: "notes")
        #expect(found?.count == 1)
        #expect(try await copy.async.collections().map(\.name) == ["_default", "notes"])
        #expect(try await copy.async.defaultCollection().name == "_default")
        try await copy.async.deleteCollection(name: "notes")
        #expect(try await copy.async.collection(name: "notes") == nil)
        try await copy.async.close()
        try await Database.async.delete(withName: "copy", inDirectory: folder.url.path)
        #expect(!Database.exists(withName: "copy", inDirectory: folder.url.path))
        try await database.async.delete()
        #expect(!Database.exists(withName: "test", inDirectory: folder.url.path))
        await #expect(performing: { try await database.async.delete() }, throws: isCode(.notOpen))
        await #expect(performing: { try await Database.async.open(name: "..") }, throws: isCode(.invalidParameter))
    }

    @Test func indexesAreMadeUsedAndDeleted() async throws {
        try await notes.async.createIndex(withName: "numbers", config: ValueIndexConfiguration(["n"]))
        try await notes.async.createIndex(
            IndexBuilder.valueIndex(items: ValueIndexItem.property("m")), name: "others")
        #expect(try await notes.async.indexes() == ["numbers", "others"])
        #expect(try await notes.async.index(withName: "others")?.name == "others")
        let query = try await database.async.createQuery("SELECT META().id FROM notes WHERE n = 1")
        #expect(try await query.async.explain().contains("numbers"))
        try await notes.async.deleteIndex(forName: "others")
        #expect(try await notes.async.indexes() == ["numbers"])
        await #expect(
            performing: { try await database.async.createQuery("SELECT") }, throws: isCode(.invalidQuery))
    }

    @Test func expirationAndHistoryAreRead() async throws {
        try notes.put("a", [:])
        #expect(try await notes.async.getDocumentExpiration(id: "a") == nil)
        let date = Date(timeIntervalSince1970: 4_000_000_000)
        try await notes.async.setDocumentExpiration(id: "a", expiration: date)
        #expect(try await notes.async.getDocumentExpiration(id: "a") == date)
        #expect(try await notes.async.revisionHistory(id: "a").count == 1)
        let blob = Blob(contentType: "text/plain", data: Data("hello".utf8))
        try await database.async.saveBlob(blob: blob)
        #expect(try database.getBlob(properties: blob.properties)?.content == Data("hello".utf8))
    }

    // MARK: Objects and rows

    @Test func objectsAreSavedAndRead() async throws {
        let note = Note(id: "a", text: "one", photo: Blob(contentType: "text/plain", data: Data("hello".utf8)))
        try await notes.async.save(from: note)
        let read = try #require(try await notes.async.document(id: "a", as: Note.self))
        #expect(read.id == "a" && read.text == "one" && read.photo?.content == Data("hello".utf8))
        read.text = "two"
        #expect(try await notes.async.save(from: read, concurrencyControl: .failOnConflict))
        note.text = "three"
        #expect(try await !notes.async.save(from: note, concurrencyControl: .failOnConflict))
        #expect(try await !notes.async.delete(for: note, concurrencyControl: .failOnConflict))
        #expect(notes["a"]["text"].string == "two")
        try await notes.async.delete(for: read)
        #expect(try await notes.async.document(id: "a", as: Note.self) == nil)
        try await notes.async.purge(for: read)
        await #expect(performing: { try await notes.async.delete(for: Note(text: "new")) }, throws: isCode(.notFound))
    }

    @Test func anActorSavesItsOwnObject() async throws {
        let desk = Desk(notes)
        let id = try #require(try await desk.save("first"))
        #expect(try await desk.save("second") == id)
        #expect(try await desk.read(id) == "second" && notes.count == 1)
    }

    @Test func rowsAreDecoded() async throws {
        try database.inBatch { for number in 0..<1_500 { try notes.put("d\(number)", ["n": number]) } }
        let query = try database.createQuery("SELECT n FROM notes ORDER BY n")
        let rows = try await query.async.execute().rows.data(as: Row.self)
        #expect(rows == (0..<1_500).map(Row.init))
        let numbers = try await query.async.execute().rows.data(as: Int.self, dataKey: "n")
        #expect(numbers == Array(0..<1_500))
        #expect(try await query.async.execute().rows.readAll().count == 1_500)
        let results = try await query.async.execute()
        await #expect(
            performing: { try await results.rows.data(as: String.self, dataKey: "n") },
            throws: isCode(.invalidParameter))
        // It goes on behind the row that does not fit.
        #expect(try await results.rows.data(as: Row.self).first == Row(n: 1))
    }
}
