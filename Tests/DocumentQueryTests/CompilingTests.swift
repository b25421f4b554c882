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
        String(repeating: "{'k': ", count: 10_000), String(repeating: "EXISTS (SELECT ", count: 10_000),
        String(repeating: "ANY x IN ", count: 10_000), String(repeating: "EVERY x IN ", count: 10_000),
        String(repeating: "ANY AND EVERY x IN ", count: 10_000), String(repeating: "SOME x IN ", count: 10_000),
        String(repeating: "a IN ANY x IN ", count: 10_000),
        (0..<40_000).map { "$p\($0)" }.joined(separator: ","),
        chains(" + 1", parentheses: 150), chains(" AND a", parentheses: 150), chains(" = 1", parentheses: 150),
    ])
    func hugeInput(expression: String) throws {
        #expect(throws: QueryError.self) {
            let statement = try QueryParser.statement("SELECT \(expression) FROM one")
            let query = RecordedQuery(json: [:])
            _ = try StatementTranslator.translate(statement, environment: RecordedEnvironment(query: query))
        }
    }

    /// Chains of operators inside the first operator of others: `((1 + 1 + 1) + 1 + 1) + 1 + 1`.
    private static func chains(_ link: String, parentheses: Int) -> String {
        let links = String(repeating: link, count: 300)
        return String(repeating: "(", count: parentheses) + "1" + String(repeating: links + ")", count: parentheses)
    }

    @Test(arguments: [
        String(repeating: "[\"NOT\", ", count: 10_000), jsonChains("+", brackets: 150), jsonChains("OR", brackets: 150),
        #"["+"\#(String(repeating: ", 1", count: 10_000))]"#,
    ])
    func hugeJSON(query: String) { #expect(throws: QueryError.self) { try JSONQueryReader.statement(query) } }

    private static func jsonChains(_ name: String, brackets: Int) -> String {
        let links = String(repeating: ", 1", count: 300)
        return String(repeating: #"["\#(name)", "#, count: brackets) + "1"
            + String(repeating: links + "]", count: brackets)
    }

    /// `.` with a combining mark behind it is one `Character`, and a point all the same.
    @Test func anErrorNamesAPathThatBeginsWithACombiningMark() throws {
        let error = #expect(throws: QueryError.self) {
            let statement = try QueryParser.statement("SELECT a.n FROM one AS a UNNEST `\u{301}x`.tags AS t")
            let query = RecordedQuery(json: [:])
            _ = try StatementTranslator.translate(statement, environment: RecordedEnvironment(query: query))
        }
        let message = try #require(error?.message)
        #expect(message.isExactly("property '\u{301}x.tags' does not begin with a declared 'AS' alias"), "\(message)")
    }

    @Test(arguments: [
        (##"["_.",["META()",".\u0301a"],".id"]"##, ##"["_.",["META()","\u0301a"],".id"]"##),
        (##"["?\u0301x"]"##, ##"[".\u0301x"]"##),
    ])
    func aNameInJSONMayBeginWithACombiningMark(column: String, same: String) throws {
        func text(_ column: String) throws -> String {
            let json = ##"{"WHAT":[\##(column)],"FROM":[{"COLLECTION":"one","AS":"a"}]}"##
            return QueryWriter.text(try JSONQueryReader.statement(json))
        }
        let (written, expected) = (try text(column), try text(same))
        #expect(written.isExactly(expected), "\(written)")
        #expect(written.utf8.contains(0xCC), "the mark is there: \(written)")
    }

    /// What people write is far from the limits.
    @Test func longChainsAreTaken() throws {
        let ids = (0..<300).map { "a = \($0)" }.joined(separator: " OR ")
        let list = (0..<1_000).map { "b + \($0)" }.joined(separator: ", ")
        let statement = try QueryParser.statement("SELECT a FROM one WHERE (\(ids)) AND b IN (\(list)) AND (\(ids))")
        let query = RecordedQuery(json: [:])
        _ = try StatementTranslator.translate(statement, environment: RecordedEnvironment(query: query))
    }
}
