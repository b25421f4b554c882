import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Changing records.
extension CommandRunner {
    private var finder: RecordFinder { RecordFinder(session: session) }

    // MARK: Edit

    func edit(_ text: String, values: [FieldValue]) throws -> Done {
        let reference = try finder.find(text, among: RecordKind.allCases)
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
        let form = try inspection.form.flatMap { try field.forms.find($0) }
        let wanted = InspectionValues(values, of: inspection, form: form)
        if let status = wanted.status { try checkIsDraft(status, of: reference) }
        try field.checkIsOpen(inspection)
        guard wanted.isMoreThanAnswers else { return try edit(reference, values: values, form: form) }
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

    private func edit(
        _ inspection: RecordReference, values: [FieldValue], form: FormDefinition?, asksDoubts: Bool = true
    ) throws -> Done {
        let field = try session.field()
        return try edit(
            field.inspections, reference: inspection, values: values, form: form, asksDoubts: asksDoubts,
            check: field.checkIsOpen(_:),
            adapt: { try field.reopenIfIncomplete(&$0, form: form) })
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
            return try edit(field.assignments, reference: reference, values: values)
        }
        let form = try form(called: wanted)
        let others = values.filter { !isOnly("form", values: [$0]) }
        let edited = try others.isEmpty ? nil : edit(field.assignments, reference: reference, values: others)
        let assignment = try field.assignments.update(reference.id, by: session.author()) { $0.form = form?.id }
        let text =
            "The assignment \(reference.shortID) asks for \(form.map { "the form \($0.name)" } ?? "no form") now."
        return Done(
            [edited?.text, text].compactMap(\.self).joined(separator: "\n"), object: assignment.identifiedObject)
    }

    private func site(called text: String, for inspection: RecordReference) throws -> Site {
        let chosen = try finder.find(text, among: [.site])
        guard let site = try session.field().sites.find(chosen.id) else {
            throw RecordActionError(.notFound, kind: .site, id: chosen.id)
        }
        if let district = site.district { try checkMayMove(inspection, to: district.code) }
        return site
    }

    /// The site of an inspection, and of its findings: another one, because its own is gone or was the wrong one.
    private func move(_ reference: RecordReference, to site: Site) throws -> Done {
        let field = try session.field()
        let findings = try field.moveInspection(reference.id, toSite: site, by: session.author())
        let with = findings > 0 ? ", with \(findings.of("finding"))" : ""
        return Done(
            "The inspection \(reference.shortID) is of \(site.name) now\(with).",
            object: try field.inspections.find(reference.id)?.identifiedObject ?? [:])
    }

