import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Warnings about a change that is saved here, as far as this laptop knows.
struct EditWarnings {
    let session: ShellSession

    /// An inspection that is submitted, and not handed in yet, is sent with the next sync, unless it is not complete
    /// any more.
    func stillSubmitted(from old: some FieldRecord, to new: some FieldRecord) -> String {
        guard let old = old as? Inspection, let new = new as? Inspection, old.status == .submitted else { return "" }
        return new.status.isOpen
            ? "It is not submitted any more. When it is complete: submit \(RecordReference.short(new.id, kind: .inspection))"
            : "It is submitted, and goes with the next sync."
    }

    /// The inspector may not change the content of an assignment: the gateway refuses it, and with it the note that the
    /// work is done.
    func willBeRefused(from old: some FieldRecord, to new: some FieldRecord) throws -> String {
        guard let old = old as? Assignment, var new = new as? Assignment, let user = try session.author().name else {
            return ""
        }
        (new.status, new.inspection, new.envelope) = (old.status, old.inspection, old.envelope)
        let isOwn = old.envelope.createdBy?.isExactly(user) == true
        guard new != old, !isOwn, try session.field().store.supervisorRole(of: user) == .unlikely else { return "" }
        return
            "The gateway lets only supervisors change what was assigned. Write what you have to say into the "
            + "inspection."
    }

    /// Where the inspection is deleted, laptops that know it hide the finding. The first sync of a folder brings no deletions.
    func lacksInspection(_ record: RecordReference) throws -> Bool {
        let field = try session.field()
        guard record.kind == .finding, let body = try field.collection(of: .finding).document(id: record.id)?.body
        else { return false }
        return try field.store.lacksInspection(body) && field.store.isKnownToGateway(.finding, id: record.id)
    }

    static let mayBeHidden =
        "The inspection of this finding is not on this laptop: it may be deleted, and then no one sees what you write."
}
