import DocumentStore
import DocumentValues
import FieldModels
import Replication
import Testing

@testable import FieldRecords

/// Another user has made a record under the id of one that was made here and never sent.
@Suite struct TakenIDTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }
    private let id = "inspection-k3m9x2pq7d"

    init() throws {
        temporary = try TemporaryField()
        let site = Site(id: "site-1", name: "Mill", address: Address(), district: .unknown)
        try temporary.field.sites.add(site, by: temporary.author)
        try add(id, by: temporary.author)
    }

    private func add(_ id: String, by author: Author) throws {
        let day = try #require(CalendarDay("2026-03-04"))
        var inspection = Inspection(id: id, site: "site-1", date: day, district: .unknown)
        inspection.notes = "of \(author.name ?? "nobody")"
        try field.inspections.add(inspection, by: author)
    }

    private func addFinding(_ id: String, by author: Author) throws {
        let day = try #require(CalendarDay("2026-03-04"))
        try field.findings.add(
            Finding(id: id, inspection: self.id, site: "site-1", date: day, text: "Dust", district: .unknown),
            by: author)
    }

    private var colleague: Author { Author(name: "eve", moment: temporary.author.moment) }

    private func body(_ id: String) throws -> JSONObject {
        try #require(try field.collection(of: .inspection).document(id: id)).body
    }

    /// Receives a record that eve made at another time.
    private func receive(_ id: String, _ change: (inout JSONObject) -> Void = { _ in }) throws {
        var body = try body(id)
        for member in ["createdBy", "changedBy", "inspector"] { body[member] = "eve" }
        for member in ["createdAt", "changedAt"] { body[member] = "2026-03-05T12:00:00Z" }
        change(&body)
        let incoming = RemoteChange(
            documentID: id, revision: RevisionID(generation: 1, digest: "aa"), body: body.bytes)
        try field.newIDs.renameOthers(of: .inspection, than: [incoming], by: temporary.author)
    }

    @Test func theOneFromHereGoesOnUnderANewID() throws {
        try addFinding("finding-1", by: temporary.author)
        try addFinding("finding-2", by: colleague)
        try field.acknowledge(.finding, "finding-2")
        let before = try body(id)
        let journal = try field.journal.entries().count
        try receive(id)
        let inspections = try field.inspections.all().records
        try #require(inspections.count == 1)
        let renamed = RecordReference(.inspection, id: inspections[0].id)
        #expect(!renamed.id.isExactly(id) && RecordIDs.isMade(renamed.id))
        #expect(try body(renamed.id) == before)
        #expect(try field.collection(of: .inspection).exchange(of: renamed.id)?.isKnownToRemotes == false)
        #expect(try field.collection(of: .inspection).exchange(of: id) == nil, "the other one comes in its place")
        let references = try ["finding-1", "finding-2"].map { try field.findings.find($0)?.inspection }
        #expect(references == [renamed.id, id], "what came from others means the other one")
        #expect(try field.journal.entries().count == journal, "no undo takes it back")
        let news = try field.receivedChanges.all(of: "mara")
        #expect(news.map(\.record) == [renamed] && news.map(\.summary) == ["eve: id"])
        #expect(try field.history.log(of: .inspection, renamed.id).contains { $0.text.hasSuffix(renamed.id) })
    }

    /// The same record: as it was sent, or as a user has brought it back. Or only an import has made the id.
    @Test func whatIsNoOtherRecordKeepsItsID() throws {
        try receive(id) { $0["createdBy"] = "mara" }
        let moment = try #require(try body(id)["createdAt"])
        try receive(id) { $0["createdAt"] = moment }
        try add("inspection-row-7", by: temporary.author)
        try receive("inspection-row-7")
        // Another user's record, of which this laptop only has a copy.
        try add("inspection-k3m9x2pq7e", by: colleague)
        try receive("inspection-k3m9x2pq7e") { $0["createdBy"] = "piet" }
        try field.acknowledge(.inspection, id)
        try receive(id)
        let ids = try field.inspections.all().records.map(\.id).sorted()
        #expect(ids == [id, "inspection-k3m9x2pq7e", "inspection-row-7"])
        #expect(try field.receivedChanges.all(of: "mara").isEmpty)
    }
}
