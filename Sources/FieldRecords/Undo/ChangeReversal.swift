import DocumentStore
import DocumentValues
import FieldModels

/// Takes back changes of single records, for commands, deletions and refusals alike.
struct ChangeReversal: RecordService {
    let store: RecordStore
    let journal: ChangeJournal

    func body(of record: JournalRecord) throws -> JSONObject? {
        try collection(of: record.kind).document(id: record.id)?.body
    }

    /// To be called in a transaction.
    func takeBack(
        _ record: JournalRecord, by author: Author, renamed: inout [RenamedVersion]
    ) throws -> UndoneChange.Outcome {
        let present = try body(of: record)
        let outcome = try setBack(record, by: author, renamed: &renamed)
        try journal.report(OwnChange(record.reference, before: present, after: try body(of: record)))
        return outcome
    }

    private func setBack(
        _ record: JournalRecord, by author: Author, renamed: inout [RenamedVersion]
    ) throws -> UndoneChange.Outcome {
        let collection = collection(of: record.kind)
        let present = try collection.exchange(of: record.id)
        guard let before = record.before else {
            switch try collection.revert(id: record.id) {
            case .purged, .unchanged, nil: return .removed
            case .reverted, .purgedToBeFetched: throw UndoError(code: .sent(record.kind, record.id))
            }
        }
        if let present, present.isDeleted, present.isSent {
            return try bringBack(record.kind, id: record.id, body: before.body, by: author)
        }
        // Where the gateway has just this version, nothing is left to be sent; but a deletion may be on its way.
        if let present, !present.isDeleted, present.newestSent == before.revision {
            switch try collection.revert(id: record.id) {
            case .reverted: break
            case .purged, .purgedToBeFetched, .unchanged, nil:
                throw UndoError(code: .changedSince(record.kind, record.id))
            }
            return .restored
        }
        let edited = try editedBack(record, to: before, present: present, by: author)
        try collection.save(bodies: [(record.id, (edited ?? before.body).bytes)])
        let now = try collection.exchange(of: record.id)?.revision
        renamed.append(RenamedVersion(record: record.reference, old: before.revision, new: now))
        if present?.isDeleted ?? true { return .broughtBack }
        return edited == nil ? .restored : .restoredByEdit
    }

    /// A gateway cannot compare it with the version before the deletion. It takes it as new, from the user who is named as
    /// its writer, but a returned or approved inspection only from supervisors. The values stay noted as those of the people
    /// who gave them.
    func bringBack(
        _ kind: RecordKind, id: String, body: JSONObject, by author: Author
    ) throws -> UndoneChange.Outcome {
        let given = FieldChanges(of: body).completed(body, of: kind, broughtBackBy: author.name)
        var body = body
        given.write(to: &body)
        author.stamp(&body)
        // The gateway does not know the creator any more, and takes only the writer's name.
        if let name = author.name { body["createdBy"] = .string(name) }
        let status = Supervision.takeBack(from: &body, kind: kind)
        if kind == .response { noteReturn(in: &body, by: author) }
        try collection(of: kind).save(bodies: [(id, body.bytes)])
        return switch status {
        case .draft: .broughtBackAsDraft
        case .submitted: .broughtBackAsSubmitted
        case .returned, .approved, nil: .broughtBack
        }
    }
    private func noteReturn(in body: inout JSONObject, by author: Author) {
        let instance = body[Response.Key.instanceID.rawValue]?.stringValue ?? ""
        let step = ResponseStep(
            .broughtBack, by: author.name, at: author.moment, device: author.device, of: instance)
        let history = body[Response.Key.history.rawValue]?.arrayValue ?? []
        body[Response.Key.history.rawValue] = .array(history + [.object(step.object)])
    }
}
