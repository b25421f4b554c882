import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords
@testable import FieldShell

/// Only a supervisor decides about the content of an assignment: the gateway refuses others, so the laptop says so at once.
@Suite struct AssignmentConflictTests {
    private static let refusal = "Only a supervisor may decide that, and this assignment is your own."

    /// An assignment of which two people have said different things, as the gateway has it.
    private func contested(
        _ shell: Shell, _ status: Assignment.Status = .done, or other: Assignment.Status = .dropped,
        of inspector: String = "mara", by creator: String = "ines"
    ) throws -> String {
        let id = "assignment-k3m9x2pq7d"
        let day = try #require(CalendarDay("2026-03-04"))
        var assignment = Assignment(
            id: id, inspector: inspector, site: "site-mill", due: day, district: District("hill") ?? .unknown)
        assignment.status = status
        assignment.envelope.rest["conflicts"] = [
            Shell.contestedEntry("status", value: .string(status.rawValue), by: "mara", device: "laptop"),
            Shell.contestedEntry("status", value: .string(other.rawValue), by: "ines", device: "other"),
        ]
        let author = Author(name: creator, moment: Timestamp(secondsSince1970: 0))
        try shell.field.assignments.add(assignment, by: author)
        try shell.acknowledge(.assignment, id)
        return id
    }

    @Test(arguments: ["theirs", "status=dropped", "status=theirs", "other"])
    func whoIsToDoItDropsNothing(taken: String) async throws {
        let shell = try Shell()
        let id = try contested(shell)
        try shell.signIn("mara")
        let transcript = try await shell.type("conflicts take \(id) \(taken)")
        #expect(transcript.contains(Self.refusal), "\(transcript)")
        #expect(transcript.contains("You can confirm the current value: conflicts take"), "\(transcript)")
        #expect(try shell.field.assignments.find(id)?.status == .done)
        #expect(try shell.field.conflicts.all().count == 1)
    }

    @Test func whatTheGatewayHasIsConfirmed() async throws {
        let shell = try Shell()
        let id = try contested(shell)
        try shell.signIn("mara")
        let transcript = try await shell.type("conflicts take \(id) current")
        #expect(transcript.contains("Decided: Status is done."), "\(transcript)")
    }

    @Test func whoAssignedItDecides() async throws {
        let shell = try Shell()
        let id = try contested(shell)
        try shell.signIn("ines")
        let transcript = try await shell.type("conflicts take \(id) status=dropped")
        #expect(transcript.contains("Decided: Status is dropped."), "\(transcript)")
    }

    @Test func aColleagueIsAsked() async throws {
        let shell = try Shell()
        let id = try contested(shell, of: "tomas")
        try shell.signIn("mara")
        // She has work of her own, so she is no supervisor as far as the laptop knows.
        _ = try await shell.type("new inspection mill score=90 --yes")
        let transcript = try await shell.type("conflicts take \(id) status=dropped", "n")
        #expect(transcript.contains("The gateway lets only supervisors change what is assigned."), "\(transcript)")
        #expect(try shell.field.assignments.find(id)?.status == .done)
    }

    // MARK: What supervisors alone are asked

    /// Of which two supervisors have chosen different days, or one has deleted it.
    private func contestedDay(_ shell: Shell, isDeleted: Bool = false) throws -> String {
        let id = try contested(shell, .open, or: .open)
        let collection = shell.field.collection(of: .assignment)
        var body = try #require(try collection.document(id: id)?.body)
        body["conflicts"] =
            isDeleted
            ? [["deleted": true, "by": "sven"]]
            : [
                Shell.contestedEntry("due", value: "2026-03-04", by: "ines", device: "one"),
                Shell.contestedEntry("due", value: "2026-03-05", by: "sven", device: "two"),
            ]
        try collection.save(bodies: [(id, body.bytes)])
        try shell.acknowledge(.assignment, id)
        return id
    }

    @Test(arguments: ["current", "mine", "theirs", "other", "ines", "due=2026-03-05", "due=current", "keep", "delete"])
    func whoIsToDoItDecidesNothingOfWhatWasAssigned(taken: String) async throws {
        let shell = try Shell()
        let id = try contestedDay(shell, isDeleted: ["keep", "delete"].contains(taken))
        try shell.signIn("mara")
        let transcript = try await shell.type("conflicts take \(id) \(taken)", "y", width: 300)
        #expect(transcript.contains(Self.refusal), "\(transcript)")
        #expect(transcript.contains("Ask ines, who has assigned it."), "\(transcript)")
        #expect(try shell.field.conflicts.all().count == 1 && shell.field.assignments.find(id) != nil)
    }

