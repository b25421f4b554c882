/// The definition of an index: ``ValueIndexConfiguration``, ``ArrayIndexConfiguration`` or
/// ``FullTextIndexConfiguration``.
public protocol IndexConfiguration: Sendable {}

/// An index of values, for queries that compare, sort or group by them.
public struct ValueIndexConfiguration: IndexConfiguration, Hashable {
    /// Expressions in SQL++, such as `name` or `LOWER(address.city)`, in the order of their importance. A query uses as many
    /// of them, from the first on, as it has conditions for.
    public var expressions: [String]
    /// Which documents are in the index, `nil` for all; a query uses it where it has the same condition.
    public var `where`: String?

    /// An index of some expressions, for the documents that a condition fits; for all without one.
    public init(_ expressions: [String], where: String? = nil) {
        self.expressions = expressions
        self.where = `where`
    }
}

/// An index of the elements of arrays, for queries that UNNEST them and compare their values.
public struct ArrayIndexConfiguration: IndexConfiguration, Hashable {
    /// Where the array is: `tags`, or with `[]` behind all arrays but the last `visits[].findings`.
    public var path: String
    /// Expressions in SQL++ of an element, such as `severity`; `nil` for the element itself.
    public var expressions: [String]?

    /// An index of the elements at a path, or of expressions of each.
    public init(path: String, expressions: [String]? = nil) {
        self.path = path
        self.expressions = expressions
    }
}

/// An index of the words in texts, for `MATCH(index, 'words')`.
public struct FullTextIndexConfiguration: IndexConfiguration, Hashable {
    /// `é` is not found by `e`.
    public static let defaultIgnoreAccents = false

    /// Properties, such as `title` or `notes.text`. Texts are indexed, numbers, and all of them in arrays.
    public var expressions: [String]
    /// Which documents are in the index, `nil` for all.
    public var `where`: String?
    /// Whether `é` is found by `e`; it is not by default.
    public var ignoreAccents: Bool
    /// The language of the texts, whose inflections are then found, too, and whose commonest words are left out: `da`, `de`,
    /// `en`, `es`, `fr`, `it`, `no`, `pt`, `sv` or their English names in small letters. `nil`, the default: as they are. Any
    /// other is refused when the index is made.
    public var language: String?

    /// An index of the words in some properties.
    public init(
        _ expressions: [String], where: String? = nil, ignoreAccents: Bool? = defaultIgnoreAccents,
        language: String? = nil
    ) {
        self.expressions = expressions
        self.where = `where`
        self.ignoreAccents = ignoreAccents ?? Self.defaultIgnoreAccents
        self.language = language
    }
}
