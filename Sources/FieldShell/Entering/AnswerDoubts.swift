import DocumentValues
import FieldModels
import FieldRecords

/// Answers that are allowed, and may still be slips.
struct AnswerDoubts {
    let session: ShellSession

    /// - Returns: why; `nil` for an ordinary answer.
    func doubt<Record: FieldRecord>(
        about text: String, for field: EditableField<Record>, of record: Record
    ) throws -> String? {
        let reference = RecordReference(Record.kind, id: record.id)
        if field.namesDistrict, let doubt = try doubt(aboutMoveOf: reference, to: text) { return doubt }
        return try doubt(about: text, for: field)
    }

    /// A number below a list may be that of a row: the numbers of other lists choose rows.
    func doubtAboutRow<Record: EditableRecord>(
        _ text: String, for field: EditableField<Record>, of draft: RecordDraft<Record>, listed: [Name]
    ) -> String? {
        switch field.question.kind {
        case .text, .number, .whole: break
        // They are not answered by a number, or have rows of their own below the list.
        case .yesNo, .day, .choice: return nil
        }
        guard let row = Int(text), listed.indices.contains(row - 1), listed[row - 1] != field.name,
            let other = draft.record.editableFields(form: draft.form).first(where: { $0.name == listed[row - 1] })
        else { return nil }
        let label = other.question.label
        return "Row \(row) of the list is \(label), to which this goes: :go \(row). Here \(row) is the answer."
    }

    /// A doubt about another user's record, which the gateway lets only supervisors move. No laptop knows its user's roles,
    /// so there is no doubt about a user who may be a supervisor.
    func doubt(aboutMoveOf reference: RecordReference, to district: String) throws -> String? {
        guard let user = try session.settings().user,
            let owner = try session.field().owners.owner(
                keeping: reference.kind, reference.id, outOf: district.trimmingSpaces, from: user),
            try session.field().store.supervisorRole(of: user) == .unlikely
        else { return nil }
        return "Only a supervisor moves records of others to other districts, and the \(reference.kind.rawValue) "
            + "\(reference.shortID) is \(owner)'s."
    }

    private func doubt<Record>(about text: String, for field: EditableField<Record>) throws -> String? {
        if text.isEmpty { return nil }
        if field.question.kind == .day {
            return AnswerDoubt.about(day: text, usually: field.usualDays, today: session.environment.today())
        }
        if field.namesDistrict { return try doubt(aboutDistrict: text.trimmingSpaces) }
        return field.namesUser ? AnswerDoubt.about(user: text, known: try knownUsers()) : nil
    }

    /// Doubts about the values of a line. If the user cannot be asked, the doubt is only shown: a script may bring old
    /// records.
    ///
    /// - Throws: `Stopped` if the user takes a value back.
    func check<Record: EditableRecord>(_ values: [FieldValue], record: Record, form: FormDefinition?) throws {
        let fields = record.editableFields(form: form)
        for value in values {
            guard let field = fields.field(typed: value.field),
                let doubt = try doubt(about: value.text, for: field)
            else { continue }
            if !session.canAsk {
                session.dialogue.show("Note: \(doubt)")
            } else if try !session.questions.confirm("\(doubt) Sure? y or n".printable) {
                throw Stopped("Nothing was saved.")
            }
        }
    }

    /// Districts are typed by name, and with a letter missing the name is another district, in which no user would
    /// look. A district that a gateway has refused does not count as known.
    private func doubt(aboutDistrict code: String) throws -> String? {
        let known = try session.field().districts.known(for: nil).codes.map(\.text)
        guard !known.containsExactly(code) else { return nil }
        let near = ChoiceMatch.nearest(to: code.lowercased(), among: known)
        guard !near.isEmpty else { return nil }
        return "The district '\(code)' is not known here; there is \(near.joined(separator: ", "))."
    }

    private func knownUsers() throws -> [String] {
        let field = try session.field()
        let inspections = try field.inspections.all().records.flatMap { [$0.inspector, $0.envelope.createdBy] }
        let assignments = try field.assignments.all().records.flatMap { [$0.inspector, $0.envelope.createdBy] }
        return (inspections + assignments + [try session.author().name]).compactMap(\.self)
    }
}
