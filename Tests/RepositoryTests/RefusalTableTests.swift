import Foundation
import Testing

/// What the gateway refuses, with which status and in which words, is in the tables of two folders: so the same refusal has the
/// same words everywhere, and a status changes in one row.
@Suite struct RefusalTableTests {
    private static let modules = ["GatewayCore", "GatewayServer", "GatewayCommand"]

    private static func isTable(_ file: SourceTree.File) -> Bool { file.path.contains("/Refusals/") }

    @Test func noStatusIsOutsideOfTheTables() throws {
        let files = try Self.modules.flatMap { try SourceTree.files(in: "Sources/\($0)") }
        try #require(files.contains(where: Self.isTable))
        for file in files where !Self.isTable(file) {
            let lines = RefusalRule.linesWithStatus(in: SwiftCode(file.text).lines)
            #expect(lines.isEmpty, "\(file.path): \(lines): a refusal is a row of the tables in Refusals")
        }
    }

    @Test func noTwoRowsSayTheSame() throws {
        let tables = try Self.modules.flatMap { try SourceTree.files(in: "Sources/\($0)") }.filter(Self.isTable)
        let rows = tables.flatMap { RefusalRule.rows(in: $0.text) }
        try #require(rows.count > 150)
        let repeated = Dictionary(grouping: rows, by: { $0 }).filter { $0.value.count > 1 }.keys.sorted()
        #expect(repeated.isEmpty)
    }

    @Test(arguments: [
        #"throw GatewayError(400, reason: "x")"#, "throw GatewayError(\n    413,\n    reason: \"x\")",
        #"self.init(503, reason: "x")"#, #"return .init(404, reason: text)"#,
        ".failure(to: 1, .http(404, message: text))",
    ])
    func anInlineStatusIsFound(code: String) {
        #expect(RefusalRule.linesWithStatus(in: SwiftCode(code).lines) == [1], "\(code)")
    }

    @Test(arguments: [
        "GatewayError(rejection.status, reason: rejection.reason)", "GatewayError(error)", "throw GatewayError.missing",
        "// GatewayError(400, reason: \"x\")", ".http(status, message: reason)",
    ])
    func whatHasNoStatusIsNot(code: String) {
        #expect(RefusalRule.linesWithStatus(in: SwiftCode(code).lines).isEmpty, "\(code)")
    }
}

private enum RefusalRule {
    /// Lines, from 1, in which a refusal is made of a number.
    static func linesWithStatus(in code: [String]) -> [Int] {
        code.indices.filter { index in
            guard code[index].holds(anyOf: ["GatewayError(", ".init(", ".http("]) else { return false }
            // The formatter puts a long call's arguments into the next lines.
            let call = code[index...].prefix(3).joined(separator: " ")
            let first = call.firstRange(of: /(?:GatewayError|\.init|\.http)\(\s*[0-9]{3},\s*(?:reason|message):/)
            return first.map { call[..<$0.lowerBound].utf8.count < code[index].utf8.count } ?? false
        }.map { $0 + 1 }
    }

    /// The reasons of a table, as they are spelled there; those that have none, or only that of their argument, are left out.
    static func rows(in text: String) -> [String] {
        text.components(separatedBy: "GatewayError(").dropFirst().compactMap { part in
            guard let start = part.range(of: "reason: \""), let end = part.range(of: "\")", options: .backwards),
                start.upperBound < end.lowerBound
            else { return nil }
            let reason = part[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
            return reason.isEmpty ? nil : reason
        }
    }
}
