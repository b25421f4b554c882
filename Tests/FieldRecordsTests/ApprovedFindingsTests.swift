import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// An approval's note of the findings, and later differences from it.
@Suite struct ApprovedFindingsTests {
    private static let day = CalendarDay(daysSince1970: 20_000)

    private static func finding(_ id: String, _ text: String = "cracked tile") -> Finding {
        Finding(id: id, inspection: "i", site: "s", date: day, text: text, district: District("hill") ?? .unknown)
    }

    private static func approved(with findings: [Finding]) -> Inspection {
        var inspection = Inspection(id: "i", site: "s", date: day, district: District("hill") ?? .unknown)
        inspection.status = .approved
        inspection.approvedFindings = ApprovedFindings.note(of: findings)
        return inspection
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isSeen: Bool
        let make: @Sendable (inout Finding) -> Void

        init(_ name: String, isSeen: Bool, _ make: @escaping @Sendable (inout Finding) -> Void) {
            testDescription = name
            self.isSeen = isSeen
            self.make = make
        }
    }

    private static let changes = [
        Change("nothing", isSeen: false) { _ in },
        Change("the text", isSeen: true) { $0.text = "broken tile" },
        Change("another spelling of an accent", isSeen: true) { $0.text = "caf\u{65}\u{301}" },
        Change("the risk", isSeen: true) { $0.risk = .high },
        Change("the notes", isSeen: true) { $0.notes = "by the door" },
        Change("the day", isSeen: true) { $0.date = $0.date.adding(days: 1) },
        Change("the site", isSeen: true) { $0.site = "t" },
        Change("a member of a newer version", isSeen: true) { $0.envelope.rest["depth"] = 3 },
        Change("when it was fixed", isSeen: false) { $0.corrected = $0.date.adding(days: 3) },
        Change("who changed it", isSeen: false) { $0.envelope.changedBy = "otto" },
        Change("the device", isSeen: false) { $0.envelope.device = "tablet 2" },
        Change("what is to be decided", isSeen: false) { $0.envelope.rest["conflicts"] = [["field": "text"]] },
        Change("the district", isSeen: false) { $0.envelope.move(to: District("north") ?? .unknown) },
    ]

    @Test(arguments: changes) func changesOfTheContentAreSeen(change: Change) {
        var after = Self.finding("f", "caf\u{E9}")
        let inspection = Self.approved(with: [after])
        change.make(&after)
        let changes = ApprovalChanges(of: inspection, [after])
        #expect(changes?.changed == (change.isSeen ? [after] : nil))
        #expect(changes?.counts == (change.isSeen ? "1 changed" : nil))
    }

    @Test func theOrderOfMembersMeansNothing() throws {
        let finding = Self.finding("f")
        let reversed = try Finding(id: "f", object: JSONObject(members: finding.object.members.reversed()))
        #expect(ApprovedFindings.digest(of: finding) == ApprovedFindings.digest(of: reversed))
    }

    @Test func whatCameAndWentIsSeen() {
        let (first, second, third) = (Self.finding("f1"), Self.finding("f2"), Self.finding("f3"))
        let changes = ApprovalChanges(of: Self.approved(with: [first, second]), [third, second])
        #expect(changes?.added == [third] && changes?.removed == [Name("f1")] && changes?.changed == [])
        #expect(changes?.counts == "1 new, 1 gone")
        #expect(changes?.concerns([Name("f1")]) == true && changes?.concerns([Name("f3")]) == true)
        #expect(changes?.concerns([Name("f2")]) == false)
    }

    /// A document could not list all findings, since any user of the district may add some.
    @Test func manyFindingsHaveOneDigest() throws {
        let many = (0...FieldRecordsLimits.notedFindings).map { Self.finding("f\($0)") }
        let inspection = try Inspection(id: "i", object: Self.approved(with: many).object)
        #expect(inspection.object["approvedFindings"]?.stringValue.flatMap { BlobDigest($0) } != nil)
        #expect(ApprovalChanges(of: inspection, many.reversed()) == nil)
        var fixed = many
        fixed[7].corrected = Self.day
        #expect(ApprovalChanges(of: inspection, fixed) == nil)
        fixed[7].text = "broken tile"
        let changes = [fixed, Array(many.dropFirst()), []].map { ApprovalChanges(of: inspection, $0) }
        #expect(changes.map { $0?.unlisted } == [many.count, many.count - 1, 0])
        #expect(changes[0]?.counts == "some of its findings (1001 now)")
        #expect(changes[0]?.concerns([Name("f7")]) == true && changes[0]?.concerns([]) == false)
    }

