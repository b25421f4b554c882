import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// Names that Swift's `String` takes for one and SQLite for two: "é" in one code point and in two, "Å" and the sign for
/// Ångström.
@Suite struct LookAlikeDocumentTests {
    private static let pairs = [("caf\u{E9}", "cafe\u{301}"), ("\u{C5}", "\u{212B}")]

    private let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    private func put(_ id: String, _ other: String) throws {
        _ = try fixture.collection.put(id, ["n": 1])
        _ = try fixture.collection.put(other, ["n": 2])
    }

    @Test(arguments: pairs) func twoDocumentsAreTwo(id: String, other: String) throws {
        try put(id, other)
        let collection = fixture.collection
        #expect(collection.count == 2)
        #expect(try fixture.json(id) == #"{"n":1}"# && fixture.json(other) == #"{"n":2}"#)
        #expect(try Set(collection.documentIDs().map { Name($0) }) == [Name(id), Name(other)])
        let first = try #require(try collection.document(id: id)).toMutable()
        let second = try #require(try collection.document(id: other)).toMutable()
        #expect(first != second)
        second.setData(["n": 1])
        #expect(first != second, "the same members under another id")
        #expect(Set([first as Document, second]).count == 2)
        try collection.purge(id: id)
        #expect(try fixture.json(id) == nil && fixture.json(other) == #"{"n":2}"#)
    }

    @Test(arguments: pairs) func aChosenDocumentIsNotTheOther(id: String, other: String) throws {
        try put(id, other)
        for (chosen, number) in [(id, 1), (other, 2)] {
            let batch = try fixture.store.changes(
                in: .default, after: 0, limit: 10, documentIDs: [Name(chosen)])
            #expect(batch.changes.map { Name($0.documentID) } == [Name(chosen)] && batch.changes[0].sequence == number)
        }
    }

    @Test(arguments: pairs) func eachIsRefusedAndQuarantinedAlone(id: String, other: String) throws {
        try put(id, other)
        let revision = try #require(try fixture.revision(id)).revision
        try fixture.store.recordRejection(of: id, revision: revision, code: 403, reason: "no", in: .default)
        #expect(try fixture.store.rejections(in: .default).map { Name($0.documentID) } == [Name(id)])
        let purged = try fixture.store.purge([id], in: .default, quarantine: true)
        #expect(purged.map { Name($0) } == [Name(id)])
        #expect(try fixture.database.quarantinedDocuments().map { Name($0.documentID) } == [Name(id)])
        #expect(try fixture.json(other) == #"{"n":2}"#)
        try fixture.database.restoreQuarantinedDocument(try #require(fixture.database.quarantinedDocuments().first).id)
        #expect(try fixture.json(id) == #"{"n":1}"# && fixture.json(other) == #"{"n":2}"#)
    }

    @Test(arguments: pairs) func eachIsInConflictAlone(id: String, other: String) throws {
        try put(id, other)
        #expect(try fixture.pull(id, "1-cc", #"{"n":3}"#).name == "conflict")
        #expect(try fixture.store.conflicts(in: .default).map { Name($0.documentID) } == [Name(id)])
        #expect(try fixture.store.conflict(of: other, in: .default) == nil)
        let conflict = try #require(try fixture.store.conflict(of: id, in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: .remote))
        #expect(try fixture.json(id) == #"{"n":3}"# && fixture.json(other) == #"{"n":2}"#)
    }

    /// Programs that keep lists of what is pushed and refused compare them.
    @Test(arguments: pairs) func whatTheStoreSaysOfTwoIsNotEqual(id: String, other: String) throws {
        func pulled(_ id: String) throws -> PulledRevision {
            PulledRevision(
                documentID: id, revision: try #require(RevisionID("1-a")), history: RevisionHistory(),
                isDeleted: false, body: .empty)
        }
        #expect(try pulled(id) != pulled(other))
        #expect(try Set([pulled(id), pulled(other)]).count == 2)
        let revision = try #require(RevisionID("1-a"))
        #expect(
            AcknowledgedRevision(documentID: id, revision: revision)
                != AcknowledgedRevision(documentID: other, revision: revision))
    }

    @Test(.timeLimit(.minutes(1)), arguments: pairs)
    func aListenerHearsOfItsOwnDocument(id: String, other: String) async throws {
        let heard = Arrivals<Name>()
        let tokens = [id, other].map { name in
            fixture.collection.addDocumentChangeListener(id: name) { _ in heard.add(Name(name)) }
        }
        defer { for token in tokens { token.remove() } }
        _ = try fixture.collection.put(id, ["n": 1])
        #expect(try await heard.first() == Name(id))
        _ = try fixture.collection.put(other, ["n": 1])
        #expect(try await heard.first() == Name(other))
    }

    @Test(arguments: pairs) func twoMembersAreTwo(key: String, other: String) throws {
        let document = MutableDocument(id: "a")
        document.setInt(1, forKey: key).setInt(2, forKey: other)
        try fixture.collection.save(document: document)
        let stored = try #require(try fixture.collection.document(id: "a"))
        #expect(stored.count == 2 && stored.int(forKey: key) == 1 && stored.int(forKey: other) == 2)
        let changed = stored.toMutable()
        changed.removeValue(forKey: key)
        #expect(changed.value(forKey: key) == nil && changed.int(forKey: other) == 2)
    }

    /// `_` begins a reserved name whatever follows it, also a mark that makes one character of both.
    @Test func anUnderscoreWithAMarkIsOne() throws {
        let document = MutableDocument(id: "a")
        document.setInt(1, forKey: "_sync_\u{301}x")
        #expect { try fixture.collection.save(document: document) } throws: { isCode(.invalidParameter)($0) }
        #expect { try fixture.collection.save(document: MutableDocument(id: "_\u{301}x")) } throws: {
            isCode(.badDocumentID)($0)
        }
    }

    /// "K" and the sign for kelvin: only letters of ASCII make the name of a scope.
    @Test func aScopeIsFoundByItsBytes() throws {
        _ = try fixture.database.createCollection(name: "a", scope: "K")
        #expect(try fixture.database.scope(name: "K")?.name == "K")
        #expect(try fixture.database.scope(name: "\u{212A}") == nil)
        #expect(try fixture.database.collections(scope: "\u{212A}").isEmpty)
    }

    @Test(arguments: pairs) func twoDatabasesAreTwo(name: String, other: String) throws {
        let folder = try TestFolder()
        let first = try folder.open(name)
        #expect(!Database.exists(withName: other, inDirectory: folder.url.path))
        let second = try folder.open(other)
        _ = try first.defaultCollection().put("a", ["n": 1])
        #expect(try second.defaultCollection().count == 0)
        try first.delete()
        #expect(Database.exists(withName: other, inDirectory: folder.url.path))
        try second.close()
    }

    /// What came before the id is refused here, too: it would be a document that nobody can save.
    @Test(arguments: ["_x", "_local/x", "_\u{301}x", "a\nb", "\u{7F}", "", String(repeating: "x", count: 251)])
    func anIDThatIsRefusedHereIsNotPulled(id: String) throws {
        #expect(try fixture.pull(id, "1-a").name == "failed \(StoreError.Code.badDocumentID.rawValue)")
        #expect(fixture.collection.count == 0)
    }

    @Test func anIDMayBeLongerThanOneMadeHere() throws {
        #expect(try fixture.pull(String(repeating: "x", count: 250), "1-a").name == "inserted")
    }
}
