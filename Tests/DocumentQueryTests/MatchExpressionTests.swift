import DocumentQuery
import Testing

/// The text that a user types to search, and the expression for FTS5.
struct MatchExpressionTests {
    private func translate(_ text: String) throws -> String {
        try MatchExpression.translate(text, properties: ["title", "notes.text"]) { $0 != "the" }
    }

    @Test(arguments: [
        ("valve", #""valve""#), ("valve pump", #"("valve" AND "pump")"#), ("valve AND pump", #"("valve" AND "pump")"#),
        ("valve OR pump house", #"("valve" OR ("pump" AND "house"))"#),
        ("(valve OR pump) house", #"(("valve" OR "pump") AND "house")"#),
        ("leak NOT valve", #"("leak" NOT "valve")"#), ("a NOT b c", #"(("a" NOT "b") AND "c")"#),
        ("a NOT b NOT c", #"("a" NOT ("b" OR "c"))"#), (#""pump house""#, #""pump house""#),
        ("val*", #""val" *"#), ("^val*", #"^ "val" *"#), ("title:valve", #"c0 : "valve""#),
        ("TITLE:valve", #"c0 : "valve""#), ("notes.text:^x", #"c1 : ^ "x""#), ("body:valve", #"("body" AND "valve")"#),
        ("pump NEAR/2 house", #"(NEAR("pump" "house", 2))"#), ("pump NEAR house", #"(NEAR("pump" "house", 10))"#),
        ("A-10", #"("A" AND "10")"#), ("valve.leak;", #"("valve" AND "leak")"#), ("-x", #""x""#),
        ("valve or pump", #"("valve" AND "or" AND "pump")"#), ("the valve", #""valve""#), ("the", ""),
        ("valve OR the", #""valve""#), (#""the valve""#, #""valve""#), ("", ""), ("  ", ""), ("👍", ""), ("()", ""),
        ("*alve", #""alve""#), ("naïve", #""naïve""#), ("日本*", #""日本" *"#), ("it's", #"("it" AND "s")"#),
    ])
    func expressions(text: String, sql: String) throws { #expect(try translate(text) == sql) }

    @Test(arguments: [
        "valve AND", "OR", "NOT x", "(valve", "valve)", #""valve"#, "AND x", "a OR OR b", "NEAR x", "a NEAR",
        "a NEAR (b c)",
        String(repeating: "(", count: 10_000) + "a" + String(repeating: ")", count: 10_000),
    ])
    func malformed(text: String) {
        let error = #expect(throws: QueryError.self) { try translate(text) }
        let shown = text.count > 200 ? "\(text.prefix(200))…" : text
        #expect(error?.message == "malformed MATCH expression: [\(shown)]")
    }

    /// A letter of several bytes is not shown in part.
    @Test func theBeginningEndsWithAWholeLetter() {
        let error = #expect(throws: QueryError.self) { try translate("(" + String(repeating: "é", count: 100)) }
        let shown = "(" + String(repeating: "é", count: 99) + "…"
        #expect(error?.message == "malformed MATCH expression: [\(shown)]")
    }

    @Test func termsAreLimited() throws {
        let terms = (0..<QueryLimits.searchTerms).map { "t\($0)" }.joined(separator: " ")
        #expect(try translate(terms).hasSuffix(#" AND "t999")"#))
        for text in ["\(terms) x", "\"\(terms) x\"", "\(terms) OR x"] {
            let error = #expect(throws: QueryError.self) { try translate(text) }
            #expect(error?.message == "A full-text search has more than 1000 terms")
        }
    }
}
