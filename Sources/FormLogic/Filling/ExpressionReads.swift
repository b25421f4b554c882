import DocumentValues

/// What an expression reads of the record: for which changes it has to be evaluated again.
struct ExpressionReads: Sendable {
    struct Read: Hashable, Sendable {
        let node: FormOutline.ID
        /// The innermost repeat of which the expression reads its own instance only; `nil`: all instances.
        let common: FormOutline.ID?
        /// Whether it reads another instance of a repeat around it, by a predicate. That makes no circle.
        let isLateral: Bool
    }

    /// Nodes whose answers it reads.
    private(set) var values: Set<Read> = []
    /// Nodes below which it reads whatever there is.
    private(set) var subtrees: Set<Read> = []
    /// Repeats whose instances it counts or numbers.
    private(set) var structures: Set<Read> = []

    private let program: FormProgram
    private let owner: FormOutline.ID
    private let paths: StaticPath
    /// Questions whose filters are being followed.
    private var followed: Set<FormOutline.ID> = []

    /// - Parameter isPredicate: whether it is a filter, whose context is a candidate.
    init(_ expression: FormExpression, owner: FormOutline.ID, program: FormProgram, isPredicate: Bool = false) {
        self.program = program
        self.owner = owner
        paths = StaticPath(outline: program.outline, owner: owner)
        read(expression, context: isPredicate ? filterContext : .node(owner), isOwn: !isPredicate)
        if isPredicate { readChoices(of: owner) }
    }

    private var outline: FormOutline { program.outline }

    /// A candidate of a filter is a row, or an instance of the repeat whose answers are the choices.
    private var filterContext: StaticPath.Location {
        guard case .select(_, .answers(let name)) = outline[owner].type, let node = outline.nodes(named: name).first,
            let around = outline[node].enclosingRepeat
        else { return .instance }
        return .node(around)
    }

    // MARK: Expressions

    /// - Parameter isOwn: whether the context is the node that has the expression.
    private mutating func read(_ expression: FormExpression, context: StaticPath.Location, isOwn: Bool) {
        switch expression {
        case .text, .number: break
        case .path(let path): read(path, context: context, isOwn: isOwn)
        case .call(let call): read(call, context: context, isOwn: isOwn)
        case .negated, .logical, .chain, .union:
            for child in expression.children { read(child, context: context, isOwn: isOwn) }
        }
    }

    private mutating func read(_ call: FunctionCall, context: StaticPath.Location, isOwn: Bool) {
        switch call.function {
        case .indexedRepeat: readIndexed(call)
        case .choiceName:
            if let question = paths.target(of: call.arguments[1]) { readChoices(of: question) }
        default: break
        }
        for argument in call.arguments { read(argument, context: context, isOwn: isOwn) }
    }

    /// Instances by their numbers: any of them.
    private mutating func readIndexed(_ call: FunctionCall) {
        guard let question = paths.target(of: call.arguments[0]) else { return }
        var isLateral = false
        for id in outline.ancestry(of: question) where outline[id].isRepeat {
            structures.insert(Read(node: id, common: nil, isLateral: false))
            if outline.isInside(owner, of: id) { isLateral = true }
        }
        values.insert(Read(node: question, common: nil, isLateral: isLateral))
    }

    /// The choices of a question depend on its filter, or on the answers that are its choices.
    private mutating func readChoices(of question: FormOutline.ID) {
        guard followed.insert(question).inserted, followed.count <= FormLimits.predicates else { return }
        if case .select(_, .answers(let name)) = outline[question].type, let node = outline.nodes(named: name).first {
            values.insert(Read(node: node, common: nil, isLateral: false))
            for id in outline.ancestry(of: node) where outline[id].isRepeat {
                structures.insert(Read(node: id, common: nil, isLateral: false))
            }
        }
        guard question != owner, let filter = program.rules[question].choiceFilter else { return }
        let reads = ExpressionReads(filter, owner: question, program: program, isPredicate: true)
        for read in reads.values { values.insert(Read(node: read.node, common: nil, isLateral: false)) }
        for read in reads.subtrees { subtrees.insert(Read(node: read.node, common: nil, isLateral: false)) }
        for read in reads.structures { structures.insert(Read(node: read.node, common: nil, isLateral: false)) }
    }

