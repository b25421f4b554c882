import DocumentQuery

/// How texts are compared: ``ASCIICollation`` or ``UnicodeCollation``.
public protocol CollationProtocol: Sendable {}

/// Makes the ways to compare texts.
public enum Collation {
    /// By their bytes.
    public static func ascii() -> ASCIICollation { ASCIICollation() }
    /// By Unicode's rules.
    public static func unicode() -> UnicodeCollation { UnicodeCollation() }
}

/// Compares texts by their bytes.
public struct ASCIICollation: CollationProtocol, Hashable {
    private(set) var ignoresCase = false

    /// Whether the case of the letters A to Z does not matter; it does by default.
    public func ignoreCase(_ ignoreCase: Bool) -> ASCIICollation {
        var copy = self
        copy.ignoresCase = ignoreCase
        return copy
    }
}

/// Compares texts by Unicode's rules.
public struct UnicodeCollation: CollationProtocol, Hashable {
    private(set) var ignoresCase = false
    private(set) var ignoresAccents = false
    private(set) var locale: String?

    /// Whether the case of letters does not matter; it does by default.
    public func ignoreCase(_ ignoreCase: Bool) -> UnicodeCollation {
        var copy = self
        copy.ignoresCase = ignoreCase
        return copy
    }

    /// Whether accents do not matter; they do by default.
    public func ignoreAccents(_ ignoreAccents: Bool) -> UnicodeCollation {
        var copy = self
        copy.ignoresAccents = ignoreAccents
        return copy
    }

    /// The language whose order is taken, such as `sv` or `de_AT`; `nil`, the default, for the one that fits most.
    public func locale(_ locale: String?) -> UnicodeCollation {
        var copy = self
        copy.locale = locale
        return copy
    }
}

extension QueryCollation {
    init(_ collation: any CollationProtocol) throws(QueryError) {
        switch collation {
        case let ascii as ASCIICollation: self.init(ignoresCase: ascii.ignoresCase)
        case let unicode as UnicodeCollation:
            let locale = unicode.locale.map { String($0.map { $0 == "-" ? "_" : $0 }) }
            if let locale, !QueryWriter.isParameter(locale) {
                throw QueryError("There is no language '\(locale)' to compare texts in")
            }
            self.init(
                isUnicode: true, ignoresCase: unicode.ignoresCase, ignoresAccents: unicode.ignoresAccents,
                locale: locale)
        default: throw QueryError("\(type(of: collation)) is no collation of the query builder")
        }
    }
}
