import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Foundation
import Testing

@testable import FieldShell

/// Lists of filled forms, searches in them, their versions, and lists that are kept.
@Suite struct ResponseListTests {
    private static let yaml = """
        form: visit
        version: 1
        title: Visit
        instance_name: ${who}
        questions:
          - text who: Who
            required: yes
          - text story: Story

        """

    /// Ann's is a draft, Bea's waits to be sent, Cleo's was sent.
    private func shell() async throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try FormLibrary(in: shell.field).publish(
            FormUpload(form: FormYAML.read(Self.yaml).form, files: [:]), by: shell.session.author())
        _ = try await shell.type(
            "fill visit --set who=Ann --set \"story=A crème brûlée\"", "fill visit --set who=Bea --finalize",
            "fill visit --set who=Cleo --finalize --site mill")
        try shell.acknowledge(.response, try id(of: "Cleo", shell))
        return shell
    }

    private func id(of name: String, _ shell: Shell) throws -> String {
        try #require(try shell.field.responses.all().records.first { $0.instanceName == name }).id
    }

    private func names(_ line: String, in shell: Shell) async throws -> [String] {
        let parsed = try #require(try CommandParser.parse(line: line))
        guard case .listing(let listing) = try await CommandRunner(shell.session).run(parsed.command) else {
            throw UsageError("\(line) gives no list.")
        }
        return try listing.rows.all().map { $0.cells[4] }
    }

    @Test(arguments: [
        ("status=draft", ["Ann"]), ("status=finalised", ["Bea"]), ("--status sent", ["Cleo"]),
        ("status=final", ["Bea"]),
        ("status=returned", []), ("form=visit sort=name", ["Ann", "Bea", "Cleo"]),
        ("form=v sort=-name", ["Cleo", "Bea", "Ann"]),
        ("form=water", []), ("site=mill", ["Cleo"]), ("since=-7d sort=name", ["Ann", "Bea", "Cleo"]), ("until=-7d", []),
        ("sort=site", ["Ann", "Bea", "Cleo"]), ("--mine sort=status", ["Ann", "Bea", "Cleo"]),
    ])
    func theyAreFilteredAndSorted(filter: String, expected: [String]) async throws {
        let shell = try await shell()
        let found = try await names("list responses \(filter)", in: shell)
        #expect(
            filter.contains("sort=site") || filter.contains("status") ? Set(found) == Set(expected) : found == expected)
    }

    @Test(arguments: [
        ("list responses score<5", "A response has no score."), ("list score<x", "A score is one number"),
        ("list status<draft", "status is compared by = only."), ("list colour=red", "There is no filter 'colour'."),
        ("list sites sort=date", "A list of sites has one order only."),
        ("list responses sort=score", "There is no order 'score'."),
        ("list findings form=x", "A finding answers no form."),
        ("list status=draft --status draft", "The filter status is there twice."),
    ])
    func aWrongFilterIsNamed(line: String, message: String) {
        let error = #expect(throws: UsageError.self) { try CommandParser.parse(line: line) }
        #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
    }

    @Test func inspectionsAreFilteredByScore() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        for score in [55, 60, 90] { _ = try await shell.type("new inspection mill score=\(score) --yes") }
        for (filter, count) in [("score<60", 1), ("score<=60", 2), ("score>=60", 2), ("score=90", 1), ("score>90", 0)] {
            let text = try await shell.type("list inspections \(filter)")
            #expect(text.components(separatedBy: "Old mill").count - 1 == count, "\(filter): \(text)")
        }
        let sorted = try await shell.type("list inspections sort=-score")
        let scores = sorted.matches(of: /draft +(\d+)/).map { String($0.output.1) }
        #expect(scores == ["90", "60", "55"], "\(sorted)")
    }

    @Test func answersAndCommentsAreFound() async throws {
        let shell = try await shell()
        try shell.signIn("olga")
        try shell.field.responseLifeCycle.sendBack(
            id(of: "Cleo", shell), because: "Which café?", by: shell.session.author())
        let first = try await shell.type("find creme brulee", width: 200)
        #expect(first.contains("Responses") && first.contains("A crème brûlée"), "\(first)")
        let second = try await shell.type("find CAFE", width: 200)
        #expect(second.contains("Which café?"), "\(second)")
    }

    @Test func twoVersionsAreSideBySide() async throws {
        let shell = try await shell()
        let short = RecordReference.short(try id(of: "Ann", shell), kind: .response)
        let one = try await shell.type("diff \(short)")
        #expect(one.contains("This laptop knows one version of the response \(short)."), "\(one)")
        _ = try await shell.type("fill \(short) --set who=Dora", "fill \(short) --set story=")
        let last = try await shell.type("diff \(short) 1 2", "diff \(short) 1 9", width: 200)
        #expect(last.contains("Versions 1 and 2 of"), "\(last)")
        #expect(last.contains(/who +Ann +Dora/), "\(last)")
        #expect(last.contains("There is no version '9' of it here."), "\(last)")
        let site = try await shell.type("edit mill phone=1", "edit mill phone=2", "diff mill", width: 200)
        #expect(site.contains(/phone +1 +2/), "\(site)")
    }

    @Test func aListIsKeptUnderAName() async throws {
        let shell = try await shell()
        let text = try await shell.type(
            "view save open list responses status=draft", "view open", "view list",
            "view save open list --status draft",
            "view lost", "view save x status", "view rm open", "view list", width: 200)
        #expect(text.contains("Kept as open. Show it: view open"), "\(text)")
        #expect(text.contains("Ann") && text.contains("open  list responses status=draft"), "\(text)")
        #expect(text.contains("There is no view 'lost'. All of them: view list"), "\(text)")
        #expect(text.contains("A view keeps a list, and 'status' shows none."), "\(text)")
        #expect(text.contains("The view open is gone.") && text.contains("No list is kept."), "\(text)")
    }

    @Test func theStatusCountsFilledForms() async throws {
        let shell = try await shell()
        let first = try await shell.type("status", width: 200)
        #expect(
            first.contains(
                "Filled forms: 1 begun, 1 finalised and waiting to be sent, 1 with the reviewers: "
                    + "list responses status=draft"), "\(first)")
        // The form of the test and that of every shell, though one has a document for its version, too.
        #expect(first.contains(/forms +2\b/), "\(first)")
        try shell.signIn("olga")
        let id = try id(of: "Cleo", shell)
        try shell.field.responseLifeCycle.sendBack(id, because: "Who?", by: shell.session.author())
        #expect(try await !shell.type("status").contains("Filled forms"))
        try shell.signIn("mara")
        let second = try await shell.type("status", width: 200)
        #expect(second.contains("1 returned to you: list responses status=returned"), "\(second)")
    }
}
