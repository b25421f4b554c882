import DocumentValues
import FieldModels
import FieldRecords

/// Adds a finding to an inspection.
struct NewFinding {
    let session: ShellSession

    func make(_ request: NewRequest) throws -> Done {
        guard let owner = request.owner else {
            throw UsageError("Say of which inspection: new finding INSPECTION text=…")
        }
        let field = try session.field()
        let reference = try RecordFinder(session: session).find(owner, among: [.inspection])
        guard let inspection = try field.inspections.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: reference.id)
        }
        try field.submissions.checkIsOpen(inspection)
        let draft = RecordDraft(
            inspection.newFinding(RecordIDs.makeRandom(.finding), text: ""), in: field.findings, session: session,
            check: field.submissions.checkIsOpen(inspectionOf:), verify: field.checkMove)
        if session.canAsk { session.dialogue.show(try TitleWithSite(field.deletions).title(reference).printableLine) }
        try DraftFilling(session: session, draft: draft).fill(request.values)
        let finding = draft.record
        return Done("Saved the finding: \(finding.text.printableLine).", object: finding.identifiedObject)
    }
}
