/// The range of all texts that fit a pattern of LIKE, from its beginning up to the first wildcard.
struct LikeRange {
    let first: String
    /// The first text behind the range.
    let end: String

    /// `nil` for a pattern that begins with a wildcard, or like a number: numbers are matched as texts.
    init?(_ pattern: String) {
        let scalars = Array(pattern.unicodeScalars.prefix { $0 != "%" && $0 != "_" && $0 != "\\" })
        guard let start = scalars.first, start.properties.isAlphabetic, let last = scalars.last,
            let next = Self.next(last)
        else { return nil }
        first = Self.text(scalars)
        end = Self.text(scalars.dropLast() + [next])
    }

    /// The order of bytes is that of code points; surrogates, which no text has, are skipped.
    private static func next(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        scalar.value == 0xD7FF ? "\u{E000}" : Unicode.Scalar(scalar.value + 1)
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
