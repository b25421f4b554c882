/// The texts between which everything lies that fits a pattern of LIKE: what it begins with, up to its first wildcard.
struct LikeRange {
    let first: String
    /// The first that comes behind.
    let end: String

    /// `nil` for a pattern that begins with a wildcard, or with what a number may begin with: numbers are matched as texts.
    init?(_ pattern: String) {
        let scalars = Array(pattern.unicodeScalars.prefix { $0 != "%" && $0 != "_" && $0 != "\\" })
        guard let start = scalars.first, start.properties.isAlphabetic, let last = scalars.last,
            let next = Self.next(last)
        else { return nil }
        first = Self.text(scalars)
        end = Self.text(scalars.dropLast() + [next])
    }

    /// The order of bytes is that of code points; between two of them are those that no text has.
    private static func next(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        scalar.value == 0xD7FF ? "\u{E000}" : Unicode.Scalar(scalar.value + 1)
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
