import DocumentValues
import FieldModels
import FieldRecords

/// Gives a record other values, from a line or by questions, and changes dependent records.
struct RecordEdit<Record: EditableRecord> {
    let session: ShellSession
    let records: RecordRepository<Record>
    let reference: RecordReference
    let values: [FieldValue]
    /// A value of the line that is no answer, such as the form that an assignment asks for.
    var choose: ((inout Record) -> Void)?
    var form: FormDefinition?
    /// Whether answers that may be slips are asked about.
    var asksDoubts = true
    /// As of `RecordDraft`.
    var check: (Record) throws -> Void = { _ in }
    var adapt: (inout Record) throws -> Void = { _ in }
    var verify: (Record, Record) throws -> Void = { _, _ in }

    func run() throws -> Done {
        guard let present = try records.find(reference.id) else {
            throw RecordActionError(.notFound, kind: Record.kind, id: reference.id)
        }
        var moved: [String] = []
        let draft = try draft(of: isAsked ? present : known() ?? present, adapt: adapt, verify: verify) {
            old, new in
            if let line = try RecordMoves(session: session).takeAlong(from: old, to: new) { moved.append(line) }
            try reopenAssignment(from: old, to: new)
            try bringFindingDatesAlong(from: old, to: new)
        }
        if isAsked {
            try ChangeQuestions(session: session, draft: draft).ask()
        } else {
            if asksDoubts { try askAbout(present) }
            try naming(draft) { try draft.change(change) }
        }
        guard draft.isChanged else { return Done("Nothing was changed.", object: draft.record.identifiedObject) }
        return try saved(draft.record, insteadOf: present, moved: moved)
    }

    /// Whether the line has no values.
    private var isAsked: Bool { values.isEmpty && choose == nil }

    /// Asks all questions about the values, and makes no change.
    func tryOut(on present: Record) throws {
        try askAbout(present)
        let draft = try draft(of: known() ?? present)
        try naming(draft) { try draft.tryOut(change) }
    }

    private func draft(
        of record: Record, adapt: @escaping (inout Record) throws -> Void = { _ in },
        verify: @escaping (Record, Record) throws -> Void = { _, _ in },
        follow: @escaping (Record, Record) throws -> Void = { _, _ in }
    ) -> RecordDraft<Record> {
        RecordDraft(
            record, in: records, session: session, form: form, isSaved: true, check: check, adapt: adapt,
            verify: verify, follow: follow)
    }

    /// - Parameter moved: the records that went along to another district.
    private func saved(_ record: Record, insteadOf present: Record, moved: [String]) throws -> Done {
        let warnings = EditWarnings(session: session)
        let name = Record.kind == .inspection ? reference.shortID : record.title.printableLine
        let open = (record as? Inspection)?.stillOpen(form).trimmingSpaces ?? ""
        let step =
            try warnings.stillSubmitted(from: present, to: record)
            + warnings.willBeRefused(from: present, to: record)
        // Where questions are asked, one of them says it.
        let hidden = try session.asksNothing && warnings.lacksInspection(reference) ? EditWarnings.mayBeHidden : ""
        let rest = [open, step, hidden].filter { !$0.isEmpty }
        let lines = ["Saved the \(Record.kind.rawValue) \(name)."] + moved + rest
        return Done(lines.joined(separator: "\n"), object: record.identifiedObject)
    }

    private func change(_ record: inout Record) throws {
        choose?(&record)
        try record.apply(values.map { ($0.field, $0.text) }, form: form, today: session.environment.today())
    }

    /// Names the fields that were changed since; from then on the person knows them.
    private func naming(_ draft: RecordDraft<Record>, change: () throws -> Void) throws {
        do {
            try change()
        } catch let error as ChangedMeanwhile {
            session.shown.records[reference]?.see(fields: error.fields, of: draft.record.object)
            throw UsageError(error.text, hint: "Give the command again to replace that.")
        }
    }

    /// - Throws: `Stopped` or `UsageError` where the person takes it back.
    private func askAbout(_ record: Record) throws {
        try AnswerDoubts(session: session).check(values, record: record, form: form)
        let fields = record.editableFields(form: form)
        let moves = RecordMoves(session: session)
        // A form may have a question of that name.
        for value in values where fields.field(typed: value.field)?.namesDistrict == true {
            try moves.checkMayMove(RecordReference(Record.kind, id: record.id), to: value.text)
        }
    }

    private func bringFindingDatesAlong(from old: some FieldRecord, to new: some FieldRecord) throws {
        guard let old = old as? Inspection, let new = new as? Inspection else { return }
        try session.field().moves.bringFindingDatesAlong(from: old, to: new, by: session.author())
    }

    private func reopenAssignment(from old: some FieldRecord, to new: some FieldRecord) throws {
        guard let old = old as? Inspection, let new = new as? Inspection, old.status == .submitted, new.status.isOpen
        else { return }
        try session.field().assignedWork.reopenAssignment(of: new, by: session.author())
    }

    /// The record as it was shown, if it was, with the person's own changes since.
    private func known() throws -> Record? {
        try session.shown.records[reference]?.object.map { try Record(id: reference.id, object: $0) }
    }
}
