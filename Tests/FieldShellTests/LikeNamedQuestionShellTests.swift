import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// Questions that are called like members of the inspection, in the commands.
@Suite struct LikeNamedQuestionShellTests {
    private func shell() throws -> Shell {
        let shell = try Shell()
        let form = FormDefinition(
            id: "form-odd", name: "Odd",
            fields: ["score", "status", "site", "review"].map { FormField($0, label: "Asked \($0)", kind: .text) })
        try shell.field.forms.add(form, by: try shell.session.author())
        return shell
    }

    @Test func anEditKnowsThemApart() async throws {
        let shell = try shell()
        let begun = try await shell.type("new inspection mill form=odd score=low --yes")
        let id = try #require(try shell.field.inspections.all().records.first, "\(begun)").id
        let transcript = try await shell.type(
            "edit \(id) status=broken site=cellar inspection.score=80", "edit \(id) inspection.site=quay")
        let inspection = try #require(try shell.field.inspections.find(id))
        #expect(inspection.answers == ["score": "low", "status": "broken", "site": "cellar"], "\(transcript)")
        #expect(inspection.score == 80 && inspection.status == .draft, "\(transcript)")
        #expect(inspection.site == "site-quay", "\(transcript)")
    }

    @Test func aDecisionKnowsThemApart() throws {
        let shell = try shell()
        var object: JSONObject = [
            "type": "inspection", "site": "site-mill", "date": "2026-03-04", "form": "form-odd", "score": 80,
            "answers": ["score": "low"],
        ]
        object["conflicts"] = [
            ["field": "score", "value": 80, "by": "mara"], ["field": "score", "value": 60, "by": "ines"],
            ["field": ["answers", "score"], "value": "low", "by": "mara"],
            ["field": ["answers", "score"], "value": "high", "by": "ines"],
        ]
        let conflict = try #require(RecordConflict(.inspection, id: "inspection-aa", object: object))
        let names = try ConflictNames(conflict, in: shell.field)
        let answer = FieldPath("answers", part: "score")
        #expect(names.typedName(of: FieldPath("score")) == "score")
        #expect(names.typedName(of: answer) == "answers.score" && names.label(of: answer) == "Asked score")
        #expect(try names.find("score", among: conflict.fields).path == FieldPath("score"))
        #expect(try names.find("answers.score", among: conflict.fields).path == answer)
    }

    /// The list of returns has shown the reviewer's reason, and not an answer of that name.
    @Test func anAnswerIsNoReasonOfAReturn() {
        let reference = RecordReference(.inspection, id: "inspection-aa")
        func snapshot(_ status: String, review: JSONValue?, answer: String) -> RecordSnapshot {
            var object: JSONObject = ["status": .string(status), "answers": ["review": .string(answer)]]
            object["review"] = review
            return RecordSnapshot(of: reference, written: object)
        }
        let known = snapshot("submitted", review: nil, answer: "a")
        #expect(known.seeing(returned: snapshot("returned", review: "why", answer: "a")) != nil)
        #expect(known.seeing(returned: snapshot("returned", review: "why", answer: "b")) == nil)
    }
}
