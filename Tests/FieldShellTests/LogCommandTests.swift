import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// The log of a record: its changes, and who made them.
@Suite struct LogCommandTests {
    @Test func theLogNamesTheFindingThatWasChanged() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.acknowledge(.inspection, inspection.id)
        let id = RecordReference.short(finding.id, kind: .finding)
        let log = try await shell.type(
            "edit \(id) risk=low", "log \(RecordReference.short(inspection.id, kind: .inspection))")
        #expect(log.contains("edit: its finding \(id)"), "\(log)")
    }

    /// Who approved an inspection stays on every laptop's screen, whatever others add to it later.
    @Test func anApprovalSaysWhoGaveIt() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill --yes", "submit 1")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let id = RecordReference.short(inspection.id, kind: .inspection)
        try shell.signIn("ines")
        let own = try await shell.type("approve \(id)", "show \(id)", "log \(id)")
        #expect(own.contains(/Approved +ines, 11:15 today/), "\(own)")
        #expect(own.contains("ines, approve: status submitted → approved") && !own.contains("ines, approved"), "\(own)")
        let other = try Shell()
        var body = try #require(try shell.field.collection(of: .inspection).document(id: inspection.id)?.body)
        (body["changedBy"], body["changedAt"]) = ("tomas", "2026-03-04T12:00:00Z")
        try other.field.collection(of: .inspection).save(bodies: [(inspection.id, body.bytes)])
        let received = try await other.type("show \(id)", "log \(id)")
        #expect(received.contains(/Approved +ines, 11:15 today/), "\(received)")
        #expect(received.contains("ines, approved") && received.contains("tomas, changed last"), "\(received)")
        #expect(!received.contains("Returned  "))
    }

    /// When it was given does not change with what the supervisor does later.
    @Test func anApprovalKeepsItsTime() throws {
        let shell = try Shell()
        var inspection = Inspection(
            id: "inspection-aa", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
            district: District("hill") ?? .unknown)
        (inspection.inspector, inspection.status) = ("mara", .submitted)
        func author(_ name: String, after minutes: Int64) -> Author {
            Author(name: name, moment: Timestamp(secondsSince1970: 1_772_619_300 + minutes * 60))
        }
        try shell.field.inspections.add(inspection, by: author("mara", after: 0))
        let approved = try #require(
            try shell.field.lifeCycle.approve(inspection.id, by: author("ines", after: 1)).reviewed)
        try shell.field.inspections.update(inspection.id, by: author("ines", after: 5)) { $0.notes = "later" }
        #expect(try shell.field.inspections.find(inspection.id)?.reviewed == approved)
        let reviews = try shell.field.history.log(of: .inspection, inspection.id).filter { $0.text == "approved" }
        #expect(reviews.map(\.moment) == [approved.at])
    }

    /// A supervisor who looks at changed findings and approves again is named, not the one before.
    @Test func anApprovalThatIsGivenAgainNamesItsSupervisor() throws {
        let shell = try Shell()
        var inspection = Inspection(
            id: "inspection-aa", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
            district: District("hill") ?? .unknown)
        (inspection.inspector, inspection.status) = ("mara", .submitted)
        func author(_ name: String) -> Author { Author(name: name, moment: Timestamp(secondsSince1970: 1_772_619_307)) }
        try shell.field.inspections.add(inspection, by: author("mara"))
        #expect(try shell.field.lifeCycle.approve(inspection.id, by: author("ines")).reviewed?.by == "ines")
        try shell.field.findings.add(inspection.newFinding("finding-aa", text: "Dust"), by: author("mara"))
        #expect(try shell.field.lifeCycle.approve(inspection.id, by: author("olga")).reviewed?.by == "olga")
        #expect(try shell.field.findings.all().records.count == 1)
    }

    @Test func theLogShowsWhatHappened() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type("new inspection mill score=80 --yes", "edit 1 score=85", "log 1")
        #expect(transcript.contains("mara, edit: score 80 → 85"))
        #expect(transcript.contains("never sent; nobody else has it"))
    }

    /// As many photos as before: a count says nothing.
    @Test func theLogSaysThatAPhotoWasChanged() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.jpg")
        try Data([0xFF, 0xD8, 0xFF, 1]).write(to: photo)
        let log = try await shell.type(
            "new inspection mill --yes", "attach 1 \(photo.path)", "photo caption 1 \"Back door\"", "log 1",
            "undo", width: 400)
        #expect(log.contains("photo door.jpg: caption nothing → Back door"), "\(log)")
        #expect(log.contains("is as it was before: photo door.jpg: caption Back door → nothing."), "\(log)")
    }
}
