import DocumentValues
import FieldModels
import FieldRecords

/// Making records, by the words of a line or by questions.
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
        let field = try session.field()
        let site = try site(request.owner, "Say which site: new inspection SITE.")
        let asks = session.canAsk && request.values.isEmpty && request.findings.isEmpty
        var inspection = Inspection(
            id: makeID(.inspection), site: site.id, date: today, district: site.district ?? .unknown)
        inspection.inspector = session.author().name
        let form = try form(request.values, asks: asks)
        inspection.form = form?.id
        let values = request.values.filter { $0.field.lowercased() != "form" }
        try inspection.apply(values.map { ($0.field, $0.text) }, form: form, today: today)
        let draft = InspectionDraft(inspection, in: field, session)
        var findings = 0
        do {
            if asks { try askQuestions(about: draft, form: form) }
            try draft.save()
            for text in request.findings {
                try addFinding(text, risk: nil, to: draft.inspection)
                findings += 1
            }
            if asks { findings += try askForFindings(of: draft.inspection) }
        } catch is Stopped {
            throw stopped(draft)
        }
        return saved(draft.inspection, at: site, findings: findings)
    }

    private func stopped(_ draft: InspectionDraft) -> Stopped {
        guard draft.isSaved else { return Stopped("Nothing was saved.") }
        session.listing = [RecordReference(.inspection, draft.inspection.id)]
        let id = RecordReference.short(draft.inspection.id, .inspection)
        return Stopped(
            "Your answers so far are kept as draft \(id).\nGo on: edit \(id). Throw it away: delete \(id).")
    }

    private func saved(_ inspection: Inspection, at site: Site, findings: Int) -> Done {
        let reference = RecordReference(.inspection, inspection.id)
        session.listing = [reference]
        let more = findings > 0 ? " with \(findings.of("finding"))" : ""
        return Done(
            "Saved draft \(reference.shortID) for \(site.name)\(more).\n"
                + "Next: attach 1 FILE, submit 1", inspection.identifiedObject)
    }

    /// The form that a line names, that a person chooses, or the only one there is.
    private func form(_ values: [FieldValue], asks: Bool) throws -> FormDefinition? {
        let forms = try session.field().forms.all().records.sorted { $0.name < $1.name }
        if let named = values.last(where: { $0.field.lowercased() == "form" })?.text {
            let id = try RecordFinder(session: session).findForm(named, among: forms)
            return forms.first { $0.id == id }
        }
        guard !forms.isEmpty, asks else { return nil }
        if forms.count == 1 { return forms[0] }
        switch try session.questions.choose("Form", from: forms.map(\.name), preset: 0) {
        case .value(let index): return forms[index]
        case .open, .stop: return nil
        }
    }

    private func askQuestions(about draft: InspectionDraft, form: FormDefinition?) throws {
        session.dialogue.tell("An empty line leaves a question open, a full stop ends the questions.")
        var asked: Set<String> = ["inspector"]
        while true {
            // Asked anew after each answer, because it can open or close further questions.
            let fields = draft.inspection.editableFields(form: form)
            guard let field = fields.first(where: { !asked.contains($0.question.name) }) else { return }
            asked.insert(field.question.name)
            switch try session.questions.ask(field.question, present: field.get(draft.inspection)) {
            case .value(let text):
                try draft.change { try $0.apply([(field.question.name, text)], form: form, today: today) }
            case .open: continue
            case .stop: return
            }
        }
    }

    private func askForFindings(of inspection: Inspection) throws -> Int {
        var count = 0
        while let text = try session.questions.line("Finding (empty: no more): "), !text.isEmpty {
            let risk: Finding.Risk?
            do {
                risk = try askForRisk()
            } catch {
                // What was typed is kept, as every other answer is.
                try addFinding(text, risk: nil, to: inspection)
                throw error
            }
            try addFinding(text, risk: risk, to: inspection)
            count += 1
        }
        return count
    }

    private func askForRisk() throws(Stopped) -> Finding.Risk? {
        let risks = Finding.Risk.allCases
        switch try session.questions.choose("Risk", from: risks.map(\.rawValue), preset: 0) {
        case .value(let index): return risks[index]
        case .open, .stop: return nil
        }
    }

    private func addFinding(_ text: String, risk: Finding.Risk?, to inspection: Inspection) throws {
        var finding = Finding(
            id: makeID(.finding), inspection: inspection.id, site: inspection.site, date: inspection.date, text: text,
            district: inspection.district ?? .unknown)
        finding.risk = risk
        try session.field().findings.add(finding, by: session.author())
    }

    // MARK: Others

    private func newFinding(_ request: NewRequest) throws -> Done {
        guard let owner = request.owner else {
            throw UsageError("Say of which inspection: new finding INSPECTION text=…")
        }
        let field = try session.field()
        let reference = try RecordFinder(session: session).find(owner, among: [.inspection])
        guard let inspection = try field.inspections.find(reference.id) else {
            throw RecordActionError(.notFound, .inspection, reference.id)
        }
        try inspection.checkIsOpen()
        var finding = Finding(
            id: makeID(.finding), inspection: inspection.id, site: inspection.site, date: inspection.date, text: "",
            district: inspection.district ?? .unknown)
        try fill(&finding, request.values)
        finding = try field.findings.add(finding, by: session.author())
        return Done("Saved the finding: \(finding.text).", finding.identifiedObject)
    }

    private func newSite(_ request: NewRequest) throws -> Done {
        var site = Site(id: makeID(.site), name: request.owner ?? "", address: Address(), district: .unknown)
        try fill(&site, request.values, skipping: request.owner == nil ? [] : ["name"])
        site = try session.field().sites.add(site, by: session.author())
        session.listing = [RecordReference(.site, site.id)]
        return Done("Saved the site \(site.name).", site.identifiedObject)
    }

    private func newAssignment(_ request: NewRequest) throws -> Done {
        let site = try site(request.owner, "Say which site: new assignment SITE inspector=… due=…")
        var assignment = Assignment(
            id: makeID(.assignment), inspector: "", site: site.id, due: today.adding(days: 7),
            district: site.district ?? .unknown)
        try fill(&assignment, request.values, skipping: ["status"])
        assignment = try session.field().assignments.add(assignment, by: session.author())
        return Done(
            "Assigned \(site.name) to \(assignment.inspector), due \(assignment.due).", assignment.identifiedObject)
    }

    /// From the words of the line, or else by questions.
    private func fill<Record: EditableRecord>(
        _ record: inout Record, _ values: [FieldValue], skipping: Set<String> = []
    ) throws {
        if !values.isEmpty || !session.canAsk {
            return try record.apply(values.map { ($0.field, $0.text) }, form: nil, today: today)
        }
        for field in record.editableFields(form: nil) where !skipping.contains(field.question.name) {
            switch try session.questions.ask(field.question, present: field.get(record).flatMap { $0 == "" ? nil : $0 })
            {
            case .value(let text): try record.set(field, to: text, today: today)
            case .open: continue
            case .stop: return
            }
        }
    }

    private func site(_ text: String?, _ usage: String) throws -> Site {
        var text = text
        while text == nil || text == "" {
            guard session.canAsk, let line = try session.questions.line("Site (number, or part of its name): ") else {
                throw UsageError(usage)
            }
            text = line
        }
        let reference = try RecordFinder(session: session).find(text ?? "", among: [.site])
        guard let site = try session.field().sites.find(reference.id) else {
            throw RecordActionError(.notFound, .site, reference.id)
        }
        return site
    }
}

extension RecordFinder {
    /// A form by its name, its id or a beginning of either.
    func findForm(_ text: String, among forms: [FormDefinition]) throws -> String {
        let names = forms.map(\.name)
        if case .found(let name) = WordChoice.find(text, among: names),
            let form = forms.first(where: { $0.name == name })
        {
            return form.id
        }
        return try find(text, among: [.form]).id
    }
}
