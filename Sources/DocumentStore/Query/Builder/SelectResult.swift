import DocumentQuery
import DocumentValues

/// A column of a query's results.
public protocol SelectResultProtocol: Sendable {}

/// A column that can be given a name.
public protocol SelectResultAs: SelectResultProtocol {
    /// The column with a name; `nil` for the one that it has by itself.
    func `as`(_ alias: String?) -> any SelectResultProtocol
}

/// All properties, of which source can be said.
public protocol SelectResultFrom: SelectResultProtocol {
    /// Of the source with that alias; `nil` for the first one.
    func from(_ alias: String?) -> any SelectResultProtocol
}

/// Makes the columns of ``QueryBuilder``.
public enum SelectResult {
    /// A property by its path; the column has the name of its last part.
    public static func property(_ property: String) -> any SelectResultAs {
        BuiltColumn(expression: .property(property), alias: nil)
    }

    /// Any expression; the column of one that is no property is called `$1`, `$2` … without an alias.
    public static func expression(_ expression: any ExpressionProtocol) -> any SelectResultAs {
        BuiltColumn(expression: BuiltExpression(expression), alias: nil)
    }

    /// The whole document, in a column with the name of its collection or alias.
    public static func all() -> any SelectResultFrom {
        BuiltColumn(expression: BuiltExpression(.all(alias: nil)), alias: nil)
    }
}

/// A column as the builder carries it.
struct BuiltColumn: SelectResultAs, SelectResultFrom {
    let expression: BuiltExpression
    let alias: String?

    func `as`(_ alias: String?) -> any SelectResultProtocol { BuiltColumn(expression: expression, alias: alias) }

    func from(_ alias: String?) -> any SelectResultProtocol {
        BuiltColumn(expression: BuiltExpression(.all(alias: alias)), alias: self.alias)
    }

    /// SQL++ reads a text alone as a property; here it is a text.
    var column: ResultColumn {
        if case .literal(.string) = expression.syntax, alias == nil {
            return ResultColumn(.nested(expression.syntax, QueryPath()))
        }
        return ResultColumn(expression.syntax, alias: alias)
    }
}
