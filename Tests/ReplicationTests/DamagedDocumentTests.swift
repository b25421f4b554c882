import GRDB
import Testing

@testable import DocumentStore
@testable import Replication

/// A document that is damaged on the laptop's disk: its error is reported, and the others are exchanged.
@Suite struct DamagedDocumentTests {
    private func damage(_ id: String, of laptop: Laptop, by change: String) throws {
        let sql = "UPDATE documents_\(laptop.collection.number) SET \(change) WHERE id = '\(id)'"
        try laptop.database.core().write { try $0.db.execute(sql: sql) }
    }

    /// The codes of the documents that a run reports, which itself ends without an error.
    private func codes(_ configuration: ReplicatorConfiguration) async throws -> [String: Int?] {
        Dictionary(
            uniqueKeysWithValues: try await sync(configuration).documents.map {
                ($0.document.id, ($0.document.error as? ReplicationError)?.code)
            })
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("revision = 'x'", false), ("revision = 'x'", true), ("history = 'x'", true), ("body = '{'", true),
        ])
    func aChangeThatCannotBeExaminedIsReportedByEachPush(change: String, hasFilter: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad", "c"] { try laptop.put(id, #"{"c":"north"}"#) }
        try damage("bad", of: laptop, by: change)
        let configuration = try laptop.configuration(gateway, .push) { part in
            if hasFilter { part.pushFilter = { _, _ in true } }
        }
        #expect(try await codes(configuration) == ["a": nil, "bad": CBLError.corruptData, "c": nil])
        #expect(gateway.body("a") != nil && gateway.body("bad") == nil && gateway.body("c") != nil)
        #expect(try await codes(configuration) == ["bad": CBLError.corruptData])
        let pending = try Replicator(config: configuration).pendingDocumentIds(collection: laptop.collection)
        #expect(pending == ["bad"])
        try damage("bad", of: laptop, by: #"revision = '1-aa', history = '', body = '{"c":"north"}'"#)
        #expect(try await codes(configuration) == ["bad": nil])
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aRevisionThatIsUnreadableIsInTheOutbox() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad", "c"] { try laptop.put(id, #"{"c":"north"}"#) }
        try damage("bad", of: laptop, by: "history = 'x'")
        #expect(
            try await codes(laptop.configuration(gateway, .push)) == ["a": nil, "bad": CBLError.corruptData, "c": nil])
        #expect(gateway.body("a") != nil && gateway.body("bad") == nil && gateway.body("c") != nil)
        #expect(try laptop.database.rejectedPushes().map(\.code) == [CBLError.corruptData])
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["revision = 'x'", "history = 'x'"])
    func aPullGoesOnWithTheOthers(change: String) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "bad"] { gateway.put(id, #"{"c":"north"}"#) }
        let configuration = try laptop.configuration(gateway, .pull)
        try await sync(configuration)
        try damage("bad", of: laptop, by: change)
        for id in ["a", "bad", "c"] { gateway.put(id, #"{"c":"north","n":2}"#) }
        #expect(try await codes(configuration) == ["a": nil, "bad": CBLError.corruptData, "c": nil])
        #expect(try laptop.json("a")?.contains("2") == true && laptop.json("c") != nil)
        #expect(try await codes(configuration).isEmpty, "it does not hold up the checkpoint")
        try await gateway.stop()
    }
}
