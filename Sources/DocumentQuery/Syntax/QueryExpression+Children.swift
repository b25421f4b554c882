import DocumentValues

extension QueryExpression {
    /// The direct subexpressions, in their order.
    package var children: [QueryExpression] {
        switch self {
        case .missing, .literal, .property, .parameter, .variable, .meta, .all, .rank, .exists: []
        case .array(let elements): elements
        case .object(let members): members.map(\.value)
        case .nested(let inner, _), .unary(_, let inner), .test(let inner, _, _), .collated(_, let inner): [inner]
        case .match(_, let text): [text]
        case .binary(_, let left, let right): [left, right]
        case .between(let value, let low, let high, _): [value, low, high]
        case .among(let value, let list, _): [value, list]
        case .like(let value, let pattern, _): [value, pattern]
        case .quantified(_, _, let list, let condition): [list, condition]
        case .choice(let subject, let branches, let otherwise):
            [subject, otherwise].compactMap { $0 } + branches.flatMap { [$0.condition, $0.result] }
        case .call(_, let arguments), .aggregate(_, let arguments, _): arguments
        }
    }

    /// Whether this expression, or one inside, is such; a loop, not recursion.
    package func contains(_ isWanted: (QueryExpression) -> Bool) -> Bool {
        var rest = [self]
        while let next = rest.popLast() {
            if isWanted(next) { return true }
            rest += next.children
        }
        return false
    }
}

extension SelectStatement {
    /// All expressions of the statement.
    package var expressions: [QueryExpression] {
        columns.map(\.expression) + sources.compactMap(\.condition)
            + [condition, groupCondition, limit, offset]
            .compactMap { $0 } + grouping + order.map(\.expression)
    }
}

extension QueryExpression {
    /// Whether it may fail because of a document's content: a regular expression takes too long for a text, or a sum is
    /// too large, or an array of all values of a group.
    package var mayFail: Bool {
        contains { part in
            switch part {
            case .call(let name, _): FunctionCatalog.mayFail(name)
            case .aggregate(let name, _, _): name == "SUM" || name == "ARRAY_AGG"
            case .like(_, pattern: .literal(.string(let pattern)), isNegated: _): pattern.isLongBetweenWildcards
            case .like: true
            case .exists(let statement): statement.mayFail
            default: false
            }
        }
    }
}

extension SelectStatement {
    package var mayFail: Bool { expressions.contains(where: \.mayFail) }
}

extension String {
    /// Whether LIKE may have to compare so many letters again that it gives up.
    fileprivate var isLongBetweenWildcards: Bool {
        unicodeScalars.split(separator: "%").contains { $0.count > QueryLimits.likeStepsBack }
    }
}
