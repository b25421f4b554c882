import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Changing records.
extension CommandRunner {
    func edit(_ text: String, values: [FieldValue]) throws -> Done {
        let reference = try finder.find(text, among: RecordKind.allCases)
        if let mended = try mend(reference, values: values) { return mended }
        let field = try session.field()
        switch reference.kind {
        case .site: return try edit(field.sites, reference: reference, values: values)
        case .inspection: return try editInspection(reference, values: values)
        case .finding: return try editFinding(reference, values: values)
        case .assignment: return try editAssignment(reference, values: values)
        case .form: throw UsageError("Forms are imported, not edited.", hint: "Use: import forms.jsonl")
        }
    }

    private func editInspection(_ reference: RecordReference, values: [FieldValue]) throws -> Done {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: reference.id)
        }
        let form = try field.form(of: inspection)
        let wanted = InspectionValues(values, of: inspection, form: form)
        if let status = wanted.status { try checkIsDraft(status, of: reference) }
        let isTakenBack = try !wanted.isMoreThanAnswers && field.takesBack(values, of: reference, form: form)
        if !isTakenBack { try checkMayChange(inspection, reference: reference, status: wanted.status) }
        if values.isEmpty, try isLeftAlone(inspection, asking: "Change") {
            return Done("Nothing was changed.", object: [:])
        }
        guard wanted.isMoreThanAnswers else {
            return try edit(reference, values: values, form: form, isTakenBack: isTakenBack)
        }
        // Everything there is to ask comes first; then all of it is done, or nothing.
        if !wanted.answers.isEmpty { try tryOut(wanted.answers, of: inspection, reference: reference, form: form) }
        let target = try wanted.site.map { try site(called: $0, for: reference) }
        var done: [Done] = []
        try field.database.inBatch {
            if wanted.status != nil { done.append(try takeBack(reference)) }
            if let target { done.append(try move(reference, to: target)) }
            if !wanted.answers.isEmpty {
                done.append(try edit(reference, values: wanted.answers, form: form, asksDoubts: false))
            }
        }
        return done.dropFirst().reduce(done[0]) { $1.after($0) }
    }

    /// What others have submitted is taken back before it is changed.
    private func checkMayChange(_ inspection: Inspection, reference: RecordReference, status: String?) throws {
        let field = try session.field()
        guard try field.isSubmittedByOthers(inspection, than: session.author()) else {
            return try field.checkIsOpen(inspection)
        }
        guard status == nil else { return }
        throw Self.submittedByOthers(reference)
    }

    private func edit(
        _ inspection: RecordReference, values: [FieldValue], form: FormDefinition?, asksDoubts: Bool = true,
        isTakenBack: Bool = false
    ) throws -> Done {
        let field = try session.field()
        return try edit(
            field.inspections, reference: inspection, values: values, form: form, asksDoubts: asksDoubts,
            check: { if !isTakenBack { try field.checkIsOpen($0) } },
            adapt: { inspection in
                guard isTakenBack else { return try field.reopenIfIncomplete(&inspection, form: form) }
                try field.restoreChannels(of: &inspection)
            })
    }

    private func checkIsDraft(_ status: String, of reference: RecordReference) throws {
        guard !ChoiceMatch.means(status, choice: Inspection.Status.draft.rawValue) else { return }
        throw UsageError(
            "An inspection's status is changed by submit, approve and return.",
            hint: "What is submitted here alone is taken back by: edit \(reference.shortID) status=draft")
    }

    /// It is not to be handed in after all.
    private func takeBack(_ reference: RecordReference) throws -> Done {
        let inspection = try session.field().takeBackSubmission(reference.id, by: session.author())
        let name = inspection.status == .draft ? "a draft" : inspection.status.rawValue
        return Done("The inspection \(reference.shortID) is \(name) again.", object: inspection.identifiedObject)
    }

    /// Asks what there is to be asked about values, and changes nothing.
    private func tryOut(
        _ values: [FieldValue], of inspection: Inspection, reference: RecordReference, form: FormDefinition?
    ) throws {
        try askAbout(values, of: inspection, form: form)
        let draft = RecordDraft(
            try known(reference) ?? inspection, in: try session.field().inspections, session: session, form: form,
            isSaved: true, check: try session.field().checkIsOpen(_:))
        try naming(draft, reference: reference) { try draft.tryOut(change(values, form: form)) }
    }

    private func change<Record: EditableRecord>(
        _ values: [FieldValue], form: FormDefinition?
    ) -> (inout Record) throws -> Void {
        let today = session.environment.today()
        return { try $0.apply(values.map { ($0.field, $0.text) }, form: form, today: today) }
    }

    /// What was changed meanwhile is named, and known to the person from then on.
    private func naming<Record: EditableRecord>(
        _ draft: RecordDraft<Record>, reference: RecordReference, change: () throws -> Void
    ) throws {
        do {
            try change()
        } catch let error as ChangedMeanwhile {
            session.seen[reference]?.see(fields: error.fields, of: draft.record.object)
            throw UsageError(error.text, hint: "Give the command again to replace that.")
        }
    }

    private func editAssignment(_ reference: RecordReference, values: [FieldValue]) throws -> Done {
        let field = try session.field()
        guard let wanted = values.last(where: { isOnly("form", values: [$0]) })?.text else {
            return try edit(field.assignments, reference: reference, values: values, adapt: { try linkWork(of: &$0) })
        }
        let form = try form(called: wanted)
        let others = values.filter { !isOnly("form", values: [$0]) }
        let text =
            "The assignment \(reference.shortID) asks for \(form.map { "the form \($0.name)" } ?? "no form") now."
        guard others.isEmpty else {
            let edited = try edit(
                field.assignments, reference: reference, values: others,
                adapt: {
                    $0.form = form?.id
                    try linkWork(of: &$0)
                })
            return Done("\(edited.text)\n\(text)", object: edited.object)
        }
        let old = try field.assignments.find(reference.id)
        let assignment = try field.assignments.update(reference.id, by: session.author()) { $0.form = form?.id }
        let lines = [text, try old.map { try willBeRefused(from: $0, to: assignment) } ?? ""]
        return Done(lines.filter { !$0.isEmpty }.joined(separator: "\n"), object: assignment.identifiedObject)
    }

    /// An assignment that is done names the inspection that was handed in for it, also where somebody says so afterwards.
    private func linkWork(of assignment: inout Assignment) throws {
        guard assignment.status == .done, assignment.inspection == nil else { return }
        let made = try session.field().inspections(ofAssignment: assignment.id).filter { !$0.status.isOpen }
        assignment.inspection = made.max { ($0.date, Name($0.id)) < ($1.date, Name($1.id)) }?.id
    }

    /// A finding is part of its inspection; but when and whether it was fixed is seen later than the inspection is handed
    /// in, and the gateway may have refused the finding because of its district.
    private func editFinding(_ reference: RecordReference, values: [FieldValue]) throws -> Done {
        let field = try session.field()
        let isTakenBack = try field.takesBack(values, of: reference, form: nil)
        let isFree =
            try isTakenBack || isOnly("corrected", values: values)
            || (isOnly("district", values: values) && !field.isTaken(.finding, id: reference.id))
        if !isFree, let finding = try field.findings.find(reference.id) { try field.checkIsOpen(inspectionOf: finding) }
        if try lacksInspection(reference), try !session.consents(to: "\(Self.mayBeHidden) Change it all the same?") {
            throw UsageError("Nothing was changed.", hint: "Ask the inspector whether the inspection was deleted.")
        }
        return try edit(
            field.findings, reference: reference, values: values,
            check: { if !isFree { try field.checkIsOpen(inspectionOf: $0) } },
            adapt: { if isTakenBack { try field.restoreChannels(of: &$0) } },
            verify: { if !isTakenBack { try field.checkMove(from: $0, to: $1) } })
    }

    /// Where the inspection is deleted, laptops that know it hide the finding. The first sync of a folder brings no deletions.
    private func lacksInspection(_ record: RecordReference) throws -> Bool {
        let field = try session.field()
        guard record.kind == .finding, let body = try field.collection(of: .finding).document(id: record.id)?.body
        else { return false }
        return try field.lacksInspection(body) && field.isTaken(.finding, id: record.id)
    }

    private static let mayBeHidden =
        "The inspection of this finding is not on this laptop: it may be deleted, and then nobody sees what you write."

    private func isOnly(_ name: String, values: [FieldValue]) -> Bool {
        !values.isEmpty && values.allSatisfy { $0.isOf(name) }
    }

    private func edit<Record: EditableRecord>(
        _ records: RecordRepository<Record>, reference: RecordReference, values: [FieldValue],
        form: FormDefinition? = nil, asksDoubts: Bool = true, check: @escaping (Record) throws -> Void = { _ in },
        adapt: @escaping (inout Record) throws -> Void = { _ in },
        verify: @escaping (Record, Record) throws -> Void = { _, _ in }
    ) throws -> Done {
        guard let present = try records.find(reference.id) else {
            throw RecordActionError(.notFound, kind: Record.kind, id: reference.id)
        }
        var moved: [String] = []
        let draft = RecordDraft(
            values.isEmpty ? present : try known(reference) ?? present, in: records, session: session, form: form,
            isSaved: true, check: check, adapt: adapt, verify: verify,
            follow: { old, new in
                if let line = try takeAlong(from: old, to: new) { moved.append(line) }
                try reopenAssignment(from: old, to: new)
                try bringFindingDatesAlong(from: old, to: new)
            })
        if values.isEmpty {
            try askForChanges(draft)
        } else {
            if asksDoubts { try askAbout(values, of: present, form: form) }
            try naming(draft, reference: reference) { try draft.change(change(values, form: form)) }
        }
        guard draft.isChanged else { return Done("Nothing was changed.", object: draft.record.identifiedObject) }
        let name = Record.kind == .inspection ? reference.shortID : draft.record.title.printableLine
        let open = (draft.record as? Inspection)?.stillOpen(form).trimmingSpaces ?? ""
        let step = try stillSubmitted(from: present, to: draft.record) + willBeRefused(from: present, to: draft.record)
        // Where questions are asked, one of them says it.
        let hidden = try session.asksNothing && lacksInspection(reference) ? Self.mayBeHidden : ""
        let rest = [open, step, hidden].filter { !$0.isEmpty }
        let lines = ["Saved the \(Record.kind.rawValue) \(name)."] + moved + rest
        return Done(lines.joined(separator: "\n"), object: draft.record.identifiedObject)
    }

    /// - Throws: `Stopped` or `UsageError` where the person takes it back.
    private func askAbout<Record: EditableRecord>(
        _ values: [FieldValue], of record: Record, form: FormDefinition?
    ) throws {
        try session.checkDoubts(values, record: record, form: form)
        let fields = record.editableFields(form: form)
        // A form may have a question of that name.
        for value in values where fields.field(typed: value.field)?.namesDistrict == true {
            try checkMayMove(RecordReference(Record.kind, id: record.id), to: value.text)
        }
    }

    /// What was submitted, and is not handed in yet, goes with the next sync, unless it is not complete any more.
    private func stillSubmitted(from old: some FieldRecord, to new: some FieldRecord) -> String {
        guard let old = old as? Inspection, let new = new as? Inspection, old.status == .submitted else { return "" }
        return new.status.isOpen
            ? "It is not submitted any more. When it is complete: submit \(RecordReference.short(new.id, kind: .inspection))"
            : "It is submitted, and goes with the next sync."
    }

    /// What was assigned is not the inspector's to change: the gateway refuses it, and with it that the work is done.
    private func willBeRefused(from old: some FieldRecord, to new: some FieldRecord) throws -> String {
        guard let old = old as? Assignment, var new = new as? Assignment, let user = try session.author().name else {
            return ""
        }
        (new.status, new.inspection, new.envelope) = (old.status, old.inspection, old.envelope)
        let isOwn = old.envelope.createdBy?.isExactly(user) == true
        guard new != old, !isOwn, try session.field().supervisorRole(of: user) == .unlikely else { return "" }
        return
            "The gateway takes a change of what was assigned from supervisors only. What you have to say goes into the "
            + "inspection."
    }

    private func bringFindingDatesAlong(from old: some FieldRecord, to new: some FieldRecord) throws {
        guard let old = old as? Inspection, let new = new as? Inspection else { return }
        try session.field().bringFindingDatesAlong(from: old, to: new, by: session.author())
    }

    private func reopenAssignment(from old: some FieldRecord, to new: some FieldRecord) throws {
        guard let old = old as? Inspection, let new = new as? Inspection, old.status == .submitted, new.status.isOpen
        else { return }
        try session.field().reopenAssignment(of: new, by: session.author())
    }

    /// The record as it was shown, where it was, with what the person has done to it since.
    private func known<Record: EditableRecord>(_ reference: RecordReference) throws -> Record? {
        try session.seen[reference]?.object.map { try Record(id: reference.id, object: $0) }
    }
}

extension FieldDatabase {
    /// A form may ask for something that has the name of a field.
    fileprivate func takesBack(
        _ values: [FieldValue], of record: RecordReference, form: FormDefinition?
    ) throws -> Bool {
        let isAnswer = values.contains { value in form?.fields.contains { value.isOf($0.name) } == true }
        return try !isAnswer && takesBack(values.map { ($0.field, $0.text) }, of: record.kind, id: record.id)
    }
}
