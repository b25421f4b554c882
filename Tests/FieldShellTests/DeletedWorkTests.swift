import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// An assignment whose inspection is deleted is not done.
@Suite struct DeletedWorkTests {
    private let ines = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_000))

    private func assignment(_ shell: Shell) throws -> Assignment {
        try #require(try shell.field.assignments.find("assignment-a"))
    }

    /// What mara was to do, has done and handed in.
    private func submitted() async throws -> (Shell, id: String, short: String) {
        let shell = try Shell()
        try shell.signIn("mara")
        let new = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: District("hill") ?? .unknown)
        try shell.field.assignments.add(new, by: ines)
        for kind in [RecordKind.site, .assignment] {
            try shell.acknowledge(kind, kind == .site ? "site-mill" : "assignment-a")
        }
        let inspection = Inspection(
            id: "inspection-a", site: "site-mill", date: new.due, district: District("hill") ?? .unknown)
        let author = try shell.session.author()
        try shell.field.inspections.add(inspection, by: author)
        try shell.field.inspections.update("inspection-a", by: author) {
            ($0.assignment, $0.inspector) = ("assignment-a", "mara")
        }
        _ = try await shell.type("submit a")
        try #require(try assignment(shell).status == .done)
        return (shell, "inspection-a", "inspection-a")
    }

    private func returned() async throws -> (Shell, id: String, short: String) {
        let (shell, id, short) = try await submitted()
        try shell.field.lifeCycle.sendBack(id, because: "score?", by: ines)
        try shell.acknowledge(.inspection, id)
        try shell.acknowledge(.assignment, "assignment-a")
        return (shell, id, short)
    }

    @Test func itIsOpenAgain() async throws {
        let (shell, id, short) = try await returned()
        let deleted = try await shell.type("delete \(short) --yes", "today", width: 200)
        #expect(deleted.contains("Its assignment a is open again."), "\(deleted)")
        #expect(deleted.contains("Due today"), "\(deleted)")
        let open = try assignment(shell)
        #expect(open.status == .open && open.inspection == nil)
        let back = try await shell.type("undo")
        let assigned = "The assignment a is as it was before: status open → done, inspection nothing → inspection-a."
        #expect(back.contains("is back") && back.contains(assigned), "\(back)")
        let done = try assignment(shell)
        #expect(done.status == .done && done.inspection == id)
    }

    /// An inspection that comes back is a draft, and has to be handed in again.
    @Test(arguments: ["undo", "undo inspection-a"]) func itStaysOpenOnceThatWasSent(line: String) async throws {
        let (shell, id, short) = try await returned()
        _ = try await shell.type("delete \(short) --yes")
        try shell.acknowledge(.inspection, id)
        try shell.acknowledge(.assignment, "assignment-a")
        let back = try await shell.type(line)
        #expect(back.contains("is back"), "\(back)")
        #expect(try shell.field.inspections.find(id)?.status == .draft)
        #expect(try assignment(shell).status == .open)
        _ = try await shell.type("submit a")
        #expect(try assignment(shell).status == .done)
    }

    @Test func whatComesBackAsSubmittedClosesIt() async throws {
        let (shell, id, short) = try await submitted()
        _ = try await shell.type("delete \(short) --yes")
        try #require(try assignment(shell).status == .open)
        try shell.acknowledge(.assignment, "assignment-a")
        let back = try await shell.type("undo")
        #expect(try shell.field.inspections.find(id)?.status == .submitted, "\(back)")
        let done = try assignment(shell)
        #expect(done.status == .done && done.inspection == id, "\(back)")
    }

    /// The gateway takes that from whose work it is, and from supervisors.
    @Test(arguments: [("tomas", false), ("ines", true)]) func somebodyElseDeletesIt(name: String, opens: Bool)
        async throws
    {
        let (shell, _, short) = try await returned()
        try shell.signIn(name)
        let deleted = try await shell.type("delete \(short) --yes", width: 300)
        let text =
            opens
            ? "Its assignment a is open again."
            : "Its assignment a stays done; a supervisor can open it: edit a status=open"
        #expect(deleted.contains(text), "\(deleted)")
        #expect(try assignment(shell).status == (opens ? .open : .done))
    }
}
