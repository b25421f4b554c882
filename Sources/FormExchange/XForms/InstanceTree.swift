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
    }

    private(set) var nodes: [Node] = []
    private(set) var indices: [XFormPath: Int] = [:]
    /// The elements of each group or repeat, without templates, in the first instance of the node around it.
    private(set) var elements: [XFormPath: [MarkupElement]] = [:]

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
        } else {
            isNew = true
            indices[path] = nodes.count
            if path.steps.count > 1, let parent = indices[path.parent] { nodes[parent].children.append(nodes.count) }
            nodes.append(
                Node(
                    path: path, line: element.line, text: element.children.isEmpty ? element.text.trimmingSpaces : "",
                    attributes: element.tag.attributes, isTemplate: isTemplate, occurrences: isTemplate ? 0 : 1))
        }
        if countsOccurrences, !isTemplate, !element.children.isEmpty { elements[path, default: []].append(element) }
        for child in element.children {
            add(child, path: path.appending(Name(child.local)), countsOccurrences: isNew && countsOccurrences)
        }
    }

    /// Paths of all nodes below the root, in their order.
    var paths: [XFormPath] { nodes.dropFirst().map(\.path) }
}
