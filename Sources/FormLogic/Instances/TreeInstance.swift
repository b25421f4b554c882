import DocumentValues

/// An element of an XML file, or of the last saved record.
package struct InstanceElement: Sendable {
    package var name: Name
    package var text: String
    package var attributes: [NamedText]
    package var children: [InstanceElement]

    package init(name: Name, text: String = "", attributes: [NamedText] = [], children: [InstanceElement] = []) {
        self.name = name
        self.text = text
        self.attributes = attributes
        self.children = children
    }
}

/// The elements of a document.
package struct TreeInstance: Sendable {
    package static let document = 0

    private struct Node: Sendable {
        let name: Name
        let text: String
        let parent: Int
        let isAttribute: Bool
        var children: [Int] = []
        /// Among its siblings of the same name, from 1.
        var position = 1
    }

    private var nodes: [Node]

    package init(root: InstanceElement) {
        nodes = [Node(name: "", text: "", parent: -1, isAttribute: false)]
        var open = [(element: root, parent: 0)]
        while let (element, parent) = open.popLast() {
            let id = add(element.name, text: element.text, parent: parent, isAttribute: false)
            for attribute in element.attributes {
                _ = add(attribute.name, text: attribute.text, parent: id, isAttribute: true)
            }
            open += element.children.reversed().map { (element: $0, parent: id) }
        }
        number()
    }

    private mutating func add(_ name: Name, text: String, parent: Int, isAttribute: Bool) -> Int {
        nodes.append(Node(name: name, text: text, parent: parent, isAttribute: isAttribute))
        nodes[parent].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    private mutating func number() {
        for node in nodes.indices {
            var counts: [Name: Int] = [:]
            for child in nodes[node].children where !nodes[child].isAttribute {
                counts[nodes[child].name, default: 0] += 1
                nodes[child].position = counts[nodes[child].name] ?? 1
            }
        }
    }

    func parent(of node: Int) -> Int? { node > 0 ? nodes[node].parent : nil }
    func name(of node: Int) -> Name? { node > 0 ? nodes[node].name : nil }
    func position(of node: Int) -> Int { nodes[node].position }
    func text(of node: Int) -> String { nodes[node].text }

    func children(of node: Int, named name: Name?, attributes: Bool = false) -> [Int] {
        nodes[node].children.filter { nodes[$0].isAttribute == attributes && (name == nil || nodes[$0].name == name) }
    }
}
