/// A node of the record or of an instance.
package struct NodeReference: Sendable, Hashable {
    package enum Document: Sendable, Hashable {
        case record
        /// A child of a node of the record that is not there: a repeat as a whole, for its own expressions.
        case missingChild
        /// By its number in `FormInstances`.
        case instance(Int)
    }

    /// Above the record's root.
    static let top = NodeReference(.record, node: -1)
    static let idAttribute = NodeReference(.record, node: -2)
    static let versionAttribute = NodeReference(.record, node: -3)

    package let document: Document
    package let node: Int

    init(_ document: Document, node: Int) {
        self.document = document
        self.node = node
    }

    package static func record(_ id: Record.ID) -> NodeReference { NodeReference(.record, node: id) }

    /// A repeat in this group or instance, whether it has instances or not.
    package static func missingChild(of id: Record.ID) -> NodeReference { NodeReference(.missingChild, node: id) }

    /// Its number in the record; `nil` for another node.
    var recordID: Record.ID? { document == .record && node >= 0 ? node : nil }

    /// The node of the record that it is or is in; `nil` for one of an instance.
    var enclosingID: Record.ID? { document == .missingChild ? node : recordID }
}

/// For which node an expression is evaluated.
package struct EvaluationScope: Sendable {
    /// `.`
    package var context: NodeReference
    /// `current()`
    package var current: NodeReference
    /// In a predicate: among the nodes that it filters, from 1.
    var position: Int?
    var size = 1

    package init(at node: NodeReference) {
        context = node
        current = node
    }

    func predicate(on node: NodeReference, position: Int, size: Int) -> EvaluationScope {
        var scope = self
        scope.context = node
        scope.position = position
        scope.size = size
        return scope
    }
}
