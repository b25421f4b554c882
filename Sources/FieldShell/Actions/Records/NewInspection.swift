import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Begins an inspection of a site.
struct NewInspection {
    let session: ShellSession

    func make(_ request: NewRequest) throws -> Done {
        let site = try SiteChoice(session: session).site(request.owner, usage: "Say which site: new inspection SITE.")
        return try make(request, at: site)
    }

    func make(_ request: NewRequest, at site: Site) throws -> Done {
        let draft = try draft(of: request, at: site)
        let values = request.values.filter { !ChoiceMatch.means($0.field, choice: "form") }
        let filling = DraftFilling(session: session, draft: draft)
        try filling.take(values)
        var findings = 0
        do {
            if !request.findings.isEmpty || !session.canAsk { try draft.save() }
            for text in request.findings {
                try addFinding(text, to: draft.record)
                findings += 1
            }
            if session.canAsk { findings += try ask(draft, at: site, skipping: filling.names(values)) }
        } catch is Stopped {
            throw filling.stopped()
        } catch let error as StoreError {
            filling.showKept()
            throw error
        }
        return saved(draft.record, form: draft.form, at: site, findings: findings)
    }

    private func draft(of request: NewRequest, at site: Site) throws -> RecordDraft<Inspection> {
        let field = try session.field()
        var inspection = Inspection(
            id: RecordIDs.makeRandom(.inspection), site: site.id, date: session.environment.today(),
            district: site.district ?? .unknown)
        inspection.inspector = try session.author().name
        // The answer to a question says it: until then a draft that was stopped is asked for it first.
        if session.canAsk { inspection.statedVisit = nil }
        let choice = FormChoice(session: session)
        let form =
            try choice.form(request.form, values: request.values) ?? choice.formAnswered(by: request, in: inspection)
        inspection.form = request.form ?? form?.id
        inspection.assignment = request.assignment
        return RecordDraft(
            inspection, in: field.inspections, session: session, form: form, check: field.submissions.checkIsOpen(_:))
    }

    /// - Returns: how many findings were typed.
    private func ask(_ draft: RecordDraft<Inspection>, at site: Site, skipping answered: Set<Name>) throws -> Int {
        session.dialogue.show(try subject(of: draft.record, at: site, form: draft.form))
        session.dialogue.show(AnswerLine.signs)
        // The user is the inspector.
        let known = draft.record.editableFields(form: draft.form).filter(\.namesUser).map(\.name)
        switch try Interview(session: session, draft: draft, skipping: answered.union(known)).run() {
        case .complete:
            try draft.save()
            return try FindingQuestions(session: session).ask(about: draft.record)
        case .stopped:
            // Without an answer nothing has begun.
            guard draft.isSaved else { throw Stopped() }
            return 0
        }
    }

    /// `Otter Canteen, 5 Quay Street, form Kitchen, due 2026-11-02`: a slip of a number is seen before all is answered.
    private func subject(of inspection: Inspection, at site: Site, form: FormDefinition?) throws -> String {
        let assignment = try inspection.assignment.flatMap { try session.field().assignments.findReadable($0) }
        let parts = [
            site.name, site.address.street, form.map { "form \($0.name)" }, assignment.map { "due \($0.due)" },
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ").printableLine
    }

    private func saved(_ inspection: Inspection, form: FormDefinition?, at site: Site, findings: Int) -> Done {
        let reference = RecordReference(.inspection, id: inspection.id)
        let more = findings > 0 ? " with \(findings.of("finding"))" : ""
        let name = session.name(ofNew: reference)
        return Done(
            "Saved draft \(reference.shortID) for \(site.name)\(more).\n"
                + inspection.stillOpen(form) + "Next: attach \(name) FILE, submit \(name)",
            object: inspection.identifiedObject)
    }

    private func addFinding(_ text: String, to inspection: Inspection) throws {
        try session.field().findings.add(
            inspection.newFinding(RecordIDs.makeRandom(.finding), text: text), by: session.author())
    }
}
