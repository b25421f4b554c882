import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// The form of an inspection or of an assignment: named, chosen, or the only one there is.
struct FormChoice {
    let session: ShellSession

    /// - Parameter id: of the form that was assigned. Where it cannot be read, or is not here, no other one's questions are
    ///   asked.
    func form(_ id: String?, values: [FieldValue]) throws -> FormDefinition? {
        guard let id else { return try form(values, asks: session.canAsk) }
        if let readable = try session.field().forms.findReadable(id) { return readable }
        if let withdrawn = try session.field().inspectionForms.formEvenWithdrawn(id) {
            let name = withdrawn.name.printableLine
            session.dialogue.show(
                "The office has withdrawn the form \(name). Its questions are the last ones that this laptop got.")
            return withdrawn
        }
        let short = RecordReference.short(id, kind: .form).printableLine
        if try session.field().formDocuments.findReadable(id) != nil {
            session.dialogue.show("The form \(short) is filled by itself: fill \(short)")
            return nil
        }
        let why = try session.field().store.isThere(.form, id: id) ? "cannot be read" : "is not there"
        session.dialogue.show("The form \(short) \(why) on this laptop: its questions are not asked.")
        return nil
    }

    /// The form that a line names, that a person chooses, or the only one there is.
    private func form(_ values: [FieldValue], asks: Bool) throws -> FormDefinition? {
        if let named = values.last(where: { ChoiceMatch.means($0.field, choice: "form") })?.text {
            return try form(called: named)
        }
        let forms = try sortedForms()
        guard !forms.isEmpty, asks else { return nil }
        if forms.count == 1 { return forms[0] }
        return try session.questions.choose("Form", from: forms.map(\.name), preset: 0).map { forms[$0] }
    }

    /// The only form, if the line names none but answers its questions, and the user cannot be asked.
    ///
    /// - Throws: `UsageError` where it may be another of several.
    func formAnswered(by request: NewRequest, in inspection: Inspection) throws -> FormDefinition? {
        let namesForm = request.values.contains { ChoiceMatch.means($0.field, choice: "form") }
        guard !session.canAsk, request.form == nil, !namesForm else { return nil }
        let fields = inspection.editableFields(form: nil)
        let forms = try sortedForms()
        for value in request.values where fields.field(typed: value.field) == nil {
            let asking = forms.filter { form in
                form.fields.contains { ChoiceMatch.means(value.field, choice: $0.name) }
            }
            guard let first = asking.first else { continue }
            if forms.count == 1 { return first }
            let names = asking.prefix(ShellLimits.candidates).map { RecordReference.short($0.id, kind: .form) }
            throw UsageError(
                "'\(value.field)' is a question of a form, and there are several forms.",
                hint: "Name the form: " + names.map { "form=\($0)" }.joined(separator: ", or "))
        }
        return nil
    }

    /// A form by its name or id; `nil` for an empty text.
    func form(called text: String) throws -> FormDefinition? {
        guard !text.trimmingSpaces.isEmpty else { return nil }
        let forms = try sortedForms()
        let id = try RecordFinder(session: session).findForm(text, among: forms)
        guard let form = forms.first(where: { $0.id.isExactly(id) }) else {
            throw UsageError("The form \(id) is no part of an inspection.", hint: "Fill it by itself: fill \(id)")
        }
        return form
    }

    /// The document id of a form that an assignment may ask for, also of one that is filled by itself; `nil` for an empty text.
    func assignedForm(called text: String) throws -> String? {
        guard !text.trimmingSpaces.isEmpty else { return nil }
        let field = try session.field()
        let found: Name?
        // Forms of schema 1 are also known by their names.
        do { found = try FormLibrary(in: field).find(text).form } catch is FormLibraryError { found = nil }
        if let found, try field.formDocuments.findReadable(found.text) != nil { return found.text }
        return try form(called: text)?.id
    }

    private func sortedForms() throws -> [FormDefinition] {
        try session.field().forms.all().records.sorted { (Name($0.name), Name($0.id)) < (Name($1.name), Name($1.id)) }
    }

    /// The form of an assignment, which needs none.
    func askForForm() throws -> String? {
        let forms = try sortedForms()
        guard session.canAsk, !forms.isEmpty else { return nil }
        return try session.questions.choose("Form (Enter: none)", from: forms.map(\.name)).map { forms[$0].id }
    }
}

extension RecordFinder {
    /// A form by its name, its id or a beginning of either.
    func findForm(_ text: String, among forms: [FormDefinition]) throws -> String {
        // A number is that of a row here, too.
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return try find(text, among: [.form]).id
        }
        if let index = ChoiceMatch.index(of: text, among: forms.map(\.name)) { return forms[index].id }
        return try find(text, among: [.form]).id
    }
}
