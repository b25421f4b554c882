import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Changes an inspection: its answers, its site, or that it is handed in.
struct InspectionEdit {
    let session: ShellSession
    let reference: RecordReference

    func edit(_ values: [FieldValue]) throws -> Done {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: reference.id)
        }
        let form = try field.inspectionForms.form(of: inspection)
        let wanted = InspectionValues(values, form: form)
        if let status = wanted.status { try checkIsDraft(status) }
        let isTakenBack = try !wanted.isMoreThanAnswers && field.unsent.takesBack(values, of: reference, form: form)
        if !isTakenBack { try checkMayChange(inspection, status: wanted.status) }
        if values.isEmpty, try OthersWork(session: session).askToLeave(inspection, verb: "Change") {
            return Done("Nothing was changed.", object: [:])
        }
        guard wanted.isMoreThanAnswers else {
            return try answers(values, form: form, isTakenBack: isTakenBack).run()
        }
        return try change(inspection, to: wanted, form: form)
    }

    private func change(_ inspection: Inspection, to wanted: InspectionValues, form: FormDefinition?) throws -> Done {
        let moves = RecordMoves(session: session)
        // Everything there is to ask comes first; then all of it is done, or nothing.
        if !wanted.answers.isEmpty { try answers(wanted.answers, form: form).tryOut(on: inspection) }
        let target = try wanted.site.map { try moves.site(called: $0, for: reference) }
        var done: [Done] = []
        try session.field().database.inBatch {
            if wanted.status != nil { done.append(try takeBack()) }
            if let target { done.append(try moves.move(reference, to: target)) }
            if !wanted.answers.isEmpty {
                done.append(try answers(wanted.answers, form: form, asksDoubts: false).run())
            }
        }
        return done.dropFirst().reduce(done[0]) { $1.after($0) }
    }

    /// A submission by others is taken back before the inspection is changed.
    private func checkMayChange(_ inspection: Inspection, status: String?) throws {
        let field = try session.field()
        guard try field.submissions.isSubmittedByOthers(inspection, than: session.author()) else {
            return try field.submissions.checkIsOpen(inspection)
        }
        guard status == nil else { return }
        throw SubmittedWork.submittedByOthers(reference)
    }

    private func checkIsDraft(_ status: String) throws {
        guard !ChoiceMatch.means(status, choice: Inspection.Status.draft.rawValue) else { return }
        throw UsageError(
            "An inspection's status is changed by submit, approve and return.",
            hint: "To take back one that was not sent yet: edit \(reference.shortID) status=draft")
    }

    /// It is not to be handed in after all.
    private func takeBack() throws -> Done {
        let inspection = try session.field().submissions.takeBack(reference.id, by: session.author())
        let name = inspection.status == .draft ? "a draft" : inspection.status.rawValue
        return Done("The inspection \(reference.shortID) is \(name) again.", object: inspection.identifiedObject)
    }

    private func answers(
        _ values: [FieldValue], form: FormDefinition?, asksDoubts: Bool = true, isTakenBack: Bool = false
    ) throws -> RecordEdit<Inspection> {
        let field = try session.field()
        return RecordEdit(
            session: session, records: field.inspections, reference: reference, values: values, form: form,
            asksDoubts: asksDoubts,
            check: { if !isTakenBack { try field.submissions.checkIsOpen($0) } },
            adapt: { inspection in
                guard isTakenBack else { return try field.submissions.reopenIfIncomplete(&inspection, form: form) }
                try field.unsent.restoreChannels(of: &inspection)
            })
    }
}
