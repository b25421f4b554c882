import DocumentValues
import FormExchange
import FormLogic
import Testing

@testable import FieldForms

/// What becomes of answers in another version of their form, without a folder.
@Suite struct UpgradePlanTests {
    private func form(_ version: String, _ questions: String) -> Form {
        FormYAML.read(
            """
            form: f
            version: \(version)
            title: F
            lists:
              kind: {a: A, b: B}
              fewer: {b: B}
            questions:
            \(questions)

            """
        ).form
    }

    private func plan(
        from old: String, to new: String, answers: JSONObject, former: [JSONObject] = []
    ) -> UpgradePlan {
        UpgradePlan(
            from: form("1", old), to: form("2", new), answers: answers, former: former,
            conversions: Conversions(zone: FixedFormZone(seconds: 3_600)))
    }

    private static let conversions: [(old: String, value: JSONValue, new: String, result: JSONValue?)] = [
        ("integer", 3, "decimal", 3), ("integer", 3, "text", "3"), ("select_one kind", "a", "text", "a"),
        ("select_one kind", "a", "select_multiple kind", ["a"]), ("date", "2026-03-04", "text", "2026-03-04"),
        ("date", "2026-03-04", "dateTime", "2026-03-04T00:00:00.000+01:00"), ("barcode", "x1", "text", "x1"),
        ("text", "x1", "barcode", "x1"), ("text", "12", "integer", 12), ("text", "twelve", "integer", nil),
        ("text", "2026-03-04", "date", "2026-03-04"), ("text", "soon", "date", nil), ("decimal", 2.5, "integer", nil),
        ("text", "52.5 13.4", "geopoint", ["latitude": 52.5, "longitude": 13.4, "altitude": 0, "accuracy": 0]),
    ]

    @Test(arguments: conversions.indices) func aTypeIsConvertedOrItsAnswerKept(index: Int) {
        let (old, value, new, result) = Self.conversions[index]
        let plan = plan(from: "  - \(old) q: Q", to: "  - \(new) q: Q", answers: ["q": value])
        #expect(plan.answers["q"] == result, "\(old) to \(new)")
        let types = (old.split(separator: " ")[0], new.split(separator: " ")[0])
        if result == nil {
            #expect(plan.former == [["path": "q", "version": "1", "value": value, "label": "Q"]])
            #expect(
                plan.steps == [
                    .init("q", outcome: .former(.type(from: String(types.0), to: String(types.1))))
                ])
        } else {
            #expect(plan.former.isEmpty)
            #expect(plan.steps == [.init("q", outcome: .converted(from: String(types.0), to: String(types.1)))])
        }
    }

    @Test func whatIsTheSameIsKeptWithoutAStep() {
        let questions = """
              - text who: Who
              - group g: G
                questions:
                  - integer n: N
              - repeat r: R
                questions:
                  - text t: T
            """
        let answers: JSONObject = ["who": "Ann", "g": ["n": 3], "r": [["@key": "k1", "t": "x"], ["@key": "k2"]]]
        let plan = plan(from: questions, to: questions, answers: answers)
        #expect(plan.answers == answers && plan.steps.isEmpty && plan.former.isEmpty && plan.fresh.isEmpty)
    }

    @Test func aQuestionThatIsGoneIsKeptAsFormerAndReturns() {
        let both = "  - text who: Who\n  - text note_text: Note"
        let less = plan(from: both, to: "  - text who: Who", answers: ["who": "Ann", "note_text": "late"])
        #expect(less.answers == ["who": "Ann"])
        #expect(less.former == [["path": "note_text", "version": "1", "value": "late", "label": "Note"]])
        #expect(less.lines == ["note_text: is kept beside the others: the form has no such question any more"])
        let again = plan(from: "  - text who: Who", to: both, answers: less.answers, former: less.former)
        #expect(again.answers == ["who": "Ann", "note_text": "late"] && again.former.isEmpty)
        #expect(again.steps == [.init("note_text", outcome: .returned)] && again.fresh.isEmpty)
    }

    @Test func aNewQuestionGetsItsDefaultLater() throws {
        let plan = plan(from: "  - text who: Who", to: "  - text who: Who\n  - integer n: N", answers: ["who": "Ann"])
        #expect(plan.steps == [.init("n", outcome: .new)])
        let outline = FormOutline(form("2", "  - text who: Who\n  - integer n: N"))
        #expect(plan.fresh == Set(outline.nodes(named: "n")))
    }

    @Test func aMovedQuestionIsNamed() {
        let old = "  - text who: Who"
        let new = "  - group g: G\n    questions:\n      - text who: Who"
        let plan = plan(from: old, to: new, answers: ["who": "Ann"])
        #expect(plan.answers == ["g": ["who": "Ann"]])
        #expect(plan.steps == [.init("who", outcome: .moved(to: "g/who"))])
    }

    @Test func intoARepeatAnAnswerIsKeptAsFormer() {
        let new = "  - repeat r: R\n    questions:\n      - text who: Who"
        let plan = plan(from: "  - text who: Who", to: new, answers: ["who": "Ann"])
        #expect(plan.answers.isEmpty && plan.former.count == 1)
        #expect(plan.steps.contains(.init("who", outcome: .former(.otherRepeat))))
    }

    @Test func ofARepeatThatBecomesAGroupOneInstanceStays() {
        let inner = "    questions:\n      - text who: Who"
        let plan = plan(
            from: "  - repeat r: R\n\(inner)", to: "  - group r: R\n\(inner)",
            answers: ["r": [["@key": "k1", "who": "Ann"], ["@key": "k2", "who": "Bob"]]])
        #expect(plan.answers == ["r": ["who": "Ann"]])
        #expect(plan.former.map { $0["path"] } == ["r[2]/who"])
    }

    @Test func aGroupThatBecomesARepeatHasOneInstance() {
        let inner = "    questions:\n      - text who: Who"
        let plan = plan(
            from: "  - group r: R\n\(inner)", to: "  - repeat r: R\n\(inner)", answers: ["r": ["who": "Ann"]])
        #expect(plan.answers == ["r": [["who": "Ann"]]] && plan.former.isEmpty)
    }

    @Test func aChoiceThatIsGoneIsKeptAndNamed() {
        let plan = plan(from: "  - select_one kind q: Q", to: "  - select_one fewer q: Q", answers: ["q": "a"])
        #expect(plan.answers == ["q": "a"] && plan.steps == [.init("q", outcome: .noLongerOffered("a"))])
    }
}
