import DocumentValues
import FieldModels
import FieldRecords

/// Changing records.
extension CommandRunner {
    private var finder: RecordFinder { RecordFinder(session: session) }

    // MARK: Edit

    func edit(_ text: String, _ values: [FieldValue]) throws -> Done {
        let reference = try finder.find(text, among: RecordKind.allCases)
        let field = try session.field()
        switch reference.kind {
        case .site: return try edit(field.sites, reference, values)
        case .inspection: return try editInspection(reference, values)
        case .finding: return try edit(field.findings, reference, values)
        case .assignment: return try edit(field.assignments, reference, values)
        case .form: throw UsageError("Forms are imported, not edited.", hint: "Use: import forms.jsonl")
        }
    }

    private func editInspection(_ reference: RecordReference, _ values: [FieldValue]) throws -> Done {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id) else {
            throw RecordActionError(.notFound, .inspection, reference.id)
        }
        try inspection.checkIsOpen()
        let form = try inspection.form.flatMap { try field.forms.find($0) }
        return try edit(field.inspections, reference, values, form: form)
    }

    private func edit<Record: EditableRecord>(
        _ records: RecordRepository<Record>, _ reference: RecordReference, _ values: [FieldValue],
        form: FormDefinition? = nil
    ) throws -> Done {
        guard let present = try records.find(reference.id) else {
            throw RecordActionError(.notFound, Record.kind, reference.id)
        }
        let values = values.isEmpty ? try askForChanges(of: present, form: form) : values
        let changed = try records.update(reference.id, by: session.author()) { record in
            try record.apply(values.map { ($0.field, $0.text) }, form: form, today: session.environment.today())
        }
        let isSame = changed == present
        let name = Record.kind == .inspection ? reference.shortID : changed.title
        return Done(
            isSame ? "Nothing was changed." : "Saved the \(Record.kind.rawValue) \(name).", changed.identifiedObject)
    }

    /// The fields by number, until an empty line.
    private func askForChanges<Record: EditableRecord>(
        of record: Record, form: FormDefinition?
    ) throws -> [FieldValue] {
        guard session.canAsk else {
            throw UsageError(
                "Say what to change: FIELD=VALUE.", hint: CommandCatalogue.specification(of: .edit).usageLine)
        }
        var record = record
        var values: [FieldValue] = []
        while true {
            let fields = record.editableFields(form: form)
            let labels = fields.map { "\($0.question.label): \($0.get(record)?.cell ?? "")" }
            guard case .value(let index) = try session.questions.choose("Change number (empty: done)", from: labels)
            else {
                return values
            }
            let question = fields[index].question
            guard case .value(let text) = try session.questions.ask(question, present: fields[index].get(record)) else {
                continue
            }
            try record.set(fields[index], to: text, today: session.environment.today())
            values.append(FieldValue(question.name, text))
        }
    }

    // MARK: Steps

    func submit(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        let inspection = try session.field().submit(reference.id, by: session.author())
        return Done("Submitted \(reference.shortID).", inspection.identifiedObject)
    }

    func approve(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        try checkMayApprove(reference.id)
        let inspection = try session.field().approve(reference.id, by: session.author())
        return Done("Approved \(reference.shortID).", inspection.identifiedObject)
    }

    /// The gateway lets supervisors alone approve; here it is at least somebody it knows, and not the inspector.
    private func checkMayApprove(_ id: String) throws {
        guard let user = try session.settings().user else {
            throw UsageError("Supervisors approve, and nobody has signed in here.", hint: "Sign in with: login")
        }
        guard let inspection = try session.field().inspections.find(id) else { return }
        guard let inspector = inspection.inspector ?? inspection.envelope.createdBy, inspector == user else { return }
        throw UsageError("This inspection is your own: somebody else has to approve it.")
    }

    func sendBack(_ text: String, because reason: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        let inspection = try session.field().sendBack(reference.id, because: reason, by: session.author())
        return Done(
            "Returned \(reference.shortID) to \(inspection.inspector ?? "its inspector").",
            inspection.identifiedObject)
    }

    // MARK: Attach and delete

    func attach(_ text: String, _ file: String, caption: String?) throws -> Done {
        let reference = try finder.find(text, among: [.inspection, .finding])
        try RegularFile.check(file)
        let field = try session.field()
        let photo: Photo
        switch reference.kind {
        case .finding:
            photo = try field.attach(file: file, toFinding: reference.id, caption: caption, by: session.author()).photo
        case .inspection, .site, .form, .assignment:
            photo = try field.attach(
                file: file, toInspection: reference.id, caption: caption, by: session.author()
            ).photo
        }
        let size = Int((photo.blob.length ?? 0) + 1023) / 1024
        return Done(
            "Attached \(photo.name), \(size.grouped) KB, to \(reference.shortID).",
            [
                "_id": .string(reference.id), "name": .string(photo.name),
                "digest": .string(photo.blob.digest.text),
            ])
    }

    func delete(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: RecordKind.allCases)
        let field = try session.field()
        let title = try RecordFinder.title(reference.kind, reference.id, field)
        if session.canAsk, try !session.questions.confirm("Delete \(reference.kind.rawValue) \(title)? y or n") {
            return Done("Nothing was deleted.", [:])
        }
        var findings = 0
        switch reference.kind {
        case .inspection: findings = try field.deleteInspection(reference.id)
        case .site: try field.deleteSite(reference.id)
        case .finding: try field.findings.delete(reference.id)
        case .form: try field.forms.delete(reference.id)
        case .assignment: try field.assignments.delete(reference.id)
        }
        let more = findings > 0 ? " and \(findings.of("finding"))" : ""
        return Done(
            "Deleted \(reference.kind.rawValue) \(title)\(more).",
            ["_id": .string(reference.id), "deleted": true, "findings": .int(findings)])
    }
}
