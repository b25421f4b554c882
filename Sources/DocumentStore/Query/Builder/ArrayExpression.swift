import DocumentQuery
import DocumentValues

/// Tests of an array's elements:
/// `ArrayExpression.any(ArrayExpression.variable("tag")).in(Expression.property("tags")).satisfies(…)`.
public enum ArrayExpression {
    /// The name of each element; with a path, `visit.date`, a value in it.
    public static func variable(_ name: String) -> any VariableExpressionProtocol { BuiltExpression.property(name) }

    /// Whether one of the elements, or more, satisfies.
    public static func any(_ variable: any VariableExpressionProtocol) -> any ArrayExpressionIn {
        BuiltQuantifier(quantifier: .any, variable: variable, list: nil)
    }

    /// Whether all elements satisfy, also where there is none.
    public static func every(_ variable: any VariableExpressionProtocol) -> any ArrayExpressionIn {
        BuiltQuantifier(quantifier: .every, variable: variable, list: nil)
    }

    /// Whether there are elements and all satisfy.
    public static func anyAndEvery(_ variable: any VariableExpressionProtocol) -> any ArrayExpressionIn {
        BuiltQuantifier(quantifier: .anyAndEvery, variable: variable, list: nil)
    }
}

/// The second part of an ``ArrayExpression``.
public protocol ArrayExpressionIn: Sendable {
    /// The array.
    func `in`(_ expression: any ExpressionProtocol) -> any ArrayExpressionSatisfies
}

/// The last part of an ``ArrayExpression``.
public protocol ArrayExpressionSatisfies: Sendable {
    /// The test, in which the variable is the element.
    func satisfies(_ expression: any ExpressionProtocol) -> any ExpressionProtocol
}

private struct BuiltQuantifier: ArrayExpressionIn, ArrayExpressionSatisfies {
    let quantifier: Quantifier
    let variable: any VariableExpressionProtocol
    let list: (any ExpressionProtocol)?

    func `in`(_ expression: any ExpressionProtocol) -> any ArrayExpressionSatisfies {
        BuiltQuantifier(quantifier: quantifier, variable: variable, list: expression)
    }

    func satisfies(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        guard let list else { return BuiltExpression(problem: QueryError("An array expression without an array")) }
        return BuiltExpression([variable, list, expression]) { (parts) throws(QueryError) in
            guard case .property(let path) = parts[0], path.steps.count == 1, let name = path.firstKey else {
                throw QueryError("The variable of an array expression is a name alone")
            }
            return .quantified(quantifier, variable: name, list: parts[1], condition: parts[2])
        }
    }
}
