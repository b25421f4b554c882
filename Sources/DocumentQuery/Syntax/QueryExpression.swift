import DocumentValues

/// An expression of a query, as the text, the JSON form and the query builder make it. Nothing is checked yet:
/// `StatementTranslator` finds out which names are sources or variables, and checks the arguments of functions.
package indirect enum QueryExpression: Sendable {
    /// `MISSING`.
    case missing
    /// A value of JSON; see `array` and `object` for those that contain expressions.
    case literal(JSONValue)
    /// `a.b[0]`: a path in a document, in a source or a column by its alias, or in a variable.
    case property(QueryPath)
    /// `$name`, without the dollar sign.
    case parameter(String)
    /// A variable of ANY or EVERY, with the path in its value.
    case variable(String, QueryPath)
    case array([QueryExpression])
    case object([(key: String, value: QueryExpression)])
    /// The value of a path in another value: `UPPER(s).x`.
    case nested(QueryExpression, QueryPath)
    case unary(UnaryOperator, QueryExpression)
    case binary(BinaryOperator, QueryExpression, QueryExpression)
    case between(QueryExpression, low: QueryExpression, high: QueryExpression, isNegated: Bool)
    /// Whether the value is an element of a list, which is an `array` or any expression with such a value.
    case among(QueryExpression, list: QueryExpression, isNegated: Bool)
    case like(QueryExpression, pattern: QueryExpression, isNegated: Bool)
    /// `IS [NOT] NULL | MISSING | VALUED`.
    case test(QueryExpression, ValueTest, isNegated: Bool)
    case quantified(Quantifier, variable: String, list: QueryExpression, condition: QueryExpression)
    case choice(subject: QueryExpression?, branches: [ChoiceBranch], otherwise: QueryExpression?)
    /// A function that is no aggregate; its name in upper case.
    case call(String, [QueryExpression])
    /// Of no argument: `COUNT(*)`.
    case aggregate(String, [QueryExpression], isDistinct: Bool)
    /// `META(alias).key`; without a key the object of all keys.
    case meta(alias: String?, key: String?)
    /// `*` or `alias.*`: the whole document.
    case all(alias: String?)
    case collated(QueryCollation, QueryExpression)
    /// `MATCH(index, text)`; the name of the index may follow an alias.
    case match(index: QueryPath, text: QueryExpression)
    case rank(index: QueryPath)
    /// `EXISTS (SELECT …)`.
    case exists(SelectStatement)
}

package struct ChoiceBranch: Sendable {
    package let condition: QueryExpression
    package let result: QueryExpression

    package init(condition: QueryExpression, result: QueryExpression) {
        self.condition = condition
        self.result = result
    }
}

package enum UnaryOperator: String, Sendable, Hashable {
    case negate = "-"
    case not = "NOT"
}

package enum BinaryOperator: String, Sendable, Hashable {
    case multiply = "*"
    case divide = "/"
    case modulo = "%"
    case add = "+"
    case subtract = "-"
    case concatenate = "||"
    case equal = "="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case same = "IS"
    case notSame = "IS NOT"
    case and = "AND"
    case or = "OR"

    package var isComparison: Bool {
        switch self {
        case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual, .same, .notSame: true
        case .multiply, .divide, .modulo, .add, .subtract, .concatenate, .and, .or: false
        }
    }
}

package enum ValueTest: String, Sendable, Hashable {
    case null = "NULL"
    case missing = "MISSING"
    case valued = "VALUED"
}

package enum Quantifier: String, Sendable, Hashable {
    case any = "ANY"
    case every = "EVERY"
    case anyAndEvery = "ANY AND EVERY"
}

/// How texts are compared.
package struct QueryCollation: Sendable, Hashable {
    package var isUnicode: Bool
    package var ignoresCase: Bool
    package var ignoresAccents: Bool
    /// `sv`; only where the collation is Unicode's.
    package var locale: String?

    package init(
        isUnicode: Bool = false, ignoresCase: Bool = false, ignoresAccents: Bool = false, locale: String? = nil
    ) {
        self.isUnicode = isUnicode
        self.ignoresCase = ignoresCase
        self.ignoresAccents = ignoresAccents
        self.locale = locale
    }
}
