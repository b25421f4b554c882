import DocumentValues

/// The nodes of a form's primary instance, each once, whatever number of instances of a repeat is there.
struct InstanceTree {
    struct Node {
        let path: XFormPath
        let line: Int
        var children: [Int] = []
        /// Its own text, which is its static default.
        var text: String
        var attributes: [MarkupAttribute]
        /// Whether it is the template of a repeat.
        var isTemplate: Bool
        /// How often it is there beside its template, in the first instance of the node around it.
        var occurrences: Int
        /// The line of the first further instance in which it has another text.
        var otherText: Int?
    }

    private(set) var nodes: [Node] = []
    private(set) var indices: [XFormPath: Int] = [:]

    /// - Parameter root: the element in the instance.
    init(_ root: MarkupElement) { add(root, path: XFormPath([Name(root.local)]), countsOccurrences: true) }

    var root: Node { nodes[0] }

    subscript(path: XFormPath) -> Node? { indices[path].map { nodes[$0] } }

    private mutating func add(_ element: MarkupElement, path: XFormPath, countsOccurrences: Bool) {
        let isTemplate = element["template", in: .javaRosa] != nil
        let isNew: Bool
        if let index = indices[path] {
            isNew = false
            if countsOccurrences, !isTemplate { nodes[index].occurrences += 1 }
            noteText(of: element, at: index)
        } else {
            isNew = true
            indices[path] = nodes.count
            if path.steps.count > 1, let parent = indices[path.parent] { nodes[parent].children.append(nodes.count) }
            nodes.append(
                Node(
                    path: path, line: element.line, text: element.children.isEmpty ? element.text.trimmingSpaces : "",
                    attributes: element.tag.attributes, isTemplate: isTemplate, occurrences: isTemplate ? 0 : 1))
        }
        for child in element.children {
            add(child, path: path.appending(Name(child.local)), countsOccurrences: isNew && countsOccurrences)
        }
    }

    private mutating func noteText(of element: MarkupElement, at index: Int) {
        guard element.children.isEmpty, nodes[index].children.isEmpty, nodes[index].otherText == nil,
            element.text.trimmingSpaces != nodes[index].text
        else { return }
        nodes[index].otherText = element.line
    }

    /// Paths of all nodes below the root, in their order.
    var paths: [XFormPath] { nodes.dropFirst().map(\.path) }
}
