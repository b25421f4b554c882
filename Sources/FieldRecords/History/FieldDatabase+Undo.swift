import DocumentStore
import DocumentValues
import FieldModels

/// What was taken back.
public struct UndoneChange: Sendable, Hashable {
    public enum Outcome: String, Sendable, Hashable {
        /// It was new; nothing is left of it.
        case removed
        /// It is as it was before.
        case restored
        /// It is as it was before, by an edit that waits to be sent: a gateway had the change already.
        case restoredByEdit
        /// It was deleted, and is there again; it was returned before, and is a draft now.
        case broughtBackAsDraft
        /// It was deleted, and is there again; it was approved before, and is submitted now.
        case broughtBackAsSubmitted
        /// It was deleted, and is there again.
        case broughtBack
    }

    public struct Record: Sendable, Hashable {
        public let kind: RecordKind
        @Exact public private(set) var id: String
        public let outcome: Outcome
        /// What that did to its fields, a line each, where it was restored.
        public private(set) var changes: [String] = []
    }

    public let title: String
    public let moment: Timestamp
    public let records: [Record]
}

/// What `undo` would take back now.
public struct PendingUndo: Sendable, Hashable {
    @Exact public private(set) var title: String
    public let moment: Timestamp
    /// Records that are new with the change: nothing is left of them when it is taken back, and it cannot be made again.
    public let vanishing: [UndoneChange.Record]
    /// Of the others.
    public let losses: UndoLosses
    fileprivate let change: ChangeNumber

    fileprivate init(_ entry: JournalEntry, losses: UndoLosses) {
        self.losses = losses
        title = entry.title
        moment = entry.author.moment
        change = entry.change
        vanishing = entry.records.filter { $0.before == nil }
            .map { UndoneChange.Record(kind: $0.kind, id: $0.id, outcome: .removed) }
    }
}

/// Why nothing can be taken back.
public struct UndoError: UserFacingError, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        case nothing
        /// It was made without noting what was before, such as an import.
        case notKept(title: String)
        /// It made a record that the gateway has already.
        case sent(RecordKind, String)
        /// The gateway has it already, and the inspection, also that of a finding, is handed in.
        ///
        /// - Parameter worker: whose it is, where that is not who made the change.
        case handedIn(String, of: String?)
        /// The same, of one that was approved.
        case approved(String)
        /// It gave an inspection another state, as the gateway knows already.
        case step(String)
        /// The gateway has it already, and the file of a photo that would come back is not here.
        case photoMissing(String)
        /// Something else has happened to it since.
        case changedSince(RecordKind, String)
        /// Another change is the last one now.
        case otherChange
    }

    public let code: Code

    public var description: String {
        switch code {
        case .nothing: "There is nothing to be undone: no change of this laptop waits to be sent."
        case .notKept(let title):
            "The last change, \(title), cannot be undone, nor what was before it."
        case .sent(let kind, let id):
            "The last change cannot be undone: the new \(kind.rawValue) \(kind.shortID(of: id)) has been sent. "
                + "Delete it with: delete \(kind.shortID(of: id))"
        case .step(let id):
            "The last change cannot be undone: it has been sent, and it gave the inspection "
                + "\(RecordKind.inspection.shortID(of: id)) another state."
        case .handedIn(let id, let worker):
            "The last change cannot be undone: it has been sent, and the inspection "
                + "\(RecordKind.inspection.shortID(of: id)) is handed in. A supervisor can return it to "
                + (worker?.printableLine ?? "you")
        case .approved(let id):
            "The last change cannot be undone: it has been sent, and the inspection "
                + "\(RecordKind.inspection.shortID(of: id)) is approved."
        case .photoMissing(let name):
            "The last change cannot be undone: it has been sent, and the file of \(name.printableLine) is not on this laptop."
        case .changedSince(let kind, let id):
            "The last change cannot be undone: the \(kind.rawValue) \(kind.shortID(of: id)) has been changed since, by a "
                + "sync or by another command. See it with: log \(kind.shortID(of: id))"
        case .otherChange: "Something else has been changed meanwhile. Nothing was undone; look again: undo"
        }
    }
}

extension FieldDatabase {
    /// What `undo` would take back.
    ///
    /// - Throws: `UndoError` where nothing can be.
    public func pendingUndo() throws -> PendingUndo {
        let entry = try lastChange()
        var losses = UndoLosses()
        for record in try whatGoesBack(entry) {
            try check(record, by: entry.author)
            guard let before = record.before, let present = try body(of: record) else { continue }
            losses.add(record.reference, before: before.body, present: present)
        }
        return PendingUndo(entry, losses: losses)
    }

    private func lastChange() throws -> JournalEntry {
        guard let entry = try journal.last() else { throw UndoError(code: .nothing) }
        guard !entry.records.isEmpty else { throw UndoError(code: .notKept(title: entry.title)) }
        return entry
    }

