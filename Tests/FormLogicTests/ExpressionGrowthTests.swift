import DocumentValues
import FormLogic
import Testing
import WorkCount

/// Reading and evaluating an expression is no more work than in proportion to its length.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ExpressionGrowthTests {
    @Test(
        arguments: [
            ("/data", "/.."), ("/data", "/g/.."), ("0", " + 1"), ("'a'", " = 'b'"), ("1", " or 0"), ("", "- "),
        ])
    func aLongExpression(start: String, part: String) async throws {
        let evaluator = try ContextForm.evaluator()
        let growth = try await Growth.of(500) { count in
            start + String(repeating: part, count: count) + (start.isEmpty ? "1" : "")
        } work: { text in
            var evaluator = evaluator
            let rule = try evaluator.program.compile(text, owner: FormOutline.root)
            let (_, reports) = evaluator.value(of: rule, at: .record(Record.root))
            #expect(reports.isEmpty)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
