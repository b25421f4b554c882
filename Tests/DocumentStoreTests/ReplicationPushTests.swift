import DocumentStore
import DocumentValues
import Foundation
import Testing

@Suite struct ReplicationPushTests {
    let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    @Test func changesComeInTheOrderOfTheirSequences() throws {
        for id in ["c", "a", "b"] { try fixture.collection.put(id, ["id": id]) }
        try fixture.collection.put("c", ["again": true])
        let changes = try fixture.changes()
        #expect(changes.map(\.documentID) == ["a", "b", "c"] && changes.map(\.sequence) == [2, 3, 4])
        #expect(changes[2].revision.treeRevision?.generation == 2 && changes[2].bodySize == 14)
        #expect(changes.allSatisfy { $0.remoteRevision == nil && !$0.isDeleted })
    }

    @Test func aBatchSaysWhereToGoOn() throws {
        for number in 0..<5 { try fixture.collection.put("d\(number)", [:]) }
        let first = try fixture.store.changes(in: .default, after: 0, limit: 3)
        #expect(first.changes.count == 3 && first.through == 3 && !first.isCaughtUp)
        let rest = try fixture.store.changes(in: .default, after: first.through, limit: 3)
        #expect(rest.changes.count == 2 && rest.through == 5 && rest.isCaughtUp)
        let none = try fixture.store.changes(in: .default, after: rest.through, limit: 3)
        #expect(none.changes.isEmpty && none.through == 5 && none.isCaughtUp)
    }

    @Test func aBatchPassesOverWhatTheRemoteHas() throws {
        for number in 0..<5 { _ = try fixture.pull("d\(number)", "1-aa") }
        let batch = try fixture.store.changes(in: .default, after: 0, limit: 2)
        #expect(batch.changes.isEmpty && batch.through == 5 && batch.isCaughtUp)
    }

    @Test func onlyTheDocumentsAskedForAreReported() throws {
        for id in ["a", "b", "c"] { try fixture.collection.put(id, [:]) }
        let batch = try fixture.store.changes(in: .default, after: 0, limit: 10, documentIDs: ["b", "x"])
        #expect(batch.changes.map(\.documentID) == ["b"] && batch.through == 3)
    }

    @Test func anAcknowledgedRevisionIsNoChangeAnyMore() throws {
        let document = try fixture.collection.put("a", ["n": 1])
        try fixture.acknowledge(document)
        #expect(try fixture.changes().isEmpty)
        try fixture.collection.put("a", ["n": 2])
        let change = try #require(try fixture.changes().first)
        #expect(
            change.remoteRevision?.description == document.revisionID && change.revision.treeRevision?.generation == 2)
    }

    @Test func anAcknowledgementOfAnOlderRevisionLeavesTheNewerOneToPush() throws {
        let first = try fixture.collection.put("a", ["n": 1])
        let revision = try #require(RevisionID(first.revisionID!))
        try fixture.collection.put("a", ["n": 2])
        try fixture.store.markKnownToRemote(
            ["a", "gone"].map { AcknowledgedRevision(documentID: $0, revision: revision) }, in: .default)
        #expect(try fixture.changes().map(\.remoteRevision) == [revision])
    }

    @Test func remotesAreKeptApart() throws {
        let other = try ReplicationStore(database: fixture.database, remote: "wss://other/db")
        let document = try fixture.collection.put("a", ["n": 1])
        try fixture.acknowledge(document)
        #expect(try fixture.changes().isEmpty)
        #expect(try other.changes(in: .default, after: 0, limit: 10).changes.count == 1)
        #expect(try other.revision(of: "a", in: .default)?.remoteRevision == nil)
        let again = try ReplicationStore(database: fixture.database, remote: "wss://gateway/db")
        #expect(try again.changes(in: .default, after: 0, limit: 10).changes.isEmpty)
    }

    @Test func tombstonesArePushedAndPurgesAreNot() throws {
        let document = try fixture.collection.put("a", [:])
        try fixture.collection.put("b", [:])
        try fixture.collection.delete(document: document)
        try fixture.collection.purge(id: "b")
        #expect(try fixture.changes().map(\.documentID) == ["a"] && fixture.changes()[0].isDeleted)
        let tombstone = try #require(try fixture.revision())
        #expect(tombstone.isDeleted && tombstone.body == Array("{}".utf8))
        #expect(
            tombstone.revision
                == RevisionDigest.clientRevision(parent: tombstone.history.parent, body: [], isDeleted: true))
    }

    @Test func revisionsComeInTheOrderAskedFor() throws {
        for id in ["a", "b"] { try fixture.collection.put(id, ["id": id]) }
        let revisions = try fixture.store.revisions(of: ["b", "x", "a"], in: .default)
        #expect(revisions.map { $0?.documentID } == ["b", nil, "a"])
    }

    @Test func whetherABodyRefersToBlobsIsKnown() throws {
        let document = MutableDocument(id: "a").setBlob(Blob(contentType: "text/plain", data: .init([1])), forKey: "p")
        try fixture.collection.save(document: document)
        try fixture.collection.put("b", [:])
        #expect(try fixture.revision("a")?.hasBlobs == true && fixture.revision("b")?.hasBlobs == false)
    }

    // MARK: Checkpoints, outbox

    @Test func checkpointsAreKeptUntilTheyAreForgotten() throws {
        #expect(try fixture.store.loadCheckpoint("cp") == nil)
        for body in [[UInt8](), [1, 2], [3]] {
            try fixture.store.saveCheckpoint("cp", body: body)
            #expect(try fixture.store.loadCheckpoint("cp") == body)
        }
        _ = try fixture.database.createCollection(name: "other")
        try fixture.database.deleteCollection(name: "other")
        #expect(try fixture.store.loadCheckpoint("cp") == nil)
    }

    @Test func aRefusedPushIsShownUntilTheDocumentChangesOrIsAccepted() throws {
        func refuse(_ document: Document) throws {
            try fixture.store.recordRejection(
                of: document.id, revision: RevisionID(document.revisionID!)!, code: 403, reason: "missing channel",
                in: .default)
        }
        let first = try fixture.collection.put("a", ["n": 1])
        let second = try fixture.collection.put("b", ["n": 1])
        try refuse(first)
        try refuse(second)
        let rejections = try fixture.store.rejections(in: .default)
        #expect(rejections.map(\.documentID) == ["a", "b"])
        #expect(rejections[0].code == 403 && rejections[0].reason == "missing channel")
        let changed = try fixture.collection.put("a", ["n": 2])
        try fixture.acknowledge(second)
        #expect(try fixture.database.rejectedPushes().isEmpty)
        try refuse(first)
        #expect(try fixture.database.rejectedPushes().isEmpty, "an answer to a former revision says nothing any more")
        try refuse(changed)
        try fixture.collection.purge(id: "a")
        #expect(try fixture.database.rejectedPushes().isEmpty)
    }

    @Test func identityIsForEverAndNotCopied() throws {
        let identity = fixture.store.privateUUID
        #expect(identity.count == 16)
        try Database.copy(
            fromPath: fixture.folder.databaseFolder().path, toDatabase: "copy", withConfig: fixture.folder.configuration
        )
        let copy = try fixture.folder.open("copy")
        #expect(try ReplicationStore(database: copy, remote: "r").privateUUID != identity)
        try fixture.database.close()
        #expect(try ReplicationStore(database: try fixture.folder.open(), remote: "r").privateUUID == identity)
    }
}