    // MARK: Paths

    private mutating func read(_ path: PathExpression, context: StaticPath.Location, isOwn: Bool) {
        if case .filter(let inner, let predicates) = path.start {
            read(inner, context: context, isOwn: isOwn)
            let start = paths.location(of: PathExpression(start: path.start, steps: [], position: 0), context: context)
            for predicate in predicates { read(predicate, context: start[0], isOwn: false) }
        }
        let locations = paths.location(of: path, context: context)
        for (step, location) in zip(path.steps, locations.dropFirst()) {
            for predicate in step.predicates { read(predicate, context: location, isOwn: false) }
        }
        let sharing = Sharing(path: path, locations: locations, owner: owner, isOwn: isOwn, outline: outline)
        note(locations, sharing: sharing)
    }

    private mutating func note(_ locations: [StaticPath.Location], sharing: Sharing) {
        var last: FormOutline.ID?
        for (index, location) in locations.enumerated() {
            guard case .node(let id) = location else { continue }
            last = id
            let isLast = index == locations.count - 1
            if outline[id].isRepeat, isLast || !sharing.isShared(id, in: outline) {
                let common = sharing.common.flatMap { $0 == id ? outline[id].enclosingRepeat : $0 }
                structures.insert(Read(node: id, common: common, isLateral: false))
            }
        }
        guard let last else { return }
        let read = Read(node: last, common: sharing.common, isLateral: sharing.isLateral)
        // A step without a name may lead to any child.
        if case .nowhere? = locations.last { subtrees.insert(read) } else { values.insert(read) }
    }

    /// Of which repeats a path stays in the owner's own instances.
    private struct Sharing {
        private(set) var common: FormOutline.ID?
        private(set) var isLateral = false

        init(
            path: PathExpression, locations: [StaticPath.Location], owner: FormOutline.ID, isOwn: Bool,
            outline: FormOutline
        ) {
            switch path.start {
            case .record: if isOwn { followAbsolute(path, locations: locations, owner: owner, outline: outline) }
            case .filter(.call(let call), let predicates) where call.function == .current && predicates.isEmpty:
                followRelative(locations, outline: outline)
            case .context: if isOwn { followRelative(locations, outline: outline) }
            case .filter, .reference: break
            }
            for (step, location) in zip(path.steps, locations.dropFirst()) where !step.predicates.isEmpty {
                if case .node(let id) = location, outline[id].isRepeat, outline.isInside(owner, of: id) {
                    isLateral = true
                }
            }
        }

        /// The repeat around the highest node that it passes.
        private mutating func followRelative(_ locations: [StaticPath.Location], outline: FormOutline) {
            var highest: FormOutline.ID?
            for case .node(let id) in locations where outline[id].depth < highest.map({ outline[$0].depth }) ?? .max {
                highest = id
            }
            common = highest.flatMap { outline[$0].isRepeat ? $0 : outline[$0].enclosingRepeat }
        }

        /// An absolute path keeps to the owner's instances until a predicate, and except for its last step.
        private mutating func followAbsolute(
            _ path: PathExpression, locations: [StaticPath.Location], owner: FormOutline.ID, outline: FormOutline
        ) {
            for (index, step) in path.steps.dropLast().enumerated() {
                guard case .node(let id) = locations[index + 1], outline.isInside(owner, of: id), owner != id else {
                    return
                }
                guard outline[id].isRepeat else { continue }
                guard step.predicates.isEmpty else { return }
                common = id
            }
        }

        func isShared(_ id: FormOutline.ID, in outline: FormOutline) -> Bool {
            common.map { outline.isInside($0, of: id) } ?? false
        }
    }
}
