import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Edits that no gateway got, of records that were taken away: seen, brought back or forgotten.
struct QuarantineCommands {
    let session: ShellSession

    func run(_ action: QuarantineAction) throws -> CommandResult {
        let field = try session.field()
        let kept = try field.quarantine.all()
        switch action {
        case .list:
            session.number(
                LastList(
                    numbered: kept.compactMap { record in
                        record.kind.map { (Int(record.id), RecordReference($0, id: record.documentID)) }
                    }))
            return .quarantine(kept)
        case .show(let text):
            let record = try kept.found(text)
            return .detail(try Detail(of: record, field, clock: session.environment.clock))
        case .restore(let text):
            let record = try kept.found(text)
            if record.isDeleted, let kind = record.kind {
                return .done(try deleteAgain(record, as: RecordReference(kind, id: record.documentID)))
            }
            return .done(try QuarantineRestoring(session: session).restore(record))
        case .discard(let text):
            let record = try kept.found(text)
            return .done(try discard(record))
        }
    }

    private func discard(_ record: QuarantinedRecord) throws -> Done {
        guard try session.consents(to: "Forget your \(record.change) of the \(record.titledName) for good?") else {
            return Done("Nothing was changed.", object: [:])
        }
        try session.field().quarantine.discard(record.id)
        return Done("Forgot the \(record.change) of the \(record.titledName).", object: record.object)
    }

    /// A deletion that was not sent is one again, asked about and undone as every deletion.
    private func deleteAgain(_ record: QuarantinedRecord, as reference: RecordReference) throws -> Done {
        let field = try session.field()
        guard try field.store.isThere(reference.kind, id: reference.id) else {
            throw UsageError(
                "The \(reference.kind.rawValue) \(reference.shortID) is not on this laptop, so there is nothing to delete.",
                hint: "Forget the deletion: quarantine discard \(record.id)")
        }
        // Edits that are brought back are no change that can be undone, so the command has begun none.
        field.journal.begin("delete", by: try session.author())
        let done = try DeleteCommand(session: session).delete(reference)
        if try !field.store.isThere(reference.kind, id: reference.id) { try field.quarantine.discard(record.id) }
        return done
    }
}