    /// Neither the inspector nor a colleague, who has work of their own.
    @Test(arguments: ["mara", "tomas"], [false, true]) func onlySupervisorsAreAsked(user: String, isDeleted: Bool)
        async throws
    {
        let shell = try Shell()
        try shell.signIn(user)
        _ = try await shell.type("new inspection mill score=90 --yes")
        let id = try contestedDay(shell, isDeleted: isDeleted)
        let short = RecordReference.short(id, kind: .assignment)
        let asked = try await shell.type(
            "conflicts", "status", "list assignments", "today", "conflicts show \(id)", "show \(id)", width: 200)
        #expect(asked.contains("There is nothing to decide."), "\(asked)")
        #expect(!asked.contains("(1 conflict)") && !asked.contains("\(short) !"), "\(asked)")
        #expect(asked.contains("A supervisor decides about it."), "\(asked)")
        #expect(asked.contains("A supervisor decides: \(isDeleted ? "deleted or kept" : "Due")\n"), "\(asked)")
        #expect(try shell.field.conflicts.count(of: .assignment, [id], for: user) == 0)
        try shell.signIn("ines")
        let transcript = try await shell.type("conflicts", "conflicts take \(id) \(isDeleted ? "keep" : "other")")
        #expect(transcript.contains(isDeleted ? " is kept." : "Decided: Due is "), "\(transcript)")
        #expect(try shell.field.conflicts.all().isEmpty)
    }

    /// Whether it is done is asked of the one who is to do it, and what else there is is not.
    @Test func theRestIsAskedOfTheInspector() async throws {
        let shell = try Shell()
        let id = try contested(shell)
        let collection = shell.field.collection(of: .assignment)
        var body = try #require(try collection.document(id: id)?.body)
        body["conflicts"] = .array(
            (body["conflicts"]?.arrayValue ?? []) + [
                Shell.contestedEntry("due", value: "2026-03-05", by: "sven", device: "two"), ["deleted": true],
            ])
        try collection.save(bodies: [(id, body.bytes)])
        try shell.acknowledge(.assignment, id)
        try shell.signIn("mara")
        let transcript = try await shell.type("conflicts", "conflicts show 1", "conflicts take 1 current", width: 200)
        #expect(transcript.contains("Status\n"), "\(transcript)")
        #expect(transcript.contains("A supervisor decides: deleted or kept, Due"), "\(transcript)")
        #expect(transcript.contains("Decided: Status is done.\n"), "\(transcript)")
        let left = try #require(try shell.field.conflicts.all().first)
        #expect(left.deletion != nil && left.fields.map(\.path) == [FieldPath("due")])
    }

    /// An earlier version took the inspector's decision.
    /// Who has no work yet may be a supervisor, and is asked; the gateway knows better.
    @Test func aRefusedDecisionOfAColleagueIsGivenUp() async throws {
        let shell = try Shell()
        let id = try contestedDay(shell)
        try shell.signIn("kim")
        _ = try await shell.type("conflicts take \(id) due=2026-03-05")
        try shell.refuse(.assignment, id, "the assignment is somebody else's")
        let transcript = try await shell.type("outbox show 1", width: 200)
        #expect(!transcript.contains("Confirm those"), "\(transcript)")
        #expect(transcript.contains("Ask a supervisor to give it to you, or to change it."), "\(transcript)")
        #expect(transcript.contains("Go back to the gateway's version: outbox discard 1"), "\(transcript)")
    }

    @Test func whatTheGatewayRefusedIsLeftToASupervisor() async throws {
        let shell = try Shell()
        let id = try contestedDay(shell)
        let conflict = try #require(try shell.field.conflicts.conflict(of: .assignment, id))
        let mara = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_100))
        try shell.field.conflicts.decide(conflict, choices: [FieldPath("due"): "2026-03-05"], by: mara)
        try shell.refuse(.assignment, id, "only a supervisor decides what supervisors are asked about")
        try shell.signIn("mara")
        let transcript = try await shell.type("outbox show 1", "outbox retry 1", width: 300)
        #expect(transcript.contains("Leave it to a supervisor, and send the rest: outbox retry 1"), "\(transcript)")
        #expect(try shell.field.conflicts.conflict(of: .assignment, id)?.fields == conflict.fields)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let status: Assignment.Status
        let chosen: Assignment.Status
        var field = "status"
        let changes: Bool

        var testDescription: String { "\(field) \(status) → \(chosen)" }
    }

    /// What the gateway's sync function takes from the one who is to do it.
    @Test(arguments: [
        Case(status: .open, chosen: .done, changes: false), Case(status: .done, chosen: .open, changes: false),
        Case(status: .open, chosen: .dropped, changes: true), Case(status: .done, chosen: .dropped, changes: true),
        // A supervisor decides that as long as it is not done.
        Case(status: .dropped, chosen: .done, changes: true), Case(status: .dropped, chosen: .open, changes: true),
        Case(status: .dropped, chosen: .dropped, changes: true),
        Case(status: .open, chosen: .done, field: "inspection", changes: false),
        Case(status: .open, chosen: .done, field: "instructions", changes: true),
    ])
    func itChangesWhatWasAssigned(_ row: Case) throws {
        let known: JSONObject = [
            "type": "assignment", "status": .string(row.status.rawValue), "inspector": "mara", "createdBy": "ines",
            "conflicts": [
                Shell.contestedEntry(.string(row.field), value: "a", by: "mara", device: "laptop"),
                Shell.contestedEntry(.string(row.field), value: "b", by: "ines", device: "other"),
            ],
        ]
        let conflict = try #require(RecordConflict(.assignment, id: "a", object: known))
        let choices = [FieldPath(row.field): JSONValue.string(row.chosen.rawValue)]
        #expect(conflict.changesAssigned(choices, over: known, by: "mara") == row.changes)
        #expect(!conflict.changesAssigned(choices, over: known, by: "ines"))
    }
}
