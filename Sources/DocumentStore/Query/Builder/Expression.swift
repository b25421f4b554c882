import DocumentQuery
import Foundation

/// Makes the expressions of ``QueryBuilder``.
///
/// Foundation has an `Expression`, too: a file that imports both says which one it means with
/// `private typealias Expression = Fieldbook.Expression`.
public enum Expression {
    /// A property by its path: `name`, `address.city`, `tags[0]`.
    public static func property(_ property: String) -> any PropertyExpressionProtocol {
        BuiltExpression.property(property)
    }

    /// All properties: `Function.count(Expression.all())`.
    public static func all() -> any PropertyExpressionProtocol { BuiltExpression(.all(alias: nil)) }

    /// A parameter, whose value is in ``Query/parameters`` when the query runs.
    public static func parameter(_ name: String) -> any ExpressionProtocol {
        guard QueryWriter.isParameter(name) else {
            return BuiltExpression(problem: QueryError("Invalid query parameter name '\(name)'"))
        }
        return BuiltExpression(.parameter(name))
    }

    /// The opposite of a truth.
    public static func not(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression([expression]) { (parts) throws(QueryError) in .unary(.not, parts[0]) }
    }

    /// The opposite of a truth, as ``not(_:)``.
    public static func negated(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { not(expression) }

    /// A full-text index, for ``FullTextFunction``.
    public static func fullTextIndex(_ name: String) -> any FullTextIndexExpressionProtocol {
        BuiltIndexName(name: name, alias: nil)
    }

    // MARK: Values

    /// Anything that a document can hold; in arrays and dictionaries there may be expressions.
    public static func value(_ value: Any?) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A text, or null.
    public static func string(_ value: String?) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A number, or null.
    public static func number(_ value: NSNumber?) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A whole number.
    public static func int(_ value: Int) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A whole number.
    public static func int64(_ value: Int64) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A number.
    public static func float(_ value: Float) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A number.
    public static func double(_ value: Double) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// True or false.
    public static func boolean(_ value: Bool) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A date as its ISO 8601 text, or null.
    public static func date(_ value: Date?) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// A dictionary, in which there may be expressions, or null.
    public static func dictionary(_ value: [String: Any]?) -> any ExpressionProtocol { BuiltExpression.value(value) }

    /// An array, in which there may be expressions, or null.
    public static func array(_ value: [Any]?) -> any ExpressionProtocol { BuiltExpression.value(value) }
}