    /// A finding is part of its inspection; but when and whether it was fixed is seen later than the inspection is handed
    /// in, and the gateway may have refused the finding because of its district.
    private func editFinding(_ reference: RecordReference, values: [FieldValue]) throws -> Done {
        let field = try session.field()
        let isFree =
            try isOnly("corrected", values: values)
            || (isOnly("district", values: values) && !field.isTaken(.finding, id: reference.id))
        if !isFree, let finding = try field.findings.find(reference.id) { try field.checkIsOpen(inspectionOf: finding) }
        return try edit(
            field.findings, reference: reference, values: values,
            check: { if !isFree { try field.checkIsOpen(inspectionOf: $0) } }, verify: field.checkMove)
    }

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
            })
        if values.isEmpty {
            try askForChanges(draft)
        } else {
            if asksDoubts { try askAbout(values, of: present, form: form) }
            try naming(draft, reference: reference) { try draft.change(change(values, form: form)) }
        }
        guard draft.isChanged else { return Done("Nothing was changed.", object: draft.record.identifiedObject) }
        let name = Record.kind == .inspection ? reference.shortID : draft.record.title
        let open = (draft.record as? Inspection)?.stillOpen(form).trimmingSpaces ?? ""
        let step = stillSubmitted(from: present, to: draft.record)
        let lines = ["Saved the \(Record.kind.rawValue) \(name)."] + moved + [open, step].filter { !$0.isEmpty }
        return Done(lines.joined(separator: "\n"), object: draft.record.identifiedObject)
    }

    /// - Throws: `Stopped` or `UsageError` where the person takes it back.
    private func askAbout<Record: EditableRecord>(
        _ values: [FieldValue], of record: Record, form: FormDefinition?
    ) throws {
        try session.checkDoubts(values, record: record, form: form)
        for value in values where value.isOf("district") {
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

    private func reopenAssignment(from old: some FieldRecord, to new: some FieldRecord) throws {
        guard let old = old as? Inspection, let new = new as? Inspection, old.status == .submitted, new.status.isOpen
        else { return }
        try session.field().reopenAssignment(of: new, by: session.author())
    }

    /// The gateway would refuse it, with all that is changed at once.
    ///
    /// - Throws: `UsageError` where the person leaves it, or nobody can be asked.
    private func checkMayMove(_ reference: RecordReference, to district: String) throws {
        guard let doubt = try session.doubt(aboutMoveOf: reference, to: district) else { return }
        guard try session.consents(to: "\(doubt) Move it all the same?".printable) else {
            throw UsageError("Nothing was changed.", hint: "Ask a supervisor to move it.")
        }
    }

    /// The record as it was shown, where it was, with what the person has done to it since.
    private func known<Record: EditableRecord>(_ reference: RecordReference) throws -> Record? {
        try session.seen[reference]?.object.map { try Record(id: reference.id, object: $0) }
    }

    /// What belongs to a site or an inspection goes to another district with it.
    ///
    /// - Returns: what went along; `nil` where that is nothing.
    private func takeAlong(from old: some FieldRecord, to new: some FieldRecord) throws -> String? {
        guard let before = old.district, let now = new.district, before != now else { return nil }
        let field = try session.field()
        let isSite = type(of: new).kind == .site
        let moved: MovedRecords
        switch type(of: new).kind {
        case .site: moved = try field.moveRecords(ofSite: new.id, from: before, to: now, by: session.author())
        case .inspection:
            moved = try field.moveFindings(ofInspection: new.id, from: before, to: now, by: session.author())
        case .finding, .form, .assignment: return nil
        }
        var lines = moved.isEmpty ? [] : ["Moved to \(now) with it: \(moved.counts)."]
        let left = try isSite ? field.records(ofSite: new.id, in: before) : MovedRecords()
        if !left.isEmpty {
            lines.append(
                "Still in \(before), since others have them there: \(left.counts). Who has \(before) alone does not see the "
                    + "site any more. An inspection goes along by: edit \(session.recordPlaceholder) site=\(new.id)")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// A draft goes on at its first open question; what is complete is changed by numbers.
    private func askForChanges<Record: EditableRecord>(_ draft: RecordDraft<Record>) throws {
        guard session.canAsk else {
            throw UsageError(
                "Say what to change: FIELD=VALUE.", hint: CommandCatalogue.specification(of: .edit).usageLine)
        }
        do {
            if let inspection = draft.record as? Inspection, hasOpenQuestions(draft) {
                try goOn(draft, inspection: inspection)
            } else if let finding = draft.record as? Finding, finding.risk == nil {
                try goOn(draft)
            } else {
                try ChangeMenu(session: session, draft: draft).run()
            }
        } catch is Stopped where draft.isChanged {
            throw Stopped("What was answered until now is saved.")
        }
    }

    private func hasOpenQuestions<Record: EditableRecord>(_ draft: RecordDraft<Record>) -> Bool {
        draft.record.editableFields(form: draft.form).contains {
            !$0.isChangedByNameOnly && !$0.hasAnswer(in: draft.record)
        }
    }

    private func goOn<Record: EditableRecord>(_ draft: RecordDraft<Record>, inspection: Inspection) throws {
        let site = try session.field().sites.find(inspection.site)?.name ?? inspection.site
        session.dialogue.show("\(site), \(inspection.date): what is still open. :all shows every answer.".printable)
        session.dialogue.show(AnswerLine.signs)
        let end = try Interview(session: session, draft: draft, asksOnlyOpen: true).run()
        if case .complete = end, let changed = draft.record as? Inspection {
            _ = try FindingQuestions(session: session).ask(about: changed)
        }
    }

    /// A finding is saved with its text; without a risk its questions were not asked to their end.
    private func goOn(_ draft: RecordDraft<some EditableRecord>) throws {
        session.dialogue.show("\(draft.record.title): what is still open. :all shows every answer.".printableLine)
        session.dialogue.show(AnswerLine.signs)
        let end = try Interview(session: session, draft: draft, skipping: ["corrected"], asksOnlyOpen: true).run()
        if case .complete = end, !draft.isChanged { try ChangeMenu(session: session, draft: draft).run() }
    }

    // MARK: Steps

    func submit(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        if let refusal = try stepRefused(reference, question: "Submit it all the same?") { return refusal }
        if let refusal = try datedAheadRefused(reference) { return refusal }
        if let refusal = try unseenRefused(reference, step: "Submit") { return refusal }
        let inspection = try session.field().submit(reference.id, by: session.author())
        let missing = try MissingSite(of: inspection, in: session.field()).map { " \($0.sentence)" }
        return Done("Submitted \(reference.shortID).\(missing ?? "")", object: inspection.identifiedObject)
    }

    func approve(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        try checkMayApprove(reference.id)
        if let refusal = try reviewRefused(question: "Approve it all the same?") { return refusal }
        if let refusal = try stepRefused(reference, question: "Approve it all the same?") { return refusal }
        if let refusal = try unansweredRefused(reference) { return refusal }
        if let refusal = try unseenRefused(reference, step: "Approve") { return refusal }
        let isAgain = try session.field().inspections.find(reference.id)?.status == .approved
        let inspection = try session.field().approve(reference.id, by: session.author())
        let what = isAgain ? " as it is now" : ""
        return Done("Approved \(reference.shortID)\(what).", object: inspection.identifiedObject)
    }

    /// The gateway lets supervisors alone approve; here it is at least somebody it knows, and not the inspector.
    private func checkMayApprove(_ id: String) throws {
        guard let user = try session.settings().user else {
            throw UsageError("Supervisors approve, and nobody has signed in here.", hint: "Sign in with: login")
        }
        guard let inspection = try session.field().inspections.find(id), inspection.isWork(of: user) else { return }
        throw UsageError("This inspection is your own: somebody else has to approve it.")
    }

    /// The gateway would refuse it, and the inspection would be returned on this laptop alone.
    private func checkMaySendBack(_ id: String) throws {
        guard let user = try session.settings().user, let inspection = try session.field().inspections.find(id),
            inspection.isWork(of: user)
        else { return }
        throw UsageError("This inspection is your own: a supervisor has to return it to you.")
    }

    func sendBack(_ text: String, because reason: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        try checkMaySendBack(reference.id)
        if let refusal = try reviewRefused(question: "Return it all the same?") { return refusal }
        if let refusal = try approvalKept(reference) { return refusal }
        if let refusal = try stepRefused(
            reference, question: "Return it all the same?", besides: [RecordConflict.review, RecordConflict.status])
        {
            return refusal
        }
        if let refusal = try unseenRefused(reference, step: "Return") { return refusal }
        let inspection = try session.field().sendBack(reference.id, because: reason, by: session.author())
        return Done(
            "Returned \(reference.shortID) to \(inspection.inspector ?? "its inspector").",
            object: inspection.identifiedObject)
    }

    /// No laptop knows its user's roles: those who have work of their own and never supervised are asked.
    private func reviewRefused(question: String) throws -> Done? {
        guard let user = try session.settings().user,
            try session.field().supervisorRole(of: user) == .unlikely
        else { return nil }
        let doubt = "The gateway takes an approval or a return from supervisors alone."
        guard try !session.consents(to: "\(doubt) \(question)") else { return nil }
        return Done("Nothing was changed. Ask a supervisor.", object: [:])
    }

    /// What was approved is not returned by mistake. Where it has changed since, that is what a return is for.
    private func approvalKept(_ reference: RecordReference) throws -> Done? {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id), inspection.status == .approved,
            try !field.changedApprovals().contains(where: { $0.inspection.id.isExactly(reference.id) })
        else { return nil }
        guard try !session.consents(to: "It is approved. Take the approval back, and return it?") else { return nil }
        return Done("Nothing was changed.", object: [:])
    }

    /// Asks before a step is made while two people's values are still to be decided.
    ///
    /// - Parameter settled: fields of the inspection that are decided by the step itself.
    /// - Returns: what is said where the step is not made.
    private func stepRefused(
        _ reference: RecordReference, question: String, besides settled: Set<FieldPath> = []
    ) throws -> Done? {
        guard let subjects = try session.undecided(ofInspection: reference.id, besides: settled) else { return nil }
        let open = "Something is still to be decided: \(subjects)."
        guard try !session.consents(to: "\(open) \(question)".printable) else { return nil }
        return Done("Nothing was changed. Decide first: conflicts", object: [:])
    }

    /// Of two laptops one may have handed in what the other gave an answer to that asks for more.
    private func unansweredRefused(_ reference: RecordReference) throws -> Done? {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id),
            let form = try inspection.form.flatMap({ try field.forms.find($0) })
        else { return nil }
        let open = FormCheck.missing(in: inspection.answers, of: form).map(\.label)
        guard !open.isEmpty else { return nil }
        let question = "Not answered: \(open.joined(separator: ", ")). Approve it all the same?"
        guard try !session.consents(to: question.printable) else { return nil }
        return Done("Nothing was changed. Send it back: return \(reference.shortID) REASON", object: [:])
    }

    /// A wrong clock can leave a day that nobody typed, and that nobody can change after the inspection is handed in.
    ///
    /// - Returns: what is said where it is not handed in.
    private func datedAheadRefused(_ reference: RecordReference) throws -> Done? {
        let today = session.environment.today()
        guard let date = try session.field().inspections.find(reference.id)?.date,
            let doubt = AnswerDoubt.about(day: "\(date)", usually: .min...1, today: today)
        else { return nil }
        guard try !session.consents(to: "\(doubt) That is its day. Submit it all the same?") else { return nil }
        return Done("Nothing was changed. Correct its day: edit \(reference.shortID) date=today", object: [:])
    }

    /// Asks before a step is made with what somebody else has changed since it was looked at here.
    ///
    /// - Parameter step: what is about to be done: `Approve`.
    /// - Returns: what is said where it is not done.
    private func unseenRefused(_ reference: RecordReference, step: String) throws -> Done? {
        let present = try RecordSnapshot(of: reference, in: session.field())
        guard let known = session.seen[reference], known != present else { return nil }
        let question = "The inspection has changed since you looked at it. \(step) it all the same?"
        let isWanted = try session.consents(to: question)
        let isAsAsked = try RecordSnapshot(of: reference, in: session.field()) == present
        guard !isWanted || !isAsAsked else { return nil }
        return Done("Nothing was changed. Look at it again: show \(reference.shortID)", object: [:])
    }

    // MARK: Attach and delete

    func attach(_ text: String, file: String, caption: String?) throws -> Done {
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
        session.shownPhotos[reference]?.append(photo)
        let size = Int((photo.blob.length ?? 0) + 1023) / 1024
        return Done(
            "Attached \(photo.name), \(size.grouped) KB, to \(reference.shortID).",
            object: [
                "_id": .string(reference.id), "name": .string(photo.name),
                "digest": .string(photo.blob.digest.text),
            ])
    }

    func delete(_ text: String) throws -> Done {
        try delete(try finder.find(text, among: RecordKind.allCases))
    }

    func delete(_ reference: RecordReference) throws -> Done {
        let field = try session.field()
        let deletion = try Deletion(of: reference, in: field)
        do { try deletion.check() } catch { throw try returnedFirst(reference) ?? error }
        let shown = try RecordSnapshot(of: reference, in: field)
        let owner = try ownerOfOther(reference)
        let question =
            owner.map { "\($0) Delete \(deletion.summary) all the same?" } ?? "Delete \(deletion.summary)?"
        guard try session.consents(to: question) else {
            return Done("Nothing was deleted.", object: [:])
        }
        try field.database.inBatch {
            guard try RecordSnapshot(of: reference, in: field) == shown else {
                throw UsageError(
                    "Meanwhile somebody has changed what you were asked about; nothing was deleted.",
                    hint: "Look at it first: show \(reference.shortID)")
            }
            switch reference.kind {
            case .inspection: _ = try field.deleteInspection(reference.id)
            case .site: try field.deleteSite(reference.id)
            case .finding: try field.deleteFinding(reference.id)
            case .form: try field.forms.delete(reference.id)
            case .assignment: try field.assignments.delete(reference.id)
            }
        }
        return Done(
            "Deleted \(deletion.summary)." + (owner.map { " \($0)" } ?? ""),
            object: ["_id": .string(reference.id), "deleted": true, "findings": .int(deletion.findings)])
    }

    /// Who may return the inspection of others that keeps a record from being deleted does not ask anybody else to.
    private func returnedFirst(_ reference: RecordReference) throws -> UsageError? {
        let field = try session.field()
        let id = reference.kind == .finding ? try field.findings.findReadable(reference.id)?.inspection : reference.id
        guard [.inspection, .finding].contains(reference.kind), let user = try session.settings().user, let id,
            let inspection = try field.inspections.findReadable(id), try field.isHandedIn(inspection),
            !inspection.isWork(of: user), try field.supervisorRole(of: user) != .unlikely
        else { return nil }
        let short = RecordReference.short(id, kind: .inspection)
        let part = reference.kind == .finding ? "The finding \(reference.shortID) is part of the" : "The"
        let which = reference.kind == .finding ? ", which is" : " is"
        return UsageError(
            "\(part) inspection \(short)\(which) \(inspection.status.rawValue), so it cannot be deleted.",
            hint: "Return it first: return \(short) REASON")
    }

    /// That a record is somebody else's, for those of whom nobody knows that they are supervisors.
    private func ownerOfOther(_ reference: RecordReference) throws -> String? {
        let field = try session.field()
        guard let user = try session.settings().user,
            let owner = try field.owner(of: reference.kind, id: reference.id, otherThan: user),
            try field.supervisorRole(of: user) != .known
        else { return nil }
        return
            "The \(reference.kind.rawValue) is \(owner)'s, and the gateway lets only supervisors delete records of others."
    }
}

extension MovedRecords {
    /// `2 inspections, 1 finding`.
    fileprivate var counts: String {
        [(inspections, "inspection"), (findings, "finding"), (assignments, "assignment")]
            .filter { $0.0 > 0 }.map { $0.0.of($0.1) }.joined(separator: ", ")
    }
}

extension FieldDatabase {
    /// A finding's district can only be set to that of its inspection. One that is in another district already can
    /// still be changed otherwise.
    func checkMove(from old: Finding, to new: Finding) throws {
        if old.district != new.district { try checkDistrict(of: new) }
    }
}
