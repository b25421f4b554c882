import Testing

/// A comment names the user, process, revision or file that it is about. With "what is sent" or "somebody" a reader has
/// to look it up in the code. docs/glossary.md says what to write instead.
@Suite struct CommentWordTests {
    private static let vagueTerms: [String] =
        ["somebody", "anybody", "nobody", "everybody", "meanwhile", "merely", "for who", "lies there"]
        + followers.map { "what \($0)" }
    /// After "what"; with any of them a noun says more.
    private static let followers = [
        "is", "was", "are", "were", "has", "had", "have", "it", "they", "comes", "came", "goes", "went", "does", "did",
        "remains",
    ]

    private static let folders = ["Sources", "Models", "Migrations", "Benchmarks"]

    @Test func commentsNameTheirSubjects() throws {
        for file in try Self.folders.flatMap({ try SourceTree.files(in: $0) }) {
            let term = Self.vagueTerm(in: file.text)
            #expect(term == nil, "a comment of \(file.path) has '\(term ?? "")'; see docs/glossary.md")
        }
    }

    // MARK: - The rule itself

    @Test(arguments: [
        ("/// What is sent.", "what is"), ("    // Waits for\n    // somebody.", "somebody"),
        ("/// Keeps what\n/// it reads.", "what it"), ("let a = 1\n// (Nobody reads it.)", "nobody"),
    ])
    func aVagueTermIsFound(text: String, term: String) { #expect(Self.vagueTerm(in: text) == term) }

    @Test(arguments: [
        "// Names the file, and what to do.", "// A somewhat isolated case.", "// `endWatchingForNobody` is code.",
        "let nobody = 1", "print(\"what is sent\")",
    ])
    func otherTextsHaveNone(text: String) { #expect(Self.vagueTerm(in: text) == nil) }

    /// The first of the list that is in a comment with a line of its own.
    private static func vagueTerm(in text: String) -> String? {
        let comments = comments(of: text)
        // Few files have even the letters of one, and without optimization each of the rest takes long.
        guard comments.holds(anyOf: vagueTerms) else { return nil }
        let spaced = " " + comments.split { !$0.isLetter }.joined(separator: " ") + " "
        return vagueTerms.first { spaced.holds(anyOf: [" \($0) "]) }
    }

    /// In lower case and without line ends, since a term may go on in the next line.
    private static func comments(of text: String) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("//") }
            .map { String($0.drop { $0 == "/" || $0 == " " }) }.joined(separator: " ").lowercased()
    }
}
