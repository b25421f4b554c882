import DocumentValues

/// What an event changed in a record.
package enum FormChange: Sendable {
    package enum Cause: Sendable, Hashable {
        case person, calculation, trigger, preset
        /// The filter of the choices no longer admits it.
        case filter
    }

    case answer(node: Record.ID, old: Answer?, new: Answer?, cause: Cause)
    case relevance(node: Record.ID, isRelevant: Bool)
    case added(instance: Record.ID)
    case removed(formNode: FormOutline.ID, key: Name)
}

/// A report of a rule, as it is kept with the record for the form's author.
package struct FormReport: Sendable, Hashable {
    package let node: Record.ID
    package let rule: FormProgram.Rule
    package let report: Report
}
