import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Fills a draft from the arguments of a line, and the rest by questions; it is saved as soon as it can be.
struct DraftFilling<Record: EditableRecord> {
    let session: ShellSession
    let draft: RecordDraft<Record>

    func fill(_ values: [FieldValue], skipping: Set<Name> = []) throws {
        try take(values)
        guard session.canAsk else { return try draft.save() }
        session.dialogue.show(AnswerLine.signs)
        do {
            let skipped = skipping.union(names(values))
            _ = try Interview(session: session, draft: draft, skipping: skipped).run()
        } catch is Stopped {
            throw stopped()
        } catch let error as StoreError {
            showKept()
            throw error
        }
        // A full stop may leave a mandatory field open.
        if !draft.isSaved, draft.record.envelope.channels.isEmpty {
            throw Stopped("Nothing was saved: its district is missing.")
        }
        try draft.save()
    }

    /// Takes the values of the line.
    func take(_ values: [FieldValue]) throws {
        guard !values.isEmpty else { return }
        try AnswerDoubts(session: session).check(values, record: draft.record, form: draft.form)
        let today = session.environment.today()
        try draft.change { try $0.apply(values.map { ($0.field, $0.text) }, form: draft.form, today: today) }
    }

    func names(_ values: [FieldValue]) -> Set<Name> {
        let fields = draft.record.editableFields(form: draft.form)
        return Set(values.compactMap { fields.field(typed: $0.field)?.name })
    }

    func stopped() -> Stopped {
        Stopped(kept() ?? "Nothing was saved.")
    }

    /// Where the disk takes no further answer, the person sees that the others are there.
    func showKept() {
        if let kept = kept() { session.dialogue.show(kept) }
    }

    private func kept() -> String? {
        guard draft.isSaved else { return nil }
        let reference = RecordReference(Record.kind, id: draft.record.id)
        let name = session.name(ofNew: reference)
        let what = Record.kind == .inspection ? "draft" : Record.kind.rawValue
        return "Your answers so far are kept as \(what) \(reference.shortID).\n"
            + "Go on: edit \(name). Throw it away: delete \(name)."
    }
}