    /// Takes back the last change of this laptop, as long as its records are as it left them. What was sent of it is changed
    /// back by an edit; but records that are new to the gateway stay, and so does what is handed in. A deletion is taken back
    /// at any time: what the record was becomes a new version after the deletion, which goes to the gateway like any other.
    ///
    /// - Parameters:
    ///   - author: who edits what was sent, or brings back what others know: it says that they changed it last.
    ///   - seen: the change that a person has agreed to take back; `nil` for the last one, whichever it is.
    /// - Throws: `UndoError`; nothing is changed then.
    public func undo(by author: Author, seen: PendingUndo? = nil) throws -> UndoneChange {
        var undone: UndoneChange?
        try database.inBatch {
            let entry = try lastChange()
            if let seen, seen.change != entry.change { throw UndoError(code: .otherChange) }
            let going = try whatGoesBack(entry)
            for record in going { try check(record, by: entry.author) }
            var records: [UndoneChange.Record] = []
            var renamed: [RenamedVersion] = []
            for record in going.reversed() {
                let present = try body(of: record)
                let outcome = try takeBack(record, by: author, renamed: &renamed)
                let now = outcome.isRestored ? try body(of: record) : nil
                let changes = present.flatMap { old in now.map { RecordDifference.lines(from: old, to: $0) } }
                if let present, let now { try reopenChanges(of: record.reference, from: present, to: now) }
                if record.isDeletion, record.kind == .inspection {
                    try closeAssignment(ofReturned: record.id, by: author)
                }
                records.append(
                    UndoneChange.Record(kind: record.kind, id: record.id, outcome: outcome, changes: changes ?? []))
            }
            try journal.forget(entry)
            try journal.rename(renamed)
            try bringBackTiedFindings(by: author)
            undone = UndoneChange(title: entry.title, moment: entry.author.moment, records: records.reversed())
        }
        guard let undone else { throw UndoError(code: .nothing) }
        return undone
    }

    private func whatGoesBack(_ entry: JournalEntry) throws -> [JournalRecord] {
        try entry.records.filter { try !isLeftOpen($0, of: entry) }
    }

    func body(of record: JournalRecord) throws -> JSONObject? {
        try collection(of: record.kind).document(id: record.id)?.body
    }

    /// - Parameter author: of the change.
    private func check(_ record: JournalRecord, by author: Author) throws {
        let present = try collection(of: record.kind).exchange(of: record.id)
        guard present?.revision == record.after else {
            throw UndoError(code: .changedSince(record.kind, record.id))
        }
        guard let present else { return }
        // A new one of which a version was sent cannot go without a trace any more, also where more was typed since.
        if record.before == nil, present.isKnownToRemotes {
            throw UndoError(code: try obstacle(toTakingBack: record, by: author) ?? .sent(record.kind, record.id))
        }
        guard present.isSent, !present.isDeleted else { return }
        if let code = try obstacle(toTakingBack: record, by: author) { throw UndoError(code: code) }
        if let name = try missingPhoto(of: record) { throw UndoError(code: .photoMissing(name)) }
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
        renamed.append(RenamedVersion(subject: record.subject, old: before.revision, new: now))
        if present?.isDeleted ?? true { return .broughtBack }
        return edited == nil ? .restored : .restoredByEdit
    }

    /// A gateway cannot compare it with what it was before the deletion. It takes it as new, from anybody who is said to have
    /// written it, and an inspection that is returned or approved from supervisors alone. Its values stay those of who gave
    /// them.
    func bringBack(
        _ kind: RecordKind, id: String, body: JSONObject, by author: Author
    ) throws -> UndoneChange.Outcome {
        let given = FieldChanges(of: body).completed(body, of: kind, broughtBackBy: author.name)
        var body = body
        given.write(to: &body)
        author.stamp(&body)
        // The gateway does not know any more who created it, and takes nobody's name but the writer's.
        if let name = author.name { body["createdBy"] = .string(name) }
        let status = Supervision.takeBack(from: &body, kind: kind)
        try collection(of: kind).save(bodies: [(id, body.bytes)])
        return switch status {
        case .draft: .broughtBackAsDraft
        case .submitted: .broughtBackAsSubmitted
        case .returned, .approved, nil: .broughtBack
        }
    }

    /// What a sync has taken from the laptop leaves its journal, too, and the lists of what others have deleted and changed.
    public func forgetChangesOfRemovedRecords() throws {
        try journal.forgetRecords { record in
            // What was deleted before it was ever sent was taken by nobody.
            guard record.after != nil else { return false }
            return try collection(of: record.kind).exchange(of: record.id) == nil
        }
        try forgetDeletions { try collection(of: $0.kind).exchange(of: $0.id) == nil }
        try forgetChangesOfAbsentRecords()
    }
}
