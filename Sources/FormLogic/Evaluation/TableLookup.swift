import DocumentValues

/// A predicate that compares a column with a value that is the same for all candidates.
struct TableLookup {
    let column: Name
    let value: FormExpression

    /// `nil` for another predicate.
    init?(_ predicate: FormExpression) {
        guard case .chain(let left, let links) = predicate, links.count == 1, links[0].operator == .equal else {
            return nil
        }
        if let column = Self.column(left), Self.isConstant(links[0].right) {
            (self.column, value) = (column, links[0].right)
        } else if let column = Self.column(links[0].right), Self.isConstant(left) {
            (self.column, value) = (column, left)
        } else {
            return nil
        }
    }

    private static func column(_ expression: FormExpression) -> Name? {
        guard case .path(let path) = expression, case .context = path.start, path.steps.count == 1,
            path.steps[0].axis == .child, path.steps[0].predicates.isEmpty, case .name(let name) = path.steps[0].test
        else { return nil }
        return name
    }

    /// Whether it has the same value whatever the candidate is. Predicates in it are about other candidates.
    private static func isConstant(_ expression: FormExpression) -> Bool {
        switch expression {
        case .text, .number: true
        case .negated(let inner): isConstant(inner)
        case .logical(_, let sides), .union(let sides): sides.allSatisfy { isConstant($0) }
        case .chain(let first, let links): isConstant(first) && links.allSatisfy { isConstant($0.right) }
        case .call(let call): isConstant(call)
        case .path(let path):
            switch path.start {
            case .record: true
            case .context, .reference: false
            case .filter(let inner, _): isConstant(inner)
            }
        }
    }

    private static func isConstant(_ call: FunctionCall) -> Bool {
        switch call.function {
        case .position, .stringLength, .normalizeSpace:
            !call.arguments.isEmpty && call.arguments.allSatisfy { isConstant($0) }
        case .last, .once, .random, .uuid, .randomize: false
        default: call.arguments.allSatisfy { isConstant($0) }
        }
    }
}
