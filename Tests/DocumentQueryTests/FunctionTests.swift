import DocumentQuery
import DocumentValues
import Testing

/// The functions against the recordings of `SELECT F(…), … FROM one`, with a small interpreter for what is in the calls.
struct FunctionTests {
    /// `+01` is no zone here; the engine makes a day of the year 2000 of the text.
    private static let different = "func-date-009 r7"

    @Test(arguments: ["func-array", "func-cond", "func-string", "func-type", "func-math", "func-regexp", "func-date"])
    func recordings(family: String) throws {
        let document = QueryValue(try RecordedQuery.document())
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all(family) where !query.isQuirk && query.json["tz"] == nil {
            guard let text = query.text, text.contains(" FROM one"), query.error == nil,
                case .array(let row)? = query.expectation["rows"]?[0],
                let statement = try? QueryParser.statement(text), statement.condition == nil
            else { continue }
            for (column, expected) in zip(statement.columns, row) {
                guard let value = try? Interpreter(document: document).value(column.expression) else { continue }
                compared += 1
                if "\(query.id) \(column.alias ?? "")" == Self.different { continue }
                if !isSame(value, as: expected) {
                    differences.append("\(query.id) \(column.alias ?? ""): \(value) instead of \(expected)")
                }
            }
        }
        #expect(compared > 25)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    private func call(_ function: String, with arguments: String...) throws -> QueryValue {
        let function = try #require(QueryFunctions.all[function])
        return try function(arguments.map { .text($0) }, FunctionContext())
    }

    /// A step that compares many bytes counts as many.
    @Test func referencesBackAreCountedByTheirBytes() throws {
        let text = String(repeating: "a", count: 20_000)
        #expect(throws: FunctionError.self) { try call("regexp_contains", with: text, "^(a*)\\1b") }
    }

