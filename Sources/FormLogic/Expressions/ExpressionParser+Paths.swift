import DocumentValues

extension ExpressionParser {
    /// A path, or a value that is none.
    mutating func readPath() throws(ExpressionError) -> FormExpression {
        let position = current.position
        if take(.slash) {
            let steps = beginsStep ? try readSteps() : []
            return .path(PathExpression(start: .record, steps: steps, position: position))
        }
        if beginsStep, !isCall {
            return .path(PathExpression(start: .context, steps: try readSteps(), position: position))
        }
        return try readFilter(at: position)
    }

    /// A value, a call or a reference, perhaps with predicates and further steps.
    private mutating func readFilter(at position: Int) throws(ExpressionError) -> FormExpression {
        if case .reference(let name, let isLastSaved) = current.kind {
            index += 1
            let reference = Reference(
                name: Name(name), isLastSaved: isLastSaved, position: position, predicateDepth: predicateDepth)
            return try readBehindReference(reference)
        }
        let primary = try readPrimary()
        guard isNext(.openPredicate) || isNext(.slash) else { return primary }
        guard primary.isNodes else { throw noPathError(behind: primary) }
        let predicates = try readPredicates()
        let steps = take(.slash) ? try readSteps() : []
        return .path(
            PathExpression(start: .filter(primary, predicates: predicates), steps: steps, position: position))
    }

    /// Predicates behind a reference belong to the last step of the path that it becomes; they are kept in a step that
    /// stays where it is.
    private mutating func readBehindReference(_ reference: Reference) throws(ExpressionError) -> FormExpression {
        let predicates = try readPredicates()
        var steps = predicates.isEmpty ? [] : [PathStep(axis: .own, test: .any, predicates: predicates)]
        if isNext(.slash) {
            if case .number = next.kind { throw divisionError }
            if case .reference = next.kind { throw divisionError }
            index += 1
            steps += try readSteps()
        }
        return .path(PathExpression(start: .reference(reference), steps: steps, position: reference.position))
    }

    private func noPathError(behind primary: FormExpression) -> ExpressionError {
        guard isNext(.slash) else { return error("a predicate belongs behind a path") }
        return divisionError
    }

    private var divisionError: ExpressionError { error("'/' is no division here, write 'div'") }

    // MARK: Steps

    private var beginsStep: Bool {
        switch current.kind {
        case .name, .mark(.dot), .mark(.dots), .mark(.at), .mark(.star): true
        case .number, .text, .reference, .mark, .end: false
        }
    }

    /// Whether the name here is that of a function.
    private var isCall: Bool {
        guard case .name(let name) = current.kind, case .mark(.open) = next.kind else { return false }
        return name != "node"
    }

    private mutating func readSteps() throws(ExpressionError) -> [PathStep] {
        var steps = [try readStep()]
        while take(.slash) { steps.append(try readStep()) }
        return steps
    }

    private mutating func readStep() throws(ExpressionError) -> PathStep {
        if take(.dot) { return PathStep(axis: .own, test: .any) }
        if take(.dots) { return .parent }
        let axis = try readAxis()
        let test = try readTest()
        return PathStep(axis: axis, test: test, predicates: try readPredicates())
    }

    private mutating func readAxis() throws(ExpressionError) -> PathStep.Axis {
        if take(.at) { return .attribute }
        guard case .name(let name) = current.kind, case .mark(.axis) = next.kind else { return .child }
        let axes: KeyValuePairs<String, PathStep.Axis> = [
            "child": .child, "self": .own, "parent": .parent, "attribute": .attribute,
        ]
        guard let axis = axes.first(where: { $0.key == name })?.value else {
            throw error("the axis '\(name)::' is not understood; write the path from /data")
        }
        index += 2
        return axis
    }

    private mutating func readTest() throws(ExpressionError) -> PathStep.Test {
        switch current.kind {
        case .mark(.star):
            index += 1
            return .any
        case .name("node") where isNodeTest:
            index += 1
            try expect(.open, after: "'node'")
            try expect(.close, after: "'node('")
            return .any
        case .name(let name):
            guard case .mark(.open) = next.kind else {
                index += 1
                return .name(Name(name))
            }
            throw error("a function cannot be a step of a path")
        case .number, .reference: throw divisionError
        case .text, .mark, .end: throw error("a name is missing in the path")
        }
    }

    private var isNodeTest: Bool { if case .mark(.open) = next.kind { true } else { false } }

    private mutating func readPredicates() throws(ExpressionError) -> [FormExpression] {
        var predicates: [FormExpression] = []
        while isNext(.openPredicate) {
            guard predicateDepth < FormLimits.predicates else {
                throw ExpressionError(
                    .limit, message: "more than \(FormLimits.predicates) predicates inside each other",
                    position: current.position)
            }
            index += 1
            predicateDepth += 1
            predicates.append(try readExpression())
            predicateDepth -= 1
            try expect(.closePredicate, after: "a predicate")
        }
        return predicates
    }
}
