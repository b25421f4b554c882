import DocumentQuery
import DocumentValues
import Testing

/// What a text becomes, against the recordings: the columns' names, or the error with its code, message and position.
struct CompilingTests {
    /// Texts that other rules refuse or take than the recorded engine did, each with the reason.
    private static let different: [String: String] = [
        "between-in-case-046": "IN takes a property here", "between-in-case-047": "IN takes a property here",
        "lexical-128": "the engine reads a text up to a NUL only",
    ]

    @Test func recordings() throws {
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all() where !query.isQuirk && !query.hasFullText {
            guard let text = query.text, query.json["match"] != "free" else { continue }
            if let stage = query.error?["stage"]?.stringValue, stage != "compile" { continue }
            compared += 1
            if let difference = difference(of: query, text: text), Self.different[query.id] == nil {
                differences.append("\(query.id): \(text.prefix(120))\n    \(difference)")
            }
        }
        #expect(compared > 1_400)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    private func difference(of query: RecordedQuery, text: String) -> String? {
        do {
            let statement = try QueryParser.statement(text)
            let translated = try StatementTranslator.translate(
                statement, environment: RecordedEnvironment(query: query))
            guard let columns = query.columns else { return "an error is missing: \(query.error?.description ?? "")" }
            let names = translated.columns.map(\.name)
            return names == columns ? nil : "\(names) instead of \(columns)"
        } catch let error as QueryError {
            guard let expected = query.error else { return "\(error.message)" }
            let isSame =
                expected["code"]?.integerValue == Int64(error.code.rawValue)
                && expected["message"]?.stringValue == error.message
                && expected["position"]?.integerValue == error.position.map { Int64($0) }
            return isSame ? nil : "\(error.message), \(String(describing: error.position)) instead of \(expected)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        String(repeating: "(", count: 10_000), String(repeating: "NOT ", count: 10_000) + "1",
        String(repeating: "[", count: 10_000), String(repeating: "- ", count: 10_000) + "1",
        (0..<10_000).map { _ in "1" }.joined(separator: " + "),
        (0..<10_000).map { _ in "a" }.joined(separator: " AND "),
        String(repeating: "CASE WHEN ", count: 10_000), String(repeating: "ABS(", count: 10_000),
        (0..<40_000).map { "$p\($0)" }.joined(separator: ","),
    ])
    func hugeInput(expression: String) throws {
        #expect(throws: QueryError.self) {
            let statement = try QueryParser.statement("SELECT \(expression) FROM one")
            let query = RecordedQuery(json: [:])
            _ = try StatementTranslator.translate(statement, environment: RecordedEnvironment(query: query))
        }
    }
}
