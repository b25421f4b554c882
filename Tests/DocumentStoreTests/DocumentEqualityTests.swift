import DocumentStore
import DocumentValues
import Foundation
import Testing

/// When two documents, collections and scopes are one.
@Suite struct DocumentEqualityTests {
    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.createCollection(name: "notes", scope: "field")
    }

    @Test func documentsAreComparedByIDCollectionAndMembers() throws {
        try notes.save(document: try MutableDocument(id: "a", json: #"{"x":1,"y":[2]}"#))
        let (one, other) = (try #require(try notes.document(id: "a")), try #require(try notes.document(id: "a")))
        #expect(one == other && one.hashValue == other.hashValue && one == one.toMutable())
        let changed = one.toMutable()
        changed.setInt(2, forKey: "x")
        #expect(one != changed)
        changed.setInt(1, forKey: "x")
        #expect(one == changed)
        let elsewhere = try database.createCollection(name: "others")
        try elsewhere.save(document: try MutableDocument(id: "a", json: one.toJSON()))
        let third = try #require(try elsewhere.document(id: "a"))
        #expect(third != one && Set([one, other, third, changed as Document]).count == 2)
        #expect(try MutableDocument(id: "a", json: one.toJSON()) != one, "it is of no collection yet")
    }

    @Test func aDocumentSaysWhichRevisionItIs() throws {
        let document = MutableDocument(id: "a")
        #expect(document.revisionID == nil && document.sequence == 0 && document.timestamp == 0)
        #expect(document.collection == nil && MutableDocument().id != MutableDocument().id)
        let before = UInt64(Date.now.timeIntervalSince1970 * 1e9) - 1_000_000_000
        try notes.save(document: document)
        #expect(document.collection == notes && document.sequence == 1 && document.timestamp > before)
        let read = try #require(try notes.document(id: "a"))
        #expect(read.timestamp == document.timestamp && read.sequence == document.sequence)
        #expect(read.revisionID == document.revisionID && read.collection?.fullName == "field.notes")
        try notes.delete(document: read)
        #expect(read.revisionID?.hasPrefix("2-") == true && read.sequence == 2)
        try notes.purge(id: "a")
        #expect(performing: { try notes.delete(document: document) }, throws: isCode(.notFound))
    }

    @Test func collectionsAndScopesAreComparedByWhatTheyAre() throws {
        let again = try #require(try database.collection(name: "notes", scope: "field"))
        #expect(again == notes && again.hashValue == notes.hashValue && again !== notes)
        let other = try folder.open("other")
        let namesake = try other.createCollection(name: "notes", scope: "field")
        #expect(namesake != notes && Set([notes, again, namesake]).count == 2)
        #expect(notes.scope == again.scope && notes.scope.hashValue == again.scope.hashValue)
        let defaultScope = try database.defaultScope()
        #expect(notes.scope != namesake.scope && notes.scope != defaultScope)
        try database.deleteCollection(name: "notes", scope: "field")
        let remade = try database.createCollection(name: "notes", scope: "field")
        #expect(remade != notes && remade.scope == notes.scope && remade.fullName == notes.fullName)
    }

    @Test func aNewDocumentMayBeMadeInEveryWay() throws {
        let documents = [
            MutableDocument(data: ["n": 1]), MutableDocument(id: nil, data: ["n": 1]),
            try MutableDocument(json: #"{"n":1}"#),
            try MutableDocument(id: nil, json: #"{"n":1}"#), MutableDocument(id: "own", data: ["n": 1]),
        ]
        for document in documents {
            try notes.save(document: document)
            #expect(try notes.document(id: document.id)?.int(forKey: "n") == 1)
        }
        #expect(notes.count == 5 && documents.prefix(4).allSatisfy { $0.id.hasPrefix("~") && $0.id.utf8.count == 23 })
    }
}
