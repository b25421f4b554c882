import DocumentQuery
import DocumentStore
import DocumentValues
import Foundation
import Testing

/// What the articles for developers list is what there is.
struct ArticleFactTests {
    private static func lines(of article: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/Fieldbook/Fieldbook.docc/\(article).md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func everyFunctionIsListedOnce() throws {
        let lines = try Self.lines(of: "QueryLanguage")
        let table = lines.drop { $0 != "## Functions" }.prefix { $0 != "## Errors" }.filter { $0.hasPrefix("|") }
        let listed = table.flatMap { line in
            line.matches(of: /`([A-Z][A-Z0-9_]*)`/).map { String($0.output.1) }
        }
        #expect(listed.sorted() == FunctionCatalog.names)
    }

    @Test func everyLimitIsTheOneThatCounts() throws {
        let lines = try Self.lines(of: "Limits")
        for (fact, limit) in [
            ("| a document as JSON |", "\(StoreLimits.documentBody >> 20) MB"),
            ("| an id |", "\(DocumentIDRules.maximumLength) bytes"),
            ("| arrays and objects inside each other |", Self.grouped(JSONLimits.depth)),
            ("| ancestors that a document remembers |", "\(StoreLimits.history)"),
            ("| a text |", "\(Self.grouped(QueryLimits.text)) bytes"),
            ("| sources,", "\(QueryLimits.sources)"), ("| columns |", Self.grouped(QueryLimits.columns)),
            ("| terms of `ORDER BY`", Self.grouped(QueryLimits.terms)),
            ("| operands of a chain,", "\(QueryLimits.depth)"),
            ("| expressions of a list,", Self.grouped(QueryLimits.list)),
            ("| parameters |", Self.grouped(QueryLimits.parameters)),
            ("| arguments of a function |", "\(QueryLimits.arguments)"),
            ("| terms of a search for words |", Self.grouped(QueryLimits.searchTerms)),
            ("| values of all `ARRAY_AGG`", "\(StoreLimits.gatheredBytes >> 20) MB"),
            ("| values of an array or an object", "\(StoreLimits.gatheredBytes >> 20) MB"),
            ("| a text of `CONCAT`", "\(QueryLimits.resultText >> 20) MB"),
            ("| a text of `CONCAT`", "\(QueryLimits.value >> 20) MB"),
            ("| a regular expression |", "\(Self.grouped(QueryLimits.patternText)) bytes"),
            ("| a regular expression |", Self.grouped(QueryLimits.patternRepeats)),
            ("At the same time", "\(StoreLimits.openResults) results"),
            ("A save waits", "\(Int(StoreLimits.busyTimeout)) seconds"),
            ("reserve of", "\(StoreLimits.reserve >> 20) MB"),
            ("reserve of", "\(StoreLimits.logSize >> 20) MB"),
        ] {
            let line = lines.first { $0.hasPrefix(fact) }
            #expect(line?.contains(limit) == true, "\(fact) \(limit): \(line ?? "")")
        }
    }

    /// `10,000`
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number).reversed())
        let groups = stride(from: 0, to: digits.count, by: 3).map { digits[$0..<min($0 + 3, digits.count)] }
        return String(groups.joined(separator: ",").reversed())
    }
}
