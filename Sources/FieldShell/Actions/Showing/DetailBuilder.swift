import DocumentStore
import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Gathers the shown details of one record.
struct DetailBuilder {
    private let field: FieldDatabase
    private let clock: LocalClock
    private let setting: FormSetting?

    /// - Parameter setting: with which filled forms are read; `nil`: their answers are shown by the names of questions.
    init(_ field: FieldDatabase, clock: LocalClock, setting: FormSetting? = nil) {
        self.field = field
        self.clock = clock
        self.setting = setting
    }

    func detail(of reference: RecordReference) throws -> Detail {
        switch reference.kind {
        case .site: return try site(try found(field.sites, id: reference.id))
        case .inspection: return try inspection(try found(field.inspections, id: reference.id))
        case .finding: return try finding(try found(field.findings, id: reference.id))
        case .form: return try form(reference.id)
        case .assignment: return try assignment(try found(field.assignments, id: reference.id))
        case .response: return try response(try found(field.responses, id: reference.id))
        }
    }

    /// The detail of a record that is not among the records, by its content; `nil` if that cannot be read.
    func detail(of kind: RecordKind, _ id: String, body: JSONObject) throws -> Detail? {
        do {
            switch kind {
            case .site: return try site(try Site(id: id, object: body))
            case .inspection: return try inspection(try Inspection(id: id, object: body))
            case .finding: return try finding(try Finding(id: id, object: body))
            case .form where FormDocument.reads(body): return form(try FormDocument(id: id, object: body))
            case .form: return form(try FormDefinition(id: id, object: body))
            case .assignment: return try assignment(try Assignment(id: id, object: body))
            case .response: return try response(try Response(id: id, object: body))
            }
        } catch is RecordError {
            return nil
        }
    }

    private func found<Record>(_ records: RecordRepository<Record>, id: String) throws -> Record {
        guard let record = try records.find(id) else { throw RecordActionError(.notFound, kind: Record.kind, id: id) }
        return record
    }

    private func site(_ site: Site) throws -> Detail {
        var detail = Detail(
            site, clock: clock, title: site.name,
            fields: [
                ("Address", site.address.line), ("Telephone", site.phone), ("Notes", site.notes),
                ("Location", site.location.map { "\($0.latitude), \($0.longitude)" }),
            ])
        let inspections = try field.listing.inspections(ofSite: site.id).sorted { $1.date < $0.date }
        let visits = inspections.map { [$0.date.description, $0.visitLabel, $0.outcome].compactMap(\.self) }
        detail.add("Inspections", lines: visits.map { $0.joined(separator: "  ") })
        let loose = try field.listing.findings(ofSite: site.id).filter { $0.inspection == nil }
        detail.add("Findings without an inspection", lines: loose.map(\.line))
        return detail
    }

    private func inspection(_ inspection: Inspection) throws -> Detail {
        let form = try field.inspectionForms.form(of: inspection)
        let answers = ShownAnswers(inspection, form: form).rows
        var detail = Detail(
            inspection, clock: clock, title: "\(try siteName(inspection.site)), \(inspection.date)",
            fields: [
                ("Visit", inspection.visitLabel), ("Status", inspection.status.rawValue),
                ("Still to answer", stillOpen(in: inspection, form: form)),
                ("Inspector", inspection.inspector), ("Form", form?.title ?? inspection.form?.asTitle),
                ("Assignment", inspection.assignment.map { RecordReference.short($0, kind: .assignment).asTitle }),
            ] + answers + [
                ("Score", inspection.score.map(String.init)), ("Notes", inspection.notes),
                ("Submitted", inspection.submittedAt.map(clock.text)), review(of: inspection),
                ("Returned because", inspection.review),
            ])
        let findings = try field.findings.all(ofInspection: inspection.id)
        if let missing = try MissingSite(of: inspection, in: field) {
            detail.add(missing.fact, lines: [missing.advice].compactMap(\.self), evenEmpty: true)
        }
        detail.add("Findings", lines: findings.records.map(\.line))
        if let changes = ApprovalChanges(
            of: inspection, findings.records, unreadable: Set(findings.unreadable.map { Name($0.id) }))
        {
            detail.add("Changed after the approval", lines: try ApprovalText(changes, field: field).lines)
        }
        detail.add("Photos", lines: try inspection.photos.map(line))
        return detail
    }

    /// The missing answers of an inspection that was handed in; for a draft the questions ask for them.
    private func stillOpen(in inspection: Inspection, form: FormDefinition?) -> String? {
        inspection.status == .submitted ? inspection.openQuestions(form).joined(separator: ", ") : nil
    }

    /// `ines, 17:41 today`.
    private func review(of inspection: Inspection) -> (String, String?) {
        let text = inspection.reviewed.map { stamp in
            [stamp.by, stamp.at.map(clock.text)].compactMap(\.self).joined(separator: ", ")
        }
        return (inspection.status == .approved ? "Approved" : "Returned", text)
    }

