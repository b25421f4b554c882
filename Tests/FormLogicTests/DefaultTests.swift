import DocumentValues
import FormLogic
import Testing

/// Defaults: whether they are evaluated, and what a type makes of those that are not.
@Suite struct DefaultTests {
    @Test(arguments: [
        ("foo-bar", "text", false), ("It's (ok)", "text", false), ("if(1=1,'x','y')", "text", true),
        ("1 - 1", "integer", true), ("2026-01-02", "date", false), ("today()", "date", true),
        ("1 -2 0 0", "geopoint", false), ("${last-saved#street}", "text", true), ("a + b", "text", true),
        ("a mod b", "text", true), ("mode", "text", false), ("x[1]", "text", true), ("", "text", false),
        ("2026-01-02 + 1", "date", false), ("2026-01-02 + 1", "text", true),
        // The sign of a number is no operator.
        ("030-1234", "text", false), ("2026-01-02", "text", false), ("1 -2", "text", false), ("+49 30", "text", false),
        ("5 - 3", "text", true), ("a 'b(c)'", "text", false), ("(1) - a", "text", true),
        ("it's today()", "text", true), ("it's a-b", "text", false),
    ])
    func aDefaultIsATextOrEvaluated(text: String, type: String, isEvaluated: Bool) throws {
        #expect(DefaultText.isDynamic(text, type: try #require(QuestionType(typeName: type))) == isEvaluated)
    }

    private static let answers: [(text: String, type: String, json: JSONValue?)] = [
        ("4", "integer", 4), ("4.0", "integer", 4), ("4.5", "integer", nil), ("+5", "integer", nil),
        ("9999999999", "integer", nil), ("4,5", "decimal", 4.5), ("2026-01-02", "decimal", nil),
        ("2026-3-4", "date", "2026-03-04"), ("20516", "date", nil), ("2026-02-30", "date", nil),
        ("13:45", "time", "13:45"), ("25:00", "time", nil), ("OK", "acknowledge", "OK"), ("yes", "acknowledge", nil),
        ("0 0;0 1", "geoshape", nil), ("a b", "select_multiple", ["a", "b"]), ("030-1234", "text", "030-1234"),
    ]

    /// What the checker lets pass is an answer, and nothing else is.
    @Test(arguments: answers.indices) func aTextFitsOrIsAFault(index: Int) throws {
        let (text, typeName, json) = Self.answers[index]
        let type = try #require(QuestionType(typeName: typeName))
        let conversions = Conversions(zone: FixedFormZone())
        #expect(WrittenAnswer.answer(text, type: type, conversions: conversions)?.json == json)
        guard case .plain = type else { return }
        var node = FormNode(name: "a", kind: .question(type), label: "A")
        node.defaultValue = text
        let findings = FormChecker.findings(of: Form(id: "f", version: "1", nodes: [node])).shown
        #expect(findings.map(\.code) == (json == nil ? [.badDefault] : []))
    }
}
