import DocumentValues
import FormLogic

/// Questions that cannot be asked here become hidden ones, which keep their node and their column.
enum SkippedQuestions {
    static func hide(_ node: inout FormNode) {
        node.kind = .question(.plain(.hidden))
        node.required = nil
        node.requiredMessage = nil
        node.constraint = nil
        node.constraintMessage = nil
        node.choiceFilter = nil
        node.appearance = []
        node.parameters = []
    }

    /// What the person who fills in the form learns first; its name is none that another node has.
    static func note(_ names: [Name], in form: Form) -> FormNode {
        let label = "Not asked here: \(names.map(\.text).joined(separator: ", "))."
        var name = Name("skipped_questions")
        while form.nodes.contains(where: { $0.name == name }) { name = Name(name.text + "_") }
        return FormNode(name: name, kind: .question(.plain(.note)), label: .plain(label))
    }
}
