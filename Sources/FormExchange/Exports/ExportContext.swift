import DocumentValues
import FormLogic

/// What the parts of an XForm share while it is written.
struct ExportContext {
    let form: Form
    let paths: ExportPaths
    /// Questions that are calculated when the answer of another changes, by that other.
    private(set) var triggered: [Name: [Spot]] = [:]
    /// Questions that only count the instances of the repeat behind them.
    private(set) var counts: Set<XFormPath> = []

    struct Spot {
        let node: FormNode
        let path: XFormPath
    }

    init(_ form: Form) {
        self.form = form
        paths = ExportPaths(form)
        note(form.nodes, below: root)
    }

    var root: XFormPath { XFormPath([form.root]) }

    private mutating func note(_ nodes: [FormNode], below parent: XFormPath) {
        for (index, node) in nodes.enumerated() {
            let path = path(of: node, below: parent)
            for name in node.trigger { triggered[name, default: []].append(Spot(node: node, path: path)) }
            if node.isRepeat, index > 0, nodes[index - 1].name.text == node.name.text + "_count" {
                counts.insert(parent.appending(nodes[index - 1].name))
            }
            note(node.nodes, below: path)
        }
    }

    /// The log of a record is in its meta block.
    func path(of node: FormNode, below parent: XFormPath) -> XFormPath {
        (node.type == .plain(.audit) ? root.appending("meta") : parent).appending(node.name)
    }

    /// All nodes with their paths, in the order of asking.
    func visit(_ body: (Spot) -> Void) { visit(form.nodes, below: root, with: body) }

    private func visit(_ nodes: [FormNode], below parent: XFormPath, with body: (Spot) -> Void) {
        for node in nodes {
            let path = path(of: node, below: parent)
            body(Spot(node: node, path: path))
            visit(node.nodes, below: path, with: body)
        }
    }

    func expression(_ text: String, at path: XFormPath) -> String {
        ReferenceWriter.written(text, context: path, paths: paths)
    }

    /// Codes of the languages, or one that stands for none.
    var languages: [FormLanguage] {
        form.languages.isEmpty
            ? [FormLanguage(code: SheetLanguages.fallback, name: SheetLanguages.fallback.text)] : form.languages
    }
}
