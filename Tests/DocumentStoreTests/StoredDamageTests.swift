import DocumentValues
import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Damage of what is kept beside the documents: the check names each, and reading it is an error that says so.
@Suite struct StoredDamageTests {
    private let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    private func execute(_ sql: String) throws {
        try fixture.database.core().write { try $0.db.execute(sql: sql) }
    }

    private func problems() throws -> [String] {
        var problems: [String] = []
        try fixture.database.check { problems.append($0.text) }
        return problems
    }

    @Test(arguments: [
        ("body = '{'", "has a body that cannot be read: "), ("body = '[1]'", "has a body that cannot be read: "),
        ("revision = 'x'", "has a history that cannot be read"),
        ("history = 'x'", "has a history that cannot be read"),
    ])
    func aDamagedConflictIsNamed(change: String, problem: String) throws {
        for id in ["a", "b"] {
            try fixture.collection.put(id, ["n": 1])
            #expect(try fixture.pull(id, "1-ff", #"{"n":2}"#).name == "conflict")
        }
        #expect(try problems().isEmpty)
        try execute("UPDATE conflicts SET \(change) WHERE document_id = 'b'")
        let found = try problems()
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("the conflict of b of _default._default \(problem)") == true, "\(found)")
        let error = #expect(throws: StoreError.self) {
            try fixture.database.performMaintenance(type: .integrityCheck)
        }
        #expect(error?.code == .corruptData && error?.context["problems"] == "1")
        #expect(error?.context["path"]?.isEmpty == false && error?.hint?.isEmpty == false)
    }

    @Test func aDamagedVersionThatWasEditedIsNamed() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try fixture.collection.put("a", ["n": 2])
        #expect(try fixture.collection.baseBody(of: "a") != nil && problems().isEmpty)
        try execute("UPDATE base_bodies SET body = '{\"n\":'")
        let found = try problems()
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix(
                "the version of a of _default._default that was edited has a body that cannot be read")
                == true, "\(found)")
    }

    @Test func whatIsWrongInSeveralTablesIsNamedTogether() throws {
        for id in ["a", "b", "c"] { try fixture.collection.put(id, ["n": 1]) }
        #expect(try fixture.pull("a", "1-ff").name == "conflict")
        _ = try fixture.store.purge(["c"], in: .default, quarantine: true, reason: "revoked")
        try execute("UPDATE conflicts SET body = ''; UPDATE quarantine SET revision = x'00'")
        try execute("UPDATE documents_1 SET body = 'null' WHERE id = 'b'")
        let found = try problems()
        #expect(found.count == 3)
        for part in ["the document b of", "the conflict of a of", "the quarantined document 1 cannot be read"] {
            #expect(found.contains { $0.hasPrefix(part) }, "\(part): \(found)")
        }
    }

    /// A blob that only a conflict has need not be here; a damaged one is named.
    @Test func theBlobOfAConflictIsNamedWhereItIsDamaged() throws {
        let digest = BlobDigest(of: Array("photo".utf8))
        let body = #"{"photo":{"@type":"blob","digest":"\#(digest)","length":5}}"#
        try fixture.collection.put("a", ["n": 1])
        _ = try fixture.store.blobs.store(Array("photo".utf8))
        #expect(try fixture.pull("a", "1-ff", body).name == "conflict")
        #expect(try problems().isEmpty)
        let file = try #require(fixture.folder.blobFiles.first)
        try Data("phot0".utf8).write(to: file)
        #expect(try problems() == ["the blob \(digest) of the conflict of a of _default._default is damaged"])
        try FileManager.default.removeItem(at: file)
        #expect(try problems().isEmpty)
    }

    @Test(arguments: ["{", "[1]", "", "nul"]) func aDamagedDocumentIsNotRead(body: String) throws {
        try fixture.collection.put("a", ["n": 1])
        try fixture.collection.put("b", ["n": 1])
        try execute("UPDATE documents_1 SET body = '\(body)' WHERE id = 'a'")
        let error = #expect(throws: StoreError.self) { try fixture.collection.document(id: "a") }
        #expect(error?.code == .corruptData && error?.context["document"] == "a", "\(String(describing: error))")
        #expect(try fixture.collection.document(id: "b")?.int(forKey: "n") == 1, "the others are there")
        // It can be replaced and purged.
        try fixture.collection.purge(id: "a")
        try fixture.collection.put("a", ["n": 2])
        #expect(try problems().isEmpty && fixture.json() == #"{"n":2}"#)
    }
}
