import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@Suite struct RefusedRecordTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }

    init() throws {
        temporary = try TemporaryField()
        let site = Site(id: "site-1", name: "Mill", address: Address(), district: .unknown)
        try field.sites.add(site, by: temporary.author)
        let day = try #require(CalendarDay("2026-03-04"))
        try field.inspections.add(
            Inspection(id: "inspection-1", site: "site-1", date: day, district: .unknown), by: temporary.author)
        try field.findings.add(
            Finding(
                id: "finding-1", inspection: "inspection-1", site: "site-1", date: day, text: "Dust",
                district: .unknown), by: temporary.author)
    }

    @Test func whatNeverLeftTheLaptopIsDeletedWithoutATrace() throws {
        try field.refuse(.inspection, "inspection-1")
        #expect(try field.removals.deleteInspection("inspection-1") == 1)
        #expect(try field.outbox.all().isEmpty)
        #expect(try field.collection(of: .inspection).exchange(of: "inspection-1") == nil)
        #expect(try field.collection(of: .finding).exchange(of: "finding-1") == nil)
    }

    @Test func whatTheGatewayHasIsDeletedThereToo() throws {
        try field.acknowledge(.site, "site-1")
        try field.sites.delete("site-1")
        #expect(try field.collection(of: .site).exchange(of: "site-1")?.isDeleted == true)
        try field.refuse(.site, "site-1")
        let refused = try #require(try field.outbox.all().first)
        #expect(refused.change == .deletion)
        #expect(try field.outbox.discard(refused) == .reverted)
        #expect(try field.sites.find("site-1")?.name == "Mill")
        #expect(try field.outbox.all().isEmpty)
    }

    @Test func aRefusedNewInspectionTakesItsFindingsWithIt() throws {
        try field.refuse(.inspection, "inspection-1")
        let refused = try #require(try field.outbox.all().first)
        #expect(refused.change == .new && refused.title == "Mill, 2026-03-04 routine")
        #expect(try field.outbox.discard(refused) == .purged)
        #expect(field.inspections.count == 0 && field.findings.count == 0)
    }

    @Test func aRefusedEditGivesWayToTheVersionOfTheGateway() throws {
        try field.acknowledge(.site, "site-1")
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "123" }
        try field.refuse(.site, "site-1")
        let refused = try #require(try field.outbox.all().first)
        #expect(refused.change == .edit)
        #expect(try field.outbox.discard(refused) == .reverted)
        #expect(try field.sites.find("site-1")?.phone == nil)
    }

    /// The gateway's version names the deleted record; if the gateway never had it, the version deleted here does.
    @Test func aRefusedDeletionIsNamedByWhatItWas() throws {
        try field.acknowledge(.inspection, "inspection-1")
        try field.inspections.update("inspection-1", by: temporary.author) { $0.visit = .complaint }
        try field.inspections.delete("inspection-1")
        try field.refuse(.inspection, "inspection-1")
        #expect(try field.outbox.all().map(\.title) == ["Mill, 2026-03-04 routine"])
        try field.acknowledge(.site, "site-1")
        try field.sites.delete("site-1")
        try field.refuse(.site, "site-1")
        #expect(try field.outbox.all().map(\.title) == ["Mill, 2026-03-04 routine", "Mill"])
    }

    /// A refused record that only the office can correct does not block later ones; a problem of this laptop does.
    @Test func whatStaysRefusedKeepsNothingElse() throws {
        for (kind, id) in [(RecordKind.finding, "finding-1"), (.site, "site-1"), (.inspection, "inspection-1")] {
            try field.refuse(kind, id)
        }
        let reasons: [String: any Error] = [
            "site-1": RecordError(kind: .site, id: "site-1", problems: [FieldProblem("name", message: "is empty")]),
            "inspection-1": StoreError(.badDocumentID, message: "too long"),
        ]
        var settled: [String] = []
        let left = try field.outbox.settle(try field.outbox.all()) { record in
            settled.append(record.documentID)
            if let reason = reasons[record.documentID] { throw reason }
        }
        #expect(settled.last == "finding-1" && settled.count == 3)
        #expect(Set(left.map(\.record.documentID)) == ["site-1", "inspection-1"])
        #expect(throws: StoreError.self) {
            try field.outbox.settle(try field.outbox.all()) { _ in throw StoreError(.diskFull, message: "full") }
        }
        // A record that has left the outbox does not stay listed.
        let site = try #require(try field.outbox.all().first { $0.kind == .site })
        let gone = try field.outbox.settle(try field.outbox.all()) { record in
            if try field.outbox.contains(site) { _ = try field.outbox.discard(site) }
            throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
        }
        #expect(gone.count == 2)
    }

    /// Its worker may have corrected it in another process.
    @Test func whatHasLeftTheOutboxKeepsNothingElse() throws {
        for id in ["site-1", "site-2"] {
            if id == "site-2" {
                let site = Site(id: id, name: "Bakery", address: Address(), district: .unknown)
                try field.sites.add(site, by: temporary.author)
            }
            try field.acknowledge(.site, id)
            try field.sites.update(id, by: temporary.author) { $0.phone = "123" }
            try field.refuse(.site, id, reason: "who created a record does not change")
        }
        let refused = try field.outbox.all()
        #expect(refused.map(\.subject) == [.takeover, .takeover])
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "124" }
        #expect(throws: RecordActionError.self) { try field.outbox.retry(refused[0]) }
        #expect(try field.outbox.settle(refused) { try field.outbox.retry($0) }.isEmpty)
        #expect(try field.outbox.all().isEmpty)
    }

    /// References in records from others mean the record that the gateway has under that id.
    @Test func aNewIDLeavesReferencesOfOthersAsTheyAre() throws {
        let day = try #require(CalendarDay("2026-03-05"))
        let piet = Author(name: "piet", moment: temporary.author.moment)
        for id in ["inspection-2", "inspection-3"] {
            try field.inspections.add(Inspection(id: id, site: "site-1", date: day, district: .unknown), by: piet)
        }
        for id in ["inspection-1", "inspection-2"] { try field.acknowledge(.inspection, id) }
        try field.refuse(.site, "site-1", code: 409, reason: "conflict")
        let refused = try #require(try field.outbox.all().first)
        let new = try field.newIDs.send(refused, by: temporary.author).id
        let sites = try field.inspections.all().records.map(\.site)
        // The gateway does not have inspection-3: it was made on this laptop.
        #expect(sites == [new, "site-1", new])
        #expect(try field.findings.find("finding-1")?.site.isExactly(new) == true)
    }

    /// As an earlier version left them behind.
    @Test func refusedDeletionsOfNewRecordsAreForgotten() throws {
        let collection = field.collection(of: .site)
        try collection.delete(document: try #require(try collection.document(id: "site-1")))
        try field.refuse(.site, "site-1")
        #expect(try field.outbox.all().map(\.change) == [.deletionOfNew])
        try field.outbox.forgetDeletionsOfNewRecords()
        #expect(try field.outbox.all().isEmpty)
        #expect(try collection.exchange(of: "site-1") == nil)
    }

    /// Forms and registers name no person: if a restored gateway has lost them, only the office's laptop sends them.
    @Test(arguments: [
        "only the office adds records under an id that no laptop makes: site-1", "only the office writes forms",
        "only the office writes what everybody sees", "the record does not say who created it",
        "the record is changed, and does not say that you changed it",
    ])
    func whatTheOfficeSendsWaitsForItsLaptop(reason: String) throws {
        try field.acknowledge(.site, "site-1")
        try field.refuse(.site, "site-1", reason: reason)
        let refused = try #require(try field.outbox.all().first)
        #expect(refused.awaits == .anotherLaptop && refused.sender == nil)
        #expect(refused.reason.text.hasSuffix("It comes back when a laptop of the office syncs."), "\(refused.reason)")
        #expect(try field.outbox.unsettled().isEmpty)
        // If a record was changed here, this laptop decides about it.
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "123" }
        try field.refuse(.site, "site-1", reason: reason)
        #expect(try field.outbox.all().map(\.awaits) == [.decision])
    }

    @Test func whatIsKeptIsSettled() throws {
        try field.refuse(.site, "site-1")
        #expect(try field.outbox.unsettled().count == 1)
        try field.outbox.keep(try field.outbox.all()[0])
        #expect(try field.outbox.unsettled().isEmpty && field.outbox.all().map(\.isKept) == [true])
        try field.outbox.retry(try field.outbox.all()[0])
        #expect(try field.outbox.unsettled().count == 1)
    }

    /// The gateway has moved, and refuses it there, too.
    @Test func whatIsRefusedAtTwoAddressesIsListedOnce() throws {
        func sequence() throws -> UInt64? { try field.collection(of: .site).document(id: "site-1")?.sequence }
        try field.refuse(.site, "site-1")
        let before = try #require(try sequence())
        try field.outbox.forgetAll()
        #expect(try field.outbox.all().isEmpty)
        // The former address would be asked about it again as well.
        #expect(try #require(try sequence()) > before)
        try field.refuse(.site, "site-1", at: "wss://moved/field")
        #expect(try field.outbox.all().count == 1)
    }
}

/// Stores the answers that a gateway would have given.
extension FieldDatabase {
    func refuse(
        _ kind: RecordKind, _ id: String, code: Int = 403, reason: String = "sg admin required",
        at address: String = "wss://gateway/field"
    ) throws {
        let store = try ReplicationStore(database: database, remote: address)
        let revision = try #require(try store.revision(of: id, in: kind.collection)).revision
        try store.recordRejection(of: id, revision: revision, code: code, reason: reason, in: kind.collection)
    }

    func acknowledge(_ kind: RecordKind, _ id: String) throws {
        let store = try ReplicationStore(database: database, remote: "wss://gateway/field")
        let revision = try #require(try store.revision(of: id, in: kind.collection)).revision
        try store.markKnownToRemote(
            [AcknowledgedRevision(documentID: id, revision: revision)], in: kind.collection)
    }
}
