import DocumentValues
import FormLogic
import Testing

/// Results of calculations, stored in questions of each type.
@Suite struct StoringTests {
    private func stored(_ expression: String, in type: String) throws -> (json: JSONValue?, report: Report.Code?) {
        var evaluator = try ContextForm.evaluator()
        let node = try ContextForm.node("z", in: evaluator.record)
        let compiled = try evaluator.program.compile(expression, owner: evaluator.record[node].formNode)
        let value = evaluator.value(of: compiled, at: .record(node)).value
        let type = try #require(QuestionType(typeName: type))
        let result = AnswerStoring(evaluator.state.conversions).answer(value, for: type)
        return (result.answer?.json, result.report)
    }

    @Test(arguments: [
        ("'a'", "calculate", #""a""#), ("1.50", "calculate", "1.5"), ("1 = 1", "calculate", "true"),
        ("today()", "calculate", #""2026-03-04T00:00:00.000+01:00""#),
        ("now()", "calculate", #""2026-03-04T14:45:30.500+01:00""#), ("${t}", "calculate", #""13:45:00.000+01:00""#),
        ("5", "text", "5"), ("-3.9", "integer", "-3"), ("'42'", "integer", "42"), ("true()", "integer", "1"),
        ("'4,5'", "decimal", "4.5"), ("${d} + 1", "date", #""2026-03-05""#), ("${dt}", "date", #""2026-03-04""#),
        ("'2026-3-4'", "date", #""2026-03-04""#), ("20516", "date", #""2026-03-04""#),
        ("${d}", "dateTime", #""2026-03-04T00:00:00.000+01:00""#), ("'13:45'", "time", #""13:45""#),
        ("${dt}", "time", #""13:45:30.500+01:00""#), ("20516.5", "time", #""12:00:00.000+01:00""#),
        ("'a b  a'", "select_multiple", #"["a","b"]"#), ("${rk}", "rank", #"["b","r","g"]"#),
        ("'1 2'", "geopoint", #"{"latitude":1,"longitude":2,"altitude":0,"accuracy":0}"#),
        ("'a.png'", "image", #"{"name":"a.png"}"#), ("1 div 0", "calculate", #""Infinity""#),
    ])
    func aResultTakesTheFormOfTheQuestion(expression: String, type: String, json: String) throws {
        let (stored, report) = try stored(expression, in: type)
        #expect(stored == (try JSONValue(parsing: json)))
        #expect(report == nil)
    }

    @Test(
        arguments: [
            ("''", "integer", nil), ("number('x')", "decimal", nil), ("''", "date", nil), ("'x'", "integer", nil),
            ("'x'", "date", "R1"), ("'1'", "geopoint", "R1"), ("'1 2'", "geotrace", "R1"),
            ("3000000000", "integer", "R7"),
            ("1 div 0", "decimal", "R7"), ("true()", "date", "R7"), ("9999999", "date", "R4"),
            ("'0000-01-01'", "date", "R1"),
        ] as [(String, String, String?)])
    func whatCannotBeStoredIsNoAnswer(expression: String, type: String, report: String?) throws {
        let result = try stored(expression, in: type)
        #expect(result.json == nil && result.report?.rawValue == report)
    }
}
