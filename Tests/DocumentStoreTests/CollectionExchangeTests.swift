import DocumentStore
import DocumentValues
import Foundation
import Testing

/// How far a document has come to the remotes, and what can be done about it.
@Suite struct CollectionExchangeTests {
    private let fixture: ReplicationFixture
    private var notes: DocumentStore.Collection { fixture.collection }

    init() throws { fixture = try ReplicationFixture() }

    private func exchange(_ id: String = "a") throws -> DocumentExchange { try #require(try notes.exchange(of: id)) }

    // MARK: How far it has come

    @Test func aNewDocumentIsKnownToNobody() throws {
        let document = try notes.put("a", ["n": 1])
        let exchange = try exchange()
        #expect(exchange.revision.description == document.revisionID && exchange.ancestry.history.ancestors.isEmpty)
        #expect(!exchange.isDeleted && !exchange.isKnownToRemotes && !exchange.isSent && !exchange.isRestored)
        #expect(exchange.newestSent == nil && abs(exchange.date - Date.now.timeIntervalSince1970) < 60)
        #expect(try notes.exchange(of: "none") == nil && notes.idsKnownToRemotes().isEmpty && !notes.isKnownToRemotes())
    }

    @Test func eachStepOfAnEditIsSeen() throws {
        _ = try fixture.pull("a", "2-bb", history: "1-aa", #"{"n":1}"#)
        #expect(try exchange().isSent && exchange().isKnownToRemotes && exchange().newestSent?.description == "2-bb")
        let edited = try notes.put("a", ["n": 2])
        #expect(try !exchange().isSent && exchange().isKnownToRemotes && exchange().newestSent?.description == "2-bb")
        #expect(try exchange().ancestry.history.description == "2-bb,1-aa")
        try fixture.acknowledge(edited)
        #expect(try exchange().isSent && exchange().newestSent?.description == edited.revisionID)
        try notes.delete(document: edited)
        #expect(try exchange().isDeleted && !exchange().isSent && exchange().newestSent != exchange().revision)
    }

    @Test func idsThatRemotesKnowAreFoundTogether() throws {
        for id in ["caf\u{E9}", "cafe\u{301}", "x"] { try notes.put(id, [:]) }
        #expect(try !notes.isKnownToRemotes())
        _ = try fixture.pull("y", "1-aa")
        try fixture.acknowledge(try #require(try notes.document(id: "caf\u{E9}")))
        _ = try fixture.pull("gone", "2-bb", history: "1-bb", deleted: true)
        #expect(try notes.idsKnownToRemotes() == ["caf\u{E9}", "y", "gone"] && notes.isKnownToRemotes())
    }

    @Test func whatCameBackFromTheQuarantineIsRestoredUntilItIsSent() throws {
        try fixture.acknowledge(try notes.put("a", ["n": 1]))
        try notes.put("a", ["n": 2])
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true, reason: "revoked")
        #expect(try notes.exchange(of: "a") == nil)
        try fixture.database.restoreQuarantinedDocument(
            try #require(try fixture.database.quarantinedDocuments().first).id)
        #expect(try exchange().isRestored && !exchange().isSent && exchange().isKnownToRemotes)
        let edited = try notes.put("a", ["n": 3])
        #expect(try exchange().isRestored, "an edit of it, too")
        try fixture.acknowledge(edited)
        #expect(try !exchange().isRestored && exchange().isSent)
    }

    // MARK: What can be done

    @Test func offeringAgainIsAChangeWithoutARevision() throws {
        let document = try notes.put("a", ["n": 1])
        try notes.put("b", [:])
        let last = try fixture.store.lastSequence(in: .default)
        try notes.offerAgain(id: "a")
        #expect(try fixture.changes(after: last).map(\.documentID) == ["a"])
        #expect(try notes.document(id: "a")?.revisionID == document.revisionID && notes.count == 2)
        try notes.delete(document: document)
        try notes.offerAgain(id: "a")
        #expect(try fixture.changes().last?.isDeleted == true, "a deletion, too")
    }

    @Test func whatIsNotThereIsNamed() throws {
        for call in [
            { try notes.offerAgain(id: "none") }, { try notes.replaceLost(id: "none", body: Array("{}".utf8)) },
        ]
            as [() throws -> Void]
        {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(
                error?.code == .notFound && error?.context == ["document": "none", "collection": "_default._default"])
        }
        try notes.forgetRefusals(of: "none")
        try notes.purgeToBeFetched(id: "none")
        try notes.forgetBase(of: "none")
        #expect(try notes.revert(id: "none") == nil && !notes.purgeIfUnsent(id: "none"))
    }

    @Test func aRefusalThatIsForgottenIsOneOfNoRemote() throws {
        let other = try ReplicationStore(database: fixture.database, remote: "wss://other/db")
        let document = try notes.put("a", ["n": 1])
        let revision = try #require(document.revisionID.flatMap { RevisionID($0) })
        for store in [fixture.store, other] {
            try store.recordRejection(of: "a", revision: revision, code: 403, reason: "no", in: .default)
        }
        #expect(try fixture.database.rejectedPushes(of: "a", in: notes).count == 2)
        let last = try fixture.store.lastSequence(in: .default)
        try notes.forgetRefusals(of: "a")
        #expect(try fixture.database.rejectedPushes().isEmpty && fixture.changes(after: last).count == 1)
        #expect(try exchange().revision == revision)
    }

    /// The next replication compares everything, and so brings it again.
    @Test func whatIsToBeFetchedAgainIsForgottenWithTheCheckpoints() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try notes.put("a", ["n": 2])
        try fixture.store.saveCheckpoint("cp", body: [1])
        let generation = try fixture.store.checkpointGeneration()
        try notes.purgeToBeFetched(id: "a")
        #expect(try notes.exchange(of: "a") == nil && fixture.store.loadCheckpoint("cp") == nil)
        #expect(try fixture.store.checkpointGeneration() != generation)
        #expect(try fixture.pull("a", "1-aa", #"{"n":1}"#).name == "inserted" && fixture.json() == #"{"n":1}"#)
    }

    /// Each side of a conflict of two remotes is given up alone.
    @Test func aConflictIsRevertedToWhatTheRemoteHas() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try notes.put("a", ["n": 2])
        #expect(try fixture.pull("a", "2-ff", history: "1-aa", #"{"n":9}"#).name == "conflict")
        #expect(try fixture.database.summary().conflicts == 1)
        #expect(try notes.revert(id: "a") == .reverted && fixture.json() == #"{"n":9}"#)
        #expect(try fixture.database.summary().conflicts == 0 && exchange().isSent)
        #expect(try notes.revert(id: "a") == .unchanged)
    }

    @Test func aRevertInABatchIsTakenBackWithIt() throws {
        struct Slip: Error {}
        try fixture.acknowledge(try notes.put("a", ["n": 1]))
        try notes.put("a", ["n": 2])
        #expect(throws: Slip.self) {
            try fixture.database.inBatch {
                #expect(try notes.revert(id: "a") == .reverted)
                #expect(try fixture.json() == #"{"n":1}"#)
                throw Slip()
            }
        }
        #expect(try fixture.json() == #"{"n":2}"# && !exchange().isSent)
        #expect(try notes.revert(id: "a") == .reverted)
    }

    /// Its blobs are those of what it is now.
    @Test func whatIsRevertedFreesItsBlobs() throws {
        try fixture.acknowledge(try notes.put("a", ["n": 1]))
        try notes.put("a", ["photo": Blob(contentType: "x/y", data: Data("photo".utf8))])
        #expect(fixture.folder.blobFiles.count == 1)
        #expect(try notes.revert(id: "a") == .reverted)
        try notes.purge(id: "a")
        #expect(fixture.folder.blobFiles.isEmpty)
        try fixture.database.performMaintenance(type: .integrityCheck)
    }
}
