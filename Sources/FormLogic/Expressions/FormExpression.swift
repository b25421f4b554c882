import DocumentValues

/// The syntax tree of an expression. Chains of one level of operators are flat, so that its depth is that of brackets.
package indirect enum FormExpression: Sendable {
    case text(String)
    case number(Double)
    case negated(FormExpression)
    /// `a or b or c`, `a and b`.
    case logical(LogicalOperator, [FormExpression])
    /// `a - b + c`: from the left, each operator with its right side.
    case chain(FormExpression, [ChainLink])
    case union([FormExpression])
    case call(FunctionCall)
    case path(PathExpression)

    package enum LogicalOperator: Sendable, Hashable { case or, and }

    package enum Operator: String, Sendable, Hashable, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "div"
        case modulo = "mod"
    }

    package struct ChainLink: Sendable {
        package let `operator`: Operator
        package let right: FormExpression
    }
}

package struct FunctionCall: Sendable {
    package let function: FormFunction
    package var arguments: [FormExpression]
    /// The scalar of the text at which it begins, counted from 0.
    package let position: Int
}

/// `/data/person[1]/page`, `../page`, the items of `instance('town')` by a predicate, `${page}`.
package struct PathExpression: Sendable {
    package enum Start: Sendable {
        /// The record, above its root.
        case record
        /// The node for which the expression is evaluated.
        case context
        /// The nodes of another expression, of which predicates keep some.
        case filter(FormExpression, predicates: [FormExpression])
        /// `${name}`, before it was resolved.
        case reference(Reference)
    }

    package var start: Start
    package var steps: [PathStep]
    /// The scalar of the text at which it begins, counted from 0.
    package let position: Int
}

package struct PathStep: Sendable {
    package enum Axis: Sendable, Hashable { case child, own, parent, attribute }

    package enum Test: Sendable, Hashable {
        case name(Name)
        case any
    }

    package let axis: Axis
    package let test: Test
    package var predicates: [FormExpression]

    package init(axis: Axis = .child, test: Test, predicates: [FormExpression] = []) {
        self.axis = axis
        self.test = test
        self.predicates = predicates
    }

    static let parent = PathStep(axis: .parent, test: .any)

    package static func child(_ name: Name) -> PathStep { PathStep(test: .name(name)) }
}

/// `${name}` or `${last-saved#name}`.
package struct Reference: Sendable, Hashable {
    package let name: Name
    package let isLastSaved: Bool
    /// The scalar of the text at which it begins, counted from 0.
    package let position: Int
    /// Predicates around it.
    package let predicateDepth: Int
}
