import DocumentValues

/// The answers to a form: a tree of nodes with the same groups as the form, and as many instances of each repeat as there
/// are. A node keeps its number as long as it is there.
package struct Record: Sendable {
    package typealias ID = Int

    package struct Node: Sendable {
        package let formNode: FormOutline.ID
        package let parent: ID?
        package fileprivate(set) var content: Content
        /// Whether it and all around it are relevant.
        package var isRelevant = true
        /// Of an instance of a repeat: eight letters that stay when others are added or removed.
        package fileprivate(set) var key: Name?
        /// Of an instance among those of its repeat, from 1; 1 for other nodes.
        package fileprivate(set) var position = 1
        /// Members of its object that the form does not have.
        package fileprivate(set) var rest: JSONObject?
    }

    package enum Content: Sendable {
        case answer(Answer?)
        /// A group, or an instance of a repeat: for each child in the form what there is of it.
        case group([Slot])
    }

    package enum Slot: Sendable {
        case one(ID)
        /// The instances of a repeat.
        case many([ID])
    }

    package static let root: ID = 0
    package let outline: FormOutline
    private var nodes: [Node] = []
    /// Numbers of removed nodes.
    private var free: [ID] = []

    /// A record without answers and without instances.
    package init(_ outline: FormOutline) {
        self.outline = outline
        _ = addTree(FormOutline.root, parent: nil)
    }

    package subscript(id: ID) -> Node { nodes[id] }

    /// Nodes that there are, those without an answer included.
    package var count: Int { nodes.count - free.count }

    package func answer(of id: ID) -> Answer? {
        guard case .answer(let answer) = nodes[id].content else { return nil }
        return answer
    }

    package mutating func setAnswer(_ answer: Answer?, of id: ID) {
        guard case .answer = nodes[id].content else { return }
        nodes[id].content = .answer(answer)
    }

    package mutating func setRelevant(_ isRelevant: Bool, of id: ID) { nodes[id].isRelevant = isRelevant }

    package mutating func setRest(_ rest: JSONObject, of id: ID) { nodes[id].rest = rest.isEmpty ? nil : rest }

    // MARK: The tree

    /// The node of a child in the form, or its instances.
    package func children(of id: ID, formNode: FormOutline.ID) -> [ID] {
        guard case .group(let slots) = nodes[id].content, outline[formNode].parent == nodes[id].formNode else {
            return []
        }
        return slots[outline[formNode].slot].ids
    }

    /// All children in document order.
    package func children(of id: ID) -> [ID] {
        guard case .group(let slots) = nodes[id].content else { return [] }
        return slots.flatMap(\.ids)
    }

    /// All nodes of one node of the form, in document order.
    ///
    /// - Parameter ancestor: only those below this node, or this one itself.
    package func nodes(of formNode: FormOutline.ID, under ancestor: ID = Self.root) -> [ID] {
        let top = nodes[ancestor].formNode
        guard outline.isInside(formNode, of: top) else { return [] }
        var found = [ancestor]
        for step in outline.ancestry(of: formNode).dropFirst(outline[top].depth + 1) {
            found = found.flatMap { children(of: $0, formNode: step) }
        }
        return found
    }

    /// The nodes from the root to this one.
    package func ancestry(of id: ID) -> [ID] {
        var ids: [ID] = []
        var next: ID? = id
        while let present = next {
            ids.append(present)
            next = nodes[present].parent
        }
        return ids.reversed()
    }

    /// The node itself or the one around it that is of this node of the form.
    package func ancestor(of id: ID, formNode: FormOutline.ID) -> ID? {
        var next: ID? = id
        while let present = next {
            if nodes[present].formNode == formNode { return present }
            next = nodes[present].parent
        }
        return nil
    }

    /// Whether the first is before the second in the document.
    package func isBefore(_ left: ID, right: ID) -> Bool {
        for (left, right) in zip(ancestry(of: left), ancestry(of: right)) where left != right {
            let (first, second) = (nodes[left], nodes[right])
            return (first.formNode, first.position) < (second.formNode, second.position)
        }
        return ancestry(of: left).count < ancestry(of: right).count
    }

    // MARK: Instances

    /// Adds an instance with all nodes of its groups, without answers and without instances of inner repeats.
    ///
    /// - Parameters:
    ///   - parent: the group or the instance that has the repeat.
    ///   - position: from 1; the end where it is not given.
    /// - Returns: `nil` beyond the limits of a record.
    package mutating func addInstance(
        of formNode: FormOutline.ID, in parent: ID, key: Name, at position: Int? = nil
    ) -> ID? {
        guard case .group(var slots) = nodes[parent].content, outline[formNode].parent == nodes[parent].formNode,
            case .many(var instances) = slots[outline[formNode].slot], instances.count < FormLimits.instances,
            count + outline[formNode].end - formNode <= FormLimits.recordNodes
        else { return nil }
        let id = addTree(formNode, parent: parent)
        nodes[id].key = key
        let index = min(max((position ?? .max) - 1, 0), instances.count)
        instances.insert(id, at: index)
        slots[outline[formNode].slot] = .many(instances)
        nodes[parent].content = .group(slots)
        number(instances, from: index)
        return id
    }

    /// Removes an instance with all below it.
    ///
    /// - Returns: the numbers that are free now.
    @discardableResult
    package mutating func removeInstance(_ id: ID) -> [ID] {
        guard let parent = nodes[id].parent, case .group(var slots) = nodes[parent].content else { return [] }
        let slot = outline[nodes[id].formNode].slot
        guard case .many(var instances) = slots[slot] else { return [] }
        instances.removeAll { $0 == id }
        slots[slot] = .many(instances)
        nodes[parent].content = .group(slots)
        number(instances)
        var (open, removed): ([ID], [ID]) = ([id], [])
        while let next = open.popLast() {
            open += children(of: next)
            nodes[next].content = .answer(nil)
            removed.append(next)
        }
        free += removed
        return removed
    }

    private mutating func number(_ instances: [ID], from first: Int = 0) {
        for index in first..<instances.count { nodes[instances[index]].position = index + 1 }
    }

    /// Adds a node with the nodes of its groups.
    private mutating func addTree(_ formNode: FormOutline.ID, parent: ID?) -> ID {
        let first = add(formNode, parent: parent)
        var open = [first]
        while let id = open.popLast() {
            guard case .group = nodes[id].content else { continue }
            var slots: [Slot] = []
            for child in outline[nodes[id].formNode].children {
                if outline[child].isRepeat {
                    slots.append(.many([]))
                } else {
                    let added = add(child, parent: id)
                    slots.append(.one(added))
                    open.append(added)
                }
            }
            nodes[id].content = .group(slots)
        }
        return first
    }

    private mutating func add(_ formNode: FormOutline.ID, parent: ID?) -> ID {
        let content: Content = outline[formNode].type == nil ? .group([]) : .answer(nil)
        let node = Node(formNode: formNode, parent: parent, content: content)
        if let id = free.popLast() {
            nodes[id] = node
            return id
        }
        nodes.append(node)
        return nodes.count - 1
    }
}

extension Record.Slot {
    package var ids: [Record.ID] {
        switch self {
        case .one(let id): [id]
        case .many(let ids): ids
        }
    }
}