    private func line(_ photo: Photo) throws -> String {
        try photo.datedLine(clock) + AbsentPhotoText.mark(photo, in: field)
    }

    private func finding(_ finding: Finding) throws -> Detail {
        let isAlone = try field.store.lacksInspection(finding.object)
        let inspection = finding.inspection.map { id in
            RecordReference.short(id, kind: .inspection).asTitle + (isAlone ? " (not on this laptop)" : "")
        }
        var detail = Detail(
            finding, clock: clock, title: "\(try siteName(finding.site)), \(finding.date)",
            fields: [
                ("Finding", finding.text), ("Risk", finding.risk?.rawValue),
                ("Fixed on", finding.corrected?.description), ("Notes", finding.notes),
                ("Inspection", inspection),
            ])
        detail.add("Photos", lines: try finding.photos.map(line))
        return detail
    }

    private func form(_ id: String) throws -> Detail {
        guard let document = try field.formDocuments.findReadable(id) else {
            return form(try found(field.forms, id: id))
        }
        // The head, or one of its versions.
        let version = document.isVersion ? document.content["version"]?.stringValue : nil
        return try FormDetail(
            FormLibrary(in: field).outlined(document.form + (version.map { "@\($0)" } ?? ""))
        ).detail
    }

    /// One that was deleted.
    private func form(_ document: FormDocument) -> Detail {
        Detail(document, clock: clock, title: document.title, fields: [("Form", document.form)])
    }

    private func form(_ form: FormDefinition) -> Detail {
        var detail = Detail(form, clock: clock, title: form.name, fields: [("Version", String(form.version))])
        detail.add(
            "Questions",
            lines: form.fields.map { field in
                let asked = field.condition.map { " (if \($0.field) is \($0.equals.cell ?? ""))" } ?? ""
                return
                    "\(field.name): \(field.label), \(field.kind.rawValue)\(field.isRequired ? ", required" : "")\(asked)"
            })
        return detail
    }

    private func assignment(_ assignment: Assignment) throws -> Detail {
        Detail(
            assignment, clock: clock, title: try siteName(assignment.site),
            fields: [
                ("Assigned to", assignment.inspector), ("Due", due(assignment)),
                ("Status", assignment.status.rawValue), ("What", assignment.instructions),
                ("Form", try formName(assignment.form)),
                ("Inspection", assignment.inspection.map { RecordReference.short($0, kind: .inspection).asTitle }),
            ])
    }

    private func due(_ assignment: Assignment) -> String {
        let urgency = assignment.urgency(on: clock.day(of: clock.now)).map { ", \($0)" } ?? ""
        return assignment.due.description + urgency
    }

    private func formName(_ id: String?) throws -> String? {
        try id.map { try field.inspectionForms.formEvenWithdrawn($0)?.title ?? $0.asTitle }
    }

    private func response(_ response: Response) throws -> Detail {
        var detail = Detail(
            response, clock: clock, title: response.title,
            fields: [
                ("Form", "\(response.form), version \(response.formVersion)"), ("State", response.state.rawValue),
                ("Site", try response.site.map { try siteName($0) }), ("Begun", response.startedAt.map(clock.text)),
                ("Saved", response.endedAt.map(clock.text)), ("Finalised by", response.finalisedBy),
                ("Instance", response.instanceID), ("Replaces", response.deprecatedID),
            ])
        try addAnswers(of: response, to: &detail)
        detail.add("Kept of earlier versions", lines: ShownResponse.former(response.former))
        detail.add("Reports for the form's author", lines: ShownResponse.reports(response.reports))
        return detail
    }

    /// The labels are in the form, which may not be here; the answers are shown all the same.
    private func addAnswers(of response: Response, to detail: inout Detail) throws {
        guard let setting else { return detail.add("Answers", lines: ShownResponse.lines(response.answers)) }
        do {
            let lines = try ResponseReading(in: field, setting: setting).lines(of: response)
            detail.add("Answers", lines: lines)
        } catch let error as FormLibraryError {
            detail.add("Answers, by the names of questions", lines: ShownResponse.lines(response.answers))
            detail.add("Remarks", lines: ShownResponse.remarks(response.remarks))
            detail.add("Without labels", lines: [error.description])
        } catch let error as StoreError where error.code == .wrongPassphrase {
            detail.add("Answers, by the names of questions", lines: ShownResponse.lines(response.answers))
        }
    }

    private func siteName(_ id: String) throws -> String { try SiteName(field.deletions).of(id) }
}

extension Inspection {
    fileprivate var outcome: String { status.rawValue + (score.map { ", score \($0)" } ?? "") }
}
