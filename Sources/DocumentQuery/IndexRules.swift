/// What decides which keys and words an index has of a document.
package enum IndexRules {
    /// To be raised with each change of what a function or operator gives for any values, of a limit at which it fails, or of
    /// the words that any text becomes: of stems, stopwords or how letters are folded. Indexes that were made under other
    /// rules are made again.
    static let version = 2

    /// The rules of this program. Which letters belong together is the Swift runtime's to decide.
    package static var current: String { "\(version) \(letters)" }

    /// Since when the runtime's tables know letters that came with a version of Unicode: `15.1 16.0 -`.
    private static var letters: String {
        let probes: [Unicode.Scalar] = ["\u{2FFC}", "\u{1C89}", "\u{A7CE}"]
        return probes.map { scalar in scalar.properties.age.map { "\($0.major).\($0.minor)" } ?? "-" }
            .joined(separator: " ")
    }
}
