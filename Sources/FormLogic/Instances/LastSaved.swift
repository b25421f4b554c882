import DocumentValues

extension InstanceElement {
    /// A record as the last saved one: its answers as texts, without attachments.
    package init(lastSaved record: Record) { self.init(node: Record.root, record: record) }

    /// Groups of a form are at most `FormLimits.depth` deep, so nested calls do no harm.
    private init(node: Record.ID, record: Record) {
        let name = record.outline[record[node].formNode].node.name
        if case .group = record[node].content {
            self.init(
                name: name, children: record.children(of: node).map { InstanceElement(node: $0, record: record) })
        } else if case .file? = record.answer(of: node) {
            self.init(name: name)
        } else {
            self.init(name: name, text: record.answer(of: node)?.text ?? "")
        }
    }
}
