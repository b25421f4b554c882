import Foundation
import Testing

/// `docs/replication-protocol.md`: what code and documentation refer to is there, and a clone of the repository has all
/// of it.
@Suite struct SpecificationTests {
    private static let page = "docs/replication-protocol.md"
    private static let codeFolders = ["Sources", "Models", "Migrations", "Benchmarks", "Tests", "sample-data"]

    private static func texts() throws -> [SourceTree.File] {
        let code = try codeFolders.flatMap { folder in
            try ["swift", "c", "h", "js", "sql", "md"].flatMap {
                try SourceTree.files(in: folder, withExtension: $0, mayBeNone: true)
            }
        }
        return try code + SourceTree.files(in: "docs", withExtension: "md")
    }

    /// `§4.8` is a section of the page wherever it is written.
    @Test func sectionsThatAreNamedExist() throws {
        let sections = try Self.sections()
        var named = 0
        for file in try Self.texts() where file.text.holds(anyOf: ["§"]) {
            for (index, line) in file.lines.enumerated() where line.contains("§") {
                for match in line.matches(of: /§(\d+(?:\.\d+)?)/) {
                    named += 1
                    #expect(
                        sections.contains(String(match.output.1)),
                        "\(file.path):\(index + 1) names \(match.output.0), which \(Self.page) does not have")
                }
            }
        }
        #expect(named > 50, "the references are looked for in the wrong folders")
    }

    @Test func sectionsAreNumberedInOrder() throws {
        let numbers = try Self.sections().map { $0.split(separator: ".").compactMap { Int($0) } }
        for (before, after) in zip(numbers, numbers.dropFirst()) {
            #expect(before.lexicographicallyPrecedes(after), "section \(after) comes after \(before)")
        }
    }

    /// `[04 n44]` is record 44 of the recording whose name begins with `04-`.
    @Test func recordingsThatAreCitedExist() throws {
        let fixtures = "Tests/Support/TranscriptSupport/Fixtures"
        let recordings = try SourceTree.files(in: fixtures, withExtension: "jsonl")
        // Nothing but the record's number is needed: lines are counted from the head, which has none.
        let lengths = Dictionary(
            uniqueKeysWithValues: recordings.map { file in
                (file.path.dropFirst(fixtures.count + 1), file.text.utf8.count { $0 == UInt8(ascii: "\n") } - 1)
            })
        for match in try SourceTree.text(of: Self.page).matches(of: /\[(\d\d[a-z]?)(?: n(\d+))?\]/) {
            let found = lengths.filter { $0.key.hasPrefix("\(match.output.1)-") && !$0.key.hasSuffix("-sg4.jsonl") }
            #expect(found.count == 1, "\(match.output.0) is the recording \(found.keys.sorted())")
            let number = match.output.2.flatMap { Int($0) } ?? 1
            #expect(found.values.allSatisfy { 1...$0 ~= number }, "\(match.output.0) has no such record")
        }
    }

    /// The city's register is too large for the repository; what else tests need, they have.
    @Test func codeNeedsNothingBesideTheRepository() throws {
        let allowed = "Tests/Support/CityRegister/CityRegister.swift"
        // In two parts, or this file would name them.
        let foreign = ["../" + "shared", "(transcript" + " 0", "(transcript" + " 1", "(transcript" + " 2"]
        for file in try Self.texts() where file.path != allowed {
            for text in foreign where file.text.holds(anyOf: [text]) {
                Issue.record("\(file.path) has '\(text)', which a clone of the repository does not have")
            }
        }
    }

    /// The numbers of the page's headings, in order.
    private static func sections() throws -> [String] {
        try SourceTree.text(of: page).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/^[#]+ (\d+(?:\.\d+)?) /#).map { String($0.output.1) }
        }
    }
}
