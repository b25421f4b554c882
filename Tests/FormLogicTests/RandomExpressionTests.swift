import DocumentValues
import FormLogic
import SeededRandom
import Testing

/// Any text as an expression: it is refused or has a value, always the same, after a bounded number of steps.
@Suite struct RandomExpressionTests {
    private static let pieces = [
        "${age}", "${pname}", "${person}", "${n}", "${nosuch}", "${last-saved#nm}", "person", "page", "/data/", "..",
        ".", "/",
        "//", "@id", "*", "[", "]", "[1]", "(", ")", ",", "'a'", "\"b", "1", "2.5", ".5", "-", "+", " div ", " mod ",
        " and ",
        " or ", "=", "!=", "<", ">=", "|", " ", "::", "child::", "self::node()", "instance('town')/root/item",
        "current()/..",
        "position()", "last()", "é", "😀", "\u{0}", "\n", "#", "$", "{", "}", "“", "’", "name", "today()", "now()",
        "random()", "uuid(3)", "'2026-03-04'", "'52.5 13.4'", "'NaN'", "9999999999999999999999",
    ]

    @Test(arguments: 0..<8)
    func aTextIsRefusedOrHasAValue(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var evaluator = try ContextForm.evaluator()
        var accepted = 0
        for round in 0..<100 {
            let text = round % 3 == 0 ? Self.soup(&random) : Self.expression(depth: 4, random: &random)
            for path in ["z", "person[2]/page", "person[1]/visit[2]/n"] {
                let node = try ContextForm.node(path, in: evaluator.record)
                guard
                    let expression = compiled(text, owner: evaluator.record[node].formNode, program: evaluator.program)
                else { continue }
                accepted += 1
                expectOneValue(of: expression, text: text, at: .record(node), evaluator: &evaluator)
            }
        }
        #expect(accepted > 60)
    }

    private func compiled(_ text: String, owner: Int, program: FormProgram) -> FormExpression? {
        do throws(ExpressionError) { return try program.compile(text, owner: owner) } catch {
            #expect((0...text.unicodeScalars.count).contains(error.position), "\(text)")
            return nil
        }
    }

    private func expectOneValue(
        of expression: FormExpression, text: String, at node: NodeReference, evaluator: inout FormEvaluator
    ) {
        let conversions = evaluator.state.conversions
        let random = evaluator.state.random
        let first = evaluator.value(of: expression, at: node)
        evaluator.state.random = random
        let second = evaluator.value(of: expression, at: node)
        #expect(conversions.text(first.value) == conversions.text(second.value), "\(text)")
        #expect(first.reports == second.reports, "\(text)")
        for type in QuestionType.PlainType.allCases {
            guard let answer = AnswerStoring(conversions).answer(first.value, for: .plain(type)).answer else {
                continue
            }
            #expect(Answer(answer.json, type: .plain(type)) == answer, "\(text) in \(type)")
        }
    }

    private static func soup(_ random: inout SeededGenerator) -> String {
        (0..<(1 + random.number(below: 12))).map { _ in pieces[random.number(below: pieces.count)] }.joined()
    }

    /// By the grammar, so that most have a value.
    private static func expression(depth: Int, random: inout SeededGenerator) -> String {
        func inner() -> String { expression(depth: depth - 1, random: &random) }
        guard depth > 0 else {
            return [
                "1", "2.5", "'a b'", "''", "${age}", "${d}", "${dt}", "${t}", "${pt}", "${nm}", "${page}", "${pname}",
                ".", "..", "../page", "/data/person/visit/n", "'2026-03-04T10:00:00Z'", "${col}", "true()", "today()",
                "number('x')", "-1", "1 div 0", "${tr}",
            ][random.number(below: 24)]
        }
        switch random.number(below: 5) {
        case 0:
            let operators = ["=", "!=", "<", "<=", "+", "-", "*", "div", "mod", "and", "or"]
            return "(\(inner()) \(operators[random.number(below: operators.count)]) \(inner()))"
        case 1: return "${person}[\(inner())]/page"
        case 2: return "instance('town')/root/item[\(inner())]/pop"
        case 3: return "-\(inner())"
        default:
            let function = FormFunction.allCases[random.number(below: FormFunction.allCases.count)]
            let most = min(function.arguments.upperBound, function.arguments.lowerBound + 2)
            let count = function.arguments.lowerBound + random.number(below: most - function.arguments.lowerBound + 1)
            let arguments = (0..<count).map { index in
                index == 0 && random.number(below: 2) == 0 ? "${person}[\(inner())]/pets" : inner()
            }
            return "\(function.rawValue)(\(arguments.joined(separator: ", ")))"
        }
    }
}
