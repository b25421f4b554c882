extension QueryExpression {
    /// The expressions right inside, in their order.
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

    /// Whether one of them, or what is inside, is such; looked through in a loop.
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
