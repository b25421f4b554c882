import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// A form of another program may call a question like a member of every inspection. Both are there, and each is itself.
@Suite struct LikeNamedQuestionTests {
    private static let form = FormDefinition(
        id: "form-odd", name: "Odd",
        fields: ["date", "score", "inspector", "inspection.score", "fridge"].map {
            FormField($0, label: "Asked \($0)", kind: .text)
        })

    private func inspection() throws -> Inspection {
        Inspection(id: "i", site: "s", date: try #require(CalendarDay("2026-03-04")), district: .unknown)
    }

    @Test func eachFieldHasANameOfItsOwn() throws {
        let names = try inspection().editableFields(form: Self.form).map(\.question.name)
        #expect(
            names == [
                "inspection.date", "visit", "date", "score", "inspector", "inspection.score", "fridge",
                "inspection.inspection.score", "notes", "inspection.inspector", "district",
            ])
        #expect(try inspection().editableFields(form: nil).map(\.question.name).contains("score"))
    }

    @Test func theShortNameIsTheQuestions() throws {
        var changed = try inspection()
        try changed.apply(
            [("date", "soon"), ("inspection.date", "2026-03-01"), ("inspector", "the cook")], form: Self.form,
            today: changed.date)
        #expect(changed.answers == ["date": "soon", "inspector": "the cook"])
        #expect(changed.date == CalendarDay("2026-03-01") && changed.inspector == nil)
    }

    /// Not the photos of the record, and not its visit.
    @Test func answersAreComparedAsAnswers() {
        let lines = RecordDifference.lines(
            from: ["answers": ["photos": ["a"], "visit": "routine"]],
            to: ["answers": ["photos": ["b"], "visit": "followUp"]])
        #expect(lines == ["photos a → b", "visit routine → followUp"])
    }

    @Test func thePersonWhoAnsweredIsNotTheOneWhoChangedTheStatus() {
        let object: JSONObject = [
            "status": "draft", "answers": ["status": "broken"],
            "fieldChanges": [
                ["fields": ["status"], "by": "mara"], ["fields": [["answers", "status"]], "by": "ines"],
            ],
        ]
        #expect(RecordDifference.author(of: [FieldPath("answers", part: "status")], in: object) == "ines")
        #expect(RecordDifference.author(of: [FieldPath("status")], in: object) == "mara")
    }
}
