import DocumentValues
import FormLogic

/// Questions whose lists are in the sheet `external_choices`, and got another name there.
enum ExternalLists {
    static func renamed(_ nodes: [FormNode], names: [Name: Name]) -> [FormNode] {
        guard !names.isEmpty else { return nodes }
        return nodes.map { node in
            var node = node
            if case .select(let kind, from: .external(let list))? = node.type, let name = names[list] {
                node.kind = .question(.select(kind, from: .external(name)))
            }
            node.nodes = renamed(node.nodes, names: names)
            return node
        }
    }
}