    private static func photo(_ name: String, caption: String? = nil, of content: String = "a") -> Photo {
        Photo(
            name: name, caption: caption,
            blob: BlobMetadata(digest: BlobDigest(of: Array(content.utf8)), contentType: "image/png"))
    }

    /// Nothing that was not approved passes as approved: neither another photo of the same name, nor the same picture
    /// with another caption.
    @Test func photosAddedAfterwardsAreSeen() {
        let (door, roof) = (Self.photo("door.png"), Self.photo("roof.png", of: "b"))
        var inspection = Self.approved(with: [])
        inspection.approvedPhotos = [door, roof].map(ApprovedPhotos.digest)
        inspection.photos = [roof, door]
        #expect(ApprovalChanges(of: inspection, []) == nil)
        let others = [
            Self.photo("door.png", of: "c"), Self.photo("fence.png"), Self.photo("door.png", caption: "the back door"),
        ]
        inspection.photos = [others[0], door, others[1], roof, others[2]]
        let changes = ApprovalChanges(of: inspection, [])
        #expect(changes?.photos == others && changes?.counts == "3 new photos")
        inspection.approvedFindings = nil
        #expect(ApprovalChanges(of: inspection, [])?.photos == others)
        inspection.approvedPhotos = nil
        #expect(ApprovalChanges(of: inspection, []) == nil)
    }

    @Test func idsAreBytes() {
        let changes = ApprovalChanges(of: Self.approved(with: [Self.finding("\u{E9}")]), [Self.finding("e\u{301}")])
        #expect(changes?.counts == "1 new, 1 gone")
    }

    @Test func whatIsNotApprovedHasNoChanges() {
        var inspection = Self.approved(with: [Self.finding("f")])
        for status in Inspection.Status.allCases where status != .approved {
            inspection.status = status
            #expect(ApprovalChanges(of: inspection, []) == nil)
        }
        inspection.status = .approved
        inspection.approvedFindings = nil
        #expect(ApprovalChanges(of: inspection, []) == nil)
    }

    @Test func aNoteThatCannotBeReadHidesNoRecord() throws {
        var body = Self.approved(with: []).object
        body["approvedFindings"] = 5
        var inspection = try Inspection(id: "i", object: body)
        #expect(ApprovalChanges(of: inspection, [Self.finding("f")]) == nil)
        #expect(inspection.object["approvedFindings"] == 5)
        inspection.approvedFindings = nil
        #expect(inspection.object["approvedFindings"] == nil)
        body["approvedFindings"] = ["f": 7]
        inspection = try Inspection(id: "i", object: body)
        #expect(ApprovalChanges(of: inspection, [Self.finding("f")])?.counts == "1 changed")
    }

    // MARK: On a laptop

    /// Two findings, one of them with a change that a sync brought.
    private func laptop() throws -> TemporaryField {
        let laptop = try TemporaryField()
        let (field, author) = (laptop.field, laptop.author)
        var inspection = Self.approved(with: [])
        (inspection.status, inspection.approvedFindings) = (.draft, nil)
        try field.inspections.add(inspection, by: author)
        for id in ["f1", "f2"] { try field.findings.add(Self.finding(id), by: author) }
        try field.lifeCycle.submit("i", by: author)
        try field.lifeCycle.approve("i", by: author)
        return laptop
    }

    private func bring(_ id: String, _ text: String, to laptop: TemporaryField) throws {
        let collection = laptop.field.collection(of: .finding)
        let document = try #require(try collection.document(id: id)).toMutable()
        document.setBody(Self.finding(id, text).object)
        try collection.save(document: document)
    }

    @Test func anApprovalIsGivenAgainForWhatHasChanged() throws {
        let laptop = try laptop()
        let (field, author) = (laptop.field, laptop.author)
        #expect(try field.lifeCycle.changedApprovals().isEmpty)
        #expect(throws: RecordActionError.self) { try field.lifeCycle.approve("i", by: author) }
        try bring("f2", "a hole", to: laptop)
        #expect(try field.lifeCycle.changedApprovals().map(\.counts) == ["1 changed"])
        let work = try field.work.today(of: nil, on: Self.day, conflicts: 0)
        #expect(work.line == "1 changed after its approval")
        try field.lifeCycle.approve("i", by: author)
        #expect(try field.lifeCycle.changedApprovals().isEmpty)
    }

