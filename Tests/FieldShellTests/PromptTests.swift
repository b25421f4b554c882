import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// What waits for the worker, at the prompt and in `status`.
@Suite struct PromptTests {
    private let day = CalendarDay(daysSince1970: 20_516)

    private func assign(_ id: String, in shell: Shell, to inspector: String, due: CalendarDay) throws {
        try shell.field.assignments.add(
            Assignment(
                id: id, inspector: inspector, site: "site-mill", due: due, district: District("hill") ?? .unknown),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
    }

    @Test func aQuietFolderHasAShortPrompt() async throws {
        let shell = try Shell()
        #expect(try await shell.type("sites mill").hasPrefix("fieldbook> sites mill\n"))
    }

    @Test func thePromptCountsWhatWaits() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try assign("assignment-1", in: shell, to: "mara", due: day)
        try assign("assignment-2", in: shell, to: "mara", due: day.adding(days: -3))
        try assign("assignment-3", in: shell, to: "mara", due: day.adding(days: 1))
        try assign("assignment-4", in: shell, to: "tomas", due: day)
        let transcript = try await shell.type("new inspection mill --yes", "status", "status --json")
        #expect(transcript.hasPrefix("fieldbook (2 due)> new inspection mill"), "\(transcript)")
        #expect(transcript.contains("fieldbook (2 due, 1 draft)> status\n"), "\(transcript)")
        #expect(transcript.contains("\nAssignments: 1 due today, 1 overdue: today\n"), "\(transcript)")
        #expect(transcript.contains(#""due":1,"overdue":1,"drafts":1"#), "\(transcript)")
        #expect(transcript.contains(#""lock":"open""#), "\(transcript)")
    }

    /// The counts are kept from one prompt to the next, and must not be those of before.
    @Test func aChangeIsCountedAtTheNextPrompt() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        #expect(try await shell.type("sites").hasPrefix("fieldbook (1 draft)> "))
        _ = try await shell.type("new inspection quay --yes")
        #expect(try await shell.type("sites").hasPrefix("fieldbook (2 drafts)> "))
        for inspection in try shell.field.inspections.all().records {
            try shell.field.collection(of: .inspection).purge(id: inspection.id)
        }
        #expect(try await shell.type("sites").hasPrefix("fieldbook> "))
    }

    @Test func refusedRecordsAndQuarantinedEditsAreCounted() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-quay", "no bad sites")
        try shell.takeAway(.site, "site-mill")
        let transcript = try await shell.type("outbox")
        #expect(transcript.contains("fieldbook (1 refused, 1 in quarantine)> outbox\n"), "\(transcript)")
    }

    @Test(arguments: [
        (80, "fieldbook (offline, 1 conflict, 2 due, 3 to send)> "),
        (75, "fieldbook (offline, 1 conflict, 2 due, 3 to send)> "),
        (74, "fieldbook (offline, 1 conflict, 2 due, …)> "), (60, "fieldbook (offline, 1 conflict, …)> "),
        (40, "fieldbook (offline, …)> "), (10, "fieldbook (offline, …)> "),
    ])
    func aNarrowScreenHasTheMostUrgent(columns: Int, prompt: String) {
        let text = PromptText.text(marks: ["offline", "1 conflict", "2 due", "3 to send"], columns: columns)
        #expect(text == prompt)
    }
}
