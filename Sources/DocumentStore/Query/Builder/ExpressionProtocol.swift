/// A value of a query that ``QueryBuilder`` makes: the result of ``Expression``, ``Meta``, ``Function`` and the like.
///
/// Types of your own cannot conform: the query fails when it runs.
public protocol ExpressionProtocol: Sendable {}

/// A property of a document, or all of them.
public protocol PropertyExpressionProtocol: ExpressionProtocol {
    /// The same of the source with that alias.
    func from(_ alias: String) -> any ExpressionProtocol
}

/// Metadata of a document, such as its id.
public protocol MetaExpressionProtocol: ExpressionProtocol {
    /// The same of the source with that alias.
    func from(_ alias: String) -> any ExpressionProtocol
}

/// The name of each element of an array in ``ArrayExpression``.
public protocol VariableExpressionProtocol: ExpressionProtocol {}

/// An index by its name.
public protocol IndexExpressionProtocol: Sendable {}

/// A full-text index by its name.
public protocol FullTextIndexExpressionProtocol: IndexExpressionProtocol {
    /// The same of the source with that alias.
    func from(_ alias: String) -> any IndexExpressionProtocol
}
