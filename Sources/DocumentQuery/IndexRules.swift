/// The rules by which an index gets keys and words from a document.
package enum IndexRules {
    /// Raise it with each change of the result of a function or operator, of a limit at which one fails, or of the words of a
    /// text: stems, stopwords, or how letters are folded. Indexes that were made under other rules are made again.
    static let version = 3

    /// The rules of this program, with those of the Swift runtime, which decides which letters belong together.
    package static var current: String { "\(version) \(letters)" }

    /// Which versions of Unicode the runtime's tables know, seen by letters that came with each: `15.1 16.0 -`.
    private static var letters: String {
        let probes: [Unicode.Scalar] = ["\u{2FFC}", "\u{1C89}", "\u{A7CE}"]
        return probes.map { scalar in scalar.properties.age.map { "\($0.major).\($0.minor)" } ?? "-" }
            .joined(separator: " ")
    }
}
