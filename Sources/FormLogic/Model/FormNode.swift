import DocumentValues

/// A question, a group or a repeat. Its expressions are stored as the author wrote them, with `${name}`.
package struct FormNode: Sendable {
    package enum Kind: Sendable, Hashable {
        case question(QuestionType)
        case group
        case `repeat`
    }

    package var name: Name
    package var kind: Kind
    /// Of a group or a repeat, in the order in which they are asked.
    package var nodes: [FormNode]

    package var label: FormText?
    package var hint: FormText?
    package var guidanceHint: FormText?
    package var media: FormMedia

    package var required: String?
    package var requiredMessage: FormText?
    package var constraint: String?
    package var constraintMessage: FormText?
    package var relevant: String?
    package var readOnly: String?
    package var calculation: String?
    /// Questions whose answers run the calculation.
    package var trigger: [Name]
    /// As it was written: a text, or an expression.
    package var defaultValue: String?
    package var choiceFilter: String?
    package var repeatCount: String?
    /// Of a repeat that is in no other: the instances with which a record begins, where they are not one with the defaults of
    /// its questions. Each has texts by the names of questions; groups are objects, repeats lists.
    package var firstInstances: [JSONObject]

    /// The parts of `appearance`, as they were written.
    package var appearance: [String]
    package var parameters: [NamedText]
    /// A property of an entity, `list#property` when there are several.
    package var saveTo: String?
    /// The row of its sheet or the line of its file, for messages.
    package var sourceRow: Int?
    /// Members that this version does not know, and those that have no value that they may have.
    package var rest: JSONObject

    package init(name: Name, kind: Kind, label: FormText? = nil, nodes: [FormNode] = []) {
        self.name = name
        self.kind = kind
        self.nodes = nodes
        self.label = label
        media = FormMedia()
        trigger = []
        firstInstances = []
        appearance = []
        parameters = []
        rest = [:]
    }

    package var isRepeat: Bool { kind == .repeat }

    /// The question's type; `nil` for a group or a repeat.
    package var type: QuestionType? {
        guard case .question(let type) = kind else { return nil }
        return type
    }

    /// Whether the appearance has this part, in any case of its letters.
    package func hasAppearance(_ part: String) -> Bool { appearance.contains { $0.lowercased().isExactly(part) } }
}
