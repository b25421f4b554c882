import DocumentValues

/// Replaces each `${name}` of an expression by a path, as seen from the node that owns the expression.
package struct ReferenceResolver {
    /// How references are written.
    private enum Style { case relative, absolute }

    private let outline: FormOutline
    private let owner: FormOutline.ID
    private let instances: Set<Name>
    private let suggests: Bool

    /// - Parameters:
    ///   - owner: the node that has the expression; the root for the form's own expressions.
    ///   - instances: the lists and files that the form has.
    ///   - suggests: whether an unknown name gets the nearest known one beside it, which compares it with all.
    package init(
        outline: FormOutline, owner: FormOutline.ID, instances: Set<Name>, suggests: Bool = true
    ) {
        self.outline = outline
        self.owner = owner
        self.instances = instances
        self.suggests = suggests
    }

    /// The instance of the record that was last finalised, or left as a draft.
    package static let lastSaved: Name = "__last-saved"

    /// - Throws: `ExpressionError` for a name that no question has or several have, an unknown list, and a path that a
    ///   function cannot use.
    package func resolve(_ expression: FormExpression) throws(ExpressionError) -> FormExpression {
        try resolve(expression, style: .relative)
    }

    private func resolve(_ expression: FormExpression, style: Style) throws(ExpressionError) -> FormExpression {
        switch expression {
        case .text, .number: expression
        case .negated(let inner): .negated(try resolve(inner, style: style))
        case .logical(let logical, let sides): .logical(logical, try all(sides, style: style))
        case .union(let paths): .union(try all(paths, style: style))
        case .chain(let first, let links): try chain(first, links: links, style: style)
        case .call(let call): .call(try self.call(call, style: style))
        case .path(let path): .path(try self.path(path, style: style))
        }
    }

    private func all(_ expressions: [FormExpression], style: Style) throws(ExpressionError) -> [FormExpression] {
        var resolved: [FormExpression] = []
        for expression in expressions { resolved.append(try resolve(expression, style: style)) }
        return resolved
    }

    private func chain(
        _ first: FormExpression, links: [FormExpression.ChainLink], style: Style
    ) throws(ExpressionError) -> FormExpression {
        var resolved: [FormExpression.ChainLink] = []
        for link in links {
            resolved.append(.init(operator: link.operator, right: try resolve(link.right, style: style)))
        }
        return .chain(try resolve(first, style: style), resolved)
    }

    // MARK: Calls

    private func call(_ call: FunctionCall, style: Style) throws(ExpressionError) -> FunctionCall {
        var call = call
        switch call.function {
        case .instance: try checkInstance(call)
        case .choiceName: call.arguments[1] = try quotedPath(call.arguments[1], of: call)
        default: break
        }
        for index in call.arguments.indices {
            let isAbsolute =
                call.function == .choiceName && index == 1
                || call.function == .indexedRepeat && FormFunction.indexedRepeat.nodeArguments.contains(index)
            call.arguments[index] = try resolve(call.arguments[index], style: isAbsolute ? .absolute : style)
        }
        if call.function == .indexedRepeat { try checkIndexedRepeat(call) }
        return call
    }

    private func checkInstance(_ call: FunctionCall) throws(ExpressionError) {
        guard case .text(let name) = call.arguments[0], !instances.contains(Name(name)), Name(name) != Self.lastSaved
        else { return }
        throw ExpressionError(
            .unknownList, message: "no list or file is called '\(name)'",
            hint: suggests ? NearName.hint(name, among: instances.map(\.text).sorted()) : nil, position: call.position)
    }

    /// The path that a text in quotation marks has, or one without them.
    private func quotedPath(_ argument: FormExpression, of call: FunctionCall) throws(ExpressionError) -> FormExpression
    {
        guard case .text(let text) = argument else {
            guard case .path = argument else { throw choiceNameError(call) }
            return argument
        }
        do throws(ExpressionError) {
            guard case .path(let path) = try ExpressionParser.parse(text) else { throw choiceNameError(call) }
            return .path(path)
        } catch {
            throw error.code == .syntax ? choiceNameError(call) : error
        }
    }

    private func choiceNameError(_ call: FunctionCall) -> ExpressionError {
        ExpressionError(
            .pathNeeded, message: "argument 2 of 'jr:choice-name' must be a question in quotation marks: '${name}'",
            position: call.position)
    }

    private func checkIndexedRepeat(_ call: FunctionCall) throws(ExpressionError) {
        let paths = StaticPath(outline: outline, owner: owner)
        guard let question = paths.target(of: call.arguments[0]) else {
            throw indexError(call, message: "argument 1 of 'indexed-repeat' must be a question")
        }
        for index in FormFunction.indexedRepeat.nodeArguments.dropFirst() where index < call.arguments.count {
            guard let found = paths.target(of: call.arguments[index]), outline[found].isRepeat,
                outline.isInside(question, of: found), question != found
            else {
                throw indexError(
                    call, message: "argument \(index + 1) of 'indexed-repeat' must be a repeat around the question")
            }
        }
    }

    private func indexError(_ call: FunctionCall, message: String) -> ExpressionError {
        ExpressionError(.pathNeeded, message: message, position: call.position)
    }

    // MARK: Paths

    private func path(_ path: PathExpression, style: Style) throws(ExpressionError) -> PathExpression {
        var steps: [PathStep] = []
        for step in path.steps {
            steps.append(
                PathStep(axis: step.axis, test: step.test, predicates: try all(step.predicates, style: .relative)))
        }
        switch path.start {
        case .record, .context: return PathExpression(start: path.start, steps: steps, position: path.position)
        case .filter(let inner, let predicates):
            let start = PathExpression.Start.filter(
                try resolve(inner, style: style), predicates: try all(predicates, style: .relative))
            return PathExpression(start: start, steps: steps, position: path.position)
        case .reference(let reference):
            return joined(try target(of: reference, style: style), steps: steps)
        }
    }

    /// Predicates directly behind a reference become those of the last step of its path.
    private func joined(_ target: PathExpression, steps: [PathStep]) -> PathExpression {
        var path = target
        var rest = steps[...]
        if let first = rest.first, first.axis == .own, !first.predicates.isEmpty, let last = path.steps.indices.last,
            path.steps[last].predicates.isEmpty
        {
            path.steps[last].predicates = first.predicates
            rest = rest.dropFirst()
        }
        path.steps += rest
        return path
    }

    private func target(of reference: Reference, style: Style) throws(ExpressionError) -> PathExpression {
        let found = try node(of: reference)
        let position = reference.position
        if reference.isLastSaved {
            let call = FunctionCall(
                function: .instance, arguments: [.text(Self.lastSaved.text)], position: position)
            return PathExpression(
                start: .filter(.call(call), predicates: []), steps: outline.path(of: found).map { .child($0) },
                position: position)
        }
        if case .relative = style, let common = commonRepeat(with: found) {
            let up = outline[owner].depth - outline[common].depth
            let down = outline.path(of: found).dropFirst(outline[common].depth + 1)
            let steps = Array(repeating: PathStep.parent, count: up) + down.map { .child($0) }
            guard reference.predicateDepth > 0 else {
                return PathExpression(start: .context, steps: steps, position: position)
            }
            let current = FunctionCall(function: .current, arguments: [], position: position)
            return PathExpression(start: .filter(.call(current), predicates: []), steps: steps, position: position)
        }
        return PathExpression(
            start: .record, steps: outline.path(of: found).map { .child($0) }, position: position)
    }

    private func node(of reference: Reference) throws(ExpressionError) -> FormOutline.ID {
        let found = outline.nodes(named: reference.name)
        guard let first = found.first else {
            throw ExpressionError(
                .unknownName, message: "no question is called '\(reference.name)'",
                hint: suggests ? NearName.hint(reference.name.text, among: outline.names.map(\.text)) : nil,
                position: reference.position)
        }
        guard found.count == 1 else {
            throw ExpressionError(
                .ambiguousName,
                message: "\(found.count) questions are called '\(reference.name)'; give each a name of its own",
                position: reference.position)
        }
        return first
    }

    /// The innermost repeat around both the owner and the node, which is neither of them.
    private func commonRepeat(with node: FormOutline.ID) -> FormOutline.ID? {
        var candidate = outline[owner].enclosingRepeat
        while let present = candidate {
            if present != node, outline.isInside(node, of: present) { return present }
            candidate = outline[present].enclosingRepeat
        }
        return nil
    }
}
