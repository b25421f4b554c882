/// Texts for people, put together from parts that other programs wrote.
package enum Sentences {
    /// Ends that need no full stop.
    private static let ends: [UInt8] = Array(".!?:)".utf8)

    /// A message and its hint, with a full stop between them if the message has no end mark: a gateway's reason often
    /// has none.
    package static func joined(_ message: String, hint: String?) -> String {
        guard let hint, !hint.isEmpty else { return message }
        guard let last = message.utf8.last else { return hint }
        return message + (ends.contains(last) ? " " : ". ") + hint
    }
}
