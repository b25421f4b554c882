import DocumentValues

extension FormEvaluator {
    /// The nodes to which a step leads from one node, before its predicates.
    ///
    /// - Parameter holder: of several instances of a repeat, the one around this node is the only one.
    func neighbours(of node: NodeReference, step: PathStep, holder: Record.ID?) -> [NodeReference] {
        let name: Name? = if case .name(let name) = step.test { name } else { nil }
        switch step.axis {
        case .own: return matches(node, name: name) ? [node] : []
        case .parent:
            guard let parent = parent(of: node), matches(parent, name: name) else { return [] }
            return [parent]
        case .child: return children(of: node, named: name, holder: holder)
        case .attribute: return attributes(of: node, named: name)
        }
    }

    private func matches(_ node: NodeReference, name: Name?) -> Bool { name == nil || name == self.name(of: node) }

    private func name(of node: NodeReference) -> Name? {
        switch node.document {
        case .missingChild: nil
        case .record: node.node >= 0 ? outline[record[node.node].formNode].node.name : nil
        case .instance(let number):
            switch instances[number] {
            case .table(let table): table.name(of: node.node)
            case .document(let tree): tree.name(of: node.node)
            }
        }
    }

    /// The root's parent is empty.
    private func parent(of node: NodeReference) -> NodeReference? {
        switch node.document {
        case .missingChild: return .record(node.node)
        case .record:
            if node == .idAttribute || node == .versionAttribute { return .record(Record.root) }
            return node.node >= 0 ? record[node.node].parent.map { .record($0) } : nil
        case .instance(let number):
            let parent =
                switch instances[number] {
                case .table(let table): table.parent(of: node.node)
                case .document(let tree): tree.parent(of: node.node)
                }
            return parent.map { NodeReference(node.document, node: $0) }
        }
    }

    private func children(of node: NodeReference, named name: Name?, holder: Record.ID?) -> [NodeReference] {
        switch node.document {
        case .missingChild: return []
        case .record: return recordChildren(of: node, named: name, holder: holder)
        case .instance(let number):
            let children =
                switch instances[number] {
                case .table(let table): table.children(of: node.node, named: name)
                case .document(let tree): tree.children(of: node.node, named: name)
                }
            return children.map { NodeReference(node.document, node: $0) }
        }
    }

    private func recordChildren(of node: NodeReference, named name: Name?, holder: Record.ID?) -> [NodeReference] {
        if node == .top {
            let root = NodeReference.record(Record.root)
            return matches(root, name: name) ? [root] : []
        }
        guard node.node >= 0 else { return [] }
        guard let name else { return record.children(of: node.node).map { .record($0) } }
        guard let child = outline.child(of: record[node.node].formNode, named: name) else { return [] }
        if outline[child].isRepeat, let holder, let instance = record.ancestor(of: holder, formNode: child),
            record[instance].parent == node.node
        {
            return [.record(instance)]
        }
        return record.children(of: node.node, formNode: child).map { .record($0) }
    }

    /// The root has `@id` and `@version`.
    private func attributes(of node: NodeReference, named name: Name?) -> [NodeReference] {
        switch node.document {
        case .missingChild: return []
        case .record:
            guard node.node == Record.root else { return [] }
            return (name == nil || name == "id" ? [.idAttribute] : [])
                + (name == nil || name == "version" ? [.versionAttribute] : [])
        case .instance(let number):
            guard case .document(let tree) = instances[number] else { return [] }
            return tree.children(of: node.node, named: name, attributes: true).map {
                NodeReference(node.document, node: $0)
            }
        }
    }

    func isRelevant(_ node: NodeReference) -> Bool { node.recordID.map { record[$0].isRelevant } ?? true }

    // MARK: Values

    func value(of node: NodeReference) -> FormValue {
        switch node.document {
        case .missingChild: return .empty
        case .record:
            if node == .idAttribute { return .text(program.formID.text) }
            if node == .versionAttribute { return .text(program.version) }
            guard node.node >= 0, record[node.node].isRelevant else { return .empty }
            let answer = candidate?.node == node.node ? candidate?.answer : record.answer(of: node.node)
            return answer?.value(conversions) ?? .empty
        case .instance(let number):
            return switch instances[number] {
            case .table(let table): .text(table.text(of: node.node))
            case .document(let tree): .text(tree.text(of: node.node))
            }
        }
    }

    /// Among its siblings of the same name, from 1.
    func position(of node: NodeReference) -> Int {
        switch node.document {
        case .missingChild: return 1
        case .record: return node.node >= 0 ? record[node.node].position : 1
        case .instance(let number):
            switch instances[number] {
            case .table(let table):
                return table.column(of: node.node) == nil ? (table.row(of: node.node) ?? 0) + 1 : 1
            case .document(let tree): return tree.position(of: node.node)
            }
        }
    }

    /// Nodes of the record come before those of instances.
    func inDocumentOrder(_ nodes: [NodeReference]) -> [NodeReference] {
        nodes.sorted { left, right in
            switch (left.document, right.document) {
            case (.instance(let first), .instance(let second)): (first, left.node) < (second, right.node)
            case (.instance, _): false
            case (_, .instance): true
            default:
                left.node >= 0 && right.node >= 0
                    ? record.isBefore(left.node, right: right.node) : left.node < right.node
            }
        }
    }
}
