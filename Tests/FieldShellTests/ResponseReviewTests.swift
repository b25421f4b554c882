import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Foundation
import Testing

@testable import FieldShell

/// Filled forms are handed in, approved and returned with comments.
@Suite struct ResponseReviewTests {
    private static let yaml = """
        form: visit
        version: 1
        title: Visit
        client_editable: yes
        questions:
          - text who: Who
            required: yes
          - repeat point: Point
            questions:
              - integer depth: Depth

        """

    /// A form of Mara's that the gateway has, as far as it was finalised; its short id.
    private func filled(
        _ shell: Shell, who: String = #""who": "Ann", "#, finalised: Bool = true
    ) async throws -> (id: String, short: String) {
        try shell.signIn("mara")
        _ = try FormLibrary(in: shell.field).publish(
            FormUpload(form: FormYAML.read(Self.yaml).form, files: [:]), by: shell.session.author())
        let answers = shell.root.appendingPathComponent("answers.json")
        try Data(#"{\#(who)"point": [{"depth": 3}, {"depth": 18}]}"#.utf8).write(to: answers)
        _ = try await shell.type("fill visit --from \(answers.path)\(finalised ? " --finalize" : "")")
        let id = try #require(try shell.field.responses.all().records.first).id
        if finalised { try shell.acknowledge(.response, id) }
        return (id, RecordReference.short(id, kind: .response))
    }

    @Test func aFormIsReturnedWithCommentsAndHandedInAgain() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell)
        try shell.signIn("olga")
        let first = try await shell.type(
            "return \(short) too deep --at point[2]/depth", "return \(short) and who is that?", width: 200)
        #expect(first.contains("Returned \(short) to mara, about point[2]/depth."), "\(first)")
        let returned = try #require(try shell.field.responses.find(id))
        #expect(returned.state == .hasIssues && returned.openComments.map(\.why) == ["too deep", "and who is that?"])
        let key = try #require(returned.answers["point"]?.arrayValue?[1]["@key"]?.stringValue)
        #expect(returned.openComments.map(\.question) == ["/data/point[\(key)]/depth", nil])
        #expect(returned.openComments.map(\.by) == ["olga", "olga"])
        try shell.acknowledge(.response, id)
        try shell.signIn("mara")
        let second = try await shell.type(
            "fill \(short) --set point[2]/depth=8", "submit \(short)", "submit \(short)", width: 200)
        #expect(second.contains("Submitted \(short), Visit"), "\(second)")
        #expect(second.contains("The filled form \(short) is finalised already."), "\(second)")
        let again = try #require(try shell.field.responses.find(id))
        #expect(again.state == .final && again.edits == 1 && again.openComments.isEmpty)
        #expect(again.deprecatedID == returned.instanceID && again.instanceID != returned.instanceID)
        #expect(again.steps.map(\.action) == [.finalised, .returned, .returned, .finalised])
    }

    @Test func aFormIsApprovedByOthersOnly() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell)
        let own = try await shell.type("approve \(short)", "return \(short) no", width: 200)
        #expect(own.contains("This filled form is your own: somebody else has to approve it."), "\(own)")
        #expect(own.contains("somebody else has to return it."), "\(own)")
        try shell.signIn("olga")
        let text = try await shell.type("approve \(short)", "approve \(short)", "submit \(short)", width: 200)
        #expect(text.contains("Approved \(short)."), "\(text)")
        #expect(text.contains("The response \(short) is approved; it cannot be approved."), "\(text)")
        let approved = try #require(try shell.field.responses.find(id))
        #expect(approved.state == .approved && approved.steps.last?.by == "olga")
    }

    @Test func aDraftIsNotReviewed() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell, finalised: false)
        try shell.signIn("olga")
        let text = try await shell.type("approve \(short)", "return \(short) no", width: 200)
        #expect(text.contains("The response \(short) is a draft; it cannot be approved."), "\(text)")
        #expect(try shell.field.responses.find(id)?.state == .draft)
    }

    @Test func whatIsOpenIsNamedAtTheHandingIn() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell, who: "", finalised: false)
        let text = try await shell.type("submit \(short)", width: 200)
        #expect(text.contains("Not submitted yet. 1 answer open or wrong:"), "\(text)")
        #expect(text.contains("who: This question must be answered."), "\(text)")
        #expect(try shell.field.responses.find(id)?.state == .draft)
    }

    @Test func aSentFormIsChangedWithAReason() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell)
        let without = try await shell.type("fill \(short) --set who=Bea --finalize", width: 200)
        #expect(without.contains("This record was sent, so say why it is changed."), "\(without)")
        #expect(try shell.field.responses.find(id)?.answers["who"] == "Ann")
        _ = try await shell.type("fill \(short) --set who=Bea --finalize --reason \"wrong name\"", width: 200)
        let edited = try #require(try shell.field.responses.find(id))
        #expect(edited.answers["who"] == "Bea" && edited.state == .final && edited.edits == 1)
        #expect(edited.steps.map(\.action) == [.finalised, .reopened, .finalised])
        #expect(edited.steps[1].why == "wrong name" && edited.steps[1].by == "mara")
    }

    /// Supervisors correct what others have answered, also where it is approved.
    @Test func anApprovedFormIsChangedByReviewersOnly() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell)
        try shell.signIn("olga")
        _ = try await shell.type("approve \(short)")
        try shell.acknowledge(.response, id)
        try shell.signIn("mara")
        let own = try await shell.type("fill \(short) --set who=Bea --reason x", width: 200)
        #expect(own.contains("does not let it be edited after it was sent"), "\(own)")
        try shell.signIn("olga")
        _ = try await shell.type("fill \(short) --set who=Bea --finalize --reason \"asked her\"")
        #expect(try shell.field.responses.find(id)?.answers["who"] == "Bea")
    }

    @Test func theLogHasEachStepWithItsReason() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell)
        try shell.signIn("olga")
        _ = try await shell.type("return \(short) too deep --at point[2]/depth")
        let log = try await shell.type("log \(short)", width: 200)
        #expect(log.contains("mara, finalised\n"), "\(log)")
        #expect(log.contains("olga, returned, about point[2]/depth: too deep\n"), "\(log)")
        #expect(log.components(separatedBy: "olga,").count == 2, "\(log)")
        #expect(try shell.field.responses.find(id)?.state == .hasIssues)
    }

    @Test func theLastChangeOfAFormIsTakenBackByItsName() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell, finalised: false)
        _ = try await shell.type("fill \(short) --set point[2]/depth=8", "edit mill phone=123")
        let text = try await shell.type("undo \(short)", "log mill", width: 200)
        #expect(text.contains("point[2]/depth 8 → 18"), "\(text)")
        #expect(text.contains("phone nothing → 123"), "\(text)")
        let answers = try #require(try shell.field.responses.find(id)?.answers)
        #expect(answers["point"]?.arrayValue?.compactMap { $0["depth"] } == [3, 18])
        #expect(try shell.field.sites.find("site-mill")?.phone == "123")
    }

    @Test func aReviewThatWasSentStays() async throws {
        let shell = try Shell()
        let (id, short) = try await filled(shell)
        try shell.signIn("olga")
        _ = try await shell.type("approve \(short)")
        let waiting = try await shell.type("undo \(short)", width: 200)
        #expect(waiting.contains("Undone: approve"), "\(waiting)")
        #expect(try shell.field.responses.find(id)?.state == .final)
        _ = try await shell.type("approve \(short)")
        try shell.acknowledge(.response, id)
        let sent = try await shell.type("undo \(short)", width: 200)
        #expect(sent.contains("it has been sent, and the response \(short) is approved."), "\(sent)")
        #expect(try shell.field.responses.find(id)?.state == .approved)
    }

    /// Handing the form in closes the assignment.
    @Test func anAssignmentAsksForAForm() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try FormLibrary(in: shell.field).publish(
            FormUpload(form: FormYAML.read(Self.yaml).form, files: [:]), by: shell.session.author())
        _ = try await shell.type("new assignment mill inspector=mara form=visit due=today --yes")
        let assignment = try #require(try shell.field.assignments.all().records.first)
        #expect(assignment.form == "visit")
        let (known, found) = (assignment.id, { try shell.field.responses.all().records })
        let parsed = try CommandParser.parse(tokens: ["start", known, "--yes"], in: .oneShot)
        shell.session.asksNothing = true
        guard case .done(let done) = try await CommandRunner(shell.session).run(parsed.command) else {
            throw UsageError("start gives something else.")
        }
        let begun = try #require(try found().first)
        #expect(done.text.hasPrefix("Begun: ") && begun.assignment == known && begun.site == "site-mill")
        _ = try await CommandRunner(shell.session).run(parsed.command)
        #expect(try found().count == 1)
        _ = try await shell.type("fill \(RecordReference.short(begun.id, kind: .response)) --set who=Ann --finalize")
        let closed = try #require(try shell.field.assignments.find(known))
        #expect(closed.status == .done && closed.inspection == begun.id)
    }
}
