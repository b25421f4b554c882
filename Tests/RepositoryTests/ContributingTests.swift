import Foundation
import Testing

/// `docs/contributing.md` names every suite of rules, and only files, types and suites that exist. Its lists are short.
@Suite struct ContributingTests {
    private static let page = "docs/contributing.md"
    private static let folders = ["Sources", "Models", "Migrations", "Tests"]

    @Test func theTableNamesEverySuite() throws {
        let suites = try SourceTree.files(in: "Tests/RepositoryTests").flatMap(\.lines).compactMap(Self.suite).sorted()
        try #require(suites.count > 10)
        let rows = try Self.lines().compactMap(Self.row)
        #expect(rows.map { String($0[0]) } == suites, "the rows of \(Self.page) are the suites in their order")
        for row in rows {
            let isFull = row.count == 4 && row.allSatisfy { !$0.isEmpty }
            #expect(isFull, "\(Self.page): \(row[0]) needs its rule, its reason and the remedy")
        }
    }

    @Test func theListsAreShort() throws {
        var counts: [Int] = []
        for (index, line) in try Self.lines().enumerated() {
            if line.hasPrefix("### ") { counts.append(0) }
            guard let number = line.firstMatch(of: #/^(\d)\. /#).flatMap({ Int($0.output.1) }) else { continue }
            try #require(!counts.isEmpty, "\(Self.page):\(index + 1) has no heading")
            counts[counts.count - 1] += 1
            #expect(counts.last == number && number <= 5, "\(Self.page):\(index + 1)")
        }
        #expect(counts.count >= 12 && !counts.contains(0), "entries: \(counts)")
    }

    @Test func everythingThatIsNamedExists() throws {
        let files = try Self.folders.flatMap { try SourceTree.files(in: $0) }
        let names = Set(files.compactMap { $0.path.split(separator: "/").last.map(String.init) })
        var named = 0
        for (index, line) in try Self.lines().enumerated() {
            for match in line.matches(of: /`([\w+.\/-]+)`/) where !match.output.1.contains("NNNN") {
                let text = String(match.output.1)
                let isThere =
                    switch Self.kind(of: text) {
                    case .path: Self.exists(text)
                    case .file: names.contains(text) || Self.exists(text)
                    case .type: files.contains { $0.text.holds(anyOf: Self.uses(of: text)) }
                    case .other: true
                    }
                named += Self.kind(of: text) == .other ? 0 : 1
                #expect(isThere, "\(Self.page):\(index + 1) names \(text), which does not exist")
            }
        }
        #expect(named > 100, "the page names its files as it used to")
    }

    // MARK: - The rule itself

    enum Kind { case path, file, type, other }

    @Test(arguments: [
        ("Sources/A/B.swift", Kind.path), ("Tests/Fuzzing", .path), ("B+C.swift", .file), ("GatewayStore", .type),
        ("GatewayError.tooMany", .type), ("members", .other), ("IDIV", .other), ("schema-1.sqlite3", .other),
    ])
    func namesAreOfAKind(text: String, kind: Kind) { #expect(Self.kind(of: text) == kind) }

    @Test(arguments: [
        ("@Suite struct A {", "A"), ("@Suite(.serialized) struct A {", "A"), ("struct A {", nil),
        ("    let a = \"@Suite struct A\"", nil),
    ])
    func suitesAreFound(line: String, name: String?) { #expect(Self.suite(in: line[...]) == name) }

    private static func suite(in line: Substring) -> String? {
        guard line.hasPrefix("@Suite") else { return nil }
        return line.firstMatch(of: /struct (\w+)/).map { String($0.output.1) }
    }

    private static func kind(of text: String) -> Kind {
        if (folders + ["docs", "sample-data"]).contains(where: { text.hasPrefix($0 + "/") }) { return .path }
        if text.hasSuffix(".swift") { return .file }
        return text.contains(/^[A-Z]\w*[a-z]\w*(?:\.\w+)?$/) ? .type : .other
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: SourceTree.root.appendingPathComponent(path).path)
    }

    /// How code names a type, of which the text may name a member.
    private static func uses(of text: String) -> [String] {
        [" ", ":", "<", "("].map { " \(text.prefix { $0 != "." })" + $0 }
    }

    /// The cells of a row about a suite.
    private static func row(_ line: Substring) -> [Substring]? {
        guard line.hasPrefix("| `"), line.hasSuffix(" |") else { return nil }
        let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
        return [cells[0].dropFirst().dropLast()] + cells.dropFirst()
    }

    private static func lines() throws -> [Substring] {
        try SourceTree.text(of: page).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
