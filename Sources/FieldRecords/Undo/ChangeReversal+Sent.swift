import DocumentStore
import DocumentValues
import FieldModels

/// Takes back changes that a gateway has already: with a running sync service, these are all changes older than a
/// second.
extension ChangeReversal {
    /// The reason why a sent change cannot be taken back by another one; `nil` if it can. A record that is handed in is
    /// no longer its inspector's, and after a step that others know of, only another step can follow.
    ///
    /// - Parameter author: of the change.
    func obstacle(toTakingBack record: JournalRecord, by author: Author) throws -> UndoError.Code? {
        let reviewed: RecordReference?
        switch record.kind {
        case .inspection, .response: reviewed = record.reference
        case .finding:
            let inspection = try body(of: record)?["inspection"]?.stringValue
            reviewed = inspection.map { RecordReference(.inspection, id: $0) }
        case .site, .form, .assignment: reviewed = nil
        }
        guard let reviewed, let content = try collection(of: reviewed.kind).document(id: reviewed.id)?.body else {
            return nil
        }
        let step = LifeCycleStep.path(of: reviewed.kind)
        let isStep = record.kind == reviewed.kind && record.changes(step, to: content)
        switch LifeCycleStep.status(content[step.member], of: reviewed.kind) {
        case .approved?: return .approved(reviewed)
        case .submitted?:
            if try !isStep && isSupervisor(author) { return nil }
            let worker = RecordOwners(of: reviewed.kind, content).worker
            let isOwn = author.name.map { worker.isExactly($0) } ?? true
            return .handedIn(reviewed, of: isOwn ? nil : worker)
        case .draft?, .returned?, nil: return isStep ? .step(reviewed) : nil
        }
    }

    /// The name of a photo that the change has taken out, and whose file is not here: the gateway takes no record without it.
    func missingPhoto(of record: JournalRecord) throws -> String? {
        let storage = try database.blobStorage()
        let present = Set((try body(of: record)?["photos"]?.arrayValue ?? []).compactMap(ItemKeys.digest))
        let missing = try (record.before?.body["photos"]?.arrayValue ?? []).first { photo in
            guard let key = ItemKeys.digest(photo), !present.contains(key), let digest = BlobDigest(key.text) else {
                return false
            }
            return try !storage.contains(digest)
        }
        return missing.map { $0["name"]?.stringValue ?? "a photo" }
    }

    private func isSupervisor(_ author: Author) throws -> Bool {
        guard let name = author.name else { return false }
        return try store.supervisorRole(of: name) == .known
    }

    /// The version before a sent change, as an edit of the present one; `nil` if the change was not sent. The gateway takes
    /// an edit only from the user who is named in it.
    func editedBack(
        _ record: JournalRecord, to before: JournalRecord.Version, present: DocumentExchange?, by author: Author
    ) throws -> JSONObject? {
        guard let present, !present.isDeleted, present.isSent(after: before.revision),
            let now = try body(of: record)
        else { return nil }
        var edited = before.body
        author.stamp(&edited)
        FieldChanges.afterEdit(from: now, to: edited, of: record.kind).write(to: &edited)
        return edited
    }
}

extension DocumentExchange {
    /// Whether a remote has a version that came after this one.
    fileprivate func isSent(after revision: RevisionID) -> Bool {
        guard let newestSent else { return false }
        return ancestry.revisions.prefix { $0 != revision }.contains(newestSent)
    }
}

extension JournalRecord {
    fileprivate func changes(_ step: FieldPath, to present: JSONObject) -> Bool {
        before.map { $0.body[step.member] != present[step.member] } ?? false
    }
}

extension UndoneChange.Outcome {
    /// Whether the record was there all the time, and is as it was before.
    var isRestored: Bool {
        switch self {
        case .restored, .restoredByEdit: true
        case .removed, .broughtBackAsDraft, .broughtBackAsSubmitted, .broughtBack: false
        }
    }
}
