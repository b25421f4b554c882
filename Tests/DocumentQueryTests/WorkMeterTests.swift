import DocumentValues
import Testing

@testable import DocumentQuery

/// How often functions ask whether their work has to end.
struct WorkMeterTests {
    /// Counts what is asked, and says from a number on that the work is over.
    private final class Questions {
        private(set) var count = 0
        private let last: Int

        init(last: Int = .max) { self.last = last }

        var context: FunctionContext {
            FunctionContext(
                meter: WorkMeter { [self] in
                    count += 1
                    return count >= last
                })
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let function: String
        let arguments: [QueryValue]
        let testDescription: String

        init(_ function: String, named name: String = "", with arguments: QueryValue...) {
            self.function = function
            self.arguments = arguments
            testDescription = "\(function) \(name)"
        }

        func run(_ context: FunctionContext) throws -> QueryValue {
            let implementation = try #require(QueryFunctions.all[function])
            return try implementation(arguments, context)
        }
    }

    /// Bytes of the large value of each case.
    private static let size = 1 << 18

    private static func text(of part: String) -> String {
        String(repeating: part, count: size / part.utf8.count)
    }

    private static let letters = QueryValue.text(text(of: "a"))
    private static let numbers = QueryValue.container(.array([JSONValue](repeating: .int(1), count: size / 2)))

    static let cases = [
        Case("like", with: letters, .text("%b")), Case("like", named: "pattern", with: .text("b"), letters),
        Case("regexp_contains", named: "many starts", with: letters, .text("b$")),
        Case("regexp_contains", named: "a run", with: letters, .text("^a*$")),
        Case("regexp_like", named: "a lazy run", with: letters, .text("^a*?$")),
        Case("regexp_position", named: "a loop", with: letters, .text("^(?:aa){1,100000}b")),
        Case("regexp_replace", with: letters, .text("aaaa"), .text("b")),
        Case("lower", with: .text(text(of: "É"))), Case("upper", with: .text(text(of: "é"))),
        Case("lower", named: "sigma", with: .text(text(of: "Σa"))), Case("trim", with: .text(text(of: " "))),
        Case("rtrim", with: .text("a" + text(of: " "))),
        Case("contains", with: letters, .text(halves)), Case("greatest", with: numbers, numbers),
        Case("nullif", with: numbers, numbers), Case("among", with: .text("a"), numbers),
        Case(
            "among", named: "an array", with: .container(.array([.int(1)])), .container(.array([numbers.json ?? .null]))
        ),
    ]

    /// It begins and ends as the letters do.
    private static let halves = String(repeating: "a", count: 500) + "b" + String(repeating: "a", count: 500)

    @Test(arguments: cases) func aLongCallAsksAgainAndAgain(of call: Case) throws {
        let questions = Questions()
        _ = try call.run(questions.context)
        #expect(questions.count >= Self.size / QueryLimits.unitsBetweenLooks)
    }

    @Test(arguments: cases) func itEndsAtTheFirstAnswerThatItIsOver(of call: Case) {
        let questions = Questions(last: 2)
        let context = questions.context
        #expect(throws: WorkEnded.self) { try call.run(context) }
        #expect(questions.count == 2)
    }

    /// The look at a clock takes longer than most calls.
    @Test func aShortCallDoesNotAsk() throws {
        let questions = Questions()
        let context = questions.context
        for function in ["lower", "upper", "trim", "tonumber"] {
            _ = try Case(function, with: .text("pump house")).run(context)
        }
        _ = try Case("like", with: .text("pump house"), .text("%house")).run(context)
        _ = try Case("regexp_like", with: .text("pump house"), .text("^pump")).run(context)
        #expect(questions.count == 0)
    }

    @Test(arguments: ["like", "regexp_like", "upper"]) func manyShortCallsAskTogether(function: String) throws {
        let questions = Questions()
        let context = questions.context
        let call = Case(function, with: .text("pump house"), .text("%z"))
        for _ in 0..<20_000 { _ = try call.run(context) }
        #expect(questions.count >= 5 && questions.count <= 20_000 / 10)
    }

