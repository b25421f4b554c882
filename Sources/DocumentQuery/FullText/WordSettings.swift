/// How the words of a full-text index are made of those of a text.
package struct WordSettings: Sendable, Hashable {
    package let language: SearchLanguage?
    package let ignoresAccents: Bool

    /// - Parameter language: `en` or `english`; an unknown one means none.
    package init(language: String?, ignoresAccents: Bool) {
        self.language = language.flatMap { SearchLanguage(name: $0) }
        self.ignoresAccents = ignoresAccents
    }

    /// `en 1`; `none` where there is no language.
    package var text: String { "\(language?.rawValue ?? "none") \(ignoresAccents ? 1 : 0)" }

    /// Parses the form of `text`.
    package init(text: String) {
        let parts = text.split(separator: " ").map(String.init)
        self.init(language: parts.first, ignoresAccents: parts.last == "1")
    }

    /// The word as it is in the index; `nil` for a word that is in none.
    ///
    /// - Parameter composed: brings a word that is not all ASCII into one form, without accents if the second argument
    ///   says so.
    package func indexed(
        _ word: UnsafeBufferPointer<UInt8>, composed: (String, Bool) -> String
    ) -> [UInt8]? {
        let isASCII = word.allSatisfy { $0 < 0x80 }
        let folded =
            isASCII ? Self.lowercased(word) : Self.folded(word, ignoresAccents: ignoresAccents, composed: composed)
        guard let language else { return folded }
        guard !Stopwords.contains(folded, of: language) else { return nil }
        let letters =
            isASCII
            ? folded.map { Unicode.Scalar($0) } : Array(String(decoding: folded, as: UTF8.self).unicodeScalars)
        let stem = Array(String(language.stem(letters)).utf8)
        // A word that consists of an ending is kept as it is.
        return stem.isEmpty ? folded : stem
    }

    private static func lowercased(_ word: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        word.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }

    private static func folded(
        _ word: UnsafeBufferPointer<UInt8>, ignoresAccents: Bool, composed: (String, Bool) -> String
    ) -> [UInt8] {
        let text = composed(String(decoding: word, as: UTF8.self), ignoresAccents)
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            // The two small sigmas are one letter.
            result += scalar == "ς" ? Array("σ".utf8) : Array(scalar.properties.lowercaseMapping.utf8)
        }
        return result
    }
}
