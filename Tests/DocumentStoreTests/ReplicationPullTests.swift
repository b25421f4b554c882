import DocumentStore
import DocumentValues
import Testing

@Suite struct ReplicationPullTests {
    let fixture: ReplicationFixture

    init() throws { fixture = try ReplicationFixture() }

    @Test func aNewRevisionIsStoredByteForByte() throws {
        let body = #"{ "name" : "Café", "n": 1.50, "big": 12345678901234567890 }"#
        #expect(try fixture.pull("a", "2-bb", history: "1-aa", body).name == "inserted")
        let revision = try #require(try fixture.revision())
        #expect(String(decoding: revision.body, as: UTF8.self) == body)
        #expect(revision.history.description == "1-aa" && revision.remoteRevision == revision.revision)
        #expect(try fixture.changes().isEmpty, "what came from the remote is not sent back to it")
        #expect(try fixture.collection.document(id: "a")?.revisionID == "2-bb")
    }

    @Test func aDescendantReplacesWhatItDescendsFrom() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        #expect(try fixture.pull("a", "3-cc", history: "2-bb,1-aa", #"{"n":3}"#).name == "inserted")
        #expect(try fixture.revision()?.history.description == "2-bb,1-aa")
        #expect(try fixture.json() == #"{"n":3}"#)
        #expect(try fixture.pull("a", "4-dd", history: "3-cc", deleted: true).name == "inserted")
        #expect(try fixture.json() == nil && fixture.collection.count == 0)
        #expect(try fixture.revision()?.history.description == "3-cc,2-bb,1-aa", "completed from what is known here")
        #expect(try fixture.pull("a", "5-ee", history: "4-dd", #"{"n":5}"#).name == "inserted")
        #expect(fixture.collection.count == 1)
    }

    @Test func whatIsKnownIsNotStoredAgain() throws {
        _ = try fixture.pull("a", "2-bb", history: "1-aa")
        let sequence = try fixture.revision()?.sequence
        for known in ["2-bb", "1-aa"] { #expect(try fixture.pull("a", known).name == "alreadyThere") }
        #expect(
            try fixture.revision()?.sequence == sequence && fixture.revision()?.remoteRevision?.description == "2-bb")
    }

    @Test func withoutLocalEditsTheRemoteMayGoOnElsewhere() throws {
        _ = try fixture.pull("a", "3-cc", history: "2-bb,1-aa", deleted: true)
        #expect(try fixture.pull("a", "1-ff", #"{"again":true}"#).name == "inserted")
        #expect(try fixture.json() == #"{"again":true}"#)
        #expect(try fixture.revision()?.history.ancestors == [])
    }

    /// What is here, and what somebody pushes.
    @Test(arguments: [
        (("2-bb", "1-aa", false), ("3-cc", "2-bb,1-aa", false), "inserted"),
        (("2-bb", "1-aa", false), ("4-dd", "3-cc,2-bb", false), "inserted"),
        (("2-bb", "1-aa", false), ("2-bb", "1-aa", false), "alreadyThere"),
        (("2-bb", "1-aa", false), ("1-aa", "", false), "alreadyThere"),
        (("2-bb", "1-aa", false), ("2-cc", "1-aa", false), "conflict"),
        (("2-bb", "1-aa", false), ("1-cc", "", false), "conflict"),
        (("2-bb", "1-aa", false), ("3-cc", "2-cc,1-aa", true), "conflict"),
        (("2-bb", "1-aa", true), ("1-cc", "", false), "inserted"),
        (("2-bb", "1-aa", true), ("1-cc", "", true), "conflict"),
        (("2-bb", "1-aa", true), ("3-cc", "2-bb", false), "inserted"),
    ])
    func aPushIsTakenOnlyOnTopOfWhatIsHere(
        here: (String, String, Bool), pushed: (String, String, Bool), outcome: String
    ) throws {
        #expect(try fixture.push("a", here.0, history: here.1, deleted: here.2).name == "inserted")
        #expect(try fixture.push("a", pushed.0, history: pushed.1, deleted: pushed.2).name == outcome)
        let current = outcome == "inserted" ? pushed.0 : here.0
        #expect(try fixture.revision()?.revision.description == current)
        #expect(try fixture.store.conflicts(in: .default).isEmpty, "nothing is quarantined")
    }

    @Test func bodiesOfKnownRevisionsAreFound() throws {
        _ = try fixture.pull("a", "1-aa", #"{"n":1}"#)
        func bodies(_ revisions: String...) throws -> [String?] {
            try fixture.store.bodies(of: revisions.map { ("a", RevisionID($0)!) }, in: .default)
                .map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(try bodies("1-aa", "1-bb") == [#"{"n":1}"#, nil])
        let document = try #require(try fixture.collection.document(id: "a")?.toMutable())
        document.setInt(2, forKey: "n")
        try fixture.collection.save(document: document)
        let edited = try #require(try fixture.revision()?.revision.description)
        #expect(try bodies("1-aa", edited) == [#"{"n":1}"#, #"{"n":2}"#], "what the edit started from is kept")
        _ = try fixture.pull("a", "2-ff", history: "1-aa", #"{"n":3}"#)
        #expect(try bodies("1-aa", edited, "2-ff") == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":3}"#], "in conflict")
        #expect(try fixture.store.bodies(of: [("b", RevisionID("1-aa")!)], in: .default) == [nil])
    }

    @Test func oneBadRevisionDoesNotKeepOutTheOthers() throws {
        let good = PulledRevision(
            documentID: "b", revision: RevisionID("1-aa")!, history: RevisionHistory(), isDeleted: false,
            body: .empty)
        let blob = #"{"p":{"@type":"blob","digest":"\#(BlobDigest(of: [1]).text)","length":1}}"#
        let outcomes = try fixture.store.insert(
            [
                PulledRevision(good, id: ""), PulledRevision(good, id: String(repeating: "x", count: 251)),
                try PulledRevision(good, id: "blob", body: DocumentBody(reading: Array(blob.utf8))), good,
            ], in: .default)
        #expect(outcomes.map(\.name) == ["failed 29", "failed 29", "failed 1006", "inserted"])
        #expect(fixture.collection.count == 1)
    }

    @Test func historyIsCutButReachesWhatTheRemoteHas() throws {
        _ = try fixture.pull("a", "1-aa")
        let document = try #require(try fixture.collection.document(id: "a")).toMutable()
        for _ in 0..<60 { try fixture.collection.save(document: document) }
        let history = try #require(try fixture.revision()?.history)
        #expect(history.ancestors.count == 50)
        #expect(history.ancestors.last?.description == "1-aa", "a push must reach down to it")
        #expect(history.ancestors.first?.treeRevision?.generation == 60)
    }

    // MARK: Deciding

    @Test func decisionsOfferAncestorsThatTheRemoteHas() throws {
        _ = try fixture.pull("a", "2-bb", history: "1-aa", #"{"n":1}"#)
        try fixture.collection.put("a", ["n": 2])
        _ = try fixture.pull("old", "3-cc", history: "2-bb,1-aa")
        let rows = [("a", "3-ee"), ("a", "2-bb"), ("new", "1-aa"), ("old", "1-aa"), ("old", "9-ff")]
            .map { (documentID: $0.0, revision: RevisionID($0.1)!) }
        let decisions = try fixture.store.decide(rows, in: .default)
        #expect(
            decisions == [
                .wanted(ancestors: [RevisionID("2-bb")!, RevisionID("1-aa")!]), .have, .wanted(ancestors: []), .have,
                .wanted(ancestors: ["3-cc", "2-bb", "1-aa"].map { RevisionID($0)! }),
            ])
    }

    @Test func whatTheRemoteAnnouncesAndWeHaveIsRecorded() throws {
        let document = try fixture.collection.put("a", ["n": 1])
        #expect(try fixture.changes().count == 1)
        let revision = try #require(RevisionID(document.revisionID!))
        #expect(try fixture.store.decide([("a", revision)], in: .default) == [.have])
        #expect(try fixture.revision()?.remoteRevision == revision && fixture.changes().isEmpty)
    }

    @Test func anOlderAnnouncementDoesNotTakeBackANewerOne() throws {
        _ = try fixture.pull("a", "1-aa")
        let document = try fixture.collection.put("a", ["n": 2])
        try fixture.acknowledge(document)
        #expect(try fixture.store.decide([("a", RevisionID("1-aa")!)], in: .default) == [.have])
        #expect(try fixture.revision()?.remoteRevision?.description == document.revisionID)
    }

    // MARK: Purging

    @Test func purgingKeepsEditsThatWereNeverPushed() throws {
        for id in ["synced", "edited", "new", "deleted"] where id != "new" {
            _ = try fixture.pull(id, "1-aa", #"{"n":1}"#)
        }
        try fixture.collection.put("edited", ["n": 2])
        try fixture.collection.put("new", ["n": 3])
        try fixture.collection.delete(document: try #require(try fixture.collection.document(id: "deleted")))
        let ids = ["synced", "edited", "new", "deleted", "unknown"]
        #expect(try fixture.store.purge(ids, in: .default, quarantine: true, reason: "revoked") == Array(ids.prefix(4)))
        #expect(fixture.collection.count == 0)
        #expect(try fixture.store.isEmpty(.default))
        let kept = try fixture.database.quarantinedDocuments()
        #expect(kept.map(\.documentID) == ["edited", "new", "deleted"])
        #expect(kept.map(\.isDeleted) == [false, false, true])
        #expect(String(decoding: kept[0].body, as: UTF8.self) == #"{"n":2}"#)
        #expect(kept[0].reason == "revoked" && kept[0].remote == "wss://gateway/db")
        try fixture.database.discardQuarantinedDocument(kept[0].id)
        try fixture.database.restoreQuarantinedDocument(kept[1].id)
        #expect(try fixture.json("new") == #"{"n":3}"#)
        #expect(try fixture.database.quarantinedDocuments().map(\.documentID) == ["deleted"])
    }

    @Test func whatARemoteHasLostIsQuarantinedWhereItIsAskedFor() throws {
        for id in ["mine", "others", "deleted"] { _ = try fixture.pull(id, "1-aa", #"{"by":"\#(id)"}"#) }
        try fixture.collection.put("mine", ["by": "mine", "n": 2])
        let sent = try #require(try fixture.store.changes(in: .default, after: 0, limit: 9).changes.last)
        try fixture.store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "mine", revision: sent.revision)], in: .default)
        _ = try fixture.pull("deleted", "2-bb", history: "1-aa", deleted: true)
        let old = try #require(RevisionID("1-aa"))
        _ = try fixture.store.purge(["mine", "others", "deleted"], in: .default, quarantine: true) {
            $0.documentID.isExactly("others") ? nil : old
        }
        let kept = try fixture.database.quarantinedDocuments()
        #expect(kept.map(\.documentID) == ["mine"] && kept.first?.base == old)
    }

    @Test func purgedContentLeavesTheDisk() throws {
        let secret = "the only copy of a secret"
        _ = try fixture.pull("a", "1-aa", #"{"text":"\#(secret)"}"#)
        #expect(!fixture.folder.files(containing: Array(secret.utf8)).isEmpty)
        _ = try fixture.store.purge(["a"], in: .default, quarantine: true)
        #expect(fixture.folder.files(containing: Array(secret.utf8)).isEmpty)
    }

    @Test func aCollectionThatIsNotThereIsAnError() throws {
        let name = try CollectionName(scope: "no", name: "where")
        #expect(performing: { try fixture.store.lastSequence(in: name) }, throws: isCode(.notFound))
        #expect(performing: { try fixture.store.purge(["a"], in: name, quarantine: false) }, throws: isCode(.notFound))
    }
}

extension PulledRevision {
    fileprivate init(_ other: PulledRevision, id: String, body: DocumentBody = .empty) {
        self.init(
            documentID: id, revision: other.revision, history: other.history, isDeleted: other.isDeleted, body: body)
    }
}
