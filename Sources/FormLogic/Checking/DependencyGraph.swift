import DocumentValues

/// Which nodes need which others: by their relevant, required, read_only and calculation, and through the groups around
/// them.
struct DependencyGraph {
    struct Edge {
        let target: FormOutline.ID
        /// The expression that names it; `nil` for the group or repeat around a node.
        let part: FormPart?
        let member: Name
    }

    private let outline: FormOutline
    private(set) var edges: [[Edge]]
    /// Nodes whose own expression uses their own value.
    private(set) var ownUses: [(id: FormOutline.ID, part: FormPart, owner: String)] = []

    init(outline: FormOutline, count: Int) {
        self.outline = outline
        edges = Array(repeating: [], count: count)
        for id in edges.indices.dropFirst() {
            guard let parent = outline[id].parent, parent != FormOutline.root else { continue }
            edges[id].append(Edge(target: parent, part: nil, member: "relevant"))
        }
    }

    mutating func add(_ expression: FormExpression, site: FormChecker.Site) {
        var named: Set<FormOutline.ID> = []
        let walk = NamedNodes(outline: outline, owner: site.id)
        walk.forEach(in: expression) { named.insert($0) }
        for target in named.sorted() where edges.indices.contains(target) {
            if target == site.id {
                ownUses.append((site.id, site.part, site.owner))
            } else {
                edges[site.id].append(Edge(target: target, part: site.part, member: site.member))
            }
        }
    }
}

/// The nodes that an expression names, but for those of another instance of the owner's own repeat: the next one may need
/// the one before it without a circle.
struct NamedNodes {
    private let outline: FormOutline
    private let owner: FormOutline.ID
    private let paths: StaticPath

    init(outline: FormOutline, owner: FormOutline.ID) {
        self.outline = outline
        self.owner = owner
        paths = StaticPath(outline: outline, owner: owner)
    }

    func forEach(in expression: FormExpression, body: (FormOutline.ID) -> Void) {
        forEach(in: expression, context: .node(owner), body: body)
    }

    private func forEach(in expression: FormExpression, context: StaticPath.Location, body: (FormOutline.ID) -> Void) {
        switch expression {
        case .path(let path): forEach(in: path, context: context, body: body)
        case .call(let call) where call.function == .indexedRepeat:
            // The question is that of an instance which the numbers choose.
            for (index, argument) in call.arguments.enumerated() where index != 0 {
                forEach(in: argument, context: context, body: body)
            }
            if let target = paths.target(of: call.arguments[0], context: context), !isInOwnRepeat(target) {
                body(target)
            }
        case .call(let call) where call.function == .position:
            // Which instance it is depends on no value.
            break
        case .text, .number, .negated, .logical, .chain, .union, .call:
            for child in expression.children { forEach(in: child, context: context, body: body) }
        }
    }

    private func forEach(in path: PathExpression, context: StaticPath.Location, body: (FormOutline.ID) -> Void) {
        let locations = paths.location(of: path, context: context)
        var isOther = false
        if case .filter(let inner, let predicates) = path.start {
            if case .path = inner { forEach(in: inner, context: context, body: body) }
            for predicate in predicates { forEach(in: predicate, context: locations[0], body: body) }
        }
        for (step, location) in zip(path.steps, locations.dropFirst()) {
            for predicate in step.predicates { forEach(in: predicate, context: location, body: body) }
            if case .node(let id) = location, outline[id].isRepeat, outline.isInside(owner, of: id),
                step.predicates.contains(where: \.choosesByPosition)
            {
                isOther = true
            }
        }
        guard !isOther, case .node(let target)? = locations.last, !isAbove(path) else { return }
        body(target)
    }

    /// A path of nothing but `..`: an ancestor, for its position.
    private func isAbove(_ path: PathExpression) -> Bool {
        !path.steps.isEmpty && path.steps.allSatisfy { $0.axis == .parent }
    }

    private func isInOwnRepeat(_ target: FormOutline.ID) -> Bool {
        outline[target].enclosingRepeat.map { outline.isInside(owner, of: $0) } ?? false
    }
}

extension FormExpression {
    /// Whether as a predicate it chooses by the position: `[2]`, `[position() = …]`.
    var choosesByPosition: Bool {
        if case .number = self { return true }
        var found = false
        forEach { part in
            if case .call(let call) = part, call.function == .position, call.arguments.isEmpty { found = true }
        }
        return found
    }
}
