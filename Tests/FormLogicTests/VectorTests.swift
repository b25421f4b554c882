import FormLogic
import Testing

/// The tables of the specification, on its record in Europe/Berlin.
@Suite struct VectorTests {
    @Test func allAreThere() throws {
        #expect(try Vector.all().map(\.name) == (1...334).map { "V\($0)" })
    }

    @Test(arguments: try Vector.all())
    func anExpressionGivesItsValue(vector: Vector) throws {
        var evaluator = try ContextForm.evaluator()
        let node = try ContextForm.node(vector.context, in: evaluator.record)
        let owner = evaluator.record[node].formNode
        let expression = try evaluator.program.compile(vector.expression, owner: owner)
        let result = evaluator.value(of: expression, at: .record(node))
        #expect(result.reports.map(\.code.rawValue) == (vector.report.map { [$0] } ?? []))
        expect(result.value, vector: vector, conversions: evaluator.state.conversions)
    }

    private func expect(_ value: FormValue, vector: Vector, conversions: Conversions) {
        switch (vector.expected, value) {
        case (.text(let expected), .text(let text)): #expect(text == expected)
        case (.boolean(let expected), .boolean(let boolean)): #expect(boolean == expected)
        case (.number(let expected), .number(let number)):
            let isSame = number.isNaN && expected.isNaN || number == expected || abs(number - expected) < 1e-6
            #expect(isSame, "\(number) instead of \(expected)")
        case (.date(let expected), .moment(let moment)):
            #expect(moment.kind == .date && conversions.text(value) == expected)
            #expect(conversions.clock(of: moment) == 0)
        case (.moment(let expected), .moment(let moment)):
            #expect(moment.kind == .dateTime && conversions.wholeText(moment) == expected)
        // A time is a text where the tables are concerned.
        case (.text(let expected), .time(let time)): #expect(time.text == expected)
        default: Issue.record("\(value) instead of \(vector.expected)")
        }
    }
}
