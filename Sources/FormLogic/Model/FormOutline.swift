import DocumentValues

/// All nodes of a form in document order, with numbers by which the parts of this module know them. The root is the first;
/// `meta` with its questions is the last of its children.
package struct FormOutline: Sendable {
    package typealias ID = Int

    package struct Entry: Sendable {
        package let node: FormNode
        /// `nil` for the root.
        package let parent: ID?
        package fileprivate(set) var children: [ID] = []
        /// Steps from the root.
        package let depth: Int
        /// Its index among the children of its parent.
        package let slot: Int
        /// The innermost repeat around it, itself not included.
        package let enclosingRepeat: ID?
        /// The node behind the last one below it.
        package fileprivate(set) var end: ID = 0

        package var isRepeat: Bool { node.isRepeat }
        /// `nil` for a group or a repeat.
        package var type: QuestionType? { node.type }
    }

    private struct ChildKey: Hashable, Sendable {
        let parent: ID
        let name: Name
    }

    package static let root: ID = 0
    package private(set) var entries: [Entry] = []
    private var byName: [Name: [ID]] = [:]
    private var byChild: [ChildKey: ID] = [:]

    package init(_ form: Form) {
        var root = FormNode(name: form.root, kind: .group)
        root.nodes = form.nodes
        add(root, parent: nil, slot: 0)
        for (index, entry) in entries.enumerated().dropFirst() { byName[entry.node.name, default: []].append(index) }
        addMeta()
        for index in entries.indices.reversed() {
            entries[index].end = Swift.max(entries[index].end, index + 1)
            if let parent = entries[index].parent {
                entries[parent].end = Swift.max(entries[parent].end, entries[index].end)
            }
        }
    }

    /// Adds a node and those below it, by a list instead of nested calls.
    private mutating func add(_ node: FormNode, parent: ID?, slot: Int) {
        var open = [(node: node, parent: parent, slot: slot)]
        while let (node, parent, slot) = open.popLast() {
            let id = entries.count
            let above = parent.map { entries[$0] }
            entries.append(
                Entry(
                    node: node, parent: parent, depth: above.map { $0.depth + 1 } ?? 0, slot: slot,
                    enclosingRepeat: parent.flatMap { above?.isRepeat == true ? $0 : above?.enclosingRepeat }))
            if let parent {
                entries[parent].children.append(id)
                let key = ChildKey(parent: parent, name: node.name)
                if byChild[key] == nil { byChild[key] = id }
            }
            open += node.nodes.enumerated().reversed().map { (node: $0.element, parent: id, slot: $0.offset) }
        }
    }

    /// The group of the members that belong to the record itself.
    package static let meta: Name = "meta"
    private static let metaNames: [Name] = ["instanceID", "instanceName", "deprecatedID"]

    /// An author's question of such a name is the one that is meant by it.
    private mutating func addMeta() {
        guard child(of: Self.root, named: Self.meta) == nil else { return }
        var meta = FormNode(name: Self.meta, kind: .group)
        meta.nodes = Self.metaNames.map { FormNode(name: $0, kind: .question(.plain(.hidden))) }
        let first = entries.count
        add(meta, parent: Self.root, slot: entries[Self.root].children.count)
        for index in (first + 1)..<entries.count where byName[entries[index].node.name] == nil {
            byName[entries[index].node.name] = [index]
        }
    }

    package subscript(id: ID) -> Entry { entries[id] }

    /// All nodes of that name.
    package func nodes(named name: Name) -> [ID] { byName[name] ?? [] }

    /// In the order of the form.
    package var names: [Name] { entries.dropFirst().map(\.node.name) }

    package func child(of parent: ID, named name: Name) -> ID? { byChild[ChildKey(parent: parent, name: name)] }

    /// Whether it is the group `meta`, or in it.
    package func isMeta(_ id: ID) -> Bool {
        child(of: Self.root, named: Self.meta).map { isInside(id, of: $0) } ?? false
    }

    /// Whether `id` is below `ancestor`, or is it.
    package func isInside(_ id: ID, of ancestor: ID) -> Bool { id >= ancestor && id < entries[ancestor].end }

    /// The names from the root to a node.
    package func path(of id: ID) -> [Name] { ancestry(of: id).map { entries[$0].node.name } }

    /// The nodes from the root to this one.
    package func ancestry(of id: ID) -> [ID] {
        var ids: [ID] = []
        var next: ID? = id
        while let present = next {
            ids.append(present)
            next = entries[present].parent
        }
        return ids.reversed()
    }

    /// `/data/person/page`.
    package func pathText(of id: ID) -> String { "/" + path(of: id).map(\.text).joined(separator: "/") }
}
