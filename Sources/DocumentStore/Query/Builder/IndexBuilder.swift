import DocumentQuery

/// An index as ``IndexBuilder`` makes it, for ``Collection/createIndex(_:name:)``.
public protocol Index: Sendable {}

/// Makes indexes of the expressions of ``QueryBuilder``.
public enum IndexBuilder {
    /// An index of values, in the order of their importance.
    public static func valueIndex(items: ValueIndexItem...) -> ValueIndex { valueIndex(items: items) }

    /// An index of values, in the order of their importance.
    public static func valueIndex(items: [ValueIndexItem]) -> ValueIndex { ValueIndex(items: items) }

    /// An index of the words in texts.
    public static func fullTextIndex(items: FullTextIndexItem...) -> FullTextIndex { fullTextIndex(items: items) }

    /// An index of the words in texts.
    public static func fullTextIndex(items: [FullTextIndexItem]) -> FullTextIndex { FullTextIndex(items: items) }
}

/// An expression of a ``ValueIndex``.
public struct ValueIndexItem: Sendable {
    let expression: BuiltExpression

    /// A property by its path.
    public static func property(_ property: String) -> ValueIndexItem {
        ValueIndexItem(expression: .property(property))
    }

    /// Any expression.
    public static func expression(_ expression: any ExpressionProtocol) -> ValueIndexItem {
        ValueIndexItem(expression: BuiltExpression(expression))
    }
}

/// A property of a ``FullTextIndex``.
public struct FullTextIndexItem: Sendable {
    let expression: BuiltExpression

    /// A property by its path.
    public static func property(_ property: String) -> FullTextIndexItem {
        FullTextIndexItem(expression: .property(property))
    }

    /// An expression, which has to be a property.
    public static func expression(_ expression: any ExpressionProtocol) -> FullTextIndexItem {
        FullTextIndexItem(expression: BuiltExpression(expression))
    }
}

/// An index of values.
public struct ValueIndex: Index {
    let items: [ValueIndexItem]
    private(set) var condition: BuiltExpression?

    init(items: [ValueIndexItem]) { self.items = items }

    /// Only of the documents that the condition fits; a query uses the index where it has the same condition.
    public func `where`(_ expression: any ExpressionProtocol) -> ValueIndex {
        var copy = self
        copy.condition = BuiltExpression(expression)
        return copy
    }
}

/// An index of the words in texts.
public struct FullTextIndex: Index {
    let items: [FullTextIndexItem]
    private(set) var ignoresAccents = false
    private(set) var language: String?

    init(items: [FullTextIndexItem]) { self.items = items }

    /// Whether `é` is found by `e`; it is not by default.
    public func ignoreAccents(_ ignoreAccents: Bool) -> FullTextIndex {
        var copy = self
        copy.ignoresAccents = ignoreAccents
        return copy
    }

    /// The language of the texts, `en` or `english`, whose inflections are then found, too; `nil`, the default, for none.
    public func language(_ language: String?) -> FullTextIndex {
        var copy = self
        copy.language = language
        return copy
    }
}

extension BuiltExpression {
    /// The expression in SQL++, as the definition of an index is stored.
    var text: String {
        get throws {
            if let problem { throw StoreError(problem) }
            return QueryWriter.text(syntax)
        }
    }
}
