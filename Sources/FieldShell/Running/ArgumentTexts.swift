import DocumentValues

/// The arguments of a program as texts. Read as they are by `CommandLine`, bytes that are no UTF-8 become other characters
/// without a word: a name, an expression or an answer would be another one.
public enum ArgumentTexts {
    /// - Parameter arguments: the bytes of each.
    /// - Throws: `UsageError` with the first that is no text.
    public static func read(_ arguments: [[UInt8]]) throws(UsageError) -> [String] {
        var texts: [String] = []
        for (index, bytes) in arguments.enumerated() {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self).printableLine.shortened(toScalars: 60)
                throw UsageError(
                    "Argument \(index + 1) is no text in UTF-8: \(shown)", hint: "Use a terminal and files in UTF-8.")
            }
            texts.append(text)
        }
        return texts
    }
}
