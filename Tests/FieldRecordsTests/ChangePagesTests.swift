import DocumentStore
import DocumentValues
import FieldModels
import Replication
import Testing

@testable import FieldRecords

/// The limits of the changes by others that a laptop keeps, and the changes that may replace older ones.
@Suite struct ChangePagesTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }
    private var pages: ChangePages { field.store.changePages }

    init() throws { temporary = try TemporaryField() }

    private func site(by creator: String, notes: String) -> JSONObject {
        ["type": "site", "name": "Mill", "notes": .string(notes), "createdBy": .string(creator)]
    }

    /// Sites that eve has emptied of their notes.
    private func change(_ ids: [String], by creator: String, notes: String = "mine", to left: String = "") throws {
        let sites = field.collection(of: .site)
        try sites.save(bodies: ids.map { ($0, site(by: creator, notes: notes).bytes) })
        var new = site(by: creator, notes: left)
        (new["changedBy"], new["changedAt"]) = ("eve", "2026-03-04T12:00:00Z")
        let revision = RevisionID(generation: 9, digest: "a")
        for start in stride(from: 0, to: ids.count, by: 100) {
            let part = ids[start..<min(start + 100, ids.count)].map {
                RemoteChange(documentID: $0, revision: revision, body: new.bytes)
            }
            try field.receivedChanges.keepBeforeChanges(of: .site, to: part, for: "mara")
        }
    }

    private func inspections(_ ids: [String]) throws {
        var old: JSONObject = [
            "type": "inspection", "site": "site-1", "date": "2026-03-04", "status": "draft", "score": 1,
            "createdBy": "eve", "inspector": "mara",
        ]
        try field.collection(of: .inspection).save(bodies: ids.map { ($0, old.bytes) })
        (old["score"], old["changedBy"]) = (2, "eve")
        let revision = RevisionID(generation: 9, digest: "b")
        let changes = ids.map { RemoteChange(documentID: $0, revision: revision, body: old.bytes) }
        try field.receivedChanges.keepBeforeChanges(of: .inspection, to: changes, for: "mara")
    }

    /// Others can make any number of records that only name the user.
    @Test func ofRecordsOfOthersTheOldestGo() throws {
        try change(["site-1"], by: "mara")
        let ids = (1...340).map { "inspection-of-\($0)" }
        for start in stride(from: 0, to: ids.count, by: 100) {
            try inspections(Array(ids[start..<min(start + 100, ids.count)]))
        }
        #expect(try pages.all().count == 301)
        #expect(try field.receivedChanges.changes(of: RecordReference(.inspection, id: "inspection-of-1")) == nil)
        #expect(try field.receivedChanges.changes(of: RecordReference(.inspection, id: "inspection-of-340")) != nil)
        #expect(
            try field.receivedChanges.changes(of: RecordReference(.site, id: "site-1"))?.fields.first?.before == "mine")
    }

    /// The user's own unseen records stay even if a colleague writes much into the other records.
    @Test func whatThePersonMadeAndHasNotSeenStays() throws {
        try change(["site-first"], by: "mara")
        let page = String(repeating: "x", count: 1_000_000)
        try change((1...40).map { "site-\($0)" }, by: "mara", notes: page)
        try change((41...80).map { "site-\($0)" }, by: "mara", notes: page)
        #expect(try pages.all().count == 81)
        #expect(
            try field.receivedChanges.changes(of: RecordReference(.site, id: "site-first"))?.fields.first?.before
                == "mine")
        // Changes that the user has seen make room.
        try field.receivedChanges.note(field.receivedChanges.all(of: "mara"), as: .read)
        try change(["site-last"], by: "mara")
        let left = try pages.all()
        #expect(left.reduce(0) { $0 + $1.bytes } <= FieldRecordsLimits.changedByOthersBytes && left.count > 50)
        #expect(try field.receivedChanges.changes(of: RecordReference(.site, id: "site-last")) != nil)
    }

    /// One letter may have any number of marks.
    @Test func ofALongValueOthersLeftOnlyTheBeginningIsKept() throws {
        try change(["site-1"], by: "mara", to: "a" + String(repeating: "\u{301}", count: 100_000))
        #expect(try #require(try pages.all().first).bytes < 4_000)
    }

    /// The work for a change of one's own records does not depend on how many others there are.
    @Test func theTotalFollowsWhatIsKept() throws {
        try change((1...20).map { "site-\($0)" }, by: "eve")
        #expect(try pages.all().isEmpty, "a site has no inspector")
        try inspections((1...20).map { "inspection-of-\($0)" })
        func total() throws -> Int64? {
            try field.store.changePages.collection.document(id: "total")?.body["bytes"]?.integerValue
        }
        #expect(try total() == Int64(pages.all().reduce(0) { $0 + $1.bytes }))
        try field.receivedChanges.note(field.receivedChanges.all(of: "mara"), as: .read)
        #expect(try total() == Int64(pages.all().reduce(0) { $0 + $1.bytes }))
        for number in 1...20 { try pages.remove(RecordReference(.inspection, id: "inspection-of-\(number)")) }
        #expect(try total() == 0 && pages.all().isEmpty)
    }
}
