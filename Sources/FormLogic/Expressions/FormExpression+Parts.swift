extension FormExpression {
    /// Calls `body` with this expression and all in it, predicates included.
    package func forEach(_ body: (FormExpression) -> Void) {
        body(self)
        for child in children { child.forEach(body) }
    }

    /// The expressions directly in it.
    package var children: [FormExpression] {
        switch self {
        case .text, .number: []
        case .negated(let inner): [inner]
        case .logical(_, let sides), .union(let sides): sides
        case .chain(let first, let links): [first] + links.map(\.right)
        case .call(let call): call.arguments
        case .path(let path): path.start.children + path.steps.flatMap(\.predicates)
        }
    }
}

extension PathExpression.Start {
    fileprivate var children: [FormExpression] {
        switch self {
        case .record, .context, .reference: []
        case .filter(let inner, let predicates): [inner] + predicates
        }
    }
}
