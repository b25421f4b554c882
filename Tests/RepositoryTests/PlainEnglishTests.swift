import Testing

/// For many readers of comments, messages and documentation English is a foreign language. A term that is always wrong has a
/// better one in docs/glossary.md.
@Suite struct PlainEnglishTests {
    private static let terms = [
        "told", "tell", "tells", "wish", "wished", "wishes", "patience", "anew", "whoever", "kept aside", "so called",
        "has to do with",
    ]
    private static let folders = [
        "Sources", "Models", "Migrations", "Tests", "Benchmarks", "docs", "sample-data", "systemd",
    ]
    private static let kinds = ["swift", "sql", "js", "c", "h", "md", "txt", "sh", "service"]
    private static let pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
    /// The files that say which terms they are.
    private static let definitions: Set = [
        "docs/glossary.md", "Tests/RepositoryTests/HouseRuleTests.swift",
        "Tests/RepositoryTests/PlainEnglishTests.swift",
    ]

    @Test func textsAreInPlainEnglish() throws {
        var found: Set<String> = []
        for file in try Self.files() {
            for (index, line) in file.lines.enumerated() {
                guard let term = Self.term(in: line) else { continue }
                found.insert(file.path)
                let isDefinition = Self.definitions.contains(file.path)
                #expect(isDefinition, "\(file.path):\(index + 1) has '\(term)'; see docs/glossary.md")
            }
        }
        #expect(found.isSuperset(of: Self.definitions), "the terms are looked for in the wrong files")
    }

    // MARK: - The rule itself

    @Test(arguments: [
        ("/// Whoever asks.", "whoever"), ("\"it is told (by \\(name))\"", "told"), ("a so-called file", "so called"),
        ("What is kept aside, and not sent", "kept aside"),
    ])
    func aTermIsFound(line: String, term: String) { #expect(Self.term(in: line[...]) == term) }

    @Test(arguments: ["intelligent", "let toldThem = 1", "as told_by_it", "He has kept it.", "tellurium, wishlist"])
    func otherTextsHaveNone(line: String) { #expect(Self.term(in: line[...]) == nil) }

    /// The first of the list, in capitals or small letters, that is no part of a longer word or of a name in code.
    private static func term(in line: Substring) -> String? {
        // Few lines have even the letters of one, and without optimization each of the rest takes long.
        let text = line.lowercased()
        guard text.holds(anyOf: beginnings) else { return nil }
        let spaced = " " + text.split { !$0.isLetter && $0 != "_" }.joined(separator: " ") + " "
        return terms.first { spaced.holds(anyOf: [" \($0) "]) }
    }

    private static let beginnings = [
        "told", "tell", "wish", "patience", "anew", "whoever", "aside", "called", "to do with",
    ]

    private static func files() throws -> [SourceTree.File] {
        let files = try folders.flatMap { folder in
            try kinds.flatMap { try SourceTree.files(in: folder, withExtension: $0, mayBeNone: true) }
        }
        return try files.filter { $0.text.lowercased().holds(anyOf: beginnings) }
            + pages.map { SourceTree.File(path: $0, text: try SourceTree.text(of: $0)) }
    }
}
