import DocumentValues
import FieldModels
import FieldRecords

/// Changes a finding.
struct FindingEdit {
    let session: ShellSession
    let reference: RecordReference

    /// A finding is part of its inspection; but when and whether it was fixed is seen later than the inspection is handed
    /// in, and the gateway may have refused the finding because of its district.
    func edit(_ values: [FieldValue]) throws -> Done {
        let field = try session.field()
        let isTakenBack = try field.unsent.takesBack(values, of: reference, form: nil)
        let isFree =
            try isTakenBack || values.areAll(of: "corrected")
            || (values.areAll(of: "district") && !field.store.isKnownToGateway(.finding, id: reference.id))
        if !isFree, let finding = try field.findings.find(reference.id) {
            try field.submissions.checkIsOpen(inspectionOf: finding)
        }
        if try EditWarnings(session: session).lacksInspection(reference),
            try !session.consents(to: "\(EditWarnings.mayBeHidden) Change it all the same?")
        {
            throw UsageError("Nothing was changed.", hint: "Ask the inspector whether the inspection was deleted.")
        }
        return try RecordEdit(
            session: session, records: field.findings, reference: reference, values: values,
            check: { if !isFree { try field.submissions.checkIsOpen(inspectionOf: $0) } },
            adapt: { if isTakenBack { try field.unsent.restoreChannels(of: &$0) } },
            verify: { if !isTakenBack { try field.checkMove(from: $0, to: $1) } }
        ).run()
    }
}