    @Test func anApprovalIsTakenBackForWhatHasChanged() throws {
        let laptop = try laptop()
        let (field, author) = (laptop.field, laptop.author)
        try bring("f2", "a hole", to: laptop)
        let returned = try field.lifeCycle.sendBack("i", because: "which hole?", by: author)
        #expect(returned.status == .returned && returned.approvedFindings == nil && returned.approvedPhotos == nil)
        #expect(try field.lifeCycle.changedApprovals().isEmpty)
    }

    /// As a sync brings it: approved on one side, returned on the other.
    private func contest(_ laptop: TemporaryField) throws -> RecordConflict {
        let collection = laptop.field.collection(of: .inspection)
        let document = try #require(try collection.document(id: "i")).toMutable()
        var body = document.body
        body["conflicts"] = [["field": "status", "value": "approved"], ["field": "status", "value": "returned"]]
        document.setBody(body)
        try collection.save(document: document)
        return try #require(try laptop.field.conflicts.all().first)
    }

    @Test func aDecisionMovesTheNote() throws {
        let laptop = try laptop()
        let (field, author) = (laptop.field, laptop.author)
        try field.conflicts.decide(try contest(laptop), choices: [FieldPath("status"): "returned"], by: author)
        #expect(try field.inspections.find("i")?.approvedFindings == nil)
        try bring("f2", "a hole", to: laptop)
        try field.conflicts.decide(try contest(laptop), choices: [FieldPath("status"): "approved"], by: author)
        let noted = ApprovedFindings.note(of: try field.findings.all().records)
        #expect(noted.value.objectValue?.count == 2)
        #expect(try field.inspections.find("i")?.approvedFindings == noted)
        #expect(try field.inspections.find("i")?.approvedPhotos == [])
        #expect(try field.lifeCycle.changedApprovals().isEmpty)
        try bring("f1", "another hole", to: laptop)
        #expect(try field.lifeCycle.changedApprovals().map(\.counts) == ["1 changed"])
    }

    /// The gateway does not know the approval before a deletion.
    @Test func whatIsBroughtBackIsNotApproved() throws {
        let laptop = try laptop()
        let (field, author) = (laptop.field, laptop.author)
        let body = try #require(try field.inspections.find("i")).object
        _ = try field.deletions.reversal.bringBack(.inspection, id: "i", body: body, by: author)
        let back = try #require(try field.inspections.find("i"))
        #expect(back.status == .submitted && back.approvedFindings == nil && back.approvedPhotos == nil)
        let open = try #require(try field.conflicts.conflict(of: .inspection, "i")).fields
        #expect(open.map(\.path) == [RecordConflict.status] && open[0].others.map(\.value) == ["approved"])
    }

    /// A supervisor has typed the reason of a return.
    @Test func aReasonIsListedWhenTheInspectionIsBroughtBack() throws {
        let laptop = try laptop()
        let (field, author) = (laptop.field, laptop.author)
        var body = try #require(try field.inspections.find("i")).object
        body["status"] = "returned"
        body["review"] = "measure again"
        _ = try field.deletions.reversal.bringBack(.inspection, id: "i", body: body, by: author)
        #expect(try field.inspections.find("i")?.status == .draft)
        let open = try #require(try field.conflicts.conflict(of: .inspection, "i")).fields
        #expect(open.first { $0.path == RecordConflict.review }?.others.map(\.value) == ["measure again"])
    }

    /// The findings of other inspections are neither read nor reported.
    @Test func onlyTheFindingsOfApprovedInspectionsCount() throws {
        let laptop = try laptop()
        let other = Finding(id: "f3", inspection: "j", site: "s", date: Self.day, text: "Rats", district: .unknown)
        try laptop.field.findings.add(other, by: laptop.author)
        #expect(try laptop.field.lifeCycle.changedApprovals().isEmpty)
        let approved = try laptop.field.findings.all(ofInspections: ["i"])
        #expect(approved.records.map(\.id) == ["f1", "f2"] && approved.unreadable.isEmpty)
        try bring("f3", "a hole", to: laptop)
        #expect(try laptop.field.lifeCycle.changedApprovals().map(\.counts) == ["1 new"])
        let inspection = try #require(try laptop.field.inspections.find("i"))
        #expect(try laptop.field.lifeCycle.approvalChanges(of: inspection)?.counts == "1 new")
    }

    @Test func whatCannotBeReadIsNotGone() throws {
        let laptop = try laptop()
        let collection = laptop.field.collection(of: .finding)
        let document = try #require(try collection.document(id: "f1")).toMutable()
        document.setBody(["type": "finding", "inspection": "i", "text": 5])
        try collection.save(document: document)
        #expect(try laptop.field.lifeCycle.changedApprovals().isEmpty)
    }
}
