import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Making records, by the arguments of a line or by questions.
extension CommandRunner {
    func new(_ request: NewRequest) throws -> Done {
        switch request.kind {
        case .inspection: return try newInspection(request)
        case .finding: return try newFinding(request)
        case .site: return try newSite(request)
        case .assignment: return try newAssignment(request)
        case .form: throw UsageError("Forms are imported, not typed.", hint: "Use: import forms.jsonl")
        }
    }

    private func makeID(_ kind: RecordKind) -> String {
        var generator = SystemRandomNumberGenerator()
        return RecordIDs.make(kind, using: &generator)
    }

    private var today: CalendarDay { session.environment.today() }

    // MARK: Inspections

    private func newInspection(_ request: NewRequest) throws -> Done {
        try newInspection(request, at: site(request.owner, usage: "Say which site: new inspection SITE."))
    }

    func newInspection(_ request: NewRequest, at site: Site) throws -> Done {
        let field = try session.field()
        var inspection = Inspection(
            id: makeID(.inspection), site: site.id, date: today, district: site.district ?? .unknown)
        inspection.inspector = try session.author().name
        // The answer to a question says it: until then a draft that was stopped is asked for it first.
        if session.canAsk { inspection.statedVisit = nil }
        let form = try form(request.form, values: request.values) ?? formAnswered(by: request, in: inspection)
        inspection.form = request.form ?? form?.id
        inspection.assignment = request.assignment
        let draft = RecordDraft(
            inspection, in: field.inspections, session: session, form: form, check: field.checkIsOpen(_:))
        let values = request.values.filter { !ChoiceMatch.means($0.field, choice: "form") }
        try take(values, draft: draft)
        var findings = 0
        do {
            if !request.findings.isEmpty || !session.canAsk { try draft.save() }
            for text in request.findings {
                try addFinding(text, to: draft.record)
                findings += 1
            }
            if session.canAsk {
                session.dialogue.show(try subject(of: draft.record, at: site, form: form))
                session.dialogue.show(AnswerLine.signs)
                let end = try Interview(
                    session: session, draft: draft, skipping: names(values, draft: draft).union(["inspector"])
                )
                .run()
                switch end {
                case .complete:
                    try draft.save()
                    findings += try FindingQuestions(session: session).ask(about: draft.record)
                // Without an answer nothing has begun.
                case .stopped: if !draft.isSaved { throw Stopped() }
                }
            }
        } catch is Stopped {
            throw stopped(draft)
        } catch let error as StoreError {
            showKept(draft)
            throw error
        }
        return saved(draft.record, form: form, at: site, findings: findings)
    }

