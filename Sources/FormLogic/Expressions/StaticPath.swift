import DocumentValues

/// Which node of the form a path names, whatever a record has.
package struct StaticPath {
    /// What a step may start from.
    package enum Location: Sendable, Hashable {
        /// Above the root.
        case record
        case node(FormOutline.ID)
        /// In a list, a file or the last saved record.
        case instance
        case nowhere
    }

    private let outline: FormOutline
    private let owner: FormOutline.ID

    package init(outline: FormOutline, owner: FormOutline.ID) {
        self.outline = outline
        self.owner = owner
    }

    /// The node that a path names; `nil` for another expression, and where the form has no such node.
    ///
    /// - Parameter context: the node for which the expression is evaluated; the owner where it is not given.
    package func target(of expression: FormExpression, context: Location? = nil) -> FormOutline.ID? {
        guard case .path(let path) = expression, case .node(let id) = location(of: path, context: context).last else {
            return nil
        }
        return id
    }

    /// Where a path starts and where each of its steps leads; `*` leads nowhere.
    package func location(of path: PathExpression, context: Location? = nil) -> [Location] {
        var locations = [start(of: path, context: context ?? .node(owner))]
        for step in path.steps { locations.append(self.step(step, from: locations[locations.count - 1])) }
        return locations
    }

    private func start(of path: PathExpression, context: Location) -> Location {
        switch path.start {
        case .record: return .record
        case .context: return context
        case .reference: return .nowhere
        case .filter(.call(let call), _):
            switch call.function {
            case .current: return .node(owner)
            case .instance: return .instance
            case .indexedRepeat, .randomize:
                guard case .path(let inner) = call.arguments[0] else { return .nowhere }
                return location(of: inner, context: context).last ?? .nowhere
            default: return .nowhere
            }
        case .filter(.path(let inner), _): return location(of: inner, context: context).last ?? .nowhere
        case .filter: return .nowhere
        }
    }

    private func step(_ step: PathStep, from location: Location) -> Location {
        switch location {
        case .nowhere: return .nowhere
        case .instance: return .instance
        case .record:
            guard step.axis == .child, case .name(outline[FormOutline.root].node.name) = step.test else {
                return .nowhere
            }
            return .node(FormOutline.root)
        case .node(let id): return self.step(step, from: id)
        }
    }

    private func step(_ step: PathStep, from id: FormOutline.ID) -> Location {
        switch (step.axis, step.test) {
        case (.child, .name(let name)): outline.child(of: id, named: name).map { .node($0) } ?? .nowhere
        case (.own, .any): .node(id)
        case (.own, .name(let name)): outline[id].node.name == name ? .node(id) : .nowhere
        case (.parent, let test): parent(of: id, test: test)
        case (.child, .any), (.attribute, _): .nowhere
        }
    }

    private func parent(of id: FormOutline.ID, test: PathStep.Test) -> Location {
        guard let parent = outline[id].parent else { return .nowhere }
        if case .name(let name) = test, outline[parent].node.name != name { return .nowhere }
        return .node(parent)
    }
}
