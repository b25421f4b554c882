import DocumentStore
import DocumentValues
import Testing

/// What a remote was known to have before it was restored from a backup.
@Suite struct DoubtedRevisionTests {
    let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    private func doubt(after sequence: UInt64 = 0) throws -> Int {
        try fixture.store.doubtKnown(in: .default, after: sequence)
    }

    @Test func whatIsInDoubtIsAChangeUntilTheRemoteSaysThatItHasIt() throws {
        _ = try fixture.pull("a", "1-aa")
        _ = try fixture.pull("b", "1-bb")
        let document = try fixture.collection.put("c", [:])
        #expect(try doubt() == 2)
        #expect(try doubt() == 0, "once is enough")
        let changes = try fixture.changes()
        #expect(changes.map(\.documentID) == ["a", "b", "c"] && changes.allSatisfy { $0.remoteRevision == nil })
        let local = try #require(try fixture.revision())
        #expect(local.isInDoubt && local.isKnownToRemote && local.remoteRevision?.description == "1-aa")
        // Announced, acknowledged, and never in doubt.
        #expect(try fixture.store.decide([("a", RevisionID("1-aa")!)], in: .default) == [.have])
        try fixture.store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "b", revision: RevisionID("1-bb")!)], in: .default)
        try fixture.acknowledge(document)
        #expect(try fixture.changes().isEmpty)
        #expect(try fixture.revision()?.isInDoubt == false)
    }

    @Test func whatWasExchangedBeforeTheBackupIsNotInDoubt() throws {
        _ = try fixture.pull("a", "1-aa")
        let sequence = try #require(try fixture.revision()).sequence
        _ = try fixture.pull("b", "1-bb")
        #expect(try doubt(after: sequence) == 1)
        #expect(try fixture.changes().map(\.documentID) == ["b"])
    }

    @Test func itIsNotReplacedWithoutAConflict() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        _ = try fixture.pull("a", "2-aa", history: "1-aa", #"{"n":2}"#)
        _ = try doubt()
        #expect(try fixture.pull("a", "2-bb", history: "1-aa", #"{"n":3}"#).name == "conflict")
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: .local))
        #expect(try fixture.changes().map { $0.remoteRevision?.description } == ["2-bb"])
    }

    /// The other side of a conflict may be among what was lost.
    @Test func aResolutionDoesNotEndTheDoubt() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        try fixture.collection.put("a", ["n": 2])
        #expect(try fixture.pull("a", "2-bb", history: "1-aa", #"{"n":3}"#).name == "conflict")
        _ = try doubt()
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: .remote))
        #expect(try fixture.changes().map(\.revision.description) == ["2-bb"])
    }

    @Test func anEditOfItKeepsWhatItBeganWith() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        _ = try doubt()
        try fixture.collection.put("a", ["n": 2])
        #expect(try fixture.pull("a", "2-bb", history: "1-aa", #"{"n":3}"#).name == "conflict")
        let base = try fixture.store.conflict(of: "a", in: .default)?.base
        #expect(base.map { String(decoding: $0, as: UTF8.self) } == #"{"n":1}"#)
    }

    @Test func whatIsPurgedIsKeptAside() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        _ = try doubt()
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true)
        #expect(try fixture.database.quarantinedDocuments().map(\.documentID) == ["a"])
    }

    /// Refused before the backup: it goes up again. Refused before it and accepted after: a change since.
    @Test(arguments: [false, true]) func whatWasRefusedBeforeTheBackupGoesUpAgain(isAccepted: Bool) throws {
        let document = try fixture.collection.put("a", [:])
        let revision = try #require(RevisionID(document.revisionID!))
        try fixture.store.recordRejection(of: "a", revision: revision, code: 413, reason: "large", in: .default)
        let backup = try fixture.store.lastSequence(in: .default)
        if isAccepted { try fixture.acknowledge(document) }
        _ = try doubt(after: backup)
        #expect(try fixture.changes(after: backup).map(\.documentID) == ["a"])
    }
}
