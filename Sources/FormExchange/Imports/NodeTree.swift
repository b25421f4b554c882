import DocumentValues
import FormLogic

/// Groups and repeats while their rows or elements are read, one in the other.
struct NodeTree {
    /// A group or repeat that is not closed yet.
    struct Open {
        var node: FormNode
        let position: SourcePosition
        /// How its end is called: `group`.
        let ending: String
    }

    private(set) var roots: [FormNode] = []
    private(set) var open: [Open] = []
    private var count = 0

    /// Whether the form has as many nodes as it may.
    var isFull: Bool { count >= FormLimits.nodes }

    var depth: Int { open.count }

    mutating func append(_ node: FormNode) {
        count += 1
        if open.isEmpty { roots.append(node) } else { open[open.count - 1].node.nodes.append(node) }
    }

    mutating func begin(_ node: FormNode, at position: SourcePosition, ending: String) {
        open.append(Open(node: node, position: position, ending: ending))
    }

    /// Takes the innermost out, to be appended to the one around it.
    mutating func close() -> Open? { open.popLast() }
}
