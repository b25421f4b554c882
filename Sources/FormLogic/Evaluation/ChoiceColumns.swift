import DocumentValues

/// The columns of a list or a file that are the choices' names and labels.
package struct ChoiceColumns: Sendable {
    package let value: Name
    package let label: Name

    package init(node: FormNode) {
        let isMap =
            if case .question(.select(_, .file(let file))) = node.kind {
                FormFile.Kind(fileName: file) == .geojson
            } else { false }
        value = Name(node.parameters["value"] ?? (isMap ? "id" : "name"))
        label = Name(node.parameters["label"] ?? (isMap ? "title" : "label"))
    }
}

extension QuestionType.ChoiceSource {
    /// The instance that has the choices; `nil` for the answers to a question.
    package var instanceName: Name? {
        switch self {
        case .list(let name), .external(let name): name
        case .file(let name): FormProgram.stem(name)
        case .answers: nil
        }
    }
}
