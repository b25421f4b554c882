import DocumentValues

/// A part of a form that a finding can be about. A reader of forms notes where each part is in its file.
package struct FormPart: Sendable, Hashable {
    package enum Owner: Sendable, Hashable {
        case form
        /// A group, repeat or question, by its index among all of them in the order of asking, from 0; a group comes
        /// before its children.
        case node(Int)
        /// By their indices from 0, in the order of the definition.
        case list(Int)
        case choice(list: Int, index: Int)
        case language(Int)
        case file(Int)
        case entity(Int)
    }

    package let owner: Owner
    /// Such as `relevant`; `nil` for the owner itself.
    package let member: Name?
    /// The code of the language in which a text is meant; `nil` for the text as a whole.
    package let language: Name?

    package init(_ owner: Owner, member: Name? = nil, language: Name? = nil) {
        self.owner = owner
        self.member = member
        self.language = language
    }

    /// The part that this one belongs to: of a translation the text, of a member its owner, of a choice its list.
    package var container: FormPart? {
        if language != nil { return FormPart(owner, member: member) }
        if member != nil { return FormPart(owner) }
        switch owner {
        case .form: return nil
        case .choice(let list, _): return FormPart(.list(list))
        case .node, .list, .language, .file, .entity: return FormPart(.form)
        }
    }
}

/// Where the parts of a form are in the file that it was read from.
package struct SourcePositions: Sendable {
    private var positions: [FormPart: SourcePosition] = [:]

    package init() {}

    package mutating func note(_ part: FormPart, at position: SourcePosition) { positions[part] = position }

    /// The position of the part, or of the nearest that it belongs to.
    package subscript(part: FormPart) -> SourcePosition {
        var next: FormPart? = part
        while let part = next {
            if let position = positions[part] { return position }
            next = part.container
        }
        return .file
    }
}