    /// A template is as long as somebody wants it, and so is what each of its marks becomes: together more than the memory.
    @Test(arguments: ["$&", "$0", "$1"]) func aReplacementIsNoLongerThanATextMayBe(mark: String) {
        let text = String(repeating: "a", count: 50_000)
        let template = String(repeating: mark, count: 50_000)
        let error = #expect(throws: FunctionError.self) {
            try call("regexp_replace", with: text, "^(a*)$", template)
        }
        #expect(error?.message == "string too large")
    }

    @Test(arguments: [
        ("b", "[$`|$&|$']", "a[a|b|cbd]c[abc|b|d]d"), ("^", "$'", "abcbdabcbd"), ("$", "$`", "abcbdabcbd"),
        ("x", "$`", "abcbd"), ("c", "$$`$x$", "ab$`$x$bd"),
    ])
    func aReplacementHasTheTextAroundTheMatch(pattern: String, template: String, result: String) throws {
        let replaced = try call("regexp_replace", with: "abcbd", pattern, template)
        #expect(replaced.string == result)
    }

    @Test(arguments: ["round", "round_even", "trunc"]) func moreDigitsThanANumberHasAreNone(name: String) throws {
        let function = try #require(QueryFunctions.all[name])
        for digits: Int64 in [-400, -324, -323, -310, -2] {
            let result = try function([.real(1.5), .integer(digits)], FunctionContext())
            #expect(result.number == 0, "\(digits)")
        }
        #expect(try function([.real(1.5), .integer(400)], FunctionContext()).number == 1.5)
        #expect(try function([.real(1.5), .integer(1)], FunctionContext()).number == 1.5)
    }

    /// What adds nothing takes time all the same.
    @Test func marksOfATemplateAreSteps() throws {
        let text = String(repeating: "a", count: 40_000)
        let template = String(repeating: "$1", count: 40_000)
        let error = #expect(throws: FunctionError.self) { try call("regexp_replace", with: text, "(b)?a", template) }
        #expect(error?.message == "The regular expression takes too long")
    }

    /// Matching takes no stack, and what goes through a text once is not too long.
    @Test(arguments: [
        (#"^(\w+\s?)*$"#, "valve ", 20_000), ("^(ab)*$", "ab", 50_000), ("^(?:a|b)+?$", "ab", 20_000),
        ("a*?x?$", "a", 300_000), ("z|y", "a", 1_000_000), (String(repeating: "a", count: 5_000), "a", 6_000),
        (#"(?:(?=ab)a(b))*$"#, "ab", 20_000),
    ])
    func longTextsAreSearched(pattern: String, part: String, count: Int) throws {
        let text = String(repeating: part, count: count)
        let found = !pattern.contains("z")
        guard case .boolean(found) = try call("regexp_contains", with: text, pattern) else {
            Issue.record("\(pattern)")
            return
        }
    }

    /// While a document is saved others wait: less is tried for an index.
    @Test func anIndexTriesLess() throws {
        let (query, index) = (
            try #require(QueryFunctions.all["regexp_like"]), try #require(QueryFunctions.indexed["regexp_like"])
        )
        let text = String(repeating: "a", count: 13) + "!"
        let arguments: [QueryValue] = [.text(text), .text("^(a+)+$")]
        guard case .boolean(false) = try query(arguments, FunctionContext()) else {
            Issue.record("a match")
            return
        }
        #expect(throws: FunctionError.self) { try index(arguments, FunctionContext()) }
    }

    @Test(
        arguments: [
            ("(a*)*b", "aaaa", nil), ("(a|b)*?b", "aabab", "aab"), ("(a{2,3}?)(a*)", "aaaa", "aaaa"),
            ("a{2}", "aaa", "aa"),
            ("(?:a|ab)(?:c|bcd)(d*)", "abcd", "abcd"), ("(z)((a+)?(b+)?(c))*", "zaacbbbcac", "zaacbbbcac"),
            (#"(\w+) \1"#, "the the cat", "the the"), ("(?:)*x", "x", "x"), ("(a?)*?$", "aa", "aa"),
            ("[^b]*?b", "aab", "aab"),
            ("(?:a{0,2}){2}b", "aaaab", "aaaab"), (#"\bcat\b"#, "a cat", "cat"), ("^$", "", ""), ("(a)|b", "b", "b"),
            ("(?!ab)a.", "abac", "ac"), ("(?=(a+))a*b", "aab", "aab"), ("(a+)+$", "aab", nil), ("x{0}y", "xy", "y"),
        ] as [(String, String, String?)])
    func whatMatches(pattern: String, text: String, match: String?) throws {
        guard case .text(let replaced) = try call("regexp_replace", with: text, pattern, "<$&>") else {
            Issue.record("no text")
            return
        }
        let found = replaced.split(separator: "<", omittingEmptySubsequences: false).dropFirst().first
        #expect(found?.prefix { $0 != ">" }.description == match, "\(replaced)")
    }

    @Test(arguments: [
        ("^a{1,100000}$", 100_000, true), ("^a{1,100000}$", 100_001, false), ("^a{1,100000}?$", 100_001, false),
        ("^a{100000}$", 100_000, true), ("^a{100000}$", 99_999, false), ("a{2000000}", 3, false),
        ("^a{1,99999999999999999999}$", 200_000, true), ("a{99999999999999999999}", 3, false),
        ("^(?:aa){1,1000000}$", 4, true), ("^(?:aa){1000000,}$", 4, false),
    ])
    func countsMayBeLarge(pattern: String, letters: Int, fits: Bool) throws {
        let text = String(repeating: "a", count: letters)
        guard case .boolean(fits) = try call("regexp_contains", with: text, pattern) else {
            Issue.record("\(pattern)")
            return
        }
    }

    @Test(arguments: ["a{2,1}", "a{,2}", "a{1000000,1}", "a{1,x}", #"(a)\99999999999999999999"#])
    func whatIsNoCount(pattern: String) {
        #expect(throws: FunctionError.self) { try call("regexp_contains", with: "aa", pattern) }
    }

    /// Time that grows with the square would be hours.
    @Test func aSigmaInALongText() throws {
        let text = "Σ" + String(repeating: "aΑ", count: 500_000) + "Σ Σ"
        guard case .text(let lower) = try call("lower", with: text) else {
            Issue.record("no text")
            return
        }
        #expect(lower.hasPrefix("σaα") && lower.hasSuffix("aας σ"))
    }

    @Test(arguments: [("$$-$x-$9-$", "$-$x--$"), ("<$2|$1>", "<|a>"), ("", ""), ("$&$0", "aa")])
    func templates(template: String, result: String) throws {
        guard case .text(let replaced) = try call("regexp_replace", with: "a", "(a)|(b)", template) else {
            Issue.record("no text")
            return
        }
        #expect(replaced == result)
    }

    @Test(arguments: ["millennium", "century", "decade", "year", "quarter", "month"])
    func whatIsBeyondTheCalendarIsMissing(part: String) throws {
        let function = try #require(QueryFunctions.all["date_add_millis"])
        for count in [2.9e15, -2.9e15, 1e300, -1_200_000] {
            #expect(try function([.integer(0), .real(count), .text(part)], FunctionContext()).isMissing)
        }
    }

    /// What comes back to a `%` very often would take hours.
    @Test func stepsOfLikeAreCounted() throws {
        let text = String(repeating: "a", count: 20_000)
        let part = String(repeating: "a", count: 2_000)
        #expect(throws: FunctionError.self) { try call("like", with: text, "%\(part)b") }
        guard case .integer(1) = try call("like", with: text + "b" + text, "%aab%\(part)%") else {
            Issue.record("no match")
            return
        }
    }

    @Test(arguments: [
        String(repeating: "()", count: QueryLimits.patternGroups + 1), "\\x+1", "\\x-1", "\\u+041", "[\\x+1]",
    ])
    func impossiblePatterns(pattern: String) {
        #expect(throws: FunctionError.self) { try call("regexp_contains", with: "a", pattern) }
    }

    @Test(arguments: [
        (#"(?:(?=(a))a|ab)\1"#, "ab", "<ab>"), (#"(?=(a))a\1"#, "aa", "<aa>"),
        (#"(?:(?!(a)b)a|ab)\1"#, "aba", "<ab><a>"),
        (#"\x41"#, "xA", "x<A>"), (String(repeating: "()", count: QueryLimits.patternGroups), "", "<>"),
    ])
    func matches(pattern: String, text: String, result: String) throws {
        guard case .text(let replaced) = try call("regexp_replace", with: text, pattern, "<$&>") else {
            Issue.record("no text")
            return
        }
        #expect(replaced == result)
    }

    /// Whole numbers and those of a point are different here.
    private func isSame(_ value: QueryValue, as expected: JSONValue) -> Bool {
        if expected["$missing"] != nil { return value.isMissing }
        if expected["$double"] == "Infinity" { return value.number == .infinity }
        if case .real(let number) = value, case .real(let other) = QueryValue(expected) {
            return number == other && number.sign == other.sign
        }
        guard let json = value.json else { return false }
        return QueryValue(.array([json])).containerBytes == QueryValue(.array([expected])).containerBytes
    }
}

/// Calls, constants and paths alone.
private struct Interpreter {
    struct NotKnown: Error {}

    let document: QueryValue

    func value(_ expression: QueryExpression) throws -> QueryValue {
        switch expression {
        case .missing: return .missing
        case .literal(let json): return QueryValue(json)
        case .property(let path): return value(of: path)
        case .array(let elements): return .container(.array(try elements.compactMap { try value($0).json }))
        case .object(let members):
            return .container(
                .object(
                    JSONObject(
                        members: try members.compactMap { member in
                            try value(member.value).json.map { JSONObject.Member(key: member.key, value: $0) }
                        })))
        case .unary(.negate, let inner):
            switch try value(inner) {
            case .integer(let number) where number != .min: return .integer(-number)
            case .integer(let number): return .real(-Double(number))
            case .real(let number): return .real(-number)
            default: throw NotKnown()
            }
        case .call(let name, let arguments):
            guard let function = QueryFunctions.all[name.lowercased()] else {
                Issue.record("no function \(name)")
                throw NotKnown()
            }
            return try function(try arguments.map { try value($0) }, FunctionContext())
        default: throw NotKnown()
        }
    }

    private func value(of path: QueryPath) -> QueryValue {
        var current = document.json
        for step in path.steps {
            switch step {
            case .key(let name): current = current?[name.text]
            case .index(let index):
                let count = current?.arrayValue?.count ?? 0
                current = current?[index < 0 ? count + index : index]
            }
        }
        return current.map { QueryValue($0) } ?? .missing
    }
}
