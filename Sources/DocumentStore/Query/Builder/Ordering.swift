import DocumentQuery

/// A sort key of rows.
public protocol OrderingProtocol: Sendable {}

/// A sort key of rows with a direction; from the least to the greatest by default.
public protocol SortOrder: OrderingProtocol {
    /// From the least to the greatest: MISSING, numbers and booleans, texts, null, arrays, objects.
    func ascending() -> any OrderingProtocol
    /// From the greatest to the least.
    func descending() -> any OrderingProtocol
}

/// Makes the sort keys of ``QueryBuilder``.
public enum Ordering {
    /// Sorts by a property.
    public static func property(_ property: String) -> any SortOrder {
        BuiltOrdering(expression: .property(property), isDescending: false)
    }

    /// Sorts by any expression.
    public static func expression(_ expression: any ExpressionProtocol) -> any SortOrder {
        BuiltOrdering(expression: BuiltExpression(expression), isDescending: false)
    }
}

/// A sort key as the builder carries it.
struct BuiltOrdering: SortOrder {
    let expression: BuiltExpression
    let isDescending: Bool

    func ascending() -> any OrderingProtocol { BuiltOrdering(expression: expression, isDescending: false) }
    func descending() -> any OrderingProtocol { BuiltOrdering(expression: expression, isDescending: true) }

    var term: OrderTerm { OrderTerm(expression.syntax, isDescending: isDescending) }
}