    /// `Otter Canteen, 5 Quay Street, form Kitchen, due 2026-11-02`: a slip of a number is seen before all is answered.
    private func subject(of inspection: Inspection, at site: Site, form: FormDefinition?) throws -> String {
        let assignment = try inspection.assignment.flatMap { try session.field().assignments.findReadable($0) }
        let parts = [
            site.name, site.address.street, form.map { "form \($0.name)" }, assignment.map { "due \($0.due)" },
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ").printableLine
    }

    private func stopped<Record>(_ draft: RecordDraft<Record>) -> Stopped {
        Stopped(kept(draft) ?? "Nothing was saved.")
    }

    /// Where the disk takes no further answer, the person sees that the others are there.
    private func showKept<Record>(_ draft: RecordDraft<Record>) {
        if let kept = kept(draft) { session.dialogue.show(kept) }
    }

    private func kept<Record>(_ draft: RecordDraft<Record>) -> String? {
        guard draft.isSaved else { return nil }
        let reference = RecordReference(Record.kind, id: draft.record.id)
        let name = session.name(ofNew: reference)
        let what = Record.kind == .inspection ? "draft" : Record.kind.rawValue
        return "Your answers so far are kept as \(what) \(reference.shortID).\n"
            + "Go on: edit \(name). Throw it away: delete \(name)."
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

    /// - Parameter id: of the form that was assigned. Where it cannot be read, or is not here, no other one's questions are
    ///   asked.
    private func form(_ id: String?, values: [FieldValue]) throws -> FormDefinition? {
        guard let id else { return try form(values, asks: session.canAsk) }
        if let readable = try session.field().forms.findReadable(id) { return readable }
        if let withdrawn = try session.field().formEvenWithdrawn(id) {
            let name = withdrawn.name.printableLine
            session.dialogue.show("The office has withdrawn the form \(name). It is asked as this laptop had it last.")
            return withdrawn
        }
        let short = RecordReference.short(id, kind: .form).printableLine
        let why = try session.field().isThere(.form, id: id) ? "cannot be read" : "is not there"
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

    /// The only form, where a line that names none answers it, and nobody is asked.
    ///
    /// - Throws: `UsageError` where it may be another of several.
    private func formAnswered(by request: NewRequest, in inspection: Inspection) throws -> FormDefinition? {
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
        return forms.first { $0.id.isExactly(id) }
    }

    private func sortedForms() throws -> [FormDefinition] {
        try session.field().forms.all().records.sorted { (Name($0.name), Name($0.id)) < (Name($1.name), Name($1.id)) }
    }

    /// The form of an assignment, which needs none.
    private func askForForm() throws -> String? {
        let forms = try sortedForms()
        guard session.canAsk, !forms.isEmpty else { return nil }
        return try session.questions.choose("Form (Enter: none)", from: forms.map(\.name)).map { forms[$0].id }
    }

    private func addFinding(_ text: String, to inspection: Inspection) throws {
        try session.field().findings.add(inspection.newFinding(makeID(.finding), text: text), by: session.author())
    }

    // MARK: Others

    private func newFinding(_ request: NewRequest) throws -> Done {
        guard let owner = request.owner else {
            throw UsageError("Say of which inspection: new finding INSPECTION text=…")
        }
        let field = try session.field()
        let reference = try RecordFinder(session: session).find(owner, among: [.inspection])
        guard let inspection = try field.inspections.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: reference.id)
        }
        try field.checkIsOpen(inspection)
        let draft = RecordDraft(
            inspection.newFinding(makeID(.finding), text: ""), in: field.findings, session: session,
            check: field.checkIsOpen(inspectionOf:), verify: field.checkMove)
        if session.canAsk { session.dialogue.show(try TitleWithSite(field).title(reference).printableLine) }
        try fill(draft, values: request.values)
        let finding = draft.record
        return Done("Saved the finding: \(finding.text.printableLine).", object: finding.identifiedObject)
    }

    private func newSite(_ request: NewRequest) throws -> Done {
        let field = try session.field()
        let preset = try session.knownDistricts().preset
        var new = Site(
            id: makeID(.site), name: request.owner ?? "", address: Address(), district: preset ?? .unknown)
        // A question is answered before the site is saved: a sync beside the shell would send it.
        if preset == nil, session.canAsk { new.envelope = RecordEnvelope(district: nil, channels: []) }
        let draft = RecordDraft(new, in: field.sites, session: session)
        try fill(draft, values: request.values, skipping: request.owner == nil ? [] : ["name"])
        let site = draft.record
        if session.listing.isEmpty { session.listing = [RecordReference(.site, id: site.id)] }
        return Done(try saved("Saved the site \(site.name).", site: site), object: site.identifiedObject)
    }

    /// With what a sync would refuse of it.
    private func saved(_ text: String, site: Site) throws -> String {
        let text = try [text, twin(of: site)].compactMap(\.self).joined(separator: "\n")
        guard let warning = try session.warning(ofDistrict: site) else { return text }
        return "\(text)\n\(warning)\(RecordReference.short(site.id, kind: .site)) district=CODE".printable
    }

    /// Inspections would be spread over both.
    private func twin(of site: Site) throws -> String? {
        let twin = try session.field().sites.all().records.first { other in
            !other.id.isExactly(site.id) && other.name.isExactly(site.name) && other.district == site.district
        }
        return twin.map { other in
            let street = other.address.street.map { ", \($0)" } ?? ""
            let old = RecordReference.short(other.id, kind: .site)
            let new = RecordReference.short(site.id, kind: .site)
            return "\(other.name)\(street) is there already, as \(old). If it is the same one: delete \(new)"
                .printableLine
        }
    }

    private func newAssignment(_ request: NewRequest) throws -> Done {
        let site = try site(request.owner, usage: "Say which site: new assignment SITE inspector=… due=…")
        var new = Assignment(
            id: makeID(.assignment), inspector: "", site: site.id, due: today.adding(days: 7),
            district: site.district ?? .unknown)
        let isForm = { (value: FieldValue) in ChoiceMatch.means(value.field, choice: "form") }
        let named = request.values.last(where: isForm)?.text
        new.form = try named.map { try form(called: $0)?.id } ?? askForForm()
        let draft = RecordDraft(new, in: try session.field().assignments, session: session)
        let note = try hasAssigned() ? "" : " The gateway takes it from supervisors only."
        try fill(draft, values: request.values.filter { !isForm($0) }, skipping: ["status"])
        let assignment = draft.record
        return Done(
            "Assigned \(site.name) to \(assignment.inspector), due \(assignment.due).\(note)",
            object: assignment.identifiedObject)
    }

    /// Whether the gateway has taken an assignment from this person before.
    private func hasAssigned() throws -> Bool {
        guard let user = try session.author().name else { return false }
        let field = try session.field()
        return try field.assignments.all().records.contains { assignment in
            guard assignment.envelope.createdBy?.isExactly(user) == true else { return false }
            return try field.isTaken(.assignment, id: assignment.id)
        }
    }

    /// From the arguments of the line, and the rest by questions; saved as soon as it can be.
    private func fill<Record: EditableRecord>(
        _ draft: RecordDraft<Record>, values: [FieldValue], skipping: Set<Name> = []
    ) throws {
        try take(values, draft: draft)
        guard session.canAsk else { return try draft.save() }
        session.dialogue.show(AnswerLine.signs)
        do {
            let skipped = skipping.union(names(values, draft: draft))
            _ = try Interview(session: session, draft: draft, skipping: skipped).run()
        } catch is Stopped {
            throw stopped(draft)
        } catch let error as StoreError {
            showKept(draft)
            throw error
        }
        // A full stop leaves open what it must have.
        if !draft.isSaved, draft.record.envelope.channels.isEmpty {
            throw Stopped("Nothing was saved: its district is missing.")
        }
        try draft.save()
    }

    /// What the line says already.
    private func take<Record: EditableRecord>(_ values: [FieldValue], draft: RecordDraft<Record>) throws {
        guard !values.isEmpty else { return }
        try session.checkDoubts(values, record: draft.record, form: draft.form)
        try draft.change { try $0.apply(values.map { ($0.field, $0.text) }, form: draft.form, today: today) }
    }

    private func names<Record: EditableRecord>(_ values: [FieldValue], draft: RecordDraft<Record>) -> Set<Name> {
        let fields = draft.record.editableFields(form: draft.form)
        return Set(values.compactMap { fields.field(typed: $0.field)?.name })
    }

    private func site(_ text: String?, usage: String) throws -> Site {
        var text = text
        while text == nil || text == "" {
            guard session.canAsk, let line = try askForSite() else { throw UsageError(usage) }
            text = line
        }
        let reference = try RecordFinder(session: session).find(text ?? "", among: [.site])
        guard let site = try session.field().sites.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .site, id: reference.id)
        }
        return site
    }
}

extension CommandRunner {
    private func askForSite() throws -> String? {
        let names = try session.field().sites.all().records.map(\.name)
        return try session.questions.line("Site (number, or part of its name): ", completing: names)
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