    @Test func patternsAreCompiledOnce() throws {
        let context = FunctionContext()
        for number in 0..<100 {
            for pattern in ["a|b", "^(c+)+$"] {
                _ = try Case("regexp_like", with: .text("\(number)"), .text(pattern)).run(context)
                _ = try Case("like", with: .text("\(number)"), .text(pattern)).run(context)
            }
        }
        #expect(context.patterns.compilations == 4)
        // Only the last few are kept.
        for number in 0..<QueryLimits.cachedPatterns {
            _ = try Case("regexp_like", with: .text("a"), .text("\(number)")).run(context)
        }
        _ = try Case("regexp_like", with: .text("a"), .text("a|b")).run(context)
        #expect(context.patterns.compilations == 4 + QueryLimits.cachedPatterns + 1)
    }

    /// Comparing at each letter would take half a thousand million steps.
    @Test func aPartIsFoundInTimeThatIsNotASquare() throws {
        let questions = Questions()
        let context = questions.context
        guard case .boolean(false) = try Case("contains", with: Self.letters, .text(Self.halves)).run(context) else {
            Issue.record("found")
            return
        }
        let bytes = questions.count * QueryLimits.unitsBetweenLooks / QueryLimits.unitsOfStep
        #expect(bytes < Self.size * (QueryLimits.comparedInVain + 3))
    }

    @Test(arguments: [
        (halves, true), (halves + "b", false), ("b" + halves, false), (halves + "a", true), ("a", true), ("c", false),
    ])
    func partsAreFound(part: String, isThere: Bool) throws {
        let text = String(repeating: "a", count: 5_000) + Self.halves + "a"
        var search = PartSearch(Array(part.utf8), meter: WorkMeter())
        #expect(try search.isIn(Array(text.utf8)) == isThere)
        #expect(try search.isIn(Array("ab".utf8)) == (part.utf8.count == 1 && isThere))
    }

    /// The bytes are the keys by which SQLite compares, however large the value is.
    @Test func aLargeValueHasTheBytesOfASmallOne() throws {
        let elements = (0..<2_000).map { number -> JSONValue in
            number % 3 == 0 ? .int(number) : .string(String(repeating: "é\"", count: number % 7))
        }
        let members = elements.enumerated().map { JSONObject.Member(key: "k\($0 * 7 % 2_000)", value: $1) }
        let large = JSONValue.string(String(repeating: "x", count: QueryLimits.writtenAtOnce + 1))
        for json in [
            .array([]), .object([:]), .array(elements), .array([large, large, .array(elements)]),
            JSONValue.object(JSONObject(members: members)), .array([.int(1)]),
        ] {
            let value = QueryValue(json)
            #expect(try value.containerBytes(meter: WorkMeter()) == value.containerBytes)
        }
    }

    @Test func aValueIsNoLargerThanItMayBe() {
        // It is as large as it may be without the quotation marks.
        let text = JSONValue.string(String(repeating: "a", count: 1 << 20))
        let texts = [JSONValue](repeating: text, count: QueryLimits.value >> 20)
        let error = #expect(throws: FunctionError.self) {
            try QueryValue(.array(texts)).containerBytes(meter: WorkMeter())
        }
        #expect(error == .tooLarge)
    }

    @Test func portionsOfATextMakeTheWhole() throws {
        let text = String(repeating: "Ünïcödé ße\u{301}\u{316}क\u{94D}ष한글 が", count: 3_000)
        let meter = WorkMeter()
        #expect(try text.changedByScalars(units: 1, meter: meter) { $0.uppercased() }.isExactly(text.uppercased()))
        var portions: [String] = []
        let same = try text.changedByBases(units: 1, meter: meter) {
            portions.append($0)
            return $0
        }
        #expect(same.isExactly(text) && portions.count > 5)
        #expect(portions.allSatisfy { $0.unicodeScalars.first?.properties.canonicalCombiningClass == .notReordered })
    }
}
